import BluetoothWire
import LinkCrypto

/// The random octets of one pairing, drawn at once when its method is known.
struct DrawnRandoms {
  /// Nonces of 16 octets.
  private var nonces = 0
  private var octets: [UInt8] = []

  /// After the nonces: the passkey, then LTK, EDIV and Rand, then CSRK.
  private static let passkeyLength = 8
  private static let encryptionLength = 26

  /// How many octets a pairing with so many nonces needs.
  mutating func needs(nonces: Int) -> Int {
    self.nonces = nonces
    return start + Self.passkeyLength + Self.encryptionLength + SMP.keyLength
  }

  private var start: Int { nonces * SMP.keyLength }

  /// False for too few.
  mutating func take(_ octets: [UInt8]) -> Bool {
    self.octets = octets
    var expected = self
    return octets.count >= expected.needs(nonces: nonces)
  }

  func nonce(_ index: Int) -> [UInt8] { slice(index * SMP.keyLength, SMP.keyLength) }

  /// 0 … 999999, each as probable as any other to one in 2⁴⁴.
  var passkey: UInt32 {
    UInt32(number(start, 8).multipliedFullWidth(by: UInt64(Pairing.passkeys.upperBound)).high)
  }

  /// The key that this device distributes.
  func longTermKey(size: Int) -> LongTermKey {
    let start = start + Self.passkeyLength
    return LongTermKey(
      value: SecurityToolbox.shortened(slice(start, SMP.keyLength), to: size),
      diversifier: UInt16(truncatingIfNeeded: number(start + 16, 2)), random: number(start + 18, 8), size: size)
  }

  var signingKey: [UInt8] { slice(start + Self.passkeyLength + Self.encryptionLength, SMP.keyLength) }

  private func slice(_ start: Int, _ count: Int) -> [UInt8] { Array(octets.dropFirst(start).prefix(count)) }

  private func number(_ start: Int, _ count: Int) -> UInt64 {
    slice(start, count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
