extension HCI {
  /// What a current host asks at start-up and of a link, beyond the commands that stand alone
  /// (Core v5.4, Vol 4, Part E, 7.3, 7.4, 7.8).
  public enum GeneralCommand: Hashable, Sendable {
    case setEventMaskPage2(UInt64)
    case readLEHostSupport
    /// `simultaneous` is unused and should be 0; Android sends 1 (7.3.79).
    case writeLEHostSupport(Bool, simultaneous: UInt8)
    case readLocalExtendedFeatures(page: UInt8)
    case readBufferSize
    /// Type 0 is the current level, 1 the maximum.
    case readTransmitPowerLevel(ConnectionHandle, type: UInt8)
    case readAuthenticatedPayloadTimeout(ConnectionHandle)
    /// Units of 10 ms, 0x0001 … 0xFFFF.
    case writeAuthenticatedPayloadTimeout(ConnectionHandle, timeout: UInt16)
    /// Bit 0: ACL data, bit 1: synchronous data; 0 … 3.
    case setControllerToHostFlowControl(UInt8)
    case hostBufferSize(HostBufferSize)
    /// `HCI_Host_Number_Of_Completed_Packets`: has no answer but to an error, and may be sent at any time (7.3.40).
    case hostNumberOfCompletedPackets([CompletedPackets])
    case leReadAdvertisingPhysicalChannelTxPower
    case leReadSupportedStates
    case leReadTransmitPower
    /// 0: a more accurate sleep clock, 1: a less accurate one (7.8.94).
    case leModifySleepClockAccuracy(action: UInt8)
    case leRequestPeerSCA(ConnectionHandle)
    /// The number of a feature bit that the host controls, and whether the host supports it (7.8.115).
    case leSetHostFeature(bit: UInt8, value: UInt8)
    /// What the peripherals of links to come may ask for (7.8.123).
    case leSetDefaultSubrate(SubrateParameters)
    case leSubrateRequest(ConnectionHandle, SubrateParameters)
  }

  /// How few connection events a host wants of a link, and when the link is lost (Core v5.4, Vol 4, Part E, 7.8.123,
  /// 7.8.124; Vol 6, Part B, 4.5.1).
  public struct SubrateParameters: Hashable, Sendable {
    /// Subrate factors, 1 … 500: of that many connection events one is used.
    public var factorMinimum: UInt16
    public var factorMaximum: UInt16
    /// Peripheral latency in subrated events, 0 … 499.
    public var maximumLatency: UInt16
    /// Connection events that stay in use after one with data, less than the factor.
    public var continuationNumber: UInt16
    /// Units of 10 ms, 10 … 3200.
    public var supervisionTimeout: UInt16

    public init(
      factorMinimum: UInt16, factorMaximum: UInt16, maximumLatency: UInt16 = 0, continuationNumber: UInt16 = 0,
      supervisionTimeout: UInt16
    ) {
      self.factorMinimum = factorMinimum
      self.factorMaximum = factorMaximum
      self.maximumLatency = maximumLatency
      self.continuationNumber = continuationNumber
      self.supervisionTimeout = supervisionTimeout
    }
  }

  /// `HCI_Host_Buffer_Size` (Core v5.4, Vol 4, Part E, 7.3.39).
  public struct HostBufferSize: Hashable, Sendable {
    /// Octets of data in one ACL data packet.
    public var aclLength: UInt16
    public var synchronousLength: UInt8
    public var aclCount: UInt16
    public var synchronousCount: UInt16

    public init(aclLength: UInt16, synchronousLength: UInt8 = 0, aclCount: UInt16, synchronousCount: UInt16 = 0) {
      self.aclLength = aclLength
      self.synchronousLength = synchronousLength
      self.aclCount = aclCount
      self.synchronousCount = synchronousCount
    }
  }
}

extension HCI.Opcode {
  public static let setControllerToHostFlowControl = HCI.Opcode(ogf: 0x03, ocf: 0x31)
  public static let hostBufferSize = HCI.Opcode(ogf: 0x03, ocf: 0x33)
  public static let hostNumberOfCompletedPackets = HCI.Opcode(ogf: 0x03, ocf: 0x35)
  public static let readTransmitPowerLevel = HCI.Opcode(ogf: 0x03, ocf: 0x2D)
  public static let setEventMaskPage2 = HCI.Opcode(ogf: 0x03, ocf: 0x63)
  public static let readLEHostSupport = HCI.Opcode(ogf: 0x03, ocf: 0x6C)
  public static let writeLEHostSupport = HCI.Opcode(ogf: 0x03, ocf: 0x6D)
  public static let readAuthenticatedPayloadTimeout = HCI.Opcode(ogf: 0x03, ocf: 0x7B)
  public static let writeAuthenticatedPayloadTimeout = HCI.Opcode(ogf: 0x03, ocf: 0x7C)
  public static let readLocalExtendedFeatures = HCI.Opcode(ogf: 0x04, ocf: 0x04)
  public static let readBufferSize = HCI.Opcode(ogf: 0x04, ocf: 0x05)
  public static let leReadAdvertisingPhysicalChannelTxPower = HCI.Opcode(ogf: 0x08, ocf: 0x07)
  public static let leReadSupportedStates = HCI.Opcode(ogf: 0x08, ocf: 0x1C)
  public static let leReadTransmitPower = HCI.Opcode(ogf: 0x08, ocf: 0x4B)
  public static let leModifySleepClockAccuracy = HCI.Opcode(ogf: 0x08, ocf: 0x5F)
  public static let leRequestPeerSCA = HCI.Opcode(ogf: 0x08, ocf: 0x6D)
  public static let leSetHostFeature = HCI.Opcode(ogf: 0x08, ocf: 0x74)
  public static let leSetDefaultSubrate = HCI.Opcode(ogf: 0x08, ocf: 0x7D)
  public static let leSubrateRequest = HCI.Opcode(ogf: 0x08, ocf: 0x7E)
}

