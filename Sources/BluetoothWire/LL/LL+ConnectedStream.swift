extension LL {
  /// `CtrData` of `LL_CIS_REQ`: what the central wants of a connected isochronous stream.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 2.4.2.29. Numbers are taken as they come.
  public struct CISRequest: Hashable, Sendable {
    public var group: UInt8
    public var stream: UInt8
    /// One bit as in LL_PHY_REQ.
    public var centralPHY: UInt8
    public var peripheralPHY: UInt8
    /// What each end sends.
    public var central: StreamDirection
    public var peripheral: StreamDirection
    public var isFramed: Bool
    /// Subevents in an event, 1 … 31.
    public var subevents: UInt8
    /// Microseconds; 0 with one subevent.
    public var subinterval: UInt32
    /// Units of 1.25 ms.
    public var interval: UInt16
    /// Microseconds from the anchor point of `event` to that of the first event of the stream.
    public var offsetMinimum: UInt32
    public var offsetMaximum: UInt32
    /// A connection event counter.
    public var event: UInt16
    /// Bits for future use as they came: those above both SDU lengths, and those above both SDU intervals.
    fileprivate var reserved: UInt16 = 0

    public init(
      group: UInt8, stream: UInt8, centralPHY: UInt8, peripheralPHY: UInt8, central: StreamDirection,
      peripheral: StreamDirection, isFramed: Bool, subevents: UInt8, subinterval: UInt32, interval: UInt16,
      offsetMinimum: UInt32, offsetMaximum: UInt32, event: UInt16
    ) {
      self.group = group
      self.stream = stream
      self.centralPHY = centralPHY
      self.peripheralPHY = peripheralPHY
      self.central = central
      self.peripheral = peripheral
      self.isFramed = isFramed
      self.subevents = subevents
      self.subinterval = subinterval
      self.interval = interval
      self.offsetMinimum = offsetMinimum
      self.offsetMaximum = offsetMaximum
      self.event = event
    }
  }

  /// What one end of a stream sends.
  public struct StreamDirection: Hashable, Sendable {
    /// Octets, 0 … 4095; 0: it sends no SDUs.
    public var longestSDU: UInt16
    /// Microseconds, 20 bits.
    public var sduInterval: UInt32
    /// Octets, 0 … 251.
    public var longestPDU: UInt16
    /// New payloads in an event, 0 … 15.
    public var burst: UInt8
    /// Events in which a payload may be sent before it is flushed.
    public var flushTimeout: UInt8

    public init(longestSDU: UInt16, sduInterval: UInt32, longestPDU: UInt16, burst: UInt8, flushTimeout: UInt8) {
      self.longestSDU = longestSDU
      self.sduInterval = sduInterval
      self.longestPDU = longestPDU
      self.burst = burst
      self.flushTimeout = flushTimeout
    }
  }

  /// `CtrData` of `LL_CIS_IND` (2.4.2.31); times in microseconds.
  public struct CISIndication: Hashable, Sendable {
    public var accessAddress: UInt32
    public var offset: UInt32
    public var groupSyncDelay: UInt32
    public var streamSyncDelay: UInt32
    /// The connection event from whose anchor point `offset` counts.
    public var event: UInt16

    public init(
      accessAddress: UInt32, offset: UInt32, groupSyncDelay: UInt32, streamSyncDelay: UInt32, event: UInt16
    ) {
      self.accessAddress = accessAddress
      self.offset = offset
      self.groupSyncDelay = groupSyncDelay
      self.streamSyncDelay = streamSyncDelay
      self.event = event
    }
  }

  /// The two octets in front of every PDU of a connected isochronous stream.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 2.6.1.
  /// Layout: `LLID: 2 bits, NESN, SN, CIE, RFU, NPI, RFU | Length: 1`.
  public struct StreamHeader: Hashable, Sendable {
    /// What a PDU carries of an SDU.
    public enum Kind: UInt8, Hashable, Sendable {
      /// Unframed: the end of an SDU, or a whole one.
      case end = 0b00
      /// Unframed: the start of an SDU, or the middle; without octets it is padding.
      case part = 0b01
      case framed = 0b10
      case reserved = 0b11
    }

    public var kind: Kind
    public var nesn: Bool
    public var sn: Bool
    /// Its sender uses no further subevent of this event.
    public var closes: Bool
    /// It is a null PDU, which carries no payload.
    public var isNull: Bool
    public var length: UInt8

    public init(kind: Kind, nesn: Bool, sn: Bool, closes: Bool, isNull: Bool, length: UInt8) {
      self.kind = kind
      self.nesn = nesn
      self.sn = sn
      self.closes = closes
      self.isNull = isNull
      self.length = length
    }

    /// Every pair of octets is a header.
    public init(_ first: UInt8, _ second: UInt8) {
      kind = Kind(rawValue: first & 0b11) ?? .reserved
      nesn = first & 0x04 != 0
      sn = first & 0x08 != 0
      closes = first & 0x10 != 0
      isNull = first & 0x40 != 0
      length = second
    }

    public var octets: [UInt8] {
      [kind.rawValue | (nesn ? 0x04 : 0) | (sn ? 0x08 : 0) | (closes ? 0x10 : 0) | (isNull ? 0x40 : 0), length]
    }
  }
}

