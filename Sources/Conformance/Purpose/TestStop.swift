package import Judging
package import SimKernel

/// Ends a procedure before its end, with the verdict and why.
package struct TestStop: Error {
  package var verdict: Verdict
  package var expected: String
  package var actual: String
  package var instant: SimInstant
  /// The trace record that showed it; nil when it is that something did not come.
  package var record: Int?
  /// Nil: the first clause of the purpose.
  package var clause: String?
  /// What many cases may have in common that end like this; nil: that the clause is broken.
  package var cause: Cause?
  /// The step of the protocol that it waited for, by the name under which the bench can take it.
  package var step: String?
  /// The initial condition was not reached: the subject of the case was never tested.
  package var isBlocked = false
  /// What was expected is a part of the initial condition.
  package var isInitial = false

  /// What was expected, as findings say it.
  package var requirement: String { isInitial ? "initial condition: " + expected : expected }
}
