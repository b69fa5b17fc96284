/// The Host Controller Interface: the only door between a controller and a host stack.
///
/// Inside the process, commands, events, ACL data and isochronous data pass as these typed values; octets are made only
/// for a capture or a socket. Spec: Core v5.4, Vol 4, Part E.
public enum HCI {
  /// A command opcode: `OGF << 10 | OCF` (Vol 4, Part E, 5.4.1).
  public struct Opcode: Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
  }

  /// A status or reason code (Vol 1, Part F). Open: unknown codes survive.
  public struct ErrorCode: Hashable, Sendable {
    public let rawValue: UInt8
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let success = ErrorCode(0x00)
    public static let unknownCommand = ErrorCode(0x01)
    public static let unknownConnectionIdentifier = ErrorCode(0x02)
    public static let pinOrKeyMissing = ErrorCode(0x06)
    public static let memoryCapacityExceeded = ErrorCode(0x07)
    public static let connectionTimeout = ErrorCode(0x08)
    public static let connectionLimitExceeded = ErrorCode(0x09)
    public static let connectionAlreadyExists = ErrorCode(0x0B)
    public static let commandDisallowed = ErrorCode(0x0C)
    public static let connectionRejectedDueToLimitedResources = ErrorCode(0x0D)
    public static let unsupportedFeature = ErrorCode(0x11)
    public static let invalidParameters = ErrorCode(0x12)
    public static let remoteUserTerminatedConnection = ErrorCode(0x13)
    public static let remoteDeviceTerminatedDueToPowerOff = ErrorCode(0x15)
    public static let connectionTerminatedByLocalHost = ErrorCode(0x16)
    public static let unsupportedRemoteFeature = ErrorCode(0x1A)
    public static let invalidLLParameters = ErrorCode(0x1E)
    public static let unsupportedLLParameterValue = ErrorCode(0x20)
    public static let llResponseTimeout = ErrorCode(0x22)
    public static let llProcedureCollision = ErrorCode(0x23)
    public static let instantPassed = ErrorCode(0x28)
    public static let unacceptableConnectionParameters = ErrorCode(0x3B)
    public static let advertisingTimeout = ErrorCode(0x3C)
    public static let connectionTerminatedDueToMICFailure = ErrorCode(0x3D)
    public static let connectionFailedToBeEstablished = ErrorCode(0x3E)
    public static let unknownAdvertisingIdentifier = ErrorCode(0x42)
    public static let limitReached = ErrorCode(0x43)
    public static let operationCancelledByHost = ErrorCode(0x44)
    public static let packetTooLong = ErrorCode(0x45)
    public static let tooLate = ErrorCode(0x46)
    public static let tooEarly = ErrorCode(0x47)
  }

  /// A connection handle, 0x0000 … 0x0EFF (Vol 4, Part E, 5.3.1).
  public typealias ConnectionHandle = UInt16

  /// Which side of a connection a device is (Vol 6, Part B, 1.1).
  public enum Role: UInt8, Hashable, Sendable {
    case central = 0
    case peripheral = 1
  }

  /// A physical layer (Vol 6, Part A, 1). What LE Coded makes of a bit is `LL.AirPHY`.
  public enum PHY: UInt8, Hashable, Sendable {
    case le1M = 1
    case le2M = 2
    case leCoded = 3
  }
}
