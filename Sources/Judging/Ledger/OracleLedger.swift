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
    didSet {
      assert(open >= 0, "the number of open obligations is not negative")
      if oldValue == 0 { firstOpen = reading?.record }
    }
  }
  /// Those of `open` that nothing but the beginning or the end of what was recorded leaves open.
  @exclusivity(unchecked) public var openAtEdges = 0 {
    didSet { assert(openAtEdges <= open, "obligations that edges leave open are open") }
  }
  /// The record that was read when `open` first rose; nil when nobody says what is read.
  @exclusivity(unchecked) public private(set) var firstOpen: Int?
  /// What is held against a device only if it says certain words at all, by those words.
  @exclusivity(unchecked) private var withheld: [Withheld] = []
  /// Why something of `open` was not judged, once `settle` was called: each word once.
  @exclusivity(unchecked) public private(set) var unsaid: [UnsaidWords] = []
  /// Says which record is read.
  public var reading: ReadPlace?

  public init(oracle: String, clause: String) {
    self.oracle = oracle
    self.clause = clause
  }

  /// Books a failure that an instant shows: something did not happen in time.
  ///
  /// - Parameters:
  ///   - since: when it was first required.
  ///   - unsaid: words that must yet be said; without them it is no failure, and stays open.
  public func fail(
    at instant: SimInstant, device: Int, peer: Int? = nil, record: Int? = nil, since: SimInstant? = nil,
    clause: String? = nil, unless unsaid: [UnsaidWords] = [], expected: @autoclosure () -> String,
    actual: @autoclosure () -> String
  ) {
    func finding() -> Finding {
      Finding(
        oracle: oracle, verdict: .fail, instant: instant, device: device, clause: clause ?? self.clause,
        expected: expected(), actual: actual(), record: record, since: since, peer: peer)
    }
    if !unsaid.isEmpty { return withhold(unsaid) { finding() } }
    judged += 1
    assert(judged > findings.count + suppressedFindings, "each finding was judged")
    guard findings.count < Self.findingLimit else { return suppressedFindings += 1 }
    findings.append(finding())
  }

  // MARK: Words that are not said

  private struct Withheld {
    var unsaid: [UnsaidWords]
    var findings: [Finding] = []
    var suppressed = 0
  }

  private func withhold(_ unsaid: [UnsaidWords], _ finding: () -> Finding) {
    let place = withheld.firstIndex { $0.unsaid == unsaid } ?? withheld.count
    if place == withheld.count { withheld.append(Withheld(unsaid: unsaid)) }
    if withheld[place].findings.count < Self.findingLimit {
      withheld[place].findings.append(finding())
    } else {
      withheld[place].suppressed += 1
    }
  }

  /// The run is over: what was withheld for words that were said after all is a failure, the rest stays open.
  ///
  /// - Parameter isSaid: whether one of the words was said in the run.
  public func settle(_ isSaid: (UnsaidWords) -> Bool) {
    for group in withheld {
      let count = group.findings.count + group.suppressed
      let missing = group.unsaid.filter { !isSaid($0) }
      if missing.isEmpty {
        judged += count
        suppressedFindings += group.suppressed
        findings += group.findings
      } else {
        open += count
        for words in missing where !unsaid.contains(words) { unsaid.append(words) }
      }
    }
    if withheld.isEmpty { return }
    withheld = []
    let order = findings.enumerated().sorted {
      ($0.element.instant, $0.element.record ?? .max, $0.offset) < (
        $1.element.instant, $1.element.record ?? .max, $1.offset
      )
    }
    findings = order.prefix(Self.findingLimit).map(\.element)
    suppressedFindings += order.count - findings.count
    assert(judged >= findings.count + suppressedFindings, "each finding was judged")
    assert(suppressedFindings == 0 || findings.count == Self.findingLimit, "findings up to the limit are kept")
  }

  /// Says more of what was seen of the newest finding about a device, where there is one.
  public func add(_ words: String, toLatestOf device: Int) {
    if let index = findings.lastIndex(where: { $0.device == device }) {
      findings[index].actual += words
      return
    }
    for place in withheld.indices {
      guard let index = withheld[place].findings.lastIndex(where: { $0.device == device }) else { continue }
      withheld[place].findings[index].actual += words
    }
  }
}
