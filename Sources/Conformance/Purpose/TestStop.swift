public import Judging
public import SimKernel

/// Ends a procedure before its end, with the verdict and why.
public struct TestStop: Error {
  /// The case ends with it.
  public var verdict: Verdict
  /// What was looked for, for people.
  public var expected: String
  /// What was seen, for people.
  public var actual: String
  /// When it ended.
  public var instant: SimInstant
  /// The trace record that showed it; nil when it is that something did not come.
  public var record: Int?
  /// Nil: the first clause of the purpose.
  public var clause: String?
  /// What many cases may have in common that end like this; nil: that the clause is broken.
  public var cause: Cause?
  /// The step of the protocol that it waited for, by the name under which the bench can take it.
  public var step: String?
  /// The initial condition was not reached: the subject of the case was never tested.
  public var isBlocked = false
  /// What was expected is a part of the initial condition.
  public var isInitial = false

  /// What was expected, as findings say it.
  public var requirement: String { isInitial ? "initial condition: " + expected : expected }
}
