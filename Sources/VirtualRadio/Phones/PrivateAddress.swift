package import BluetoothWire
import LinkCrypto
package import SimKernel

/// Resolvable private addresses of phones that change theirs (Vol 6, Part B, 1.3.2.2), for those that know the key.
package enum PrivateAddress {
  /// Draws another one.
  /// - Parameter key: an Identity Resolving Key, 16 octets, most significant first.
  package static func draw(_ key: [UInt8], _ stream: inout RandomStream) -> BluetoothAddress {
    ResolvableAddress.make(key, &stream)
  }

  /// Whether an address was made with a key.
  package static func isOf(_ key: [UInt8], _ address: BluetoothAddress) -> Bool {
    ResolvableAddress.resolves(address, with: key)
  }
}
