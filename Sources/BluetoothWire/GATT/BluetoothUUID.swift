/// A UUID as attribute types and advertising data carry it: 16 bits over the Base UUID, or 128 bits.
///
/// Spec: Core v5.4, Vol 3, Part B, 2.5.1. A 128-bit value over the Base UUID equals its 16-bit form.
/// 32-bit UUIDs widen to 128 bits (ATT does not carry them, Vol 3, Part F, 3.2.1).
public struct BluetoothUUID: Hashable, Sendable {
  /// The 128 bits, most significant half first.
  public let high: UInt64
  public let low: UInt64

  package static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

  /// A UUID over the Base UUID `0000xxxx-0000-1000-8000-00805F9B34FB`.
  public init(_ short: UInt16) {
    high = UInt64(short) << 32 | 0x1000
    low = Self.baseLow
  }

  /// A UUID of 32 bits over the Base UUID.
  public init(wide: UInt32) { self.init(high: UInt64(wide) << 32 | 0x1000, low: Self.baseLow) }

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The 16-bit form, when there is one.
  public var short: UInt16? {
    guard low == Self.baseLow, high & 0xFFFF_0000_FFFF_FFFF == 0x1000 else { return nil }
    return UInt16(truncatingIfNeeded: high >> 32)
  }
}
