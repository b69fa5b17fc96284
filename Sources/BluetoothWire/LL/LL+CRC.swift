extension LL {
  /// The 24-bit CRC over header and payload of a PDU, in the order of `crcOctets`.
  ///
  /// Polynomial x²⁴ + x¹⁰ + x⁹ + x⁶ + x⁴ + x³ + x + 1. The register is kept mirrored, so that its lowest bit is the one
  /// that goes on the air first. Spec: Core v5.4, Vol 6, Part B, 3.1.1.
  /// - Parameter initial: `CRCInit` as CONNECT_IND carries it, 24 bits.
  public static func crc24(pdu: [UInt8], initial: UInt32) -> UInt32 {
    var register = mirrored24(initial)
    let table = crcTable
    for octet in pdu {
      register = register >> 8 ^ table[Int((register ^ UInt32(octet)) & 0xFF)]
    }
    return register
  }

  /// The three octets after a PDU, as they go on the air and into a capture file.
  public static func crcOctets(pdu: [UInt8], initial: UInt32) -> [UInt8] {
    let crc = crc24(pdu: pdu, initial: initial)
    return [
      UInt8(truncatingIfNeeded: crc), UInt8(truncatingIfNeeded: crc >> 8), UInt8(truncatingIfNeeded: crc >> 16),
    ]
  }

  private static func mirrored24(_ value: UInt32) -> UInt32 {
    var mirrored: UInt32 = 0
    for bit in UInt32(0)..<24 where value >> bit & 1 != 0 { mirrored |= 1 << (23 - bit) }
    return mirrored
  }

  /// The register after eight bits, for each value of its lowest octet.
  private static let crcTable: [UInt32] = (0..<256).map { index in
    var register = UInt32(index)
    for _ in 0..<8 { register = register >> 1 ^ (register & 1 != 0 ? 0xDA_6000 : 0) }
    return register
  }
}
