import ArgumentParser
import Bench
import Campaigns
import CaptureCheck
import Conformance
import Foundation
import Judging
import RunReports

/// `babbench diff`: the first difference between two runs that matters.
struct DiffCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show the first difference between two runs, or a run and a capture, that matters.",
    discussion: """
      A run is a folder that run --out has made, its trace.jsonl, a session.jsonl, or a scenario, with @SEED after it \
      for another seed than its own. Folders are compared as they are, even if two builds made them; sessions and \
      scenarios are played. What each device was told, asked for and showed is compared with the other run: every \
      word if both runs had the same draws, and otherwise only what a person would see.

      A capture is a file as check takes it. Its packets of apps are compared one by one with those of the run, or of \
      another capture; devices are paired by address, name and role.

      EXAMPLES:
        babbench diff eight-peer-lobby@21 eight-peer-lobby@22 --set radio=subway
        babbench diff eight-peer-lobby eight-peer-lobby --set-second devices.host.engine=ranking-reversed
        babbench diff before after --html difference.html
        babbench diff eight-peer-lobby phone.btsnoop

      EXIT CODES: 0 the runs are the same, 1 they differ, 64 one of them does not exist.
      """)

  @Argument(help: ArgumentHelp("The reference run.", valueName: "first"), completion: .runs)
  var first: String

  @Argument(help: ArgumentHelp("The run to compare with it.", valueName: "second"), completion: .runs)
  var second: String

  @OptionGroup var overrides: SettingOptions

  @Option(
    name: .customLong("set-second"), parsing: .singleValue,
    help: ArgumentHelp("Override a value of the scenario in the second run only.", valueName: "key=value"))
  var secondSettings: [String] = []

  @Option(
    help: ArgumentHelp(
      "Draw both over time, one below the other, as one page for a browser that begins at the difference.",
      valueName: "file"))
  var html: String?

  func takeSignals() { Interruption.install(untilWork: true) }

  func execute(on bench: Bench, for streams: OutputStreams) -> Int32 {
    do {
      let isDrawn = html != nil
      var a = try ComparedRun(first, overrides.settings, isDrawn: isDrawn, on: bench)
      var b = try ComparedRun(second, overrides.settings, own: secondSettings, isDrawn: isDrawn, on: bench)
      if Interruption.isRequested { return Interruption.exitCode }
      if a.verdict == nil, b.verdict == nil, let setting = overrides.settings.first {
        throw UsageProblem("\(setting) is for scenarios, and both are recorded runs")
      }
      let isSame: Bool
      if let log = a.log, let other = b.log {
        let difference = RunDifference(log, other)
        isSame = difference.isEmpty && difference.drawn.isEmpty
        streams.tell(DiffPrinter(paint: .standardOutput, first: (a, log), second: (b, other)).text(difference))
        try write(DiffPage(a, b, difference), isSame: isSame)
      } else {
        try a.draw(first, overrides.settings, on: bench)
        try b.draw(second, overrides.settings, own: secondSettings, on: bench)
        guard let timeline = a.timeline, let other = b.timeline else { return Interruption.exitCode }
        let difference = ConversationDifference(timeline, other)
        if difference.pairs.isEmpty { throw Self.nothing(timeline, other, first, second) }
        isSame = difference.isEmpty
        streams.tell(ConversationPrinter(paint: .standardOutput, first: a, second: b).text(difference))
        try write(DiffPage(a, b, difference), isSame: isSame)
      }
      return (isSame ? Judging.ExitCode.pass : .fail).rawValue
    } catch is Checker.Interrupted {
      return Interruption.exitCode
    } catch let error as CaptureRefusal {
      return streams.refuse(error, .usage)
    } catch let error as BenchFailure {
      return streams.refuse(error, .benchError)
    } catch {
      return streams.refuse(error, .usage)
    }
  }

  private static func nothing(
    _ timeline: RunTimeline, _ other: RunTimeline, _ first: String, _ second: String
  ) -> UsageProblem {
    for (timeline, name) in [(timeline, first), (other, second)] where !timeline.packets.contains(where: \.isOfApp) {
      return UsageProblem("\(name): it has no packets of a known app")
    }
    return UsageProblem("\(first) and \(second): no device of one is in the other, by address, name or role")
  }

  private func write(_ page: DiffPage?, isSame: Bool) throws {
    guard let html, let page else { return }
    try FileSink.write(try page.octets(repeatLine: repeatLine, isSame: isSame), to: html)
  }

  private var repeatLine: String {
    Shell.line(
      ["babbench", "diff", first, second] + overrides.words
        + secondSettings.flatMap { ["--set-second", $0] })
  }
}
