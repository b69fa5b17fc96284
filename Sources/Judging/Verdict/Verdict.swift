/// The outcome of judging, ordered by weight: the heavier one wins when two are combined.
///
/// The order is TTCN-3's (ETSI ES 201 873-1, 24.1). "error" is the bench's own fault and is never blamed on what was
/// judged; "none" says that there was nothing to judge, which is not a pass.
public enum Verdict: Int, Hashable, Sendable, Comparable, CaseIterable, Codable {
  case none
  case pass
  case inconclusive
  case fail
  case error

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// The heavier of both.
  public func combined(with other: Verdict) -> Verdict { max(self, other) }

  /// The word that files and tables show.
  public var name: String {
    switch self {
    case .none: "none"
    case .pass: "pass"
    case .inconclusive: "inconclusive"
    case .fail: "fail"
    case .error: "error"
    }
  }
}

extension Sequence<Verdict> {
  /// The heaviest, `none` when the sequence is empty.
  public func combined() -> Verdict { reduce(.none) { $0.combined(with: $1) } }
}
