import CLibCrypto

/// AES-128 of one block, from which keys and private addresses are made.
///
/// Spec: FIPS-197; Core v5.4, Vol 6, Part E, 1. Octets stand as FIPS-197 writes them, most significant first; HCI and
/// the Security Manager write keys and blocks the other way round.
package enum AESBlock {
  package static let size = 16

  /// `e(key, block)` of Vol 3, Part H, 2.2.1.
  /// - Precondition: both have 16 octets.
  package static func encrypt(key: [UInt8], block: [UInt8]) -> [UInt8] {
    precondition(key.count == size && block.count == size, "a key and a block have 16 octets")
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    var encrypted = [UInt8](repeating: 0, count: size)
    var count: Int32 = 0
    LibCrypto.require(EVP_EncryptInit_ex(context, LibCrypto.block, nil, key, nil))
    LibCrypto.require(EVP_EncryptUpdate(context, &encrypted, &count, block, Int32(size)))
    return encrypted
  }
}