extension LL.CISRequest: WireRecord {
  static let blank = Self(
    group: 0, stream: 0, centralPHY: 0, peripheralPHY: 0, central: .blank, peripheral: .blank, isFramed: false,
    subevents: 0, subinterval: 0, interval: 0, offsetMinimum: 0, offsetMaximum: 0, event: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    var framed = central.longestSDU & 0x0FFF | (reserved & 0x7) << 12 | (isFramed ? 0x8000 : 0)
    var back = peripheral.longestSDU & 0x0FFF | (reserved >> 3 & 0xF) << 12
    var bursts = central.burst & 0x0F | peripheral.burst << 4
    var interval24 = central.sduInterval & 0x0F_FFFF | UInt32(reserved >> 7 & 0xF) << 20
    var back24 = peripheral.sduInterval & 0x0F_FFFF | UInt32(reserved >> 11 & 0xF) << 20
    try pass.fields(&group, &stream, &centralPHY, &peripheralPHY)
    try pass.fields(&framed, &back)
    try pass.three(&interval24, &back24)
    try pass.fields(&central.longestPDU, &peripheral.longestPDU, &subevents)
    try pass.three(&subinterval)
    try pass.fields(&bursts, &central.flushTimeout, &peripheral.flushTimeout, &interval)
    try pass.three(&offsetMinimum, &offsetMaximum)
    try pass.field(&event)
    (central.longestSDU, isFramed, peripheral.longestSDU) = (framed & 0x0FFF, framed & 0x8000 != 0, back & 0x0FFF)
    (central.burst, peripheral.burst) = (bursts & 0x0F, bursts >> 4)
    (central.sduInterval, peripheral.sduInterval) = (interval24 & 0x0F_FFFF, back24 & 0x0F_FFFF)
    reserved =
      framed >> 12 & 0x7 | (back >> 12) << 3 | UInt16(interval24 >> 20) << 7 | UInt16(back24 >> 20) << 11
  }
}

extension LL.StreamDirection {
  static let blank = Self(longestSDU: 0, sduInterval: 0, longestPDU: 0, burst: 0, flushTimeout: 0)
}

extension LL.CISIndication: WireRecord {
  static let blank = Self(accessAddress: 0, offset: 0, groupSyncDelay: 0, streamSyncDelay: 0, event: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.field(&accessAddress)
    try pass.three(&offset, &groupSyncDelay)
    try pass.three(&streamSyncDelay)
    try pass.field(&event)
  }
}
