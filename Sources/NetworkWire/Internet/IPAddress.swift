import BluetoothWire

/// An address of IPv4 (RFC 791, 3.2) or IPv6 (RFC 4291).
public enum IPAddress: Hashable, Sendable {
  /// The four octets as one number, the first one most significant.
  case v4(UInt32)
  /// The upper and the lower 64 bits.
  case v6(UInt64, UInt64)

  /// A link-local address of IPv6 with this interface identifier (RFC 4291, 2.5.6).
  public static func linkLocal(_ identifier: UInt64) -> IPAddress { .v6(0xFE80_0000_0000_0000, identifier) }

  /// The group that Multicast DNS asks and answers in (RFC 6762, 3).
  public static let multicastDNS = IPAddress.v6(0xFF02_0000_0000_0000, 0xFB)

  /// 4 or 16 octets.
  public var octets: [UInt8] {
    switch self {
    case .v4(let bits): Self.octets(UInt64(bits), 4)
    case .v6(let upper, let lower): Self.octets(upper, 8) + Self.octets(lower, 8)
    }
  }

  private static func octets(_ bits: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64(count - 1 - $0))) }
  }

  /// - Precondition: there are 16 octets.
  init(v6 octets: [UInt8]) {
    let number = { (part: ArraySlice<UInt8>) in part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    self = .v6(number(octets[..<8]), number(octets[8...]))
  }
}

extension IPAddress: CustomStringConvertible {
  /// As RFC 5952 wants it: the longest run of at least two groups of zeros is `::`.
  public var description: String {
    if case .v4 = self { return octets.map { String($0) }.joined(separator: ".") }
    let octets = octets
    let groups = (0..<8).map { UInt16(octets[2 * $0]) << 8 | UInt16(octets[2 * $0 + 1]) }
    var longest = 0..<0
    var start = 0
    while start < 8 {
      var end = start
      while end < 8, groups[end] == 0 { end += 1 }
      if end - start > max(longest.count, 1) { longest = start..<end }
      start = max(end, start + 1)
    }
    let text = { (part: ArraySlice<UInt16>) in
      part.map { String(hexadecimal: $0, digits: 1) }.joined(separator: ":")
    }
    if longest.isEmpty { return text(groups[...]) }
    return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
  }
}
