import BluetoothWire
import SimKernel

/// How a phone calls its peers: a UUID of its own for each, the same in every run with the same seed.
///
/// Phones draw it at random and keep it; other phones have another one for the same peer (Apple, `CBPeer.identifier`).
enum PhoneIdentity {
  static func identifier(seed: UInt64, own: BluetoothAddress, peer: BluetoothAddress) -> UUID {
    var state = RandomStream.mix(seed ^ 0x6A09_E667_F3BC_C908)
    state = RandomStream.mix(state ^ own.bits ^ UInt64(own.kind.rawValue) << 56)
    state = RandomStream.mix(state ^ peer.bits ^ UInt64(peer.kind.rawValue) << 57)
    let high = RandomStream.mix(state &+ 0x9E37_79B9_7F4A_7C15)
    let low = RandomStream.mix(high ^ state)
    var octets = [UInt8](repeating: 0, count: 16)
    for index in 0..<8 {
      octets[index] = UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * index))
      octets[8 + index] = UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * index))
    }
    // Version 4, variant 1 (RFC 9562, 5.4), as random ones have.
    octets[6] = octets[6] & 0x0F | 0x40
    octets[8] = octets[8] & 0x3F | 0x80
    return octets.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
