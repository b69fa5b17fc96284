extension OctetReader {
  /// The packet indicator, which must be `indicator`.
  mutating func indicator(_ indicator: UInt8) throws(WireError) {
    if try u8() != indicator { throw WireError(.unknownType, at: 0) }
  }

  /// A length octet or two, which must count exactly what is left.
  /// - Parameter mask: the bits of the field that count.
  mutating func lengthOfRest(octets count: Int, mask: UInt64 = 0xFFFF) throws(WireError) {
    let length = Int(try unsigned(count) & mask)
    try require(length)
    if remaining > length { throw WireError(.trailingOctets, at: offset + length) }
  }

  /// The refusal of a value that the typed values cannot hold.
  mutating func strange(at position: Int) -> WireError {
    isStrange = true
    return WireError(.valueOutOfRange, at: position)
  }
}

// MARK: Addresses

/// Address type and address, as HCI has them: 7 octets.
extension BluetoothAddress: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) {
    let kind: Kind = try reader.next()
    self = try reader.address(kind)
  }

  func append(to octets: inout [UInt8]) {
    octets.append(kind.rawValue)
    octets.append(littleEndian: bits, count: 6)
  }
}

/// Address type and address with any type octet: 7 octets.
extension HCI.PeerAddress: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) {
    let kind: Kind = try reader.next()
    self.init(kind: kind, bits: try reader.unsigned(6))
  }

  func append(to octets: inout [UInt8]) {
    octets.append(kind.rawValue)
    octets.append(littleEndian: bits, count: 6)
  }
}

/// Address type and address; zeros are none, as hosts leave the field where it means nothing.
struct AddressOrNone: WireValue {
  private static let none = BluetoothAddress(kind: .publicDevice, bits: 0)

  var value: BluetoothAddress?
  init(_ value: BluetoothAddress?) { self.value = value }

  init(reading reader: inout OctetReader) throws(WireError) {
    let address: BluetoothAddress = try reader.next()
    value = address == Self.none ? nil : address
  }

  func append(to octets: inout [UInt8]) { (value ?? Self.none).append(to: &octets) }
}

/// The six octets of a random address; zeros are none where there may be none.
struct RandomAddress: WireValue {
  var value: BluetoothAddress
  init(_ value: BluetoothAddress?) { self.value = value ?? BluetoothAddress(kind: .random, bits: 0) }
  init(reading reader: inout OctetReader) throws(WireError) { value = try reader.address(.random) }
  func append(to octets: inout [UInt8]) { octets.append(littleEndian: value.bits, count: 6) }

  var orNone: BluetoothAddress? { value.bits == 0 ? nil : value }
}

/// Address type and address of a device, perhaps an identity (types 0 … 3); another type is strange.
struct DeviceAddress: WireValue {
  var address: BluetoothAddress
  var isIdentity: Bool

  init(_ address: BluetoothAddress, isIdentity: Bool) {
    self.address = address
    self.isIdentity = isIdentity
  }

  init(reading reader: inout OctetReader) throws(WireError) {
    let position = reader.offset
    let peer: HCI.PeerAddress = try reader.next()
    guard peer.kind.rawValue <= 3, let device = peer.device else { throw reader.strange(at: position) }
    self.init(device, isIdentity: peer.isIdentity)
  }

  func append(to octets: inout [UInt8]) { HCI.PeerAddress(address, isIdentity: isIdentity).append(to: &octets) }
}

extension FieldPass {
  mutating func device(_ address: inout BluetoothAddress, _ isIdentity: inout Bool) throws(Failure) {
    var device = DeviceAddress(address, isIdentity: isIdentity)
    try field(&device)
    (address, isIdentity) = (device.address, device.isIdentity)
  }
}

// MARK: Others

/// `All_PHYs`, `TX_PHYs`, `RX_PHYs`: a bit of the first voids a mask after it.
struct PHYWishes: WireValue {
  var tx: HCI.PHYMask?
  var rx: HCI.PHYMask?

  init(_ tx: HCI.PHYMask?, _ rx: HCI.PHYMask?) {
    self.tx = tx
    self.rx = rx
  }

  init(reading reader: inout OctetReader) throws(WireError) {
    let all = try reader.u8()
    let masks: (tx: HCI.PHYMask, rx: HCI.PHYMask) = (try reader.next(), try reader.next())
    self.init(all & 0x01 == 0 ? masks.tx : nil, all & 0x02 == 0 ? masks.rx : nil)
  }

  func append(to octets: inout [UInt8]) {
    octets += [(tx == nil ? 0x01 : 0) | (rx == nil ? 0x02 : 0), tx?.rawValue ?? 0, rx?.rawValue ?? 0]
  }
}

/// A count and 31 octets, of which as many count.
struct LegacyAdvertisingData: WireValue {
  var value: [UInt8]
  init(_ value: [UInt8]) { self.value = value }

  init(reading reader: inout OctetReader) throws(WireError) {
    let position = reader.offset
    let count = Int(try reader.u8())
    if count > LL.maximumAdvertisingData { throw WireError(.valueOutOfRange, at: position) }
    value = Array(try reader.take(LL.maximumAdvertisingData).prefix(count))
  }

  func append(to octets: inout [UInt8]) {
    octets.append(UInt8(min(value.count, LL.maximumAdvertisingData)))
    Padded<31>(value).append(to: &octets)
  }
}

/// One report and its count; several are strange.
struct OneReport<Report: WireValue>: WireValue {
  var value: Report
  init(_ value: Report) { self.value = value }

  init(reading reader: inout OctetReader) throws(WireError) {
    let position = reader.offset
    if try reader.u8() != 1 { throw reader.strange(at: position) }
    value = try reader.next()
  }

  func append(to octets: inout [UInt8]) {
    octets.append(1)
    value.append(to: &octets)
  }
}

extension HCI.CompletedPackets: WireRecord {
  static let blank = Self(handle: 0, count: 0)
  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) { try pass.fields(&handle, &count) }
}
