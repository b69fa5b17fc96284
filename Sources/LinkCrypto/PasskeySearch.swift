package import BluetoothWire
import CLibCrypto

/// Finds the six digits of an LE legacy pairing from what anybody could hear of it.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.2.3 and 2.3.5: the temporary key is the passkey, and zero with Just Works. There
/// are a million of them, and the confirm value tells the right one. All octets are in the order of the PDUs.
package enum PasskeySearch {
  package static let passkeys: Range<UInt32> = 0..<1_000_000

  /// The temporary key of a passkey: 16 octets, least significant first.
  package static func key(_ passkey: UInt32) -> [UInt8] {
    (0..<16).map { $0 < 4 ? UInt8(truncatingIfNeeded: passkey >> (8 * UInt32($0))) : 0 }
  }

  /// The passkey that gives this confirm value; nil when none does. Takes half a second at most.
  /// - Precondition: values of the lengths of their PDUs: confirm and random 16 octets, request and response 7.
  package static func passkey(
    confirm: [UInt8], random: [UInt8], request: [UInt8], response: [UInt8], initiator: BluetoothAddress,
    responder: BluetoothAddress
  ) -> UInt32? {
    let first = [initiator.kind.rawValue, responder.kind.rawValue] + request + response
    let second = responder.octets + initiator.octets + [0, 0, 0, 0]
    let start = Array(zip(random, first).map { $0 ^ $1 }.reversed())
    let mask = Array(second.reversed())
    let wanted = Array(confirm.reversed())
    guard start.count == AESBlock.size, mask.count == AESBlock.size, wanted.count == AESBlock.size else { return nil }
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    LibCrypto.require(EVP_EncryptInit_ex(context, LibCrypto.block, nil, nil, nil))
    var key = [UInt8](repeating: 0, count: AESBlock.size)
    var block = key
    var count: Int32 = 0
    for passkey in passkeys {
      for index in 0..<3 { key[15 - index] = UInt8(truncatingIfNeeded: passkey >> (8 * UInt32(index))) }
      LibCrypto.require(EVP_EncryptInit_ex(context, nil, nil, key, nil))
      LibCrypto.require(EVP_EncryptUpdate(context, &block, &count, start, Int32(AESBlock.size)))
      for index in block.indices { block[index] ^= mask[index] }
      var result = block
      LibCrypto.require(EVP_EncryptUpdate(context, &result, &count, block, Int32(AESBlock.size)))
      if result == wanted { return passkey }
    }
    return nil
  }
}
