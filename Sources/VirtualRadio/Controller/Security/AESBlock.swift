import CLibCrypto

/// What VirtualRadio looks up in libcrypto, once.
enum LibCrypto {
  /// A library of our own: neither a configuration file of the machine nor a variable of the environment reaches it.
  /// libcrypto lets threads share it, and the ciphers as well.
  nonisolated(unsafe) static let library = OSSL_LIB_CTX_new()
  nonisolated(unsafe) static let block = cipher("AES-128-ECB")
  nonisolated(unsafe) static let ccm = cipher("AES-128-CCM")

  private static func cipher(_ name: String) -> OpaquePointer {
    guard let cipher = EVP_CIPHER_fetch(library, name, nil) else { preconditionFailure("libcrypto has no \(name)") }
    return cipher
  }

  /// What libcrypto refuses only because of a bug in our code, or without memory.
  static func require(_ status: Int32) { precondition(status == 1, "libcrypto refuses") }
}

/// AES-128 of one block, from which keys and private addresses are made.
///
/// Spec: FIPS-197; Core v5.4, Vol 6, Part E, 1. Octets stand as FIPS-197 writes them, most significant first; HCI and
/// the Security Manager write keys and blocks the other way round.
enum AESBlock {
  static let size = 16

  /// `e(key, block)` of Vol 3, Part H, 2.2.1.
  /// - Precondition: both have 16 octets.
  static func encrypt(key: [UInt8], block: [UInt8]) -> [UInt8] {
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
