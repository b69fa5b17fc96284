/// The domain of `CBError` as an `NSError`.
public let CBErrorDomain = "CBErrorDomain"

/// What managers and peripherals report when something below the attribute protocol fails.
///
/// Source: Apple, `CBError`. Matched by `catch CBError.connectionTimeout`, by `as? CBError`, and as an `NSError`.
public struct CBError: _BridgedStoredNSError {
  /// The error, as Foundation holds it.
  public let _nsError: NSError
  /// An error of the domain.
  public init(_nsError: NSError) {
    precondition(_nsError.domain == CBErrorDomain, "an error of another domain")
    self._nsError = _nsError
  }
  /// The domain.
  public static var errorDomain: String { CBErrorDomain }
  /// The domain.
  public static var _nsErrorDomain: String { CBErrorDomain }

  /// What went wrong. Open, as on Apple platforms: `init(rawValue:)` takes every number, and a `switch` needs
  /// `@unknown default`. Raw values are Apple's.
  public typealias Code = CBErrorCode
}

extension CBError {
  /// An error with a description for people, as phones give it.
  package static func with(_ code: Code) -> CBError {
    CBError(code, userInfo: [NSLocalizedDescriptionKey: code.sentence])
  }
}

extension CBErrorCode: @retroactive _ErrorCodeProtocol {
  /// What the codes are of.
  public typealias _ErrorType = CBError
}

extension CBError.Code {
  /// Its name; the number of one that has none.
  var name: String { words.name }
  fileprivate var sentence: String { words.sentence }

  private var words: (name: String, sentence: String) {
    switch self {
    case .unknown: ("unknown", "Unknown error.")
    case .invalidParameters: ("invalidParameters", "A parameter is invalid.")
    case .invalidHandle: ("invalidHandle", "A handle is invalid.")
    case .notConnected: ("notConnected", "The device is not connected.")
    case .outOfSpace: ("outOfSpace", "There is no space left.")
    case .operationCancelled: ("operationCancelled", "The operation was cancelled.")
    case .connectionTimeout: ("connectionTimeout", "The connection timed out.")
    case .peripheralDisconnected: ("peripheralDisconnected", "The device has disconnected.")
    case .uuidNotAllowed: ("uuidNotAllowed", "The UUID is not allowed.")
    case .alreadyAdvertising: ("alreadyAdvertising", "Advertising has already started.")
    case .connectionFailed: ("connectionFailed", "The connection could not be made.")
    case .connectionLimitReached: ("connectionLimitReached", "The limit of connections is reached.")
    case .unknownDevice: ("unknownDevice", "The device is unknown.")
    case .operationNotSupported: ("operationNotSupported", "The operation is not supported.")
    case .peerRemovedPairingInformation: ("peerRemovedPairingInformation", "The peer removed its pairing information.")
    case .encryptionTimedOut: ("encryptionTimedOut", "Encrypting the connection took too long.")
    case .tooManyLEPairedDevices: ("tooManyLEPairedDevices", "There are too many paired devices.")
    case .leGattExceededBackgroundNotificationLimit:
      ("leGattExceededBackgroundNotificationLimit", "Too many notifications in background.")
    case .leGattNearBackgroundNotificationLimit:
      ("leGattNearBackgroundNotificationLimit", "Almost too many notifications in background.")
    @unknown default: ("\(rawValue)", "Unknown error.")
    }
  }
}
