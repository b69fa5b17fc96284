extension LL {
  /// A PDU with the Common Extended Advertising Payload Format, header included: ADV_EXT_IND, AUX_ADV_IND,
  /// AUX_SCAN_RSP, AUX_CHAIN_IND, AUX_SYNC_IND, AUX_SYNC_SUBEVENT_IND, AUX_SYNC_SUBEVENT_RSP and AUX_CONNECT_RSP.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 2.3.4. Layout: `Type: 4 bits, RFU, TxAdd, RxAdd | Length: 1 | Extended Header
  /// Length: 6 bits, AdvMode: 2 bits | Flags: 1 | AdvA, TargetA: 6 each, CTEInfo: 1, ADI: 2, AuxPtr: 3, SyncInfo: 18,
  /// TxPower: 1, as the flags say | ACAD | AdvData`. AUX_SCAN_REQ and AUX_CONNECT_REQ are `LL.AdvertisingPDU`: they
  /// have the forms of SCAN_REQ and CONNECT_IND (2.3.2.1, 2.3.3.1).
  public struct ExtendedPDU: Hashable, Sendable {
    /// Whether the advertiser may be connected to, or asked for more (2.3.4.1).
    public enum Mode: UInt8, Hashable, Sendable {
      case neither = 0b00
      case connectable = 0b01
      case scannable = 0b10
    }

    /// `ADI`: which set, and which of its data (2.3.4.4).
    public struct DataInfo: Hashable, Sendable {
      /// Advertising Data ID, 12 bits.
      public var did: UInt16
      /// Advertising Set ID, 4 bits.
      public var sid: UInt8

      public init(did: UInt16, sid: UInt8) {
        self.did = did & 0x0FFF
        self.sid = sid & 0x0F
      }
    }

    /// `AuxPtr`: where the next PDU is (2.3.4.5).
    public struct Pointer: Hashable, Sendable {
      /// A channel of the secondary advertising physical channel, 0 … 36.
      public var channelIndex: UInt8
      /// `CA`: the clock of the advertiser has 50 ppm or less, else 500 ppm or less.
      public var isAccurate: Bool
      /// `Offset Units` of 300 µs; false: of 30 µs.
      public var hasLongUnits: Bool
      /// From the start of this PDU to that of the next one, 13 bits.
      public var offset: UInt16
      /// `AUX PHY`.
      public var phy: HCI.PHY

      public init(channelIndex: UInt8, isAccurate: Bool, hasLongUnits: Bool, offset: UInt16, phy: HCI.PHY) {
        self.channelIndex = channelIndex & 0x3F
        self.isAccurate = isAccurate
        self.hasLongUnits = hasLongUnits
        self.offset = offset & 0x1FFF
        self.phy = phy
      }
    }

    /// AUX_CONNECT_RSP, which has a PDU type of its own; false: one of the others.
    public var isConnectResponse = false
    public var mode = Mode.neither
    /// AdvA.
    public var advertiser: BluetoothAddress?
    /// TargetA.
    public var target: BluetoothAddress?
    public var cteInfo: UInt8?
    public var dataInfo: DataInfo?
    public var pointer: Pointer?
    public var syncInfo: SyncInfo?
    /// dBm.
    public var txPower: Int8?
    /// Additional Controller Advertising Data (2.3.4.8).
    public var controllerData: [UInt8] = []
    /// AdvData.
    public var data: [UInt8] = []

    public init(mode: Mode = .neither) { self.mode = mode }

    /// Most octets of payload (2.3).
    public static let maximumPayload = 255

    /// Octets of the extended header without its length: the flags, if there is anything, and what they tell of.
    public var headerLength: Int {
      var length = controllerData.count
      length += (advertiser == nil ? 0 : 6) + (target == nil ? 0 : 6) + (cteInfo == nil ? 0 : 1)
      length += (dataInfo == nil ? 0 : 2) + (pointer == nil ? 0 : 3) + (txPower == nil ? 0 : 1)
      length += syncInfo == nil ? 0 : LL.SyncInfo.length
      return length == 0 ? 0 : length + 1
    }

    /// Octets of AdvData for which there is room beside the header.
    public var room: Int { max(0, Self.maximumPayload - 1 - headerLength) }

    /// Octets of payload.
    public var payloadLength: Int { 1 + headerLength + data.count }
  }
}

