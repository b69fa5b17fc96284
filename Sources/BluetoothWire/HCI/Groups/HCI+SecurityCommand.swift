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

extension HCI.SecurityCommand {
  /// The connection this command is about.
  var connectionHandle: HCI.ConnectionHandle? {
    switch self {
    case .leEnableEncryption(let handle, _, _, _), .leLongTermKeyRequestReply(let handle, _),
      .leLongTermKeyRequestNegativeReply(let handle):
      handle
    default: nil
    }
  }
}

extension HCI.SecurityCommand: FormedPDU {
  typealias Code = HCI.Opcode

  static let blanks: [Self] = [
    .leEncrypt(key: key, plaintext: key), .leRand,
    .leEnableEncryption(0, random: 0, diversifier: 0, longTermKey: key),
    .leLongTermKeyRequestReply(0, longTermKey: key),
    .leLongTermKeyRequestNegativeReply(0), .leReadLocalP256PublicKey, .leGenerateDHKey(publicKey: publicKey),
    .leGenerateDHKeyV2(publicKey: publicKey, keyType: 0),
  ]

  private static let key = [UInt8](repeating: 0, count: 16)
  private static let publicKey = [UInt8](repeating: 0, count: 64)

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .leEncrypt(let key, let text):
      form(.leEncrypt, { .leEncrypt(key: $0.value, plaintext: $1.value) }, Octets<16>(key), Octets<16>(text))
    case .leRand: form(.leRand)
    case .leEnableEncryption(let handle, let random, let diversifier, let key):
      form(
        .leEnableEncryption, { .leEnableEncryption($0, random: $1, diversifier: $2, longTermKey: $3.value) }, handle,
        random, diversifier, Octets<16>(key))
    case .leLongTermKeyRequestReply(let handle, let key):
      form(
        .leLongTermKeyRequestReply, { .leLongTermKeyRequestReply($0, longTermKey: $1.value) }, handle, Octets<16>(key))
    case .leLongTermKeyRequestNegativeReply(let handle):
      form(.leLongTermKeyRequestNegativeReply, Self.leLongTermKeyRequestNegativeReply, handle)
    case .leReadLocalP256PublicKey: form(.leReadLocalP256PublicKey)
    case .leGenerateDHKey(let key): form(.leGenerateDHKey, { .leGenerateDHKey(publicKey: $0.value) }, Octets<64>(key))
    case .leGenerateDHKeyV2(let key, let type):
      form(.leGenerateDHKeyV2, { .leGenerateDHKeyV2(publicKey: $0.value, keyType: $1) }, Octets<64>(key), type)
    }
  }
}
