import Bench
import Campaigns
import Conformance
import Foundation
import Judging
import RunReports
import Shrink
import SimKernel

/// `babbench shrink` of the recording of a live session.
struct ShrinkSession {
  static let ending = ".jsonl"

  let path: String
  let output: String
  /// Counted from 1.
  let reason: Int
  let budget: [ShrinkBudget]

  func run(_ streams: OutputStreams) throws -> Int32 {
    let recording = try SessionFile.load(path).get()
    Console.progress("replaying \(path)")
    defer { Console.endProgress() }
    let shrinker = SessionShrinker(
      recording, language: .shipped, limit: ShrinkBudget.executions(of: budget), judge: Self.judge,
      shouldStop: ShrinkBudget.stopper(of: budget),
      progress: { Console.progress("\($0.executions) replays: \($0.entries) entries") })
    let sightings = try shrinker.sightings()
    Console.endProgress()
    if let code = streams.refuse(reason, of: sightings, "the replay of \(path) does not fail", run: "the replay") {
      return code
    }
    streams.tell(
      ShrinkPrinter(paint: .standardOutput).opening(
        path, seed: recording.header.seed, sightings, chosen: reason - 1, kind: "session"))
    let result = try shrinker.run(sightings[reason - 1])
    Console.endProgress()
    try FileSink.write(result.recording.octets, to: output)
    streams.tell(text(of: result))
    return Interruption.exitCode(or: Judging.ExitCode.pass.rawValue)
  }

  private static let judge: SessionShrinker.Judge = { recording, scenario, readers in
    try SessionReplay.judged(recording, scenario, readers).judgement
  }

  private func text(of result: SessionShrinker.Result) -> String {
    let recording = result.recording
    return [
      result.failsInSilence
        ? "without external input it fails for this reason too, so what that input led to is kept"
        : "it passes without external input",
      "size: \(result.entriesBefore) → \(CountedNoun.text(recording.entries.count, "entry", "entries")), \(result.linesBefore) →"
        + " \(result.linesAfter) lines of the scenario",
      "\(result.executions) runs; "
        + (result.isSmallest ? "nothing more can be left out" : "stopped before nothing more could be left out"),
      "reason: \(result.sighting.text): \(result.sighting.detail)",
      "digest \(recording.end?.digest ?? "")",
      "repeat " + Shell.line(["babbench", "replay", output]),
    ].joined(separator: "\n")
  }
}

extension OutputStreams {
  /// Says why a reason cannot be kept.
  /// - Parameters:
  ///   - reason: counted from 1.
  ///   - success: what is said of a run without a reason.
  /// - Returns: the exit code; nil: it can be kept.
  func refuse(_ reason: Int, of sightings: [Sighting], _ success: String, run: String) -> Int32? {
    if sightings.isEmpty {
      complain("error: \(success); there is nothing to shrink")
      return Judging.ExitCode.inconclusive.rawValue
    }
    if sightings.indices.contains(reason - 1) { return nil }
    let count = CountedNoun.text(sightings.count, "reason")
    complain("error: --reason \(reason) does not exist; \(run) fails for \(count)")
    return Judging.ExitCode.usage.rawValue
  }
}
