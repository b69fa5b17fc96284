import CaptureFormats
import SimKernel

/// Which records of captures of one place are the same: each counts once, and what one capture lacks another one gives.
///
/// Records come in the order of the common clock. Two are the same if they hold the same octets at nearly the same
/// time, in two captures; of several that can be, the first that the other capture has not had yet. Memory: the records
/// of `window`.
struct TwinRecords {
  private struct Heard {
    var key: UInt64
    var time: Int64
    /// A bit for each capture that has had it.
    var files: UInt64
  }

  /// What two clocks may be apart of which nothing is known but that they show the same.
  static let leastWindow: Int64 = 2_000
  private let window: Int64
  private var heard: [Heard] = []
  private var start = 0

  /// - Parameter spread: what the clocks of the captures jitter, in nanoseconds.
  init(spread: Int64) { window = max(Self.leastWindow, min(spread, 500_000) * 2) }

  static func bit(_ file: Int) -> UInt64 { file < 64 ? 1 << UInt64(file) : 0 }

  func areNear(_ a: Int64, _ b: Int64) -> Bool {
    let (difference, overflows) = a.subtractingReportingOverflow(b)
    return !overflows && difference.magnitude <= window
  }

  /// Takes a record.
  /// - Parameters:
  ///   - file: index of the capture; of captures beyond the 64th nothing is the same.
  ///   - isOver: told the time of a record that no further capture can have, and a bit for each that has it.
  /// - Returns: whether another capture has had it.
  mutating func isKnown(
    _ key: UInt64, file: Int, at time: Int64, isOver: (_ time: Int64, _ files: UInt64) -> Void
  ) -> Bool {
    while start < heard.count, !areNear(heard[start].time, time) {
      isOver(heard[start].time, heard[start].files)
      start += 1
    }
    if start > 4_096 {
      heard.removeFirst(start)
      start = 0
    }
    let bit = Self.bit(file)
    if bit != 0 {
      for index in heard.indices.dropFirst(start) where heard[index].key == key && heard[index].files & bit == 0 {
        heard[index].files |= bit
        return true
      }
    }
    heard.append(Heard(key: key, time: time, files: bit))
    return false
  }

  /// What a record is, whoever captured it; nil: nothing that two captures have in common, such as a line of text.
  static func key(_ record: CaptureRecord) -> UInt64? {
    switch record.body {
    case .hci(let adapter, let indicator, let isToHost):
      let way: UInt64 = isToHost.map { $0 ? 1 : 2 } ?? 3
      return FNV1a.hash(record.octets, after: UInt64(adapter) << 16 | UInt64(indicator) << 8 | way)
    case .air(let header):
      return FNV1a.hash(record.octets, after: UInt64(header.accessAddress) << 8 | 0xA1)
    case .monitor, .text, .opaque, .network: return nil
    }
  }
}
