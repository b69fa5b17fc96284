public import SimKernel

/// Where one oracle keeps what it judged and found, in bounded memory.
public final class OracleLedger {
  /// Findings beyond this many are counted and not kept: one broken rule often shows thousands of times.
  public static let findingLimit = 20

  public let oracle: String
  public let clause: String
  @exclusivity(unchecked) public private(set) var findings: [Finding] = []
  @exclusivity(unchecked) public private(set) var suppressedFindings = 0
  /// Things judged so far, whatever the outcome.
  @exclusivity(unchecked) public var judged = 0
  /// Obligations that never came due.
  @exclusivity(unchecked) public var open = 0 {
    didSet { if oldValue == 0 { firstOpen = reading?.record } }
  }
  /// Those of `open` that nothing but the beginning or the end of what was recorded leaves open.
  @exclusivity(unchecked) public var openAtEdges = 0
  /// The record that was read when `open` first rose; nil when nobody says what is read.
  @exclusivity(unchecked) public private(set) var firstOpen: Int?
  /// Says which record is read.
  public var reading: ReadPlace?

  public init(oracle: String, clause: String) {
    self.oracle = oracle
    self.clause = clause
  }

  /// Books a failure that an instant shows: something did not happen in time.
  ///
  /// - Parameter since: when it was first required.
  public func fail(
    at instant: SimInstant, device: Int, record: Int? = nil, since: SimInstant? = nil, clause: String? = nil,
    expected: @autoclosure () -> String, actual: @autoclosure () -> String
  ) {
    judged += 1
    guard findings.count < Self.findingLimit else {
      suppressedFindings += 1
      return
    }
    findings.append(
      Finding(
        oracle: oracle, verdict: .fail, instant: instant, device: device, clause: clause ?? self.clause,
        expected: expected(), actual: actual(), record: record, since: since))
  }

  /// Says more of what was seen of the newest finding about a device, where there is one.
  public func add(_ words: String, toLatestOf device: Int) {
    guard let index = findings.lastIndex(where: { $0.device == device }) else { return }
    findings[index].actual += words
  }
}
