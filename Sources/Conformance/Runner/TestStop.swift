import Judging
import SimKernel

/// Ends a procedure before its end, with the verdict and why.
struct TestStop: Error {
  var verdict: Verdict
  var expected: String
  var actual: String
  var instant: SimInstant
  /// The trace record that showed it; nil when it is that something did not come.
  var record: Int?
  /// Nil: the first clause of the purpose.
  var clause: String?
}
