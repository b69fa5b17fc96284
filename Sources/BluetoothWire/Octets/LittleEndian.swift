extension [UInt8] {
  /// Appends the lowest `count` octets of `value`, least significant first; `count` is 0 … 8.
  package mutating func append(littleEndian value: UInt64, count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
  }

  mutating func append(littleEndian value: UInt16) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value >> 8))
  }

  mutating func append(littleEndian value: UInt32) { append(littleEndian: UInt64(value), count: 4) }
}

extension [UInt8] {
  /// The first `count` octets of `value`, and zeros if it has fewer.
  mutating func append(_ value: [UInt8], paddedTo count: Int) {
    append(contentsOf: value.prefix(count))
    append(contentsOf: repeatElement(0, count: Swift.max(0, count - value.count)))
  }
}

extension OctetReader {
  /// Six octets of a device address, least significant first.
  mutating func address(_ kind: BluetoothAddress.Kind) throws(WireError) -> BluetoothAddress {
    BluetoothAddress(kind: kind, bits: try unsigned(6))
  }
}
