import BluetoothWire
import CaptureFormats
import SimKernel

/// The clock of one sniffer that says when PDUs began, on the scale of its file.
///
/// The times of records are those at which they came to a computer, late by what USB and buffers take. What the sniffer
/// says is exact, but counts from one record to the next: where one is missing, or the two clocks are apart by more
/// than can be, it begins again at the file's time.
struct SnifferClock {
  /// Farther apart the clocks are not of one and the same capture.
  private static let farthest: Int64 = 500_000_000
  /// T_IFS less what clocks may be off: programs that know no times write smaller ones.
  private static let shortest: Int64 = 140_000

  private var newest: (counter: UInt16, start: Int64, end: Int64, ticks: UInt32)?

  /// When a PDU began, in the file's nanoseconds; nil: the sniffer does not say.
  mutating func start(of time: SnifferTime, file: Int64, duration: Int64) -> Int64? {
    var start: Int64?
    var ticks: UInt32 = 0
    if let newest, time.recordCounter == newest.counter &+ 1 {
      switch time.reading {
      case .sinceEnd(let microseconds):
        let silence = Int64(microseconds) * 1_000
        if silence >= Self.shortest { start = newest.end + silence }
      case .at(let microseconds):
        let passed = Int64(Int32(bitPattern: microseconds &- newest.ticks)) * 1_000
        if passed > 0 { start = newest.start + passed }
      }
    }
    if case .at(let microseconds) = time.reading { ticks = microseconds }
    if let exact = start, abs(exact - file) > Self.farthest { start = nil }
    let begins = start ?? file
    newest = (time.recordCounter, begins, begins + duration, ticks)
    return start
  }
}
