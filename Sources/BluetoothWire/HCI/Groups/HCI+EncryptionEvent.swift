extension HCI {
  /// Encryption and keys (Core v5.4, Vol 4, Part E, 7.7.8, 7.7.39, 7.7.65.5, 7.7.65.8, 7.7.65.9, 7.7.75).
  public enum EncryptionEvent: Hashable, Sendable {
    /// `HCI_Encryption_Change` [v1]; `enabled` 0 is off, 1 is on with AES-CCM.
    case encryptionChange(ConnectionHandle, status: ErrorCode, enabled: UInt8)
    case encryptionKeyRefreshComplete(ConnectionHandle, status: ErrorCode)
    case authenticatedPayloadTimeoutExpired(ConnectionHandle)
    case leLongTermKeyRequest(ConnectionHandle, random: UInt64, diversifier: UInt16)
    /// X then Y, 32 octets each, least significant first.
    case leReadLocalP256PublicKeyComplete(status: ErrorCode, publicKey: [UInt8])
    /// 32 octets, least significant first.
    case leGenerateDHKeyComplete(status: ErrorCode, key: [UInt8])
  }
}

extension HCI.EncryptionEvent: FormedPDU {
  typealias Code = HCI.EventCode

  static let blanks: [Self] = [
    .encryptionChange(0, status: .success, enabled: 0), .encryptionKeyRefreshComplete(0, status: .success),
    .authenticatedPayloadTimeoutExpired(0), .leLongTermKeyRequest(0, random: 0, diversifier: 0),
    .leReadLocalP256PublicKeyComplete(status: .success, publicKey: [UInt8](repeating: 0, count: 64)),
    .leGenerateDHKeyComplete(status: .success, key: [UInt8](repeating: 0, count: 32)),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .encryptionChange(let handle, let status, let enabled):
      form(0x08, { .encryptionChange($1, status: $0, enabled: $2) }, status, handle, enabled)
    case .encryptionKeyRefreshComplete(let handle, let status):
      form(0x30, { .encryptionKeyRefreshComplete($1, status: $0) }, status, handle)
    case .authenticatedPayloadTimeoutExpired(let handle):
      form(0x57, Self.authenticatedPayloadTimeoutExpired, handle)
    case .leLongTermKeyRequest(let handle, let random, let diversifier):
      form(0x3E05, Self.leLongTermKeyRequest, handle, random, diversifier)
    case .leReadLocalP256PublicKeyComplete(let status, let key):
      form(
        0x3E08, { .leReadLocalP256PublicKeyComplete(status: $0, publicKey: $1.value) },
        status, Octets<64>(key))
    case .leGenerateDHKeyComplete(let status, let key):
      form(
        0x3E09, { .leGenerateDHKeyComplete(status: $0, key: $1.value) }, status, Octets<32>(key))
    }
  }
}
