import NIOCore

/// The lines of one port, so that a partner who comes and goes without end cannot fill a disk: a `burst`, then
/// `perSecond`; what was left out is counted in the next line that is let through.
struct PortLog {
  static let burst: Int64 = 256
  static let perSecond: Int64 = 8

  let name: String
  let write: (String) -> Void
  private var tokens = PortLog.burst
  private var refilled = PortLog.now
  private var leftOut = 0

  init(name: String, write: @escaping (String) -> Void) {
    self.name = name
    self.write = write
  }

  /// Nanoseconds of the monotonic clock.
  static var now: UInt64 { NIODeadline.now().uptimeNanoseconds }

  mutating func line(_ text: String, now: UInt64 = PortLog.now) {
    let earned = Int64(min(now - min(refilled, now), 1 << 62)) / (1_000_000_000 / PortLog.perSecond)
    if earned > 0 {
      tokens = min(tokens + min(earned, PortLog.burst), PortLog.burst)
      refilled = now
    }
    guard tokens > 0 else { return leftOut += 1 }
    tokens -= 1
    write("\(name): " + text + (leftOut > 0 ? " (\(leftOut) lines before this one were left out)" : ""))
    leftOut = 0
  }
}
