/// The octets of a file that have been handed in and not yet been used, with their place in the file.
///
/// Holds one record at most beyond what was handed in last, so that files of any size can be read in pieces.
struct OctetWindow: Sendable {
  private var octets: [UInt8] = []
  private var start = 0
  /// Place in the file of the next octet.
  private(set) var offset = 0

  var count: Int { octets.count - start }

  mutating func append(_ chunk: [UInt8]) {
    if start > 0 {
      octets.removeSubrange(0..<start)
      start = 0
    }
    octets += chunk
  }

  mutating func skip(_ count: Int) {
    start += count
    offset += count
  }

  func slice(_ from: Int, _ count: Int) -> [UInt8] { Array(octets[start + from..<start + from + count]) }

  /// An unsigned number of up to eight octets.
  func number(_ from: Int, _ count: Int, bigEndian: Bool) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count {
      value = value << 8 | UInt64(octets[start + from + (bigEndian ? index : count - 1 - index)])
    }
    return value
  }
}

extension [UInt8] {
  mutating func append(little value: UInt64, _ count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
  }

  mutating func append(big value: UInt64, _ count: Int) {
    for index in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
  }
}
