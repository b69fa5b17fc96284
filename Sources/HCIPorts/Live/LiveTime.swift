import NIOCore
import SimKernel

/// How virtual time follows the wall clock in a live run.
struct LiveTime {
  /// Virtual seconds for a second of the wall clock; 0: time stands.
  private(set) var rate = 1.0
  /// A moment of the wall clock, and what the virtual time was then.
  private var moment: NIODeadline
  private let beginning: NIODeadline
  private var base = SimInstant.zero

  init(beginning moment: NIODeadline) {
    self.moment = moment
    beginning = moment
  }

  /// How long it has been by the wall clock.
  func wall(at moment: NIODeadline) -> SimDuration { .nanoseconds((moment - beginning).nanoseconds) }

  func instant(at moment: NIODeadline) -> SimInstant {
    let passed = (moment - self.moment).nanoseconds
    return base + .nanoseconds(rate == 1 ? passed : Int64(Double(passed) * rate))
  }

  /// When it is that instant by the wall clock; nil while time stands.
  func deadline(of instant: SimInstant) -> NIODeadline? {
    if rate == 0 { return nil }
    let left = (instant - base).nanoseconds
    return moment + .nanoseconds(rate == 1 ? left : Int64((Double(left) / rate).rounded(.up)))
  }

  mutating func set(rate: Double, at moment: NIODeadline) {
    base = instant(at: moment)
    self.moment = moment
    self.rate = rate
  }

  /// It is so much later at once.
  mutating func skip(_ span: SimDuration) { base = base + span }
}
