/// A key pair of LE Secure Connections (Core v5.4, Vol 3, Part H, 2.3.5.6.1), on the curve P-256 of FIPS 186.
///
/// Numbers stand as HCI has them, least significant octet first.
package struct P256KeyPair {
  private let privateKey: [UInt8]
  /// X then Y, 32 octets each.
  package let publicKey: [UInt8]

  /// The pair whose private key is published, so that a sniffer can follow (debug mode).
  package static let debug: P256KeyPair = {
    let octets: [UInt8] = [
      0x3F, 0x49, 0xF6, 0xD4, 0xA3, 0xC5, 0x5F, 0x38, 0x74, 0xC9, 0xB3, 0xE3, 0xD2, 0x10, 0x3F, 0x50,
      0x4A, 0xFF, 0x60, 0x7B, 0xEB, 0x40, 0xB7, 0x99, 0x58, 0x99, 0xB8, 0xA6, 0xCD, 0x3C, 0x1A, 0xBD,
    ]
    guard let pair = P256KeyPair(privateKey: octets.reversed()) else {
      preconditionFailure("the debug key is a private key")
    }
    return pair
  }()

  /// Nil for a number that is not a private key: zero, the order of the curve or more, not 32 octets.
  package init?(privateKey: [UInt8]) {
    guard let point = P256Curve.multiple(privateKey.reversed(), of: nil) else { return nil }
    self.privateKey = privateKey
    publicKey = point[..<32].reversed() + point[32...].reversed()
  }

  /// DHKey, 32 octets; nil for a remote key that is no point of the curve.
  package func sharedSecret(with publicKey: [UInt8]) -> [UInt8]? {
    guard publicKey.count == 64 else { return nil }
    let remote = publicKey[..<32].reversed() + publicKey[32...].reversed()
    return P256Curve.multiple(privateKey.reversed(), of: remote).map { $0[..<32].reversed() }
  }
}
