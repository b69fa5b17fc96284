package import BluetoothWire

/// The cryptographic toolbox of the Security Manager.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.2. All octets are in the order of PDUs and of HCI, least significant first; the
/// specification writes them most significant first.
package enum SecurityToolbox {
  /// A device address with its type as the functions take it: six octets, then 0 for public or 1 for random.
  package static func octets(_ address: BluetoothAddress) -> [UInt8] { address.octets + [address.kind.rawValue] }

  /// AES-CMAC of octets that are all in the order of PDUs.
  package static func mac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    CMAC.code(key: key.reversed(), message: message.reversed()).reversed()
  }

  /// The function `e` (2.2.1).
  package static func encrypt(_ key: [UInt8], _ block: [UInt8]) -> [UInt8] {
    AESBlock.encrypt(key: key.reversed(), block: block.reversed()).reversed()
  }

  // MARK: LE legacy pairing

  /// The confirm value function `c1` (2.2.3): key, random value, Pairing Request and Response as they were sent.
  package static func c1(
    key: [UInt8], random: [UInt8], request: [UInt8], response: [UInt8], initiator: BluetoothAddress,
    responder: BluetoothAddress
  ) -> [UInt8] {
    let first = [initiator.kind.rawValue, responder.kind.rawValue] + request + response
    let second = responder.octets + initiator.octets + [0, 0, 0, 0]
    return encrypt(key, xor(encrypt(key, xor(random, first)), second))
  }

  /// The key generation function `s1` (2.2.4): the Short Term Key, with the responder's value first.
  package static func s1(key: [UInt8], responderRandom: [UInt8], initiatorRandom: [UInt8]) -> [UInt8] {
    encrypt(key, Array(initiatorRandom.prefix(8)) + Array(responderRandom.prefix(8)))
  }

  // MARK: LE Secure Connections

  /// The confirm value function `f4` (2.2.6): X coordinates of both public keys, the own one first.
  package static func f4(_ own: [UInt8], _ other: [UInt8], random: [UInt8], _ bit: UInt8) -> [UInt8] {
    mac(random, [bit] + other + own)
  }

  /// The key generation function `f5` (2.2.7): MacKey and LTK.
  package static func f5(
    secret: [UInt8], initiatorRandom: [UInt8], responderRandom: [UInt8], initiator: BluetoothAddress,
    responder: BluetoothAddress
  ) -> (macKey: [UInt8], longTermKey: [UInt8]) {
    // SALT and “btle”, most significant first as the clause prints them.
    let salt: [UInt8] = [
      0x6C, 0x88, 0x83, 0x91, 0xAA, 0xF5, 0xA5, 0x38, 0x60, 0x37, 0x0B, 0xDB, 0x5A, 0x60, 0x83, 0xBE,
    ]
    let key = mac(salt.reversed(), secret)
    let rest = octets(responder) + octets(initiator) + responderRandom + initiatorRandom
    func derive(_ counter: UInt8) -> [UInt8] {
      mac(key, [0x00, 0x01] + rest + Array("btle".utf8).reversed() + [counter])
    }
    return (derive(0), derive(1))
  }

  /// The check value generation function `f6` (2.2.8): the sender's values first.
  /// - Parameter capabilities: IO capability, OOB flag and AuthReq of the sender, as its Pairing PDU has them.
  package static func f6(
    macKey: [UInt8], _ own: [UInt8], _ other: [UInt8], _ shared: [UInt8], capabilities: [UInt8],
    _ ownAddress: BluetoothAddress, _ otherAddress: BluetoothAddress
  ) -> [UInt8] {
    mac(macKey, octets(otherAddress) + octets(ownAddress) + capabilities + shared + other + own)
  }

  /// The numeric comparison value generation function `g2` (2.2.9), before it is reduced to six digits.
  package static func g2(
    _ initiatorKey: [UInt8], _ responderKey: [UInt8], _ initiator: [UInt8], _ responder: [UInt8]
  ) -> UInt32 {
    mac(initiator, responder + responderKey + initiatorKey).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The link key conversion function `h6` (2.2.10); the identifier is four octets.
  package static func h6(_ key: [UInt8], _ identifier: [UInt8]) -> [UInt8] { mac(key, identifier) }

  /// The link key conversion function `h7` (2.2.11); the salt is 16 octets.
  package static func h7(salt: [UInt8], _ key: [UInt8]) -> [UInt8] { mac(salt, key) }

  // MARK: Addresses and key sizes

  /// The random address hash function `ah` (2.2.2): the lower 24 bits of a resolvable private address.
  package static func ah(_ key: [UInt8], prand: UInt32) -> UInt32 {
    ResolvableAddress.hash(key.reversed(), prand: prand)
  }

  /// A key of `size` octets: those above are zero (2.3.4).
  package static func shortened(_ key: [UInt8], to size: Int) -> [UInt8] {
    Array(key.prefix(size)) + [UInt8](repeating: 0, count: max(0, key.count - size))
  }

  private static func xor(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] { zip(one, other).map { $0 ^ $1 } }
}
