import Crypto
import CryptoExtras

/// AES-128 of one block, from which the Link Layer's functions are composed.
///
/// Spec: FIPS-197; Core v5.4, Vol 6, Part E, 1. Octets stand as FIPS-197 writes them, most significant first; HCI and
/// the Security Manager write keys and blocks the other way round.
enum AESBlock {
  static let size = 16

  /// `e(key, block)` of Vol 3, Part H, 2.2.1.
  /// - Precondition: both have 16 octets.
  static func encrypt(key: [UInt8], block: [UInt8]) -> [UInt8] {
    var block = block
    AESKey(key).encrypt(&block)
    return block
  }
}

/// An AES-128 key that encrypts many blocks.
struct AESKey {
  private let key: SymmetricKey

  /// - Precondition: 16 octets.
  init(_ octets: [UInt8]) {
    precondition(octets.count == AESBlock.size, "a key has 16 octets")
    key = SymmetricKey(data: octets)
  }

  /// Encrypts a block in its place.
  /// - Precondition: 16 octets.
  func encrypt(_ block: inout [UInt8]) {
    precondition(block.count == AESBlock.size, "a block has 16 octets")
    do {
      try AES.permute(&block, key: key)
    } catch {
      preconditionFailure("key and block have their sizes: \(error)")
    }
  }
}
