import ArgumentParser
import Bench
import Campaigns
import Conformance
import Judging
import SimKernel

/// `babbench replay`: a recorded session again, with nobody outside.
struct ReplayCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Repeat a recorded session without the external stacks, digest for digest.",
    discussion: """
      What hci serve and play have recorded is fed to the same world at the same instants. Scenario, seed and settings \
      are in the file.

      EXAMPLES:
        babbench replay session.jsonl
        babbench replay session.jsonl --times 10
        babbench replay session.jsonl --out out

      EXIT CODES:
        0   the recorded digest, and nothing found
        1   another digest, or something found
        2   the recording has no end, so there is nothing to compare with
        64  the file is no recorded session
      """)

  @Argument(help: "A recorded session.", completion: .file(extensions: ["jsonl"]))
  var session: String

  @Option(help: "Replay this many times; all digests must match.")
  var times = 1

  @Option(
    name: .customLong("out"),
    help: ArgumentHelp("Write captures and reports to this folder, as babbench run does.", valueName: "dir"))
  var out: String?

  @Flag(help: "With --out: no air.pcapng, btsnoop files and timeline.html.")
  var noCapture = false

  @Option(help: .hidden)
  var seed: String?

  func validate() throws {
    if seed != nil { throw ValidationError("a session has its seed in its file; --seed is not for replay") }
    guard (1...1_000_000).contains(times) else { throw ValidationError("--times must be 1 to 1000000") }
  }

  func takeSignals() { Interruption.install(untilWork: true) }

  func execute(for streams: OutputStreams) -> Int32 {
    do {
      let recording = try SessionFile.load(session).get()
      let scenario = try recording.scenario(.shipped).get()
      _ = try SeatRules.seats(recording.header, in: scenario)
      Interruption.workBegins()
      return try replay(recording, scenario, streams)
    } catch {
      return LiveRun.refuse(error, isReading: false, streams)
    }
  }

  private func replay(_ recording: SessionRecording, _ scenario: Scenario, _ streams: OutputStreams) throws -> Int32 {
    let output = try out.map { try OutputFolder(creating: $0) }
    let files = try output.map {
      try RunFiles(
        folder: $0, writesCaptures: !noCapture, scenario: scenario, file: recording.header.fileName,
        list: RunList($0))
    }
    Console.progress("replaying \(session)")
    defer { Console.endProgress() }
    let (first, judgement) = try SessionReplay.judged(
      recording, scenario, files?.readers ?? [], shouldStop: { Interruption.isRequested })
    let report = RunReport(judgement: judgement)
    let repeatLine = Shell.line(["babbench", "replay", session])
    if Interruption.isRequested { return Interruption.exitCode }
    try files?.complete(report, repeatLine: repeatLine)
    Console.endProgress()
    streams.tell(
      RunPrinter(paint: .standardOutput).text(
        of: report, scenario, file: recording.header.fileName, why: Shell.line(["babbench", "why", session]))
        + words(on: first, recording).joined(separator: "\n"))
    for number in 1..<max(1, times) {
      Console.progress("replay \(number + 1) of \(times)")
      let (again, _) = try SessionReplay.judged(
        recording, scenario, [], shouldStop: { Interruption.isRequested })
      if Interruption.isRequested { return Interruption.exitCode }
      if again.outcome != first.outcome {
        throw BenchFailure(
          "replay \(number + 1) has digest \(again.outcome.digest.hexadecimal), the first one had"
            + " \(first.outcome.digest.hexadecimal): the bench is not deterministic")
      }
    }
    Console.endProgress()
    if times > 1 { streams.tell("replayed \(times) times, digest \(first.outcome.digest.hexadecimal) each time") }
    let agreement: Verdict = first.agrees.map { $0 ? .pass : .fail } ?? .inconclusive
    return Judging.ExitCode(agreement.combined(with: report.verdict)).rawValue
  }

  private func words(on replay: SessionReplay, _ recording: SessionRecording) -> [String] {
    var lines: [String] = []
    if recording.header.bench != BenchVersion.current {
      lines.append("recorded by babbench \(recording.header.bench), replayed by \(BenchVersion.current)")
    }
    if let remark = recording.remark { lines.append("the recording is not whole: \(remark)") }
    if let difference = replay.difference {
      lines.append("not the recorded run: \(difference)")
    } else if let recorded = replay.recorded {
      lines.append(
        "the recorded run: digest \(recorded.digest), "
          + CountedNoun.text(recording.entries.count, "entry", "entries"))
    } else {
      lines.append("recorded without an end: replayed to its last entry, and there is no digest to compare with")
    }
    return lines
  }
}

extension SessionReplay {
  /// Replays a recording, and lets all oracles judge it.
  static func judged(
    _ recording: SessionRecording, _ scenario: Scenario, _ readers: [any TraceReader],
    shouldStop: () -> Bool = { false }
  ) throws -> (replay: SessionReplay, judgement: Judgement) {
    let oracles = protocols.judge(of: scenario)
    let replay = try run(
      recording, scenario: scenario, readers: [oracles] + readers, engines: protocols.engines, language: .shipped,
      shouldStop: shouldStop)
    guard let judgement = oracles.judgement else { throw BenchFailure("the run ended without telling its readers") }
    return (replay, judgement)
  }
}
