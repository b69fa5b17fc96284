import BluetoothWire

/// The address of a network interface, EUI-48 (IEEE 802-2014, 8.2). Ordered as written.
public struct MACAddress: Hashable, Comparable, Sendable {
  /// The six octets as one number, the first one most significant; the upper 16 bits are zero.
  public let bits: UInt64

  public init(bits: UInt64) { self.bits = bits & 0xFFFF_FFFF_FFFF }

  /// An address that no vendor has given out: the second bit of the first octet is set, the group bit is not.
  public init(locallyAdministered bits: UInt64) { self.init(bits: bits & 0xFCFF_FFFF_FFFF | 0x0200_0000_0000) }

  /// Where packets for a group of IPv6 go: 33:33 and the last four octets of the group (RFC 2464, 7).
  public init(groupOf address: IPAddress) {
    self.init(bits: 0x3333_0000_0000 | address.octets.suffix(4).reduce(0) { $0 << 8 | UInt64($1) })
  }

  init(from reader: inout OctetReader) throws(WireError) {
    let octets = try reader.take(6)
    self.init(bits: octets.reduce(0) { $0 << 8 | UInt64($1) })
  }

  public var octets: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: bits >> (40 - 8 * UInt64($0))) } }

  public static func < (a: Self, b: Self) -> Bool { a.bits < b.bits }
}

extension MACAddress: CustomStringConvertible {
  public var description: String { String(hexadecimal: octets, separator: ":") }
}
