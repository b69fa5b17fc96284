// Codes by the name of the error, as `catch` and `init(_:)` take them.
extension CBATTError {
  /// `Code.success`.
  public static var success: Code { .success }
  /// `Code.invalidHandle`.
  public static var invalidHandle: Code { .invalidHandle }
  /// `Code.readNotPermitted`.
  public static var readNotPermitted: Code { .readNotPermitted }
  /// `Code.writeNotPermitted`.
  public static var writeNotPermitted: Code { .writeNotPermitted }
  /// `Code.invalidPdu`.
  public static var invalidPdu: Code { .invalidPdu }
  /// `Code.insufficientAuthentication`.
  public static var insufficientAuthentication: Code { .insufficientAuthentication }
  /// `Code.requestNotSupported`.
  public static var requestNotSupported: Code { .requestNotSupported }
  /// `Code.invalidOffset`.
  public static var invalidOffset: Code { .invalidOffset }
  /// `Code.insufficientAuthorization`.
  public static var insufficientAuthorization: Code { .insufficientAuthorization }
  /// `Code.prepareQueueFull`.
  public static var prepareQueueFull: Code { .prepareQueueFull }
  /// `Code.attributeNotFound`.
  public static var attributeNotFound: Code { .attributeNotFound }
  /// `Code.attributeNotLong`.
  public static var attributeNotLong: Code { .attributeNotLong }
  /// `Code.insufficientEncryptionKeySize`.
  public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
  /// `Code.invalidAttributeValueLength`.
  public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
  /// `Code.unlikelyError`.
  public static var unlikelyError: Code { .unlikelyError }
  /// `Code.insufficientEncryption`.
  public static var insufficientEncryption: Code { .insufficientEncryption }
  /// `Code.unsupportedGroupType`.
  public static var unsupportedGroupType: Code { .unsupportedGroupType }
  /// `Code.insufficientResources`.
  public static var insufficientResources: Code { .insufficientResources }
}
