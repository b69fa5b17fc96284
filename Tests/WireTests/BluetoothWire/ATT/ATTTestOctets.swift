/// Octets from hexadecimal digits; blanks are ignored.
func attOctets(_ hex: String) -> [UInt8] {
  let digits = hex.filter { $0 != " " }.compactMap { $0.hexDigitValue }
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// A reproducible stream of numbers (SplitMix64) for hostile inputs.
struct HostileStream {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func octets(upTo limit: Int) -> [UInt8] {
    (0..<Int(next() % UInt64(limit + 1))).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
