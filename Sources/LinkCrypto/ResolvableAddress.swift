package import BluetoothWire

/// Resolvable private addresses: 24 bits of hash below 24 bits of prand (Vol 6, Part B, 1.3.2.2).
package enum ResolvableAddress {
  /// An Identity Resolving Key, most significant octet first.
  package typealias Key = [UInt8]

  /// The random address function `ah` (Vol 3, Part H, 2.2.2); `prand` has 24 bits.
  package static func hash(_ key: Key, prand: UInt32) -> UInt32 {
    var block = [UInt8](repeating: 0, count: 13)
    for shift in [16, 8, 0] { block.append(UInt8(truncatingIfNeeded: prand >> UInt32(shift))) }
    return AESBlock.encrypt(key: key, block: block).suffix(3).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The two most significant bits of such an address are 01.
  package static func isResolvable(_ address: BluetoothAddress) -> Bool {
    address.kind == .random && address.bits >> 46 == 0b01
  }

  package static func resolves(_ address: BluetoothAddress, with key: Key) -> Bool {
    guard isResolvable(address) else { return false }
    return hash(key, prand: UInt32(address.bits >> 24)) == UInt32(address.bits & 0xFF_FFFF)
  }
}
