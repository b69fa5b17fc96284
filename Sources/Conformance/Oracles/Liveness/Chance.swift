public import SimKernel

/// The time in which something could have happened, as the trace shows it.
///
/// A claim that something happens in time counts this time and no other: what the radio, the phone or the seed keeps
/// from happening is nobody's fault. The chance of an app is open while its phone lets it run; the chance of a link
/// while both its ends are up, both apps run, and nothing is under way between them (see `LinkState.isQuiet`). One
/// definition serves all oracles.
///
/// What waits in a phone is not in a capture, but a phone that has something to send sends it. So what a captured link
/// owes is due only after a while in which nothing was under way on any link of either device: all that was said before
/// has left then.
public final class Chance {
  /// Whether it could happen now.
  public private(set) var isOpen = false
  private var openBefore = SimDuration.zero
  private var openSince = SimInstant.zero

  /// Those of the captured devices at its ends.
  private var calms: [Calm] = []

  public init() {}

  /// - Parameter calm: of a captured device whose link it is.
  final func depend(on calm: Calm) { calms.append(calm) }

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
    guard isOpen else { return .distantFuture }
    return calms.reduce(openSince + (time - openBefore)) { instant, calm in
      calm.since.map { max(instant, $0 + calm.length) } ?? .distantFuture
    }
  }
}

/// Since when nothing is under way on any link of a captured device.
final class Calm {
  /// Decision: no connection interval of a link that is in use is longer than half of it. Where only the air is seen,
  /// nothing tells when a controller has made room, and a link may lose several events in a row.
  let length: SimDuration
  /// Nil while something is.
  private(set) var since: SimInstant? = .zero

  init(isOverheard: Bool) { length = .milliseconds(isOverheard ? 1_000 : 500) }

  /// - Returns: whether it has just begun, so that something may now be due that was not before.
  func set(_ isCalm: Bool, at now: SimInstant) -> Bool {
    guard isCalm != (since != nil) else { return false }
    since = isCalm ? now : nil
    return isCalm
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
  ///
  /// Inlinable, since judges of other modules ask at nearly every instant: without that it costs a tenth of a run.
  @inlinable public var deadline: SimInstant {
    var earliest = SimInstant.distantFuture
    for case .some(let obligation) in self { earliest = Swift.min(earliest, obligation.deadline) }
    return earliest
  }
  /// How many are not judged yet.
  public var openCount: Int { reduce(0) { $0 + ($1.map { $0.isReported ? 0 : 1 } ?? 0) } }
}
