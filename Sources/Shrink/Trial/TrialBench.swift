package import Bench
package import Conformance

/// What shrinking needs of the bench: to read a scenario from a text, and to judge a run of it.
///
/// Both are called from several threads at once and answer the same for the same arguments.
package struct TrialBench: Sendable {
  package var read: @Sendable (_ text: String) -> Result<Scenario, ScenarioProblems>
  /// Throws only when the bench itself fails.
  package var judge: @Sendable (Scenario, RunOptions, [any TraceReader]) throws -> Judgement
  /// Judges a run without what came in from outside, which must not fail for the reason; nil: nothing comes in.
  package var silence: (@Sendable (Scenario, RunOptions, [any TraceReader]) throws -> Judgement)?

  package init(
    read: @escaping @Sendable (_ text: String) -> Result<Scenario, ScenarioProblems>,
    judge: @escaping @Sendable (Scenario, RunOptions, [any TraceReader]) throws -> Judgement
  ) {
    self.read = read
    self.judge = judge
  }
}

/// Answers several questions that do not depend on each other, perhaps at the same time; the answers are in order.
///
/// The first argument is how many there are.
package struct Parallel: Sendable {
  /// How many questions are worth asking at once.
  package var width: Int
  package var run: @Sendable (_ count: Int, _ work: @escaping @Sendable (Int) -> Attempt) -> [Attempt]

  package init(
    width: Int, run: @escaping @Sendable (_ count: Int, _ work: @escaping @Sendable (Int) -> Attempt) -> [Attempt]
  ) {
    self.width = width
    self.run = run
  }

  /// One after the other.
  package static let none = Parallel(width: 1) { count, work in (0..<count).map(work) }
}
