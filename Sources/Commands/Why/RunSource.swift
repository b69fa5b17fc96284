import ArgumentParser
import Bench
import Campaigns
import Conformance
import Foundation
import Judging
import SimKernel
import Stress

/// A run that can be played again: that of a scenario and a seed, of a folder that `--out` has made, or of a recorded
/// session.
struct RunSource {
  /// What it is played from.
  private enum Origin {
    case scenario(RunPlan, seed: UInt64)
    case session(SessionRecording, repeatLine: String)
    case room(RecordedRoom, repeatLine: String)
  }

  let scenario: Scenario
  private let origin: Origin
  /// The digest that a folder has written down; nil: nothing was.
  private let recordedDigest: String?
  /// As it was written on the command line.
  private let argument: String

  /// - Parameter argument: a scenario, a folder, or a session.jsonl.
  /// - Throws: `UsageProblem`, `NoScenario`, `ScenarioProblems`.
  init(_ argument: String, seed: UInt64?, settings: [String], on bench: Bench) throws {
    self.argument = argument
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder)
    if exists, isFolder.boolValue || argument.hasSuffix(".jsonl") {
      if seed != nil || !settings.isEmpty {
        throw UsageProblem("\(argument) is one run: --seed and --set are for scenarios")
      }
    }
    guard exists, isFolder.boolValue else {
      recordedDigest = nil
      (scenario, origin) =
        argument.hasSuffix(".jsonl")
        ? try RecordedRoom.isOne(argument) ? Self.room(argument) : Self.session(argument)
        : try Self.scenario(RunPlan(scenario: argument, path: "", settings: settings), seed, bench)
      return
    }
    let result = try Self.result(in: argument)
    recordedDigest = result.member("digest")?.text
    let words = result.member("repeat")?.text.flatMap { Shell.words(of: $0) } ?? []
    switch words.dropFirst().first {
    case "run":
      guard let command = try RunCommand.parseAsRoot(Array(words.dropFirst(2))) as? RunCommand else {
        throw UsageProblem("\(argument)/result.json: its repeat line is not a babbench run command")
      }
      (scenario, origin) = try Self.scenario(
        RunPlan(scenario: command.scenario, path: "", settings: command.overrides.settings), command.seed, bench)
    case "replay" where words.count > 2: (scenario, origin) = try Self.session(words[2])
    case "room": (scenario, origin) = try Self.room(argument + "/room.jsonl")
    default:
      throw UsageProblem(
        "\(argument)/result.json is not from a single run; "
          + (Self.runs(in: argument) ?? "give a folder that run, serve, play or replay --out has made"))
    }
  }

  private static func result(in folder: String) throws -> JSONTree {
    guard let data = FileManager.default.contents(atPath: folder + "/result.json") else {
      throw UsageProblem(
        "\(folder) has no result.json; "
          + (runs(in: folder) ?? "give a folder that run --out has made, of a sweep one of its seed-N"))
    }
    do { return try JSONTree([UInt8](data)) } catch {
      throw UsageProblem("\(folder)/result.json: octet \(error.offset): \(error.reason)")
    }
  }

  /// What to give instead of a folder with the folders of several runs; nil: it has none.
  private static func runs(in folder: String) -> String? {
    let manager = FileManager.default
    let runs = ["", "worlds/"].flatMap { (place: String) -> [String] in
      let names = (try? manager.contentsOfDirectory(atPath: folder + "/" + place)) ?? []
      return names.map { "\(folder)/\(place)\($0)" }.filter { manager.fileExists(atPath: $0 + "/result.json") }
    }.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    if runs.isEmpty { return nil }
    let others = runs.count > 3 ? " or one of \(runs.count - 3) others" : ""
    return "give one of its runs: "
      + (others.isEmpty ? Suggestion.alternatives(runs) : runs.prefix(3).joined(separator: ", ") + others)
  }

  private static func scenario(_ plan: RunPlan, _ seed: UInt64?, _ bench: Bench) throws -> (Scenario, Origin) {
    var plan = plan
    plan.path = try ScenarioLibrary.shipped.path(of: plan.scenario)
    let scenario = try bench.load(plan.path, plan.settings)
    return (scenario, .scenario(plan, seed: seed ?? scenario.seed))
  }

  private static func session(_ path: String) throws -> (Scenario, Origin) {
    let recording = try SessionFile.load(path).get()
    let scenario = try recording.scenario(.shipped).get()
    _ = try SeatRules.seats(recording.header, in: scenario)
    return (scenario, .session(recording, repeatLine: Shell.line(["babbench", "replay", path])))
  }

  private static func room(_ path: String) throws -> (Scenario, Origin) {
    let room = try RecordedRoom(path)
    return (room.scenario, .room(room, repeatLine: "babbench room < \(Shell.line([path]))"))
  }

  /// Whether somebody else drove it, line by line.
  var isRoom: Bool {
    if case .room = origin { true } else { false }
  }

  /// The name of the scenario file, for messages.
  var fileName: String {
    switch origin {
    case .scenario(let plan, _): plan.fileName
    case .session(let recording, _): recording.header.fileName
    case .room(let room, _): room.fileName
    }
  }

  var repeatLine: String {
    switch origin {
    case .scenario(let plan, let seed): plan.repeatLine(seed: seed)
    case .session(_, let line), .room(_, let line): line
    }
  }

  /// Plays it, lets all oracles judge it, and judges what its scenario claims as its command did: claims are about
  /// what the bench plays, and not about sessions with somebody from outside.
  func report(_ readers: [any TraceReader], on bench: Bench) throws -> RunReport {
    Interruption.workBegins()
    switch origin {
    case .scenario(_, let seed):
      let meter = scenario.claims.isEmpty ? nil : MeasureReader(protocols)
      let judgement = try bench.judge(scenario, RunOptions(seed: seed), readers: readers + (meter.map { [$0] } ?? []))
      return try RunReport(judgement, meter?.measures, of: scenario)
    case .session(let recording, _):
      return RunReport(
        judgement: try SessionReplay.judged(
          recording, scenario, readers, shouldStop: { Interruption.isRequested }
        ).judgement)
    case .room(let room, _): return try room.report(readers)
    }
  }

  /// What to say where the run is not the one that was written down; nil: it is, or nothing was.
  func remark(on judgement: Judgement) -> String? {
    let digest = judgement.outcome.digest.hexadecimal
    guard let recordedDigest, recordedDigest != digest else { return nil }
    return "\(argument) comes from another build or another scenario file: its digest is \(recordedDigest), now it is"
      + " \(digest); this is the run as it is now"
  }
}
