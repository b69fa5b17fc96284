extension HCI {
  /// Encryption and keys (Core v5.4, Vol 4, Part E, 7.8.22 … 7.8.26, 7.8.36, 7.8.37, 7.8.93).
  ///
  /// Keys and blocks are 16 octets as HCI carries them, least significant first.
  public enum SecurityCommand: Hashable, Sendable {
    case leEncrypt(key: [UInt8], plaintext: [UInt8])
    case leRand
    case leEnableEncryption(ConnectionHandle, random: UInt64, diversifier: UInt16, longTermKey: [UInt8])
    case leLongTermKeyRequestReply(ConnectionHandle, longTermKey: [UInt8])
    case leLongTermKeyRequestNegativeReply(ConnectionHandle)
    case leReadLocalP256PublicKey
    /// The remote public key: X then Y, 32 octets each, least significant first.
    case leGenerateDHKey(publicKey: [UInt8])
    /// Key type 0: the generated private key; 1: the debug key.
    case leGenerateDHKeyV2(publicKey: [UInt8], keyType: UInt8)
  }
}

extension HCI.Opcode {
  public static let leEncrypt = HCI.Opcode(ogf: 0x08, ocf: 0x17)
  public static let leRand = HCI.Opcode(ogf: 0x08, ocf: 0x18)
  public static let leEnableEncryption = HCI.Opcode(ogf: 0x08, ocf: 0x19)
  public static let leLongTermKeyRequestReply = HCI.Opcode(ogf: 0x08, ocf: 0x1A)
  public static let leLongTermKeyRequestNegativeReply = HCI.Opcode(ogf: 0x08, ocf: 0x1B)
  public static let leReadLocalP256PublicKey = HCI.Opcode(ogf: 0x08, ocf: 0x25)
  public static let leGenerateDHKey = HCI.Opcode(ogf: 0x08, ocf: 0x26)
  public static let leGenerateDHKeyV2 = HCI.Opcode(ogf: 0x08, ocf: 0x5E)
}

extension HCI.SecurityCommand: HCICommandGroup {
  var opcode: HCI.Opcode {
    switch self {
    case .leEncrypt: .leEncrypt
    case .leRand: .leRand
    case .leEnableEncryption: .leEnableEncryption
    case .leLongTermKeyRequestReply: .leLongTermKeyRequestReply
    case .leLongTermKeyRequestNegativeReply: .leLongTermKeyRequestNegativeReply
    case .leReadLocalP256PublicKey: .leReadLocalP256PublicKey
    case .leGenerateDHKey: .leGenerateDHKey
    case .leGenerateDHKeyV2: .leGenerateDHKeyV2
    }
  }

  var connectionHandle: HCI.ConnectionHandle? {
    switch self {
    case .leEnableEncryption(let handle, _, _, _), .leLongTermKeyRequestReply(let handle, _),
      .leLongTermKeyRequestNegativeReply(let handle):
      handle
    default: nil
    }
  }

  func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .leRand, .leReadLocalP256PublicKey: break
    case .leEncrypt(let key, let plaintext): octets += key + plaintext
    case .leEnableEncryption(let handle, let random, let diversifier, let key):
      octets.append(littleEndian: handle)
      octets.append(littleEndian: random, count: 8)
      octets.append(littleEndian: diversifier)
      octets += key
    case .leLongTermKeyRequestReply(let handle, let key):
      octets.append(littleEndian: handle)
      octets += key
    case .leLongTermKeyRequestNegativeReply(let handle): octets.append(littleEndian: handle)
    case .leGenerateDHKey(let key): octets += key
    case .leGenerateDHKeyV2(let key, let type): octets += key + [type]
    }
  }

  init?(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError) {
    switch opcode {
    case .leEncrypt: self = .leEncrypt(key: try reader.take(16), plaintext: try reader.take(16))
    case .leRand: self = .leRand
    case .leEnableEncryption:
      self = .leEnableEncryption(
        try reader.u16(), random: try reader.u64(), diversifier: try reader.u16(), longTermKey: try reader.take(16))
    case .leLongTermKeyRequestReply:
      self = .leLongTermKeyRequestReply(try reader.u16(), longTermKey: try reader.take(16))
    case .leLongTermKeyRequestNegativeReply: self = .leLongTermKeyRequestNegativeReply(try reader.u16())
    case .leReadLocalP256PublicKey: self = .leReadLocalP256PublicKey
    case .leGenerateDHKey: self = .leGenerateDHKey(publicKey: try reader.take(64))
    case .leGenerateDHKeyV2: self = .leGenerateDHKeyV2(publicKey: try reader.take(64), keyType: try reader.u8())
    default: return nil
    }
  }
}
