public import SimKernel

/// The time in which something could have happened, as the trace shows it.
///
/// A claim that something happens in time counts this time and no other: what the radio, the phone or the seed keeps
/// from happening is nobody's fault. The chance of an app is open while its phone lets it run; the chance of a link
/// while both its ends are up, both apps run, and nothing is under way between them (see `LinkState.isQuiet`). One
/// definition serves all oracles.
public final class Chance {
  /// Whether it could happen now.
  public private(set) var isOpen = false
  private var openBefore = SimDuration.zero
  private var openSince = SimInstant.zero

  package init() {}

  /// How much of the time up to an instant it was open.
  public func openTime(at now: SimInstant) -> SimDuration { isOpen ? openBefore + (now - openSince) : openBefore }

  /// - Returns: whether it has just been opened, so that something may now be due that was not before.
  final func set(_ isOpen: Bool, at now: SimInstant) -> Bool {
    guard isOpen != self.isOpen else { return false }
    if isOpen { openSince = now } else { openBefore += now - openSince }
    self.isOpen = isOpen
    return isOpen
  }

  /// When it will have been open for so long, if it stays open; `distantFuture` while it is not open.
  func instant(ofOpenTime time: SimDuration) -> SimInstant {
    isOpen ? openSince + (time - openBefore) : .distantFuture
  }
}

/// Something that must happen before its chance has been open for so long.
public struct Obligation {
  /// When it began.
  public let since: SimInstant
  private let chance: Chance
  private let target: SimDuration
  /// Nothing of its time counts any more: it has been judged.
  public private(set) var isReported = false

  /// - Parameter bound: how much of the time in which it could happen it may take.
  public init(_ chance: Chance, within bound: SimDuration, from now: SimInstant) {
    self.chance = chance
    since = now
    target = chance.openTime(at: now) + bound
  }

  /// The instant at which it is due if its chance stays open; `distantFuture` while it cannot happen, or was judged.
  public var deadline: SimInstant { isReported ? .distantFuture : chance.instant(ofOpenTime: target) }

  public func isDue(at now: SimInstant) -> Bool { deadline < now }

  public mutating func report() { isReported = true }
}

extension Sequence where Element == Obligation? {
  /// The earliest instant at which one of them is due.
  public var deadline: SimInstant { reduce(.distantFuture) { Swift.min($0, $1?.deadline ?? .distantFuture) } }
  /// How many are not judged yet.
  public var openCount: Int { reduce(0) { $0 + ($1.map { $0.isReported ? 0 : 1 } ?? 0) } }
}
