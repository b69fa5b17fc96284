import SimKernel

/// A key pair of LE Secure Connections (Core v5.4, Vol 3, Part H, 2.3.5.6.1), on the curve P-256 of FIPS 186.
///
/// Numbers stand as HCI has them, least significant octet first.
struct P256KeyPair {
  private let privateKey: [UInt8]
  /// X then Y, 32 octets each.
  let publicKey: [UInt8]

  /// The pair whose private key is published, so that a sniffer can follow (debug mode).
  static let debug: P256KeyPair = {
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
  init?(privateKey: [UInt8]) {
    guard let point = P256Curve.multiple(privateKey.reversed(), of: nil) else { return nil }
    self.privateKey = privateKey
    publicKey = point[..<32].reversed() + point[32...].reversed()
  }

  /// A pair by the stream's draws: the same seed gives the same pairs, in the same order.
  static func draw(from stream: inout RandomStream) -> P256KeyPair {
    while true {
      // One draw in 2³² is not below the order of the curve.
      if let pair = P256KeyPair(privateKey: stream.octets(32)) { return pair }
    }
  }

  /// DHKey, 32 octets; nil for a remote key that is no point of the curve.
  func sharedSecret(with publicKey: [UInt8]) -> [UInt8]? {
    guard publicKey.count == 64 else { return nil }
    let remote = publicKey[..<32].reversed() + publicKey[32...].reversed()
    return P256Curve.multiple(privateKey.reversed(), of: remote).map { $0[..<32].reversed() }
  }
}

/// What a controller draws for security, each purpose from a stream of its own, and the key pair it has.
struct KeyMaterial {
  /// `HCI_LE_Rand`.
  var random: RandomStream
  /// P-256 private keys.
  private var privateKeys: RandomStream
  /// SKD and IV of links.
  var sessions: RandomStream
  /// Made by `HCI_LE_Read_Local_P-256_Public_Key`; gone with a reset.
  var pair: P256KeyPair?

  init(seed: UInt64, component: String) {
    random = RandomStream(seed: seed, component: component, purpose: "leRand")
    privateKeys = RandomStream(seed: seed, component: component, purpose: "p256")
    sessions = RandomStream(seed: seed, component: component, purpose: "encryption")
  }

  /// Makes a new pair, which replaces the one before.
  mutating func makePair() -> P256KeyPair {
    let fresh = P256KeyPair.draw(from: &privateKeys)
    pair = fresh
    return fresh
  }
}

extension RandomStream {
  /// The next octets of the stream, eight to a draw, least significant first.
  mutating func octets(_ count: Int) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(count + 7)
    while octets.count < count {
      let word = next()
      for index in 0..<8 { octets.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))) }
    }
    return Array(octets.prefix(count))
  }
}
