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

  /// Whitens or de-whitens the octets of a PDU and its CRC; doing it twice gives the octets back.
  ///
  /// Polynomial x⁷ + x⁴ + 1, started from the channel index. Spec: Core v5.4, Vol 6, Part B, 3.2.
  /// - Parameter channelIndex: 0 … 39 (channel index, not RF channel).
  public static func whiten(_ octets: [UInt8], channelIndex: UInt8) -> [UInt8] {
    // Bit 6 − p is position p of the register: position 0 holds 1, position 6 the lowest bit of the index.
    var register = channelIndex & 0x3F | 0x40
    return octets.map { octet in
      var whitened = octet
      for bit in UInt8(0)..<8 {
        if register & 1 != 0 {
          whitened ^= 1 << bit
          register ^= 0b1000_1000
        }
        register >>= 1
      }
      return whitened
    }
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
