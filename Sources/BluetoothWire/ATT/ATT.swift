/// The Attribute Protocol. Spec: Core v5.4, Vol 3, Part F.
///
/// Not modelled: Enhanced ATT bearers (Vol 3, Part F, 3.2.11); every bearer is the fixed channel 0x0004.
public enum ATT {
  /// The smallest ATT_MTU, and the one before an exchange, on an LE link (Vol 3, Part G, 5.2.1).
  public static let defaultMTU = 23
  /// The largest useful ATT_MTU: a 512-octet value and the largest header in front of it.
  public static let largestMTU = 517
  /// The longest attribute value (Vol 3, Part F, 3.2.9).
  public static let longestValue = 512
  /// The octets before the value in notifications, indications, write requests and commands.
  public static let valueHeaderLength = 3

  /// An attribute handle; 0x0000 names no attribute (Vol 3, Part F, 3.2.2).
  public typealias Handle = UInt16

  /// A PDU's first octet: method, command flag (bit 6), authentication signature flag (bit 7).
  ///
  /// Spec: Core v5.4, Vol 3, Part F, 3.3.1 and 3.4.8. Open: unknown opcodes survive.
  public struct Opcode: Hashable, Sendable {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    // Computed, so that other modules get the constant and not a call for its address.
    @inlinable public static var errorResponse: Opcode { Opcode(rawValue: 0x01) }
    @inlinable public static var exchangeMTURequest: Opcode { Opcode(rawValue: 0x02) }
    @inlinable public static var exchangeMTUResponse: Opcode { Opcode(rawValue: 0x03) }
    @inlinable public static var findInformationRequest: Opcode { Opcode(rawValue: 0x04) }
    @inlinable public static var findInformationResponse: Opcode { Opcode(rawValue: 0x05) }
    @inlinable public static var findByTypeValueRequest: Opcode { Opcode(rawValue: 0x06) }
    @inlinable public static var findByTypeValueResponse: Opcode { Opcode(rawValue: 0x07) }
    @inlinable public static var readByTypeRequest: Opcode { Opcode(rawValue: 0x08) }
    @inlinable public static var readByTypeResponse: Opcode { Opcode(rawValue: 0x09) }
    @inlinable public static var readRequest: Opcode { Opcode(rawValue: 0x0A) }
    @inlinable public static var readResponse: Opcode { Opcode(rawValue: 0x0B) }
    @inlinable public static var readBlobRequest: Opcode { Opcode(rawValue: 0x0C) }
    @inlinable public static var readBlobResponse: Opcode { Opcode(rawValue: 0x0D) }
    @inlinable public static var readMultipleRequest: Opcode { Opcode(rawValue: 0x0E) }
    @inlinable public static var readMultipleResponse: Opcode { Opcode(rawValue: 0x0F) }
    @inlinable public static var readByGroupTypeRequest: Opcode { Opcode(rawValue: 0x10) }
    @inlinable public static var readByGroupTypeResponse: Opcode { Opcode(rawValue: 0x11) }
    @inlinable public static var writeRequest: Opcode { Opcode(rawValue: 0x12) }
    @inlinable public static var writeResponse: Opcode { Opcode(rawValue: 0x13) }
    @inlinable public static var prepareWriteRequest: Opcode { Opcode(rawValue: 0x16) }
    @inlinable public static var prepareWriteResponse: Opcode { Opcode(rawValue: 0x17) }
    @inlinable public static var executeWriteRequest: Opcode { Opcode(rawValue: 0x18) }
    @inlinable public static var executeWriteResponse: Opcode { Opcode(rawValue: 0x19) }
    @inlinable public static var handleValueNotification: Opcode { Opcode(rawValue: 0x1B) }
    @inlinable public static var handleValueIndication: Opcode { Opcode(rawValue: 0x1D) }
    @inlinable public static var handleValueConfirmation: Opcode { Opcode(rawValue: 0x1E) }
    @inlinable public static var readMultipleVariableRequest: Opcode { Opcode(rawValue: 0x20) }
    @inlinable public static var readMultipleVariableResponse: Opcode { Opcode(rawValue: 0x21) }
    @inlinable public static var multipleHandleValueNotification: Opcode { Opcode(rawValue: 0x23) }
    @inlinable public static var writeCommand: Opcode { Opcode(rawValue: 0x52) }
    @inlinable public static var signedWriteCommand: Opcode { Opcode(rawValue: 0xD2) }

    /// A command is never answered, known or not.
    public var isCommand: Bool { rawValue & 0x40 != 0 }

    /// What kind of PDU it begins. Spec: Core v5.4, Vol 3, Part F, 3.3, Table 3.1, and 3.4.8.
    public var kind: Kind {
      switch rawValue {
      case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20: .request
      case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21: .response
      case 0x1B, 0x23: .notification
      case 0x1D: .indication
      case 0x1E: .confirmation
      case 0x52, 0xD2: .command
      default: isCommand ? .unknownCommand : .unknown
      }
    }

    public enum Kind: Hashable, Sendable {
      case request, response, command, notification, indication, confirmation
      /// A receiver that does not know it ignores it.
      case unknownCommand
      /// A receiver that does not know it answers Request Not Supported.
      case unknown
    }
  }

  /// Why a request was refused. Spec: Core v5.4, Vol 3, Part F, 3.4.1.1, Table 3.4. Open: unknown codes survive.
  public struct ErrorCode: Hashable, Sendable {
    public let rawValue: UInt8
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let invalidHandle = ErrorCode(0x01)
    public static let readNotPermitted = ErrorCode(0x02)
    public static let writeNotPermitted = ErrorCode(0x03)
    public static let invalidPDU = ErrorCode(0x04)
    public static let insufficientAuthentication = ErrorCode(0x05)
    public static let requestNotSupported = ErrorCode(0x06)
    public static let invalidOffset = ErrorCode(0x07)
    public static let insufficientAuthorization = ErrorCode(0x08)
    public static let prepareQueueFull = ErrorCode(0x09)
    public static let attributeNotFound = ErrorCode(0x0A)
    public static let attributeNotLong = ErrorCode(0x0B)
    public static let encryptionKeySizeTooShort = ErrorCode(0x0C)
    public static let invalidAttributeValueLength = ErrorCode(0x0D)
    public static let unlikelyError = ErrorCode(0x0E)
    public static let insufficientEncryption = ErrorCode(0x0F)
    public static let unsupportedGroupType = ErrorCode(0x10)
    public static let insufficientResources = ErrorCode(0x11)
    public static let databaseOutOfSync = ErrorCode(0x12)
    public static let valueNotAllowed = ErrorCode(0x13)
    /// Core Specification Supplement, Part B, 1.
    public static let improperlyConfiguredCCCD = ErrorCode(0xFD)
  }
}
