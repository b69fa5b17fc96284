extension HCI.ACLData {
  /// Decodes an H4 packet.
  ///
  /// Spec: Core v5.4, Vol 4, Part E, 5.4.2.
  /// Layout: `02 | Handle: 12 bits, PB: 2 bits, BC: 2 bits | Length: 2 | Data`.
  /// Refuses: another indicator, the reserved boundary 0b11 and broadcast (each with a reason of its own, at 2),
  /// truncated, trailing octets.
  public init(decoding octets: [UInt8]) throws(WireError) {
    var reader = OctetReader(octets)
    try reader.indicator(HCI.PacketIndicator.acl)
    let field = try reader.u16()
    guard let boundary = Boundary(rawValue: UInt8(field >> 12 & 0b11)) else {
      throw WireError(.reservedBoundary, at: 2)
    }
    if field >> 14 != 0 { throw WireError(.broadcast, at: 2) }
    try reader.lengthOfRest(octets: 2)
    self.init(handle: field & 0x0FFF, boundary: boundary, octets: reader.rest())
  }

  /// The H4 packet. Data beyond 65535 octets is cut, because the length field cannot count it.
  public var h4Octets: [UInt8] {
    let count = min(octets.count, 0xFFFF)
    var packet: [UInt8] = []
    packet.reserveCapacity(5 + count)
    packet.append(HCI.PacketIndicator.acl)
    packet.append(littleEndian: handle & 0x0FFF | UInt16(boundary.rawValue) << 12)
    packet.append(littleEndian: UInt16(count))
    packet.append(contentsOf: octets.prefix(count))
    return packet
  }
}
