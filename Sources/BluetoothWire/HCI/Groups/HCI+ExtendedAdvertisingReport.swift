extension HCI {
  /// One report of `HCI_LE_Extended_Advertising_Report` (Core v5.4, Vol 4, Part E, 7.7.65.13).
  public struct ExtendedAdvertisingReport: Hashable, Sendable {
    /// What was received. Reserved bits survive.
    public struct EventType: OptionSet, Hashable, Sendable {
      public let rawValue: UInt16
      public init(rawValue: UInt16) { self.rawValue = rawValue }

      public static let connectable = EventType(rawValue: 1 << 0)
      public static let scannable = EventType(rawValue: 1 << 1)
      public static let directed = EventType(rawValue: 1 << 2)
      public static let scanResponse = EventType(rawValue: 1 << 3)
      /// A legacy PDU.
      public static let legacy = EventType(rawValue: 1 << 4)
      /// More data of the same advertisement comes in another report.
      public static let incomplete = EventType(rawValue: 0b01 << 5)
      /// The rest of the data was not received.
      public static let truncated = EventType(rawValue: 0b10 << 5)

      public static let advInd: EventType = [.legacy, .connectable, .scannable]
      public static let advDirectInd: EventType = [.legacy, .connectable, .directed]
      public static let advScanInd: EventType = [.legacy, .scannable]
      public static let advNonconnInd: EventType = [.legacy]
      /// A SCAN_RSP to an ADV_IND.
      public static let scanRspToAdvInd: EventType = [.legacy, .connectable, .scannable, .scanResponse]
      /// A SCAN_RSP to an ADV_SCAN_IND.
      public static let scanRspToAdvScanInd: EventType = [.legacy, .scannable, .scanResponse]
    }

    /// What `sid` holds when the packet had none.
    public static let noSID: UInt8 = 0xFF
    /// What `txPower` and `rssi` hold when they are not known.
    public static let noPower: Int8 = 127

    public var type: EventType
    public var address: PeerAddress
    public var primaryPHY: AdvertisingPHY = .le1M
    public var secondaryPHY: AdvertisingPHY = .none
    /// Advertising set identifier, 0x00 … 0x0F.
    public var sid: UInt8 = noSID
    /// dBm, −127 … +20.
    public var txPower: Int8 = noPower
    /// dBm, −127 … +20.
    public var rssi: Int8
    /// Units of 1.25 ms; 0 is no periodic advertising.
    public var periodicInterval: UInt16 = 0
    /// The target of a directed advertisement; zeros with others.
    public var target = PeerAddress(kind: .publicDevice, bits: 0)
    /// AD structures, at most 229 octets.
    public var data: [UInt8]

    public init(type: EventType, address: PeerAddress, rssi: Int8, data: [UInt8]) {
      self.type = type
      self.address = address
      self.rssi = rssi
      self.data = data
    }
  }
}

extension HCI.ExtendedAdvertisingReport: WireRecord {
  static let blank = Self(type: [], address: HCI.PeerAddress(.blank), rssi: 0, data: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&type, &address, &primaryPHY, &secondaryPHY)
    try pass.fields(&sid, &txPower, &rssi)
    try pass.fields(&periodicInterval, &target)
    try pass.field(&data, as: CountedOctets<229>.init, \.value)
  }
}
