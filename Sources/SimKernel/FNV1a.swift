/// FNV-1a of 64 bits: a number that stands for octets where a clash costs little. It is no digest of a run
/// (`TraceDigest`).
public enum FNV1a {
  /// That of nothing.
  public static let basis: UInt64 = 0xCBF2_9CE4_8422_2325

  /// - Parameter before: that of the octets before.
  @inlinable
  public static func hash(_ octet: UInt8, after before: UInt64) -> UInt64 {
    (before ^ UInt64(octet)) &* 0x100_0000_01B3
  }

  /// - Parameter before: that of the octets before.
  @inlinable
  public static func hash(_ octets: some Sequence<UInt8>, after before: UInt64 = basis) -> UInt64 {
    octets.reduce(before) { hash($1, after: $0) }
  }
}
