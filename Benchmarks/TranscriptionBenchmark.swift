import BeamSuite
import Bench
import Conformance
import Foundation
import Judging
import SimKernel

/// An hour of transcription for seven guests in the ideal room, with a chunk each 300 ms: simulated against CPU time.
enum TranscriptionBenchmark {
  private static let repetitions = 5

  /// - Parameter minutes: of speech.
  static func report(minutes: Int = 60) {
    print(
      "Transcription: eight peers in the ideal room, \(minutes) min, a chunk each 300 ms, \(repetitions) times in turn")
    let finals = minutes * 200
    run("every chunk is a final", "every: 300ms, finals: \(finals)", minutes)
    run("three partials and a final", "every: 1200ms, partials: 3, finals: \(finals / 4)", minutes)
  }

  private static func run(_ name: String, _ speech: String, _ minutes: Int) {
    let text = """
      protocol: beamscribe
      network: ideal
      devices: { host: {}, guest: { count: 7 } }
      beamscribe: { speech: { \(speech) } }
      limits: { simulated time: \(minutes + 10)min }
      steps:
        - host: start event
        - all guests: join
        - after: \(minutes)min
        - after: 2s
      expect:
        - all guests agree on transcript
      """
    let apps = [AppProtocol.beamscribe]
    guard let scenario = try? ScenarioReader.read(text: text, file: "hour", language: ScenarioLanguage(apps)).get()
    else {
      fatalError("the scenario is none")
    }
    var rates: [[Double]] = [[], []]
    var digests: [String] = []
    let deliveries = minutes * 200 * 7
    for _ in 1...repetitions {
      for judges in [false, true] {
        let judge = apps.judge(of: scenario)
        let before = cpuSeconds()
        guard
          let outcome = try? World.run(
            scenario, options: RunOptions(seed: 1), readers: judges ? [judge] : [], engines: apps.engines)
        else { fatalError("the run did not end") }
        let simulated = Double((outcome.endInstant - SimInstant.zero).nanoseconds) * 1e-9
        rates[judges ? 1 : 0].append(simulated / (cpuSeconds() - before))
        digests.append(outcome.digest.hexadecimal)
        if judges, judge.judgement?.verdict != .pass { fatalError("the hour does not pass: \(name)") }
      }
    }
    if digests.contains(where: { $0 != digests[0] }) { fatalError("the digest depends on who reads: \(name)") }
    print("  \(name), \(deliveries) deliveries")
    for (title, limit, rates) in [("nobody judges", "≥ 10 000; ", rates[0]), ("judged by all oracles", "", rates[1])] {
      let median = rates.sorted()[repetitions / 2]
      row(
        "    " + title, median, "× real time",
        target:
          "\(limit)\(String(format: "%.2f", Double(minutes) * 60e6 / median / Double(deliveries))) µs each; all: "
          + rates.map { String(Int($0)) }.joined(separator: " "))
    }
  }
}