extension HCI.GeneralCommand {
  /// The connection this command is about.
  var connectionHandle: HCI.ConnectionHandle? {
    switch self {
    case .readTransmitPowerLevel(let handle, _), .readAuthenticatedPayloadTimeout(let handle),
      .writeAuthenticatedPayloadTimeout(let handle, _), .leSubrateRequest(let handle, _), .leRequestPeerSCA(let handle):
      handle
    default: nil
    }
  }
}

extension HCI.GeneralCommand: FormedPDU {
  typealias Code = HCI.Opcode

  static let blanks: [Self] = [
    .setEventMaskPage2(0), .readLEHostSupport, .writeLEHostSupport(false, simultaneous: 0),
    .readLocalExtendedFeatures(page: 0), .readBufferSize, .readTransmitPowerLevel(0, type: 0),
    .readAuthenticatedPayloadTimeout(0), .writeAuthenticatedPayloadTimeout(0, timeout: 0),
    .setControllerToHostFlowControl(0), .hostBufferSize(.blank), .hostNumberOfCompletedPackets([]),
    .leReadAdvertisingPhysicalChannelTxPower, .leReadSupportedStates, .leReadTransmitPower,
    .leModifySleepClockAccuracy(action: 0), .leRequestPeerSCA(0),
    .leSetHostFeature(bit: 0, value: 0), .leSetDefaultSubrate(.blank), .leSubrateRequest(0, .blank),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .setEventMaskPage2(let mask): form(.setEventMaskPage2, Self.setEventMaskPage2, mask)
    case .readLEHostSupport: form(.readLEHostSupport)
    case .writeLEHostSupport(let isSupported, let simultaneous):
      form(.writeLEHostSupport, Self.writeLEHostSupport, isSupported, simultaneous)
    case .readLocalExtendedFeatures(let page): form(.readLocalExtendedFeatures, Self.readLocalExtendedFeatures, page)
    case .readBufferSize: form(.readBufferSize)
    case .readTransmitPowerLevel(let handle, let type):
      form(.readTransmitPowerLevel, Self.readTransmitPowerLevel, handle, type)
    case .readAuthenticatedPayloadTimeout(let handle):
      form(.readAuthenticatedPayloadTimeout, Self.readAuthenticatedPayloadTimeout, handle)
    case .writeAuthenticatedPayloadTimeout(let handle, let timeout):
      form(.writeAuthenticatedPayloadTimeout, Self.writeAuthenticatedPayloadTimeout, handle, timeout)
    case .setControllerToHostFlowControl(let mode):
      form(.setControllerToHostFlowControl, Self.setControllerToHostFlowControl, mode)
    case .hostBufferSize(let size): form(.hostBufferSize, Self.hostBufferSize, size)
    case .hostNumberOfCompletedPackets(let list):
      form(.hostNumberOfCompletedPackets, { .hostNumberOfCompletedPackets($0.value) }, CountedList(list))
    case .leReadAdvertisingPhysicalChannelTxPower: form(.leReadAdvertisingPhysicalChannelTxPower)
    case .leReadSupportedStates: form(.leReadSupportedStates)
    case .leReadTransmitPower: form(.leReadTransmitPower)
    case .leModifySleepClockAccuracy(let action):
      form(.leModifySleepClockAccuracy, Self.leModifySleepClockAccuracy, action)
    case .leRequestPeerSCA(let handle): form(.leRequestPeerSCA, Self.leRequestPeerSCA, handle)
    case .leSetHostFeature(let bit, let value): form(.leSetHostFeature, Self.leSetHostFeature, bit, value)
    case .leSetDefaultSubrate(let wish): form(.leSetDefaultSubrate, Self.leSetDefaultSubrate, wish)
    case .leSubrateRequest(let handle, let wish): form(.leSubrateRequest, Self.leSubrateRequest, handle, wish)
    }
  }
}

extension HCI.HostBufferSize: WireRecord {
  static let blank = Self(aclLength: 0, aclCount: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&aclLength, &synchronousLength, &aclCount, &synchronousCount)
  }
}

extension HCI.SubrateParameters: WireRecord {
  static let blank = Self(factorMinimum: 0, factorMaximum: 0, supervisionTimeout: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&factorMinimum, &factorMaximum, &maximumLatency)
    try pass.fields(&continuationNumber, &supervisionTimeout)
  }
}