extension LL.AdvertisingType {
  /// That of the PDUs with the Common Extended Advertising Payload Format, except AUX_CONNECT_RSP.
  public static let extended: UInt8 = 0b0111
  public static let auxConnectRsp: UInt8 = 0b1000
}

extension LL.ExtendedPDU.Pointer {
  /// Nanoseconds of a unit of the offset.
  public var unit: Int64 { hasLongUnits ? 300_000 : 30_000 }

  /// Points at a PDU that starts that many nanoseconds after this one; nil: it is too far away.
  public init?(to channelIndex: UInt8, after nanoseconds: Int64, isAccurate: Bool, phy: HCI.PHY) {
    let isFar = nanoseconds >= 0x2000 * 30_000
    let offset = nanoseconds / (isFar ? 300_000 : 30_000)
    guard nanoseconds >= 0, offset <= 0x1FFF else { return nil }
    self.init(
      channelIndex: channelIndex, isAccurate: isAccurate, hasLongUnits: isFar, offset: UInt16(offset), phy: phy)
  }

  init(reading reader: inout OctetReader) throws(WireError) {
    let start = reader.offset
    let first = try reader.u8()
    let rest = try reader.u16()
    if first & 0x3F > 36 { throw WireError(.valueOutOfRange, at: start) }
    if rest >> 13 > 2 { throw WireError(.valueOutOfRange, at: start + 2) }
    self.init(
      channelIndex: first & 0x3F, isAccurate: first & 0x40 != 0, hasLongUnits: first & 0x80 != 0,
      offset: rest & 0x1FFF, phy: [.le1M, .le2M, .leCoded][Int(rest >> 13)])
  }

  var octets: [UInt8] {
    let rest = offset & 0x1FFF | UInt16(phy.rawValue - 1) << 13
    return [
      channelIndex & 0x3F | (isAccurate ? 0x40 : 0) | (hasLongUnits ? 0x80 : 0), UInt8(truncatingIfNeeded: rest),
      UInt8(rest >> 8),
    ]
  }
}

extension LL.ExtendedPDU {
  private enum Flag {
    static let advertiser: UInt8 = 0x01
    static let target: UInt8 = 0x02
    static let cteInfo: UInt8 = 0x04
    static let dataInfo: UInt8 = 0x08
    static let pointer: UInt8 = 0x10
    static let syncInfo: UInt8 = 0x20
    static let txPower: UInt8 = 0x40
  }

  /// Decodes a whole PDU: header of 2 octets and payload. Reserved bits of the header and of the flags are ignored.
  ///
  /// Refuses: truncated; trailing octets; another PDU type (unknown type at 0); an extended header that is longer than
  /// the payload (length mismatch at 2), or shorter than what its flags tell of (length mismatch at the flags); values
  /// that are reserved (AdvMode 0b11, a channel above 36, an AUX PHY above 2).
  public init(decoding pdu: [UInt8]) throws(WireError) {
    var reader = OctetReader(pdu)
    let header = LL.AdvertisingHeader(try reader.u8())
    guard header.type == LL.AdvertisingType.extended || header.type == LL.AdvertisingType.auxConnectRsp else {
      throw WireError(.unknownType, at: 0)
    }
    let length = Int(try reader.u8())
    try reader.require(length)
    if reader.remaining > length { throw WireError(.trailingOctets, at: 2 + length) }
    let first = try reader.u8()
    guard let mode = Mode(rawValue: first >> 6) else { throw WireError(.valueOutOfRange, at: 2) }
    let end = 3 + Int(first & 0x3F)
    if end > 2 + length { throw WireError(.lengthMismatch, at: 2) }
    self.init(mode: mode)
    isConnectResponse = header.type == LL.AdvertisingType.auxConnectRsp
    if end > 3 {
      var fields = OctetReader(pdu, from: 3, to: end)
      do throws(WireError) {
        try read(&fields, header)
      } catch {
        throw error.reason == .truncated ? WireError(.lengthMismatch, at: 3) : error
      }
      controllerData = fields.rest()
    }
    data = Array(pdu[end...])
  }

