import LinkCrypto
import SimKernel

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

extension P256KeyPair {
  /// A pair by the stream's draws: the same seed gives the same pairs, in the same order.
  static func draw(from stream: inout RandomStream) -> P256KeyPair {
    while true {
      // One draw in 2³² is not below the order of the curve.
      if let pair = P256KeyPair(privateKey: stream.octets(32)) { return pair }
    }
  }
}
