/// Apple's Security as far as random octets go, from the generator of the system, which is virtual in a room. There is
/// no keychain: an app gives itself one by a protocol of its own.
public struct SecRandomRef: Sendable {}

public let kSecRandomDefault: SecRandomRef? = nil
public let errSecSuccess: Int32 = 0

/// Fills octets; always `errSecSuccess`.
public func SecRandomCopyBytes(_ generator: SecRandomRef?, _ count: Int, _ octets: UnsafeMutableRawPointer) -> Int32 {
  var generator = SystemRandomNumberGenerator()
  for index in 0..<count {
    octets.storeBytes(of: UInt8.random(in: .min ... .max, using: &generator), toByteOffset: index, as: UInt8.self)
  }
  return errSecSuccess
}
