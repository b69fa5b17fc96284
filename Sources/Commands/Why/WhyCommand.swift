import ArgumentParser
import Bench
import Campaigns
import Conformance
import Judging
import RunReports
import SimKernel
import Stress

/// `babbench why`: from what is wrong with a run back through what led to it.
struct WhyCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Show what led to each problem of a run.",
    discussion: """
      Runs it again, which gives the same run, and goes back from each finding: the step before it, the packet that \
      showed it, what the devices concerned sent each other meanwhile, what arrived late or never, and what happened \
      on the air. Each line has its instant and its record in trace.jsonl, the numbers of its PDUs in air.pcapng, and \
      those of its network packets in network.pcapng. A problem that follows from another one is listed there, once.

      EXAMPLES:
        babbench why eight-peer-lobby --seed 22 --set radio=subway
        babbench why out
        babbench why out/seed-22
        babbench why session.jsonl
        babbench why .babbench/test_lamp.py-test_it-seed7
      """)

  @Argument(
    help: ArgumentHelp(
      "A scenario as for run, a folder that --out or a room has made, a session.jsonl or room.jsonl.",
      valueName: "run"),
    completion: .runs)
  var subject: String

  @Option(help: "The seed of the run instead of the scenario's.")
  var seed: UInt64?

  @OptionGroup var overrides: SettingOptions

  @Flag(help: "Explain every problem; without it, the first three.")
  var all = false

  func takeSignals() { Interruption.install(untilWork: true) }

  func execute(on bench: Bench, for streams: OutputStreams) -> Int32 {
    do {
      return try explain(RunSource(subject, seed: seed, settings: overrides.settings, on: bench), on: bench, streams)
    } catch {
      return streams.refuse(error)
    }
  }

  private func explain(_ source: RunSource, on bench: Bench, _ streams: OutputStreams) throws -> Int32 {
    Console.progress("running \(source.scenario.name)")
    defer { Console.endProgress() }
    let keeper = RunKeeper()
    let report = try source.report([keeper], on: bench)
    let judgement = report.judgement
    Console.endProgress()
    if Interruption.isRequested { return Interruption.exitCode }
    if let remark = source.remark(on: judgement) { streams.complain("note: " + remark) }
    let app = protocols.spoken(in: source.scenario)
    let teller = StoryTeller(keeper.run, of: app, scenario: source.scenario)
    let circumstances = teller.circumstances
    let troubles = teller.explained(report.troubles)
    let paint = Paint.standardOutput
    let printer = TroublePrinter(
      app: app, header: judgement.header, file: source.fileName, paint: paint, breakdown: judgement.outcome.breakdown)
    let also =
      troubles.first.map { circumstances.others(for: $0.question, but: $0.reason, limit: 3) } ?? []
    let alsoLines = also.map { TroublePrinter.reason($0, in: app) } + RoomSettings.lines(of: source.scenario)
    let told = all ? troubles.count : 3
    var text = troubles.enumerated().map { index, trouble in
      printer.text(
        trouble, number: index + 1, also: index == 0 ? alsoLines : [],
        story: index < told ? teller.story(of: trouble) : nil, told: troubles.prefix(index))
    }.joined(separator: "\n")
    if troubles.isEmpty, source.isRoom {
      // Its driver judges it, and is not here.
      text = source.scenario.devices.indices.map { device in
        let end = Trouble(
          ofMeasures: "", actual: "", instant: keeper.run.end, since: .zero, device: device, record: nil, line: nil,
          isInconclusive: true)
        return printer.story(teller.story(of: end), device: device)
      }.joined()
      if text.isEmpty { text = "nothing of what platforms and links know is worth a line\n" }
    } else if troubles.isEmpty {
      text =
        report.verdict == .pass ? "nothing is wrong with this run\n" : "no finding; babbench run says what is open\n"
    }
    if report.verdict != .pass {
      let told = Set(troubles.compactMap(\.reason) + also)
      for circumstance in circumstances.noticed(at: keeper.run.end) where !told.contains(circumstance) {
        text += printer.noticed(circumstance)
      }
    }
    for claim in report.claims where claim.claim.share != nil {
      text += "claim \(claim.claim.text): \(claim.words(RunPrinter(paint: paint).word))\n"
    }
    let verdict = RunPrinter(paint: paint).word(report.verdict)
    streams.tell(text + "\nverdict \(verdict)\nrepeat " + source.repeatLine)
    return Judging.ExitCode(report.verdict).rawValue
  }
}
