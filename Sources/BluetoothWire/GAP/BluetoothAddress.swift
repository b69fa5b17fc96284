/// A 48-bit device address with its type.
///
/// Spec: Core v5.4, Vol 6, Part B, 1.3. On the wire the least significant octet goes first.
public struct BluetoothAddress: Hashable, Sendable {
  /// Whether the address is public or random (Vol 6, Part B, 1.3.1 and 1.3.2).
  public enum Kind: UInt8, Hashable, Sendable {
    case publicDevice = 0
    case random = 1
  }

  public let kind: Kind
  /// The 48 address bits; the upper 16 bits are zero.
  public let bits: UInt64

  public init(kind: Kind, bits: UInt64) {
    self.kind = kind
    self.bits = bits & 0xFFFF_FFFF_FFFF
  }

  /// Six octets, least significant first, as the wire carries them.
  public var octets: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) } }
}

extension BluetoothAddress: CustomStringConvertible {
  /// Most significant octet first, `F0:F1:F2:F3:F4:A0`.
  public var description: String { String(hexadecimal: octets.reversed(), uppercase: true, separator: ":") }

  /// The 48 bits of an address that is written so, in either case; nil for every other text. The text does not say the
  /// type.
  public static func bits(of text: some StringProtocol) -> UInt64? {
    let octets = text.split(separator: ":", omittingEmptySubsequences: false)
    guard octets.count == 6, octets.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }) else {
      return nil
    }
    return octets.reduce(UInt64?(0)) { bits, octet in
      bits.flatMap { bits in UInt8(octet, radix: 16).map { bits << 8 | UInt64($0) } }
    }
  }
}
