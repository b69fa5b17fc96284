import Bench
import Campaigns
import CaptureCheck
import CaptureFormats
import Conformance
import Foundation
import Judging
import RunReports
import SimKernel

/// A run or a capture to compare: read, or played.
struct ComparedRun {
  /// As messages call it.
  let name: String
  /// Nil: a capture has none.
  let log: RunLog?
  /// Nil where nobody wrote it down.
  let verdict: String?
  /// Nil where nobody asked for it.
  private(set) var timeline: RunTimeline?
  /// What the bench knows that explains what is wrong with it; nil: nothing is wrong, nothing explains it, or the run
  /// was read.
  private(set) var reason: String?
  /// The scenario's file, for people; empty where there is none.
  private(set) var file = ""

  /// - Parameters:
  ///   - settings: of a scenario; a run that is over has its own.
  ///   - ownSettings: of this one, which must be a scenario to have any.
  ///   - isDrawn: whether its timeline is wanted, which takes longer; captures have it always.
  /// - Throws: why there is none.
  init(
    _ argument: String, _ settings: [String], own ownSettings: [String] = [], isDrawn: Bool, on bench: Bench
  ) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder)
    let traced = isFolder.boolValue ? argument + "/trace.jsonl" : argument
    if ScenarioFile.isWaitingPipe(traced) {
      throw UsageProblem("\(traced): this is a named pipe, which may never end; write a file")
    }
    let isTrace = exists && (isFolder.boolValue || argument.hasSuffix("trace.jsonl"))
    let isCapture =
      exists && !isTrace && !(ScenarioLibrary.endings + ["jsonl"]).contains { argument.hasSuffix(".\($0)") }
    if isTrace || isCapture, let setting = ownSettings.first {
      throw UsageProblem("\(argument) is a recorded run; \(setting) is for scenarios")
    }
    if isCapture {
      (name, log, verdict) = (argument, nil, nil)
      timeline = try CapturedRun(argument).timeline
    } else if isTrace {
      guard let data = FileManager.default.contents(atPath: traced) else {
        throw UsageProblem("\(traced): there is no such file; give a folder that run --out has made")
      }
      (name, verdict) = (argument, nil)
      let read = try RunLog([UInt8](data), file: traced)
      log = read
      if isDrawn { timeline = try Self.timeline(read, beside: traced) }
    } else {
      let (scenario, seed) = try Self.split(argument)
      let source = try RunSource(scenario, seed: seed, settings: settings + ownSettings, on: bench)
      let sink = OctetCollector()
      let picture = isDrawn ? TimelineReader(of: protocols.spoken(in: source.scenario)) : nil
      let keeper = RunKeeper()
      let readers: [any TraceReader] =
        [TraceLinesReader(sink: sink), keeper] + (picture.map { [$0] } ?? [])
      var report = try source.report(readers, on: bench)
      let spoken = protocols.spoken(in: source.scenario)
      report.explain(by: StoryTeller(keeper.run, of: spoken, scenario: source.scenario))
      reason = KnownReason.text(of: report, source.scenario)
      (name, verdict, file) = (source.repeatLine, report.verdict.name, source.fileName)
      log = try RunLog(sink.octets, file: argument)
      timeline = picture?.timeline(report.judgement.findings, scenario: source.scenario, troubles: report.troubles)
    }
  }

  /// What it is, in a line.
  func line(_ name: String) -> String {
    var line = "\(name)  \(self.name)\(verdict.map { ", " + $0 } ?? "")"
    if let log { line += log.digest.map { ", digest \($0)" } ?? ", not complete" }
    return line
  }

  /// Draws it now, if that was not done.
  mutating func draw(_ argument: String, _ settings: [String], own: [String] = [], on bench: Bench) throws {
    if timeline == nil { timeline = try Self(argument, settings, own: own, isDrawn: true, on: bench).timeline }
  }

  /// What a folder has of a run, with what is on the air where it has that.
  private static func timeline(_ log: RunLog, beside file: String) throws -> RunTimeline {
    let air = String(file.dropLast("trace.jsonl".count)) + "air.pcapng"
    guard FileManager.default.fileExists(atPath: air) else { return RunTimeline(log, captured: nil) }
    let captured = try CapturedRun(air)
    var timeline = captured.timeline
    timeline.move(by: captured.sinceStart)
    return RunTimeline(log, captured: timeline)
  }

  /// `SCENARIO@SEED`.
  private static func split(_ argument: String) throws -> (scenario: String, seed: UInt64?) {
    guard let at = argument.lastIndex(of: "@"), !FileManager.default.fileExists(atPath: argument) else {
      return (argument, nil)
    }
    let text = argument[argument.index(after: at)...]
    guard let seed = UInt64(text) else {
      throw UsageProblem("\(argument): after @ comes a seed, a whole number from 0, not “\(text)”")
    }
    return (String(argument[..<at]), seed)
  }
}

/// What a capture shows, with the words of the protocol that is spoken in it.
private struct CapturedRun {
  let timeline: RunTimeline
  /// From the start of a run that this bench has played to the first record.
  let sinceStart: SimDuration

  /// - Throws: `CaptureRefusal`; `Checker.Interrupted`.
  init(_ path: String) throws {
    var best: (checker: Checker, report: CheckReport)?
    for spoken in protocols.traffic {
      var checker = Checker(paths: [path], protocolType: spoken)
      checker.printedProtocols = [spoken]
      checker.shouldStop = { _ in
        Interruption.workBegins()
        return Interruption.isRequested
      }
      let report = try checker.report()
      let speakers = report.judgement?.participants.count ?? 0
      if best == nil || speakers > best?.report.judgement?.participants.count ?? 0 { best = (checker, report) }
    }
    guard let (checker, report) = best else { throw UsageProblem("no protocol here is spoken in captures") }
    timeline = RunTimeline(report, try checker.picture(of: report))
    let first = report.captures.first?.firstNanoseconds ?? 0
    sinceStart = SimDuration(
      nanoseconds: first.subtractingReportingOverflow(CaptureEpoch.unixSeconds * 1_000_000_000).0)
  }
}
