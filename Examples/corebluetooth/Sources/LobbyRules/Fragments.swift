import Foundation

/// Cutting packets (wire.md 3.A).
public enum Fragments {
  private static let header = 4
  private static let longestValue = 512

  /// Values of at most `longest` octets; none when the packet would need more than 255 (3.5).
  public static func cut(_ packet: Data, id: UInt16, longest: Int) -> [Data] {
    let size = min(longest, longestValue) - header
    let octets = Array(packet)
    let count = (octets.count + size - 1) / size
    guard size > 0, (1...255).contains(count) else { return [] }
    return (0..<count).map { index in
      let body = octets[(index * size)..<min((index + 1) * size, octets.count)]
      return Data([UInt8(id >> 8), UInt8(id & 0xFF), UInt8(index), UInt8(count)] + body)
    }
  }

  /// The octets in a row without headers, as guides cut them for an ATT_MTU of 185.
  public static func chunks(of packet: Data) -> [Data] {
    stride(from: 0, to: packet.count, by: 182).map { Data(packet[$0..<min($0 + 182, packet.count)]) }
  }
}
