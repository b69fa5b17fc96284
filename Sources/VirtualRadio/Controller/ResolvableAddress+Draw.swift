import BluetoothWire
import LinkCrypto
import SimKernel

extension ResolvableAddress {
  /// Makes one. The random part of prand is neither all zeros nor all ones.
  static func make(_ key: Key, _ stream: inout RandomStream) -> BluetoothAddress {
    let prand = UInt32(stream.within(1...0x3F_FFFE)) | 0b01 << 22
    return BluetoothAddress(kind: .random, bits: UInt64(prand) << 24 | UInt64(hash(key, prand: prand)))
  }
}
