package import BluetoothWire

/// Fields whose most significant octet comes first, as all of the Internet's are (RFC 1700, Data Notations).
extension OctetReader {
  package mutating func bigEndian16() throws(WireError) -> UInt16 { try u16().byteSwapped }
  package mutating func bigEndian32() throws(WireError) -> UInt32 { try u32().byteSwapped }
}

extension [UInt8] {
  package mutating func append(bigEndian value: UInt16) {
    append(UInt8(truncatingIfNeeded: value >> 8))
    append(UInt8(truncatingIfNeeded: value))
  }

  package mutating func append(bigEndian value: UInt32) {
    append(bigEndian: UInt16(truncatingIfNeeded: value >> 16))
    append(bigEndian: UInt16(truncatingIfNeeded: value))
  }

  /// Puts a number in the place of two octets that are there already.
  mutating func set(bigEndian value: UInt16, at index: Int) {
    self[index] = UInt8(truncatingIfNeeded: value >> 8)
    self[index + 1] = UInt8(truncatingIfNeeded: value)
  }
}
