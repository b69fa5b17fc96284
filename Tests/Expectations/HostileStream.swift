/// A reproducible stream of numbers (SplitMix64) for hostile inputs.
public struct HostileStream {
  private var state: UInt64

  public init(state: UInt64) { self.state = state }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  public mutating func octets(upTo limit: Int) -> [UInt8] {
    (0..<Int(next() % UInt64(limit + 1))).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
