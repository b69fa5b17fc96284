import Expectations

/// What an adversary makes of octets.
enum Octets {
  /// Every proper prefix, from the empty one on.
  static func properPrefixes(_ octets: [UInt8]) -> [[UInt8]] { (0..<octets.count).map { Array(octets.prefix($0)) } }

  /// Every single bit turned over, one at a time; and every octet set to the values that break length fields most
  /// often.
  static func damaged(_ octets: [UInt8]) -> [[UInt8]] {
    let flips = (0..<octets.count * 8).map { bit in
      var flipped = octets
      flipped[bit >> 3] ^= 1 << UInt8(bit & 7)
      return flipped
    }
    let awkward = (0..<octets.count).flatMap { index in
      ([0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF] as [UInt8]).map { value in
        var changed = octets
        changed[index] = value
        return changed
      }
    }
    return flips + awkward
  }
}
