import Campaigns
import CaptureCheck
import CaptureFormats
import Foundation
import Judging
import SimKernel

/// `babbench check --each`: captures that have nothing to do with each other, each judged by itself, and their causes
/// told once.
struct SeparateChecks {
  /// Files, and folders whose captures are meant.
  var paths: [String]
  /// The words of the command line that say how each is judged.
  var words: [String]
  var jobs: Int
  var out: String?
  /// Makes what judges a capture.
  var checker: @Sendable (_ path: String) -> Checker

  private static let unit = "captures"

  /// - Returns: the exit code.
  func execute(for streams: OutputStreams) throws -> Int32 {
    let list = try captures(streams)
    let folder = try out.map { try CampaignFolder($0, inputs: list) }
    Interruption.workBegins()
    let clock = CampaignClock()
    var tally = Tally(list)
    let checker = checker
    let line = ProgressLine(Self.unit, of: list.count)
    let makePlayer: @Sendable () -> (Int) -> CheckOutcome? = { { outcome(of: list[$0], checker) } }
    _ = try Trials(Self.unit, jobs: jobs, clock: clock).play(list.indices, makePlayer: makePlayer) { number, outcome in
      tally.take(number, outcome)
      line.show(done: number + 1, bad: tally.bad)
    }
    Console.endProgress()
    let ending = clock.ending(Self.unit, asked: list.count, judged: tally.outcomes.count)
    let report = try report(tally, ending, clock, to: folder?.output)
    if let folder {
      try folder.output.write(report)
      try folder.end(ending)
    }
    tell(report, tally, streams)
    return ending.exitCode(report.verdict)
  }

  /// Nil: interrupted.
  private func outcome(of path: String, _ checker: (String) -> Checker) -> CheckOutcome? {
    var checker = checker(path)
    checker.shouldStop = { _ in Interruption.isRequested }
    do {
      return CheckOutcome(try checker.report())
    } catch let refusal as CaptureRefusal {
      return CheckOutcome(refusal)
    } catch is Checker.Interrupted {
      return nil
    } catch {
      return CheckOutcome(CaptureRefusal(path: path, reason: "\(error)"))
    }
  }

  // MARK: What is judged

  /// The captures that are meant, each once, those of a folder in the order of their names.
  private func captures(_ streams: OutputStreams) throws -> [String] {
    var list: [String] = []
    var known: Set<String> = []
    for path in paths {
      guard FileManager.default.fileExists(atPath: path) else { throw UsageProblem("\(path): no such file or folder") }
      let found = FileManager.default.isFolder(path) ? try Self.captures(in: path, streams) : [path]
      if found.isEmpty { throw UsageProblem("\(path): no capture is in this folder") }
      list += found.filter { known.insert(URL(fileURLWithPath: $0).resolvingSymlinksInPath().path).inserted }
    }
    return list
  }

