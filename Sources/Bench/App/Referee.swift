public import SimKernel

/// Judges one run from its trace; what a room knows of oracles.
public protocol Referee: TraceReader {
  /// What must not be, and was; complete once the run is over.
  var refereeFindings: [RefereeFinding] { get }
  /// How often something was judged, by whichever claim, beside that the run came to its end: with none, no finding
  /// means nothing.
  var judgedCount: Int { get }
}

/// One thing that a referee saw and that must not be, or that it could not decide.
public struct RefereeFinding: Hashable, Sendable {
  /// The id of the claim, for example `NoCrashNoHang`.
  public var oracle: String
  /// The clause of the protocol that is broken.
  public var clause: String
  /// The verdict: `fail`, `inconclusive` or `error`.
  public var verdict: String
  /// The device that is blamed; empty: the world itself.
  public var device: String
  public var at: SimInstant
  public var expected: String
  public var actual: String

  public init(
    oracle: String, clause: String, verdict: String, device: String, at: SimInstant, expected: String, actual: String
  ) {
    self.oracle = oracle
    self.clause = clause
    self.verdict = verdict
    self.device = device
    self.at = at
    self.expected = expected
    self.actual = actual
  }
}

extension RefereeFinding: CustomStringConvertible {
  /// One line for people.
  public var description: String {
    "\(verdict) \(oracle)" + (clause.isEmpty ? "" : " (\(clause))") + (device.isEmpty ? "" : ", \(device)")
      + ", at \(at) s: expected \(expected); saw \(actual)"
  }
}
