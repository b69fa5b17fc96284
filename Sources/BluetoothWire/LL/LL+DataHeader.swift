extension LL {
  /// The two octets in front of every data physical channel PDU.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 2.4.
  /// Layout: `LLID: 2 bits, NESN, SN, MD, CP, RFU: 2 bits | Length: 1`.
  /// Not modelled: CP and CTEInfo (constant tone extension); they are ignored on decoding and sent as zero.
  public struct DataHeader: Hashable, Sendable {
    public var llid: LLID
    /// Next expected sequence number.
    public var nesn: Bool
    /// Sequence number.
    public var sn: Bool
    public var moreData: Bool
    /// Octets of payload, without header and CRC.
    public var length: UInt8

    @inlinable
    public init(llid: LLID, nesn: Bool, sn: Bool, moreData: Bool, length: UInt8) {
      self.llid = llid
      self.nesn = nesn
      self.sn = sn
      self.moreData = moreData
      self.length = length
    }

    /// Every pair of octets is a header.
    @inlinable
    public init(_ first: UInt8, _ second: UInt8) {
      llid =
        switch first & 0b11 {
        case 0b00: .reserved
        case 0b01: .continuation
        case 0b10: .start
        default: .control
        }
      nesn = first & 0x04 != 0
      sn = first & 0x08 != 0
      moreData = first & 0x10 != 0
      length = second
    }

    /// The header of a whole PDU (header and payload).
    ///
    /// Refuses: truncated; a length field that does not match the payload that is there.
    public init(decoding pdu: [UInt8]) throws(WireError) {
      if pdu.count < 2 { throw WireError(.truncated, at: pdu.count) }
      self.init(pdu[0], pdu[1])
      if pdu.count < 2 + Int(length) { throw WireError(.truncated, at: pdu.count) }
      if pdu.count > 2 + Int(length) { throw WireError(.trailingOctets, at: 2 + Int(length)) }
    }

    /// The first octet; the second one is `length`.
    @inlinable
    public var flags: UInt8 {
      llid.rawValue | (nesn ? 0x04 : 0) | (sn ? 0x08 : 0) | (moreData ? 0x10 : 0)
    }

    public var octets: [UInt8] { [flags, length] }
  }
}