  /// Not a folder, and nothing that waits for somebody who writes.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func captures(in folder: String, _ streams: OutputStreams) throws -> [String] {
    let root = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    guard let names = FileManager.default.enumerator(atPath: folder) else {
      throw UsageProblem("\(folder): the folder cannot be read")
    }
    let files = names.compactMap { $0 as? String }.filter { name in
      !name.split(separator: "/").contains { $0.hasPrefix(".") } && isFile(root + "/" + name)
    }.sorted().map { root + "/" + $0 }
    // What cannot be read is told as one that was not judged.
    let captures = files.filter { (try? CaptureFile.isCapture($0)) ?? true }
    let others = files.count - captures.count
    if others > 0, !captures.isEmpty {
      streams.complain("note: \(folder): \(CountedNoun.text(others, "other file is", "other files are")) no capture")
    }
    return captures
  }

  // MARK: What it comes to

  /// What came of each, and in which a cause was seen.
  private struct Tally {
    struct Cause {
      var reason: CheckOutcome.Reason
      /// Numbers of captures, in order.
      var captures: [Int]
    }

    let list: [String]
    private(set) var outcomes: [(capture: Int, outcome: CheckOutcome)] = []
    private(set) var causes: [Cause] = []
    private(set) var curve = CampaignCurve(["connections", "causes"])
    private var connections = 0
    /// Captures that did not pass.
    private(set) var bad = 0

    init(_ list: [String]) { self.list = list }

    mutating func take(_ capture: Int, _ outcome: CheckOutcome?) {
      guard let outcome else { return }
      outcomes.append((capture, outcome))
      if outcome.verdict != .pass { bad += 1 }
      for reason in outcome.reasons {
        if let place = causes.firstIndex(where: { $0.reason.id == reason.id && $0.reason.verdict == reason.verdict }) {
          if causes[place].captures.last != capture { causes[place].captures.append(capture) }
        } else {
          causes.append(Cause(reason: reason, captures: [capture]))
        }
      }
      connections += outcome.connections
      curve.note([connections, causes.count], at: outcomes.count)
    }

    /// The heaviest first, else in the order in which they were seen.
    var ranked: [Cause] {
      causes.enumerated().sorted {
        ($1.element.reason.verdict, $0.offset) < ($0.element.reason.verdict, $1.offset)
      }.map(\.element)
    }
  }

  private func line(_ path: String) -> String { Shell.line(["babbench", "check", path] + words) }

  private func report(
    _ tally: Tally, _ ending: CampaignEnding, _ clock: CampaignClock, to output: OutputFolder?
  ) throws -> CampaignReport {
    let names = CheckText.shortNames(tally.list)
    var pages: [Int: String] = [:]
    let findings = try tally.ranked.map { cause in
      let first = cause.captures[0]
      if let output, pages[first] == nil { pages[first] = try page(of: first, tally, to: output) }
      var finding = CampaignReport.Finding(
        cause: cause.reason.id, text: cause.reason.text, times: cause.captures.count, first: first + 1,
        input: [Self.listed(cause.captures.map { names[$0] })], folder: "captures",
        files: pages[first].map { $0.isEmpty ? [] : [$0] } ?? [], repeatLine: line(tally.list[first]))
      finding.verdict = cause.reason.verdict
      return finding
    }
    let repetition = ["babbench", "check", "--each"] + paths + words + (out.map { ["--out", $0] } ?? [])
    var report = CampaignReport(
      command: "babbench check", subject: CountedNoun.text(tally.list.count, "capture"),
      facts: [("judged", "\(ending.judged) of \(ending.asked)")], executions: ending.judged, findings: findings,
      curve: tally.curve,
      repeatLine: Shell.line(repetition), wallMilliseconds: clock.milliseconds)
    report.unit = Self.unit
    report.manual = "Docs/check.md"
    report.partUnit = "records"
    report.inputTitle = "captures that show it"
    report.parts = tally.outcomes.map { capture, outcome in
      var part = CampaignReport.Part(
        name: names[capture], executions: outcome.records, values: [outcome.connections, outcome.reasons.count])
      part.outcome = (outcome.verdict, outcome.reasons.map { "\($0.verdict.name) \($0.id): \($0.text)" })
      return part
    }
    report.ending = ending
    return report
  }

  /// Writes the page of a capture that shows a cause first.
  /// - Returns: its name; empty: it cannot be read, or somebody is in a hurry.
  private func page(of capture: Int, _ tally: Tally, to output: OutputFolder) throws -> String {
    var checker = checker(tally.list[capture])
    checker.collectsScenes = true
    checker.printedProtocols = checker.protocolType.map { [$0] } ?? protocols.traffic
    checker.shouldStop = { _ in Interruption.isRequested }
    guard let report = try? checker.report() else { return "" }
    let name = "\(capture + 1).html"
    try FileSink.write(
      try CheckPage.octets(report, version: BenchVersion.current, repeatLine: line(tally.list[capture])),
      to: try output.folder("captures").path(of: name))
    return name
  }

  private static func listed(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }

  private func tell(_ report: CampaignReport, _ tally: Tally, _ streams: OutputStreams) {
    let paint = Paint.standardOutput
    let word = RunPrinter(paint: paint).word
    let rows = zip(report.parts, tally.outcomes).map { part, taken in
      [
        taken.outcome.verdict.name, part.name, String(part.executions), String(taken.outcome.connections),
        String(taken.outcome.findings),
      ]
    }
    var text = ConsoleTable.table(
      [["verdict", "capture", "records", "connections", "findings"]] + rows, rightAligned: [2, 3, 4]
    ) { column, cell in column == 0 && paint.isOn ? ConsoleTable.coloured(cell) : nil }
    for finding in report.findings {
      text +=
        "\n\(word(finding.verdict)) \(finding.cause) in \(finding.times ?? 0) of \(report.executions): "
        + "\(finding.input[0])\n  \(finding.text)\n  \(finding.repeatLine)\n"
    }
    let counts = Verdict.allCases.reversed().compactMap { verdict in
      let count = tally.outcomes.count { $0.outcome.verdict == verdict }
      return count == 0 ? nil : "\(count) \(verdict.name)"
    }
    text += "\n" + ([CountedNoun.text(tally.list.count, "capture")] + counts).joined(separator: ", ") + "\n"
    if let missing = report.ending?.text { text += missing + "\n" }
    streams.tell(text + "verdict \(word(report.verdict))\nrepeat \(report.repeatLine)")
  }
}
