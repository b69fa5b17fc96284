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

  /// The code of an error response. Open, as on Apple platforms: `init(rawValue:)` takes codes of applications
  /// (0x80 … 0x9F) and of profiles (0xE0 … 0xFF) too, and a `switch` needs `@unknown default`.
  public typealias Code = CBATTErrorCode
}

extension CBATTError {
  /// What a delegate gets for the code of an error response; nil for none.
  package static func from(_ code: UInt8?) -> (any Error)? {
    guard let code, code != 0 else { return nil }
    guard let code = Code(rawValue: Int(code)) else { return nil }
    return CBATTError(code, userInfo: [NSLocalizedDescriptionKey: code.sentence])
  }
}

extension CBATTErrorCode: @retroactive _ErrorCodeProtocol {
  /// What the codes are of.
  public typealias _ErrorType = CBATTError
}

extension CBATTError.Code {
  /// Its name; the number of one that has none.
  var name: String { words.name }
  fileprivate var sentence: String { words.sentence }

  private var words: (name: String, sentence: String) {
    switch self {
    case .success: ("success", "Success.")
    case .invalidHandle: ("invalidHandle", "The handle is invalid.")
    case .readNotPermitted: ("readNotPermitted", "Reading is not permitted.")
    case .writeNotPermitted: ("writeNotPermitted", "Writing is not permitted.")
    case .invalidPdu: ("invalidPdu", "The command is invalid.")
    case .insufficientAuthentication: ("insufficientAuthentication", "Authentication is insufficient.")
    case .requestNotSupported: ("requestNotSupported", "The request is not supported.")
    case .invalidOffset: ("invalidOffset", "The offset is invalid.")
    case .insufficientAuthorization: ("insufficientAuthorization", "Authorization is insufficient.")
    case .prepareQueueFull: ("prepareQueueFull", "The prepare queue is full.")
    case .attributeNotFound: ("attributeNotFound", "The attribute could not be found.")
    case .attributeNotLong: ("attributeNotLong", "The attribute is not long.")
    case .insufficientEncryptionKeySize: ("insufficientEncryptionKeySize", "The encryption key size is insufficient.")
    case .invalidAttributeValueLength: ("invalidAttributeValueLength", "The value's length is invalid.")
    case .unlikelyError: ("unlikelyError", "Unlikely error.")
    case .insufficientEncryption: ("insufficientEncryption", "Encryption is insufficient.")
    case .unsupportedGroupType: ("unsupportedGroupType", "The group type is not supported.")
    case .insufficientResources: ("insufficientResources", "Resources are insufficient.")
    @unknown default: ("\(rawValue)", "Unknown ATT error.")
    }
  }
}
