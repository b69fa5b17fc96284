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
    /// The number of a feature bit that the host controls, and whether the host supports it (7.8.115).
    case leSetHostFeature(bit: UInt8, value: UInt8)
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
  public static let leSetHostFeature = HCI.Opcode(ogf: 0x08, ocf: 0x74)
}

extension HCI.GeneralCommand: HCICommandGroup {
  var opcode: HCI.Opcode {
    switch self {
    case .setEventMaskPage2: .setEventMaskPage2
    case .readLEHostSupport: .readLEHostSupport
    case .writeLEHostSupport: .writeLEHostSupport
    case .readLocalExtendedFeatures: .readLocalExtendedFeatures
    case .readBufferSize: .readBufferSize
    case .readTransmitPowerLevel: .readTransmitPowerLevel
    case .readAuthenticatedPayloadTimeout: .readAuthenticatedPayloadTimeout
    case .writeAuthenticatedPayloadTimeout: .writeAuthenticatedPayloadTimeout
    case .setControllerToHostFlowControl: .setControllerToHostFlowControl
    case .hostBufferSize: .hostBufferSize
    case .hostNumberOfCompletedPackets: .hostNumberOfCompletedPackets
    case .leReadAdvertisingPhysicalChannelTxPower: .leReadAdvertisingPhysicalChannelTxPower
    case .leReadSupportedStates: .leReadSupportedStates
    case .leReadTransmitPower: .leReadTransmitPower
    case .leSetHostFeature: .leSetHostFeature
    }
  }

  var connectionHandle: HCI.ConnectionHandle? {
    switch self {
    case .readTransmitPowerLevel(let handle, _), .readAuthenticatedPayloadTimeout(let handle),
      .writeAuthenticatedPayloadTimeout(let handle, _):
      handle
    default: nil
    }
  }

  func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .readLEHostSupport, .readBufferSize, .leReadAdvertisingPhysicalChannelTxPower, .leReadSupportedStates,
      .leReadTransmitPower:
      break
    case .setEventMaskPage2(let mask): octets.append(littleEndian: mask, count: 8)
    case .writeLEHostSupport(let isSupported, let simultaneous): octets += [isSupported ? 1 : 0, simultaneous]
    case .readLocalExtendedFeatures(let page): octets.append(page)
    case .readTransmitPowerLevel(let handle, let type):
      octets.append(littleEndian: handle)
      octets.append(type)
    case .readAuthenticatedPayloadTimeout(let handle): octets.append(littleEndian: handle)
    case .writeAuthenticatedPayloadTimeout(let handle, let timeout):
      octets.append(littleEndian: handle)
      octets.append(littleEndian: timeout)
    case .setControllerToHostFlowControl(let mode): octets.append(mode)
    case .hostBufferSize(let size):
      octets.append(littleEndian: size.aclLength)
      octets.append(size.synchronousLength)
      octets.append(littleEndian: size.aclCount)
      octets.append(littleEndian: size.synchronousCount)
    case .hostNumberOfCompletedPackets(let list): octets.append(completed: list)
    case .leSetHostFeature(let bit, let value): octets += [bit, value]
    }
  }

  init?(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError) {
    switch opcode {
    case .setEventMaskPage2: self = .setEventMaskPage2(try reader.u64())
    case .readLEHostSupport: self = .readLEHostSupport
    case .writeLEHostSupport:
      self = .writeLEHostSupport(try reader.bool(), simultaneous: try reader.u8())
    case .readLocalExtendedFeatures: self = .readLocalExtendedFeatures(page: try reader.u8())
    case .readBufferSize: self = .readBufferSize
    case .readTransmitPowerLevel: self = .readTransmitPowerLevel(try reader.u16(), type: try reader.u8())
    case .readAuthenticatedPayloadTimeout: self = .readAuthenticatedPayloadTimeout(try reader.u16())
    case .writeAuthenticatedPayloadTimeout:
      self = .writeAuthenticatedPayloadTimeout(try reader.u16(), timeout: try reader.u16())
    case .setControllerToHostFlowControl: self = .setControllerToHostFlowControl(try reader.u8())
    case .hostBufferSize:
      self = .hostBufferSize(
        HCI.HostBufferSize(
          aclLength: try reader.u16(), synchronousLength: try reader.u8(), aclCount: try reader.u16(),
          synchronousCount: try reader.u16()))
    case .hostNumberOfCompletedPackets: self = .hostNumberOfCompletedPackets(try reader.completedPackets())
    case .leReadAdvertisingPhysicalChannelTxPower: self = .leReadAdvertisingPhysicalChannelTxPower
    case .leReadSupportedStates: self = .leReadSupportedStates
    case .leReadTransmitPower: self = .leReadTransmitPower
    case .leSetHostFeature: self = .leSetHostFeature(bit: try reader.u8(), value: try reader.u8())
    default: return nil
    }
  }
}
