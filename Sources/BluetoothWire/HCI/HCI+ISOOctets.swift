extension HCI.ISOData {
  /// Octets that `Data_Total_Length` can count, 14 bits.
  private static let longest = 0x3FFF

  /// Decodes an H4 packet. Bits reserved for future use are not looked at.
  ///
  /// Spec: Core v5.4, Vol 4, Part E, 5.4.5.
  /// Layout: `05 | Handle: 12 bits, PB: 2, TS: 1, RFU: 1 | Length: 14 bits, RFU: 2`, then in a first or complete packet
  /// `Time_Stamp: 4 if TS | Packet_Sequence_Number: 2 | ISO_SDU_Length: 12 bits, RFU: 2, Packet_Status_Flag: 2`, then
  /// `Data`.
  /// Refuses: another indicator, a time stamp in a continuing or last packet (at 2), truncated, trailing octets.
  public init(decoding octets: [UInt8]) throws(WireError) {
    var reader = OctetReader(octets)
    try reader.indicator(HCI.PacketIndicator.isochronousData)
    let field = try reader.u16()
    // Two bits, and each of the four values is a case.
    let boundary = Boundary(rawValue: UInt8(field >> 12 & 0b11))!
    let isStamped = field >> 14 & 1 != 0
    if isStamped, !boundary.beginsSDU { throw WireError(.timeStampInFragment, at: 2) }
    try reader.lengthOfRest(octets: 2, mask: UInt64(Self.longest))
    var head: Head?
    if boundary.beginsSDU {
      let timeStamp = isStamped ? try reader.u32() : nil
      let sequenceNumber = try reader.u16()
      let length = try reader.u16()
      head = Head(
        timeStamp: timeStamp, sequenceNumber: sequenceNumber, sduLength: length & 0x0FFF, status: UInt8(length >> 14))
    }
    self.init(handle: field & 0x0FFF, boundary: boundary, head: head, octets: reader.rest())
  }

  /// The H4 packet. Data beyond what the length field can count is cut, so that no packet has more than 16383 octets
  /// after its length.
  ///
  /// A head goes only into first and complete packets; one of these without a head has the sequence number 0 and the
  /// length of its own octets.
  public var h4Octets: [UInt8] {
    let head = boundary.beginsSDU ? self.head ?? .init(sequenceNumber: 0, sduLength: Self.sduLength(octets)) : nil
    let isStamped = head?.timeStamp != nil
    let headLength = head == nil ? 0 : isStamped ? 8 : 4
    let count = min(octets.count, Self.longest - headLength)
    var packet: [UInt8] = []
    packet.reserveCapacity(5 + headLength + count)
    packet.append(HCI.PacketIndicator.isochronousData)
    packet.append(littleEndian: handle & 0x0FFF | UInt16(boundary.rawValue) << 12 | (isStamped ? 1 << 14 : 0))
    packet.append(littleEndian: UInt16(headLength + count))
    if let head {
      if let timeStamp = head.timeStamp { packet.append(littleEndian: timeStamp) }
      packet.append(littleEndian: head.sequenceNumber)
      packet.append(littleEndian: head.sduLength & 0x0FFF | UInt16(head.status & 0b11) << 14)
    }
    packet.append(contentsOf: octets.prefix(count))
    return packet
  }

  private static func sduLength(_ octets: [UInt8]) -> UInt16 { UInt16(min(octets.count, 0x0FFF)) }
}
