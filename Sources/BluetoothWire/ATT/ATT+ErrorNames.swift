extension ATT.ErrorCode {
  /// Errors of an ATT Error Response, by the name that Core v5.4, Vol 3, Part F, 3.4.1.1, Table 3.4 gives them, in
  /// small letters.
  ///
  /// Not modelled: names of an application's own errors, and those of the Core Specification Supplement but one.
  package static let names: [(name: String, code: ATT.ErrorCode)] = [
    ("invalid handle", .invalidHandle),
    ("read not permitted", .readNotPermitted),
    ("write not permitted", .writeNotPermitted),
    ("invalid pdu", .invalidPDU),
    ("insufficient authentication", .insufficientAuthentication),
    ("request not supported", .requestNotSupported),
    ("invalid offset", .invalidOffset),
    ("insufficient authorization", .insufficientAuthorization),
    ("prepare queue full", .prepareQueueFull),
    ("attribute not found", .attributeNotFound),
    ("attribute not long", .attributeNotLong),
    ("encryption key size too short", .encryptionKeySizeTooShort),
    ("invalid attribute value length", .invalidAttributeValueLength),
    ("unlikely error", .unlikelyError),
    ("insufficient encryption", .insufficientEncryption),
    ("unsupported group type", .unsupportedGroupType),
    ("insufficient resources", .insufficientResources),
    ("database out of sync", .databaseOutOfSync),
    ("value not allowed", .valueNotAllowed),
    ("improperly configured cccd", .improperlyConfiguredCCCD),
  ]

  /// The code with its name, where it has one: `0x0A (attribute not found)`.
  package var text: String {
    let code = "0x" + String(hexadecimal: rawValue, digits: 2, uppercase: true)
    return Self.names.first { $0.code == self }.map { "\(code) (\($0.name))" } ?? code
  }
}
