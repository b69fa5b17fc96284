// Codes by the name of the error, as `catch` and `init(_:)` take them.
extension CBError {
  /// `Code.unknown`.
  public static var unknown: Code { .unknown }
  /// `Code.invalidParameters`.
  public static var invalidParameters: Code { .invalidParameters }
  /// `Code.invalidHandle`.
  public static var invalidHandle: Code { .invalidHandle }
  /// `Code.notConnected`.
  public static var notConnected: Code { .notConnected }
  /// `Code.outOfSpace`.
  public static var outOfSpace: Code { .outOfSpace }
  /// `Code.operationCancelled`.
  public static var operationCancelled: Code { .operationCancelled }
  /// `Code.connectionTimeout`.
  public static var connectionTimeout: Code { .connectionTimeout }
  /// `Code.peripheralDisconnected`.
  public static var peripheralDisconnected: Code { .peripheralDisconnected }
  /// `Code.uuidNotAllowed`.
  public static var uuidNotAllowed: Code { .uuidNotAllowed }
  /// `Code.alreadyAdvertising`.
  public static var alreadyAdvertising: Code { .alreadyAdvertising }
  /// `Code.connectionFailed`.
  public static var connectionFailed: Code { .connectionFailed }
  /// `Code.connectionLimitReached`.
  public static var connectionLimitReached: Code { .connectionLimitReached }
  /// `Code.unknownDevice`.
  public static var unknownDevice: Code { .unknownDevice }
  /// `Code.operationNotSupported`.
  public static var operationNotSupported: Code { .operationNotSupported }
  /// `Code.peerRemovedPairingInformation`.
  public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
  /// `Code.encryptionTimedOut`.
  public static var encryptionTimedOut: Code { .encryptionTimedOut }
  /// `Code.tooManyLEPairedDevices`.
  public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
  /// `Code.leGattExceededBackgroundNotificationLimit`.
  public static var leGattExceededBackgroundNotificationLimit: Code { .leGattExceededBackgroundNotificationLimit }
  /// `Code.leGattNearBackgroundNotificationLimit`.
  public static var leGattNearBackgroundNotificationLimit: Code { .leGattNearBackgroundNotificationLimit }
}
