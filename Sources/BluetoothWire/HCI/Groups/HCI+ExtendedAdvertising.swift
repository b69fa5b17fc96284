extension HCI {
  /// What an advertising set sends (Core v5.4, Vol 4, Part E, 7.8.53). Reserved bits survive.
  public struct AdvertisingEventProperties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let connectable = AdvertisingEventProperties(rawValue: 1 << 0)
    public static let scannable = AdvertisingEventProperties(rawValue: 1 << 1)
    public static let directed = AdvertisingEventProperties(rawValue: 1 << 2)
    public static let highDutyCycle = AdvertisingEventProperties(rawValue: 1 << 3)
    /// Legacy advertising PDUs; without it, ADV_EXT_IND and what it points to.
    public static let legacy = AdvertisingEventProperties(rawValue: 1 << 4)
    public static let anonymous = AdvertisingEventProperties(rawValue: 1 << 5)
    public static let includesTxPower = AdvertisingEventProperties(rawValue: 1 << 6)
  }

  /// `HCI_LE_Set_Extended_Advertising_Parameters` [v1] (Core v5.4, Vol 4, Part E, 7.8.53).
  public struct ExtendedAdvertisingParameters: Hashable, Sendable {
    public var set: AdvertisingHandle
    public var properties: AdvertisingEventProperties
    /// Units of 0.625 ms, 0x000020 … 0xFFFFFF; 24 bits are sent.
    public var intervalMinimum: UInt32
    public var intervalMaximum: UInt32
    /// Bits 0, 1, 2: channel indices 37, 38, 39.
    public var channelMap: UInt8 = 0x07
    public var ownAddressType: OwnAddressType = .random
    public var peerAddress: BluetoothAddress? = nil
    /// 0 … 3: who may scan and connect, by the filter accept list.
    public var filterPolicy: UInt8 = 0
    /// dBm, −127 … +20; 127 is no preference.
    public var txPower: Int8 = 127
    public var primaryPHY: AdvertisingPHY = .le1M
    /// Advertising events that may be skipped before the secondary packet.
    public var secondaryMaximumSkip: UInt8 = 0
    public var secondaryPHY: AdvertisingPHY = .le1M
    /// Advertising set identifier, 0x00 … 0x0F.
    public var sid: UInt8 = 0
    public var notifiesScanRequests = false

    public init(
      set: AdvertisingHandle, properties: AdvertisingEventProperties, intervalMinimum: UInt32, intervalMaximum: UInt32
    ) {
      self.set = set
      self.properties = properties
      self.intervalMinimum = intervalMinimum
      self.intervalMaximum = intervalMaximum
    }
  }

  /// `HCI_LE_Set_Extended_Advertising_Data` and `HCI_LE_Set_Extended_Scan_Response_Data`
  /// (Core v5.4, Vol 4, Part E, 7.8.54 and 7.8.55).
  public struct AdvertisingDataFragment: Hashable, Sendable {
    public enum Operation: UInt8, Hashable, Sendable {
      case intermediate = 0
      case first = 1
      case last = 2
      case complete = 3
      /// Same data, new advertising data identifier; not for scan responses.
      case unchanged = 4
    }

    /// Octets that one command can carry.
    public static let maximumLength = 251

    public var set: AdvertisingHandle
    public var operation: Operation
    /// 0: the controller may fragment the data on the air; 1: it should not.
    public var fragmentPreference: UInt8
    /// At most 251 octets.
    public var data: [UInt8]

    public init(
      set: AdvertisingHandle, operation: Operation = .complete, fragmentPreference: UInt8 = 1, data: [UInt8]
    ) {
      self.set = set
      self.operation = operation
      self.fragmentPreference = fragmentPreference
      self.data = data
    }
  }

  /// One set of `HCI_LE_Set_Extended_Advertising_Enable` (Core v5.4, Vol 4, Part E, 7.8.56).
  public struct AdvertisingSetEnable: Hashable, Sendable {
    public var set: AdvertisingHandle
    /// Units of 10 ms; 0 is until disabled.
    public var duration: UInt16
    /// 0 is no limit.
    public var maximumEvents: UInt8

    public init(set: AdvertisingHandle, duration: UInt16 = 0, maximumEvents: UInt8 = 0) {
      self.set = set
      self.duration = duration
      self.maximumEvents = maximumEvents
    }
  }
}

extension HCI.ExtendedAdvertisingParameters: WireRecord {
  static let blank = Self(set: 0, properties: [], intervalMinimum: 0, intervalMaximum: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&set, &properties)
    try pass.field(&intervalMinimum, as: { Wide<3>(UInt64($0)) }, { UInt32($0.value) })
    try pass.field(&intervalMaximum, as: { Wide<3>(UInt64($0)) }, { UInt32($0.value) })
    try pass.fields(&channelMap, &ownAddressType)
    try pass.field(&peerAddress, as: AddressOrNone.init, \.value)
    try pass.fields(&filterPolicy, &txPower, &primaryPHY)
    try pass.fields(&secondaryMaximumSkip, &secondaryPHY, &sid, &notifiesScanRequests)
  }
}

extension HCI.AdvertisingDataFragment: WireRecord {
  static let blank = Self(set: 0, data: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&set, &operation, &fragmentPreference)
    try pass.field(&data, as: CountedOctets<251>.init, \.value)
  }
}

extension HCI.AdvertisingSetEnable: WireRecord {
  static let blank = Self(set: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&set, &duration, &maximumEvents)
  }
}
