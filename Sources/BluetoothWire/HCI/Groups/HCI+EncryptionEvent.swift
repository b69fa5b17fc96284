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

extension HCI.EncryptionEvent: HCIEventGroup {
  var code: UInt8 {
    switch self {
    case .encryptionChange: 0x08
    case .encryptionKeyRefreshComplete: 0x30
    case .authenticatedPayloadTimeoutExpired: 0x57
    case .leLongTermKeyRequest, .leReadLocalP256PublicKeyComplete, .leGenerateDHKeyComplete: HCI.EventCode.leMeta
    }
  }

  var subevent: UInt8? {
    switch self {
    case .leLongTermKeyRequest: 0x05
    case .leReadLocalP256PublicKeyComplete: 0x08
    case .leGenerateDHKeyComplete: 0x09
    default: nil
    }
  }

  func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .encryptionChange(let handle, let status, let enabled):
      octets.append(status.rawValue)
      octets.append(littleEndian: handle)
      octets.append(enabled)
    case .encryptionKeyRefreshComplete(let handle, let status):
      octets.append(status.rawValue)
      octets.append(littleEndian: handle)
    case .authenticatedPayloadTimeoutExpired(let handle): octets.append(littleEndian: handle)
    case .leLongTermKeyRequest(let handle, let random, let diversifier):
      octets.append(littleEndian: handle)
      octets.append(littleEndian: random, count: 8)
      octets.append(littleEndian: diversifier)
    case .leReadLocalP256PublicKeyComplete(let status, let key), .leGenerateDHKeyComplete(let status, let key):
      octets.append(status.rawValue)
      octets += key
    }
  }

  init?(code: UInt8, subevent: UInt8?, _ reader: inout OctetReader) throws(WireError) {
    switch (code, subevent) {
    case (0x08, nil):
      let status = try reader.errorCode()
      self = .encryptionChange(try reader.u16(), status: status, enabled: try reader.u8())
    case (0x30, nil):
      let status = try reader.errorCode()
      self = .encryptionKeyRefreshComplete(try reader.u16(), status: status)
    case (0x57, nil): self = .authenticatedPayloadTimeoutExpired(try reader.u16())
    case (HCI.EventCode.leMeta, 0x05):
      self = .leLongTermKeyRequest(try reader.u16(), random: try reader.u64(), diversifier: try reader.u16())
    case (HCI.EventCode.leMeta, 0x08):
      self = .leReadLocalP256PublicKeyComplete(status: try reader.errorCode(), publicKey: try reader.take(64))
    case (HCI.EventCode.leMeta, 0x09):
      self = .leGenerateDHKeyComplete(status: try reader.errorCode(), key: try reader.take(32))
    default: return nil
    }
  }
}
