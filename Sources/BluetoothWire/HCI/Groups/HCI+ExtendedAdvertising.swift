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
    /// Sets that one command can carry.
    static let maximumCount = 63

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

extension HCI.ExtendedAdvertisingParameters {
  init(reading reader: inout OctetReader) throws(WireError) {
    self.init(
      set: try reader.u8(), properties: HCI.AdvertisingEventProperties(rawValue: try reader.u16()),
      intervalMinimum: try reader.u24(), intervalMaximum: try reader.u24())
    channelMap = try reader.u8()
    ownAddressType = try reader.closed()
    peerAddress = try reader.typedAddressOrNone()
    filterPolicy = try reader.u8()
    txPower = Int8(bitPattern: try reader.u8())
    primaryPHY = HCI.AdvertisingPHY(try reader.u8())
    secondaryMaximumSkip = try reader.u8()
    secondaryPHY = HCI.AdvertisingPHY(try reader.u8())
    sid = try reader.u8()
    notifiesScanRequests = try reader.bool()
  }

  func append(to octets: inout [UInt8]) {
    octets.append(set)
    octets.append(littleEndian: properties.rawValue)
    octets.append(littleEndian: UInt64(intervalMinimum), count: 3)
    octets.append(littleEndian: UInt64(intervalMaximum), count: 3)
    octets += [channelMap, ownAddressType.rawValue]
    octets.append(typedOrNone: peerAddress)
    octets += [filterPolicy, UInt8(bitPattern: txPower), primaryPHY.rawValue, secondaryMaximumSkip]
    octets += [secondaryPHY.rawValue, sid, notifiesScanRequests ? 1 : 0]
  }
}

extension HCI.AdvertisingDataFragment {
  init(reading reader: inout OctetReader) throws(WireError) {
    self.init(
      set: try reader.u8(), operation: try reader.closed(), fragmentPreference: try reader.u8(),
      data: try reader.take(Int(try reader.u8())))
  }

  func append(to octets: inout [UInt8]) {
    let data = data.prefix(Self.maximumLength)
    octets += [set, operation.rawValue, fragmentPreference, UInt8(data.count)]
    octets += data
  }
}

extension HCI.AdvertisingSetEnable {
  init(reading reader: inout OctetReader) throws(WireError) {
    self.init(set: try reader.u8(), duration: try reader.u16(), maximumEvents: try reader.u8())
  }

  func append(to octets: inout [UInt8]) {
    octets.append(set)
    octets.append(littleEndian: duration)
    octets.append(maximumEvents)
  }
}
