public import SimKernel

/// One thing that an oracle saw and that must not be, or that it could not decide.
public struct Finding: Hashable, Sendable, Codable {
  /// The id of the oracle, for example `OnlyCurrentPlayerCompletes`.
  public var oracle: String
  public var verdict: Verdict
  public var instant: SimInstant
  /// Dense index of the device that is blamed; −1 for the world itself.
  public var device: Int
  /// Dense index of the device to which it was done; nil: to nobody in particular.
  public var peer: Int?
  /// The clause of the protocol or specification that is broken.
  public var clause: String
  public var expected: String
  public var actual: String
  /// The trace record that showed it; nil when the end of the run did.
  public var record: Int?
  /// When what was required of the device began, where it had a time for it; nil otherwise.
  public var since: SimInstant?

  /// The end of `actual` where a device may only repeat what somebody external has told it.
  public static let hearsay = "external host may have said"
  public var isHearsay: Bool { actual.hasSuffix(Self.hearsay) }

  /// Calls nobody guilty by it.
  /// - Parameter why: what else may explain what was seen, for people.
  public mutating func doubt(_ why: String) {
    verdict = .inconclusive
    actual += " (\(why))"
  }

  public init(
    oracle: String, verdict: Verdict, instant: SimInstant, device: Int, clause: String, expected: String,
    actual: String, record: Int?, since: SimInstant? = nil, peer: Int? = nil
  ) {
    self.oracle = oracle
    self.peer = peer
    self.verdict = verdict
    self.instant = instant
    self.device = device
    self.clause = clause
    self.expected = expected
    self.actual = actual
    self.record = record
    self.since = since
  }
}
