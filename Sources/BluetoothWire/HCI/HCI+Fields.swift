extension OctetReader {
  /// The packet indicator, which must be `indicator`.
  mutating func indicator(_ indicator: UInt8) throws(WireError) {
    if try u8() != indicator { throw WireError(.unknownType, at: 0) }
  }

  /// A length octet or two, which must count exactly what is left.
  mutating func lengthOfRest(octets count: Int) throws(WireError) {
    let length = Int(try unsigned(count))
    try require(length)
    if remaining > length { throw WireError(.trailingOctets, at: offset + length) }
  }

  /// An octet that may be 0 or 1.
  mutating func bool() throws(WireError) -> Bool {
    let position = offset
    switch try u8() {
    case 0: return false
    case 1: return true
    default: throw WireError(.valueOutOfRange, at: position)
    }
  }

  /// An octet that must be a case of a closed enumeration.
  mutating func closed<Value: RawRepresentable<UInt8>>(_ type: Value.Type = Value.self) throws(WireError) -> Value {
    let position = offset
    guard let value = Value(rawValue: try u8()) else { throw WireError(.valueOutOfRange, at: position) }
    return value
  }

  mutating func errorCode() throws(WireError) -> HCI.ErrorCode { HCI.ErrorCode(try u8()) }

  /// Address type and address, as HCI has them: 7 octets.
  mutating func typedAddress() throws(WireError) -> BluetoothAddress {
    let kind = try closed(BluetoothAddress.Kind.self)
    return try address(kind)
  }

  /// As `typedAddress`; zeros are none, as hosts leave the field where it means nothing.
  mutating func typedAddressOrNone() throws(WireError) -> BluetoothAddress? {
    let address = try typedAddress()
    return address == BluetoothAddress(kind: .publicDevice, bits: 0) ? nil : address
  }

  /// A count octet, then handle and count of each entry.
  mutating func completedPackets() throws(WireError) -> [HCI.CompletedPackets] {
    let count = Int(try u8())
    try require(4 * count)
    var list: [HCI.CompletedPackets] = []
    list.reserveCapacity(count)
    for _ in 0..<count { list.append(HCI.CompletedPackets(handle: try u16(), count: try u16())) }
    return list
  }
}

extension [UInt8] {
  mutating func append(typed address: BluetoothAddress) {
    append(address.kind.rawValue)
    append(littleEndian: address.bits, count: 6)
  }

  mutating func append(typedOrNone address: BluetoothAddress?) {
    append(typed: address ?? BluetoothAddress(kind: .publicDevice, bits: 0))
  }

  /// The first `count` octets of `field`, and zeros if it has fewer.
  mutating func append(_ field: [UInt8], paddedTo count: Int) {
    append(contentsOf: field.prefix(count))
    append(contentsOf: repeatElement(0, count: Swift.max(0, count - field.count)))
  }

  /// At most 63 entries, which is what an event can carry.
  mutating func append(completed list: [HCI.CompletedPackets]) {
    append(UInt8(Swift.min(list.count, 63)))
    for entry in list.prefix(63) {
      append(littleEndian: entry.handle)
      append(littleEndian: entry.count)
    }
  }
}
