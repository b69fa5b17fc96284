/// The domain of `CBATTError` as an `NSError`.
public let CBATTErrorDomain = "CBATTErrorDomain"

/// What the other end's attribute server answers, and what a peripheral manager may answer.
///
/// Source: Apple, `CBATTError`; Core v5.4, Vol 3, Part F, 3.4.1.1.
public struct CBATTError: _BridgedStoredNSError {
  /// The error, as Foundation holds it.
  public let _nsError: NSError
  /// An error of the domain.
  public init(_nsError: NSError) {
    precondition(_nsError.domain == CBATTErrorDomain, "an error of another domain")
    self._nsError = _nsError
  }
  /// The domain.
  public static var errorDomain: String { CBATTErrorDomain }
  /// The domain.
  public static var _nsErrorDomain: String { CBATTErrorDomain }

  /// The code of an error response. Codes of applications (0x80 … 0x9F) have no case, as in Apple's enumeration; they
  /// arrive as an `NSError` of `CBATTErrorDomain`.
  public enum Code: Int, Sendable, _ErrorCodeProtocol {
    /// What the codes are of.
    public typealias _ErrorType = CBATTError
    /// No error.
    case success = 0x00
    /// There is no such attribute.
    case invalidHandle = 0x01
    /// The attribute cannot be read.
    case readNotPermitted = 0x02
    /// The attribute cannot be written.
    case writeNotPermitted = 0x03
    /// The PDU was wrong.
    case invalidPdu = 0x04
    /// A bond with authentication is needed.
    case insufficientAuthentication = 0x05
    /// The request is not supported.
    case requestNotSupported = 0x06
    /// The offset lies after the end of the value.
    case invalidOffset = 0x07
    /// The app refuses the request.
    case insufficientAuthorization = 0x08
    /// There are too many prepared writes.
    case prepareQueueFull = 0x09
    /// There is no such attribute in the range.
    case attributeNotFound = 0x0A
    /// The value cannot be read in parts.
    case attributeNotLong = 0x0B
    /// The key is too short.
    case insufficientEncryptionKeySize = 0x0C
    /// The value has a wrong length.
    case invalidAttributeValueLength = 0x0D
    /// Something else.
    case unlikelyError = 0x0E
    /// The link has to be encrypted.
    case insufficientEncryption = 0x0F
    /// The type is not that of a group.
    case unsupportedGroupType = 0x10
    /// The server lacks resources.
    case insufficientResources = 0x11
  }
}

extension CBATTError {
  /// What a delegate gets for the code of an error response; nil for none.
  package static func from(_ code: UInt8?) -> (any Error)? {
    guard let code, code != 0 else { return nil }
    guard let known = Code(rawValue: Int(code)) else {
      return NSError(
        domain: CBATTErrorDomain, code: Int(code), userInfo: [NSLocalizedDescriptionKey: "Unknown ATT error."])
    }
    return CBATTError(known, userInfo: [NSLocalizedDescriptionKey: known.sentence])
  }
}

extension CBATTError.Code {
  fileprivate var sentence: String {
    switch self {
    case .success: "Success."
    case .invalidHandle: "The handle is invalid."
    case .readNotPermitted: "Reading is not permitted."
    case .writeNotPermitted: "Writing is not permitted."
    case .invalidPdu: "The command is invalid."
    case .insufficientAuthentication: "Authentication is insufficient."
    case .requestNotSupported: "The request is not supported."
    case .invalidOffset: "The offset is invalid."
    case .insufficientAuthorization: "Authorization is insufficient."
    case .prepareQueueFull: "The prepare queue is full."
    case .attributeNotFound: "The attribute could not be found."
    case .attributeNotLong: "The attribute is not long."
    case .insufficientEncryptionKeySize: "The encryption key size is insufficient."
    case .invalidAttributeValueLength: "The value's length is invalid."
    case .unlikelyError: "Unlikely error."
    case .insufficientEncryption: "Encryption is insufficient."
    case .unsupportedGroupType: "The group type is not supported."
    case .insufficientResources: "Resources are insufficient."
    }
  }
}
