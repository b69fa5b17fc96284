import Dispatch
import SimKernel
import VirtualTime

/// Runs `program` on a device until nothing is due, and returns what it noted.
final class TimedDevice: @unchecked Sendable {
  let processor: VirtualProcessor
  private(set) var lines: [String] = []

  init(seed: UInt64 = 0, limits: VirtualProcessor.Limits = .init()) {
    processor = VirtualProcessor(seed: seed, limits: limits)
  }

  /// Notes a text with the milliseconds since instant zero, by the device's own clock.
  func note(_ text: String) {
    let nanoseconds = DispatchTime.now().uptimeNanoseconds - 1_000_000_000_000
    let rest = nanoseconds % 1_000_000
    lines.append("\(nanoseconds / 1_000_000)\(rest == 0 ? "" : "+\(rest)") \(text)")
  }

  /// Runs everything, as a bench with nobody else in it.
  @discardableResult
  func run(_ program: @escaping (TimedDevice) -> Void) throws -> [String] {
    try processor.run(at: processor.now) { program(self) }
    while let due = processor.nextDue { try processor.run(at: due) }
    return lines
  }

  func run(milliseconds: Int64) throws {
    try processor.run(at: .zero + .milliseconds(milliseconds))
  }
}
