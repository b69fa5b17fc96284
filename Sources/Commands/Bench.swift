import Bench
import Campaigns
import Conformance

/// What the commands need of the layers below: to read a scenario and to run a world.
///
/// Two functions in a value, so that tests of the commands can put a world of their own in place.
struct Bench: Sendable {
  /// Reads a scenario file with the overrides of `--set` applied. Throws what is wrong with the file.
  var load: @Sendable (_ path: String, _ settings: [String]) throws -> Scenario
  /// Runs one world to its end. Throws only when the bench itself fails.
  var run: @Sendable (Scenario, RunOptions, [any TraceReader]) throws -> RunOutcome

  /// Runs one world and lets all oracles judge it.
  func judge(_ scenario: Scenario, _ options: RunOptions, readers: [any TraceReader]) throws -> Judgement {
    let oracles = protocols.judge(of: scenario)
    _ = try run(scenario, options, [oracles] + readers)
    if Interruption.hasEndedPrograms { throw Interrupted() }
    guard let judgement = oracles.judgement else { throw BenchFailure("the run ended without telling its readers") }
    return judgement
  }
}