  /// Decodes a PDU of which the receiver knows what it must be.
  ///
  /// Refuses as `init(decoding:)` does; another PDU type (unknown type at 0); an AdvMode that the PDU does not have, or
  /// fields that it must have and has not, or that are reserved for it (value out of range at 2 and 3).
  public init(decoding pdu: [UInt8], as kind: Kind) throws(WireError) {
    self = try LL.ExtendedPDU(decoding: pdu)
    guard isConnectResponse == (kind == .auxConnectRsp) else { throw WireError(.unknownType, at: 0) }
    guard hasMode(of: kind) else { throw WireError(.valueOutOfRange, at: 2) }
    guard hasFields(of: kind) else { throw WireError(.valueOutOfRange, at: 3) }
  }

  private mutating func read(_ reader: inout OctetReader, _ header: LL.AdvertisingHeader) throws(WireError) {
    let flags = try reader.u8()
    if flags & Flag.advertiser != 0 { advertiser = try reader.address(header.txAddress) }
    if flags & Flag.target != 0 { target = try reader.address(header.rxAddress) }
    if flags & Flag.cteInfo != 0 { cteInfo = try reader.u8() }
    if flags & Flag.dataInfo != 0 {
      let bits = try reader.u16()
      dataInfo = DataInfo(did: bits & 0x0FFF, sid: UInt8(bits >> 12))
    }
    if flags & Flag.pointer != 0 { pointer = try Pointer(reading: &reader) }
    if flags & Flag.syncInfo != 0 { syncInfo = try reader.next() }
    if flags & Flag.txPower != 0 { txPower = Int8(bitPattern: try reader.u8()) }
  }

  /// The whole PDU. ACAD beyond an extended header of 63 octets and data beyond a payload of 255 are cut, because a PDU
  /// cannot carry them.
  public var octets: [UInt8] {
    var fields: [UInt8] = [0]
    if let advertiser { fields += advertiser.octets }
    if let target { fields += target.octets }
    if let cteInfo { fields.append(cteInfo) }
    if let dataInfo { fields.append(littleEndian: dataInfo.did & 0x0FFF | UInt16(dataInfo.sid) << 12) }
    if let pointer { fields += pointer.octets }
    if let syncInfo { syncInfo.append(to: &fields) }
    if let txPower { fields.append(UInt8(bitPattern: txPower)) }
    fields[0] = flags
    fields += controllerData.prefix(max(0, 63 - fields.count))
    if fields == [0] { fields = [] }
    let data = data.prefix(Self.maximumPayload - 1 - fields.count)
    var octets: [UInt8] = []
    octets.reserveCapacity(3 + fields.count + data.count)
    let type = isConnectResponse ? LL.AdvertisingType.auxConnectRsp : LL.AdvertisingType.extended
    let isRandom = (advertiser?.kind == .random, target?.kind == .random)
    octets.append(type | (isRandom.0 ? 0x40 : 0) | (isRandom.1 ? 0x80 : 0))
    octets.append(UInt8(1 + fields.count + data.count))
    octets.append(UInt8(fields.count) | mode.rawValue << 6)
    octets += fields
    octets += data
    return octets
  }

  private var flags: UInt8 {
    (advertiser == nil ? 0 : Flag.advertiser) | (target == nil ? 0 : Flag.target)
      | (cteInfo == nil ? 0 : Flag.cteInfo) | (dataInfo == nil ? 0 : Flag.dataInfo)
      | (pointer == nil ? 0 : Flag.pointer) | (syncInfo == nil ? 0 : Flag.syncInfo)
      | (txPower == nil ? 0 : Flag.txPower)
  }
}
