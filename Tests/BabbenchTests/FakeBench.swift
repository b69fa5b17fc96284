import BabSim
import Bench
@testable import Campaigns
import Conformance
import SimKernel

@testable import Commands

/// A world of a few records, to judge the commands by; what it shows depends on the seed alone, unless told otherwise.
struct FakeWorld: Sendable {
  /// What the one expectation comes to; nil: nothing is judged.
  var holds: @Sendable (_ seed: UInt64) -> Bool? = { _ in true }
  /// One more thing that happens, by seed and by whether idle events are stepped.
  var extraStep: @Sendable (_ seed: UInt64, _ isStepping: Bool) -> String? = { _, _ in nil }
  var failure: (@Sendable (_ seed: UInt64) -> BenchFailure?) = { _ in nil }

  var bench: Bench {
    Bench(
      load: { path, settings in
        if path.hasSuffix("bad.yaml") {
          let location = SourceLocation(line: 3, column: 5)
          throw ScenarioProblems(list: [ScenarioProblem(file: path, location: location, message: "it is bad")])
        }
        var scenario = Scenario(name: "fake", devices: [])
        scenario.summary = settings.joined(separator: " ")
        scenario.seed = 42
        return scenario
      },
      run: { scenario, options, readers in try run(scenario, options, readers) })
  }

  private func run(_ scenario: Scenario, _ options: RunOptions, _ readers: [any TraceReader]) throws -> RunOutcome {
    if let failure = failure(options.seed) { throw failure }
    let header = TraceHeader(
      scenario: scenario.name, seed: options.seed, devices: [], options: [.init(key: "drawn", value: "7")])
    for reader in readers { reader.begin(header) }
    var digest = TraceDigest()
    var sequence = 0
    func show(_ event: TraceEvent) {
      digest.combine(text: "\(event)")
      let instant = SimInstant.zero + .milliseconds(Int64(sequence))
      for reader in readers {
        reader.read(TraceRecord(sequence: sequence, instant: instant, device: -1, event: event))
      }
      sequence += 1
    }
    show(.step("seed \(options.seed)"))
    if let text = extraStep(options.seed, options.stepsIdleEvents) { show(.step(text)) }
    if let holds = holds(options.seed) { show(.expectation(text: "all is well", holds: holds, detail: "it is not")) }
    let outcome = RunOutcome(
      ending: .finished, endInstant: .zero + .seconds(1), digest: digest, statistics: .init(), devices: [])
    for reader in readers { reader.end(outcome) }
    return outcome
  }
}

extension OutputStreams {
  /// Hears nothing, so that the log of the tests stays readable.
  static var nobody: OutputStreams { OutputStreams(tell: { _ in }, complain: { _ in }) }
}
