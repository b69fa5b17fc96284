package import BluetoothWire
import CLibCrypto

/// AES-CCM for one direction of an encrypted link: the key, the nonce and its packet counter.
///
/// Spec: Core v5.4, Vol 6, Part E, 1 and 2 (AES-CCM of RFC 3610 with M = 4 and L = 2).
/// Nonce: `packetCounter: 39 bits | directionBit | IV: 8`. Additional authenticated data: the first octet of the PDU
/// header with NESN, SN and MD masked to zero, of which the LLID is left.
package final class LinkCipher {
  /// Octets of the MIC after the ciphertext.
  package static let micLength = 4
  private static let counterMask: UInt64 = 1 << 39 - 1

  /// A context of libcrypto's, for any number of PDUs.
  private let context = EVP_CIPHER_CTX_new()
  private let key: [UInt8]
  private var nonce: [UInt8]
  /// 1 for PDUs of the central, 0 for those of the peripheral.
  private let directionBit: UInt64
  /// The counter of the next new PDU.
  package private(set) var packetCounter: UInt64

  /// - Parameters:
  ///   - key: the session key, 16 octets, most significant first.
  ///   - iv: IV_C then IV_P, each as it was on the air; 8 octets.
  ///   - packetCounter: of the first PDU.
  package init(key: [UInt8], iv: [UInt8], sender: HCI.Role, packetCounter: UInt64 = 0) {
    precondition(key.count == AESBlock.size && iv.count == 8, "a key has 16 octets, an initialisation vector 8")
    self.key = key
    nonce = [UInt8](repeating: 0, count: 5) + iv
    directionBit = sender == .central ? 1 : 0
    self.packetCounter = packetCounter & Self.counterMask
    // The lengths must be known when the key comes.
    LibCrypto.require(EVP_CipherInit_ex(context, LibCrypto.ccm, nil, nil, nil, 1))
    LibCrypto.require(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil))
    LibCrypto.require(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.micLength), nil))
  }

  deinit { EVP_CIPHER_CTX_free(context) }

  /// Encrypts the payload of the next new PDU: ciphertext, then MIC.
  /// - Precondition: 1 … 251 octets; an empty PDU is not encrypted (Vol 6, Part B, 2.4).
  package func seal(_ payload: [UInt8], llid: UInt8) -> [UInt8] {
    defer { packetCounter = (packetCounter + 1) & Self.counterMask }
    return seal(payload, llid: llid, counter: packetCounter)
  }

  /// Encrypts the payload of the PDU with that counter. The next new PDU stays what it is.
  package func seal(_ payload: [UInt8], llid: UInt8, counter: UInt64) -> [UInt8] {
    begin(seals: true, counter & Self.counterMask)
    authenticate(llid, count: payload.count)
    var sealed = [UInt8](repeating: 0, count: payload.count + Self.micLength)
    sealed.withUnsafeMutableBytes { octets in
      var count: Int32 = 0
      let start = octets.baseAddress
      LibCrypto.require(EVP_CipherUpdate(context, start, &count, payload, Int32(payload.count)))
      LibCrypto.require(
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.micLength), start?.advanced(by: payload.count)))
    }
    return sealed
  }

  /// Decrypts the payload of the next new PDU; nil when the MIC is wrong or there is no room for one.
  package func open(_ payload: [UInt8], llid: UInt8) -> [UInt8]? {
    defer { packetCounter = (packetCounter + 1) & Self.counterMask }
    return open(payload, llid: llid, counter: packetCounter)
  }

  /// Decrypts the payload of the PDU with that counter, which an eavesdropper has to guess; nil when the MIC is wrong
  /// or there is no room for one. The next new PDU stays what it is.
  package func open(_ payload: [UInt8], llid: UInt8, counter: UInt64) -> [UInt8]? {
    begin(seals: false, counter & Self.counterMask)
    let size = payload.count - Self.micLength
    guard size > 0 else { return nil }
    var mic = Array(payload[size...])
    LibCrypto.require(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(mic.count), &mic))
    authenticate(llid, count: size)
    var plain = [UInt8](repeating: 0, count: size)
    var count: Int32 = 0
    return EVP_CipherUpdate(context, &plain, &count, payload, Int32(size)) == 1 ? plain : nil
  }

  /// The cipher of the same sender on a connected isochronous stream of the link, whose payload numbers are the
  /// counters: the access address goes into the first four octets of the initialisation vector (Vol 6, Part E, 2.1).
  package func ofStream(accessAddress: UInt32) -> LinkCipher {
    var iv = Array(nonce[5...])
    for place in 0..<4 { iv[place] ^= UInt8(truncatingIfNeeded: accessAddress >> (8 * UInt32(place))) }
    return LinkCipher(key: key, iv: iv, sender: directionBit == 1 ? .central : .peripheral)
  }

  /// The key comes again for each PDU, since what libcrypto makes of it depends on the direction.
  private func begin(seals: Bool, _ counter: UInt64) {
    let head = counter | directionBit << 39
    for index in 0..<5 { nonce[index] = UInt8(truncatingIfNeeded: head >> (8 * UInt64(index))) }
    LibCrypto.require(EVP_CipherInit_ex(context, nil, nil, key, nonce, seals ? 1 : 0))
  }

  /// The length of the payload, then the additional data: CCM authenticates both before it.
  private func authenticate(_ llid: UInt8, count: Int) {
    var ignored: Int32 = 0
    LibCrypto.require(EVP_CipherUpdate(context, nil, &ignored, nil, Int32(count)))
    LibCrypto.require(EVP_CipherUpdate(context, nil, &ignored, [llid], 1))
  }
}

/// What both ends of a link share after LL_ENC_REQ and LL_ENC_RSP.
///
/// Spec: Core v5.4, Vol 6, Part B, 5.1.3.1: sessionKey = e(LTK, SKD_P || SKD_C), IV = IV_P || IV_C.
package struct LinkSession {
  /// Most significant octet first.
  package let key: [UInt8]
  package let iv: [UInt8]

  /// - Parameter longTermKey: 16 octets as HCI has them, least significant first.
  package init(longTermKey: [UInt8], diversifiers: (central: UInt64, peripheral: UInt64), vectors: (UInt32, UInt32)) {
    key = AESBlock.encrypt(
      key: longTermKey.reversed(),
      block: Self.octets(diversifiers.peripheral).reversed() + Self.octets(diversifiers.central).reversed())
    iv = Array(Self.octets(UInt64(vectors.0)).prefix(4) + Self.octets(UInt64(vectors.1)).prefix(4))
  }

  /// The cipher for what `sender` sends.
  package func cipher(sender: HCI.Role) -> LinkCipher { LinkCipher(key: key, iv: iv, sender: sender) }

  private static func octets(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }
}
