import CLibCrypto

/// What is looked up in libcrypto, once.
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
