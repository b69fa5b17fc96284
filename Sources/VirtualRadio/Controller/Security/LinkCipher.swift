import BluetoothWire

/// AES-CCM for one direction of an encrypted link: the key, the nonce and its packet counter.
///
/// Spec: Core v5.4, Vol 6, Part E, 1 and 2 (AES-CCM of RFC 3610 with M = 4 and L = 2).
/// Nonce: `packetCounter: 39 bits | directionBit | IV: 8`. Additional authenticated data: the first octet of the PDU
/// header with NESN, SN and MD masked to zero, of which the LLID is left.
/// - Complexity: two AES blocks for each 16 octets and three more.
final class LinkCipher {
  /// Octets of the MIC after the ciphertext.
  static let micLength = 4
  private static let counterMask: UInt64 = 1 << 39 - 1

  private let key: AESKey
  private let iv: [UInt8]
  /// 1 for PDUs of the central, 0 for those of the peripheral.
  private let directionBit: UInt64
  /// Of the next new PDU.
  private(set) var packetCounter: UInt64
  private var block = [UInt8](repeating: 0, count: AESBlock.size)
  private var mac = [UInt8](repeating: 0, count: AESBlock.size)

  /// - Parameters:
  ///   - iv: IV_C then IV_P, each as it was on the air; 8 octets.
  ///   - packetCounter: of the first PDU.
  init(key: AESKey, iv: [UInt8], sender: HCI.Role, packetCounter: UInt64 = 0) {
    precondition(iv.count == 8, "an initialisation vector has 8 octets")
    self.key = key
    self.iv = iv
    directionBit = sender == .central ? 1 : 0
    self.packetCounter = packetCounter & Self.counterMask
  }

  /// Encrypts the payload of the next new PDU: ciphertext, then MIC.
  /// - Precondition: 1 … 251 octets; an empty PDU is not encrypted (Vol 6, Part B, 2.4).
  func seal(_ payload: [UInt8], llid: UInt8) -> [UInt8] {
    defer { advance() }
    authenticate(payload, count: payload.count, llid: llid)
    return crypt(payload, count: payload.count) + maskedMIC()
  }

  /// Decrypts the payload of the next new PDU; nil when the MIC is wrong or there is no room for one.
  func open(_ payload: [UInt8], llid: UInt8) -> [UInt8]? {
    defer { advance() }
    let count = payload.count - Self.micLength
    guard count > 0 else { return nil }
    let plain = crypt(payload, count: count)
    authenticate(plain, count: count, llid: llid)
    return maskedMIC().elementsEqual(payload[count...]) ? plain : nil
  }

  private func advance() { packetCounter = (packetCounter + 1) & Self.counterMask }

  /// Leaves the CBC-MAC of B0, B1 and the payload in `mac` (Part E, 2.2).
  private func authenticate(_ payload: [UInt8], count: Int, llid: UInt8) {
    fillNonce(flags: 0x49, last: count)
    mac = block
    key.encrypt(&mac)
    mac[1] ^= 1
    mac[2] ^= llid
    key.encrypt(&mac)
    var start = 0
    while start < count {
      for index in 0..<min(AESBlock.size, count - start) { mac[index] ^= payload[start + index] }
      key.encrypt(&mac)
      start += AESBlock.size
    }
  }

  /// Counter mode from block 1 on: encrypts and decrypts.
  private func crypt(_ octets: [UInt8], count: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: count)
    var start = 0
    while start < count {
      fillNonce(flags: 0x01, last: start / AESBlock.size + 1)
      key.encrypt(&block)
      for index in start..<min(start + AESBlock.size, count) { result[index] = octets[index] ^ block[index - start] }
      start += AESBlock.size
    }
    return result
  }

  private func maskedMIC() -> [UInt8] {
    fillNonce(flags: 0x01, last: 0)
    key.encrypt(&block)
    return (0..<Self.micLength).map { mac[$0] ^ block[$0] }
  }

  /// Flags, nonce, and two octets with the length or the block's number, most significant first.
  private func fillNonce(flags: UInt8, last: Int) {
    let head = packetCounter | directionBit << 39
    block[0] = flags
    for index in 0..<5 { block[1 + index] = UInt8(truncatingIfNeeded: head >> (8 * UInt64(index))) }
    for index in 0..<8 { block[6 + index] = iv[index] }
    block[14] = UInt8(truncatingIfNeeded: last >> 8)
    block[15] = UInt8(truncatingIfNeeded: last)
  }
}

/// What both ends of a link share after LL_ENC_REQ and LL_ENC_RSP.
///
/// Spec: Core v5.4, Vol 6, Part B, 5.1.3.1: sessionKey = e(LTK, SKD_P || SKD_C), IV = IV_P || IV_C.
struct LinkSession {
  let key: AESKey
  let iv: [UInt8]

  /// - Parameter longTermKey: 16 octets as HCI has them, least significant first.
  init(longTermKey: [UInt8], diversifiers: (central: UInt64, peripheral: UInt64), vectors: (UInt32, UInt32)) {
    key = AESKey(
      AESBlock.encrypt(
        key: longTermKey.reversed(),
        block: Self.octets(diversifiers.peripheral).reversed() + Self.octets(diversifiers.central).reversed()))
    iv = Array(Self.octets(UInt64(vectors.0)).prefix(4) + Self.octets(UInt64(vectors.1)).prefix(4))
  }

  /// The cipher for what `sender` sends.
  func cipher(sender: HCI.Role) -> LinkCipher { LinkCipher(key: key, iv: iv, sender: sender) }

  private static func octets(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }
}
