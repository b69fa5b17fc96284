import NetworkWire

/// What a checksum of TCP or UDP says in a capture.
public enum TransportChecksum: Hashable, Sendable {
  case right
  /// The network card of the machine that captured was to compute it, or had computed it of several packets that are
  /// one here: the field has the sum over the pseudo-header alone, or zero, or the packet is one that left.
  case leftToNetworkCard
  /// Whoever receives the packet drops it.
  case wrong
  /// The capturer has cut the packet.
  case unknown

  /// - Parameters:
  ///   - octets: header and payload, whole.
  ///   - field: where the checksum is in them.
  init(
    _ octets: ArraySlice<UInt8>, field: Int, _ transport: IPPacket.Transport, from source: IPAddress,
    to destination: IPAddress, isOutgoing: Bool?
  ) {
    let stated = NetworkOctets(octets).u16(field)
    // UDP may do without; what is left to a card may be zero too.
    if stated == 0 {
      self = .leftToNetworkCard
      return
    }
    let addresses = Self.sum(of: source) + Self.sum(of: destination) + UInt64(transport.rawValue)
    let pseudoHeader = addresses + UInt64(octets.count)
    if Self.folded(pseudoHeader + Self.sum(octets)) == 0xFFFF {
      self = .right
    } else if isOutgoing == true || stated == Self.folded(pseudoHeader) || stated == Self.folded(addresses) {
      self = .leftToNetworkCard
    } else {
      self = .wrong
    }
  }

  private static func sum(of address: IPAddress) -> UInt64 {
    switch address {
    case .v4(let bits): UInt64(bits >> 16) + UInt64(bits & 0xFFFF)
    case .v6(let upper, let lower):
      [upper, lower].reduce(0) { $0 + ($1 >> 48) + ($1 >> 32 & 0xFFFF) + ($1 >> 16 & 0xFFFF) + ($1 & 0xFFFF) }
    }
  }

  /// The sum of 16-bit words; an odd last octet is the upper half of one (RFC 1071).
  private static func sum(_ octets: ArraySlice<UInt8>) -> UInt64 {
    octets.withUnsafeBytes { octets in
      var sum: UInt64 = 0
      var index = 0
      while index + 1 < octets.count {
        sum += UInt64(octets[index]) << 8 | UInt64(octets[index + 1])
        index += 2
      }
      return index < octets.count ? sum + UInt64(octets[index]) << 8 : sum
    }
  }

  private static func folded(_ sum: UInt64) -> UInt16 {
    var rest = sum
    while rest > 0xFFFF { rest = rest & 0xFFFF + rest >> 16 }
    return UInt16(truncatingIfNeeded: rest)
  }
}
