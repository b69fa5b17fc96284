/// A value of a field, or several fields that belong together, with one form on the wire.
protocol WireValue {
  init(reading reader: inout OctetReader) throws(WireError)
  /// Appends what `init(reading:)` reads.
  func append(to octets: inout [UInt8])
}

/// A number with a name of its own.
protocol WireNumber: WireValue {
  associatedtype Number: WireValue
  var rawValue: Number { get }
  init(rawValue: Number)
}

extension WireNumber {
  init(reading reader: inout OctetReader) throws(WireError) { self.init(rawValue: try reader.next()) }
  func append(to octets: inout [UInt8]) { rawValue.append(to: &octets) }
}

/// An octet that must be a case of a closed enumeration.
protocol WireChoice: WireValue, RawRepresentable where RawValue == UInt8 {}

extension WireChoice {
  init(reading reader: inout OctetReader) throws(WireError) {
    let position = reader.offset
    guard let value = Self(rawValue: try reader.u8()) else { throw WireError(.valueOutOfRange, at: position) }
    self = value
  }

  func append(to octets: inout [UInt8]) { octets.append(rawValue) }
}

// MARK: Numbers

extension UInt8: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) { self = try reader.u8() }
  func append(to octets: inout [UInt8]) { octets.append(self) }
}

extension Int8: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) { self.init(bitPattern: try reader.u8()) }
  func append(to octets: inout [UInt8]) { octets.append(UInt8(bitPattern: self)) }
}

extension UInt16: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) { self = try reader.u16() }
  func append(to octets: inout [UInt8]) { octets.append(littleEndian: self) }
}

extension Int16: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) { self.init(bitPattern: try reader.u16()) }
  func append(to octets: inout [UInt8]) { octets.append(littleEndian: UInt16(bitPattern: self)) }
}

extension UInt32: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) { self = try reader.u32() }
  func append(to octets: inout [UInt8]) { octets.append(littleEndian: self) }
}

extension UInt64: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) { self = try reader.u64() }
  func append(to octets: inout [UInt8]) { octets.append(littleEndian: self, count: 8) }
}

/// An octet that may be 0 or 1.
extension Bool: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) {
    let position = reader.offset
    let octet = try reader.u8()
    if octet > 1 { throw WireError(.valueOutOfRange, at: position) }
    self = octet == 1
  }

  func append(to octets: inout [UInt8]) { octets.append(self ? 1 : 0) }
}

/// A number of `width` octets, which no type of Swift has.
struct Wide<let width: Int>: WireValue {
  var value: UInt64
  init(_ value: UInt64) { self.value = value }
  init(reading reader: inout OctetReader) throws(WireError) { value = try reader.unsigned(width) }
  func append(to octets: inout [UInt8]) { octets.append(littleEndian: value, count: width) }
}

// MARK: Octets

/// Everything that is left.
extension [UInt8]: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) { self = reader.rest() }
  func append(to octets: inout [UInt8]) { octets.append(contentsOf: self) }
}

/// `count` octets; they go out as they are, however many there are.
struct Octets<let count: Int>: WireValue {
  var value: [UInt8]
  init(_ value: [UInt8]) { self.value = value }
  init(reading reader: inout OctetReader) throws(WireError) { value = try reader.take(count) }
  func append(to octets: inout [UInt8]) { octets.append(contentsOf: value) }
}

/// `count` octets; what is shorter goes out with zeros after it, what is longer is cut.
struct Padded<let count: Int>: WireValue {
  var value: [UInt8]
  init(_ value: [UInt8]) { self.value = value }
  init(reading reader: inout OctetReader) throws(WireError) { value = try reader.take(count) }

  func append(to octets: inout [UInt8]) { octets.append(value, paddedTo: count) }
}

/// Everything that is left, at least `least` octets.
struct AtLeast<let least: Int>: WireValue {
  var value: [UInt8]
  init(_ value: [UInt8]) { self.value = value }

  init(reading reader: inout OctetReader) throws(WireError) {
    try reader.require(least)
    value = reader.rest()
  }

  func append(to octets: inout [UInt8]) { octets.append(contentsOf: value) }
}

/// Everything that is left; `limit` octets of it go out.
struct AtMost<let limit: Int>: WireValue {
  var value: [UInt8]
  init(_ value: [UInt8]) { self.value = value }
  init(reading reader: inout OctetReader) throws(WireError) { value = reader.rest() }
  func append(to octets: inout [UInt8]) { octets.append(contentsOf: value.prefix(limit)) }
}

// MARK: Lists

/// An octet that counts, and as many octets; `limit` of them go out.
struct CountedOctets<let limit: Int>: WireValue {
  var value: [UInt8]
  init(_ value: [UInt8]) { self.value = value }
  init(reading reader: inout OctetReader) throws(WireError) { value = try reader.take(Int(try reader.u8())) }

  func append(to octets: inout [UInt8]) {
    let sent = value.prefix(limit)
    octets.append(UInt8(sent.count))
    octets.append(contentsOf: sent)
  }
}

/// An octet that counts, and as many entries; 63 of them go out, which is what a command or an event can carry.
struct CountedList<Entry: WireValue>: WireValue {
  private static var limit: Int { 63 }

  var value: [Entry]
  init(_ value: [Entry]) { self.value = value }
  init(reading reader: inout OctetReader) throws(WireError) { value = try reader.list(Int(try reader.u8())) }

  func append(to octets: inout [UInt8]) {
    let count = min(value.count, Self.limit)
    octets.append(UInt8(count))
    for index in 0..<count { value[index].append(to: &octets) }
  }
}

/// An octet that counts, and as many entries; the first ones go out, as many as fit into `limit` octets.
struct FittingList<Entry: WireValue, let limit: Int>: WireValue {
  var value: [Entry]
  init(_ value: [Entry]) { self.value = value }
  init(reading reader: inout OctetReader) throws(WireError) { value = try reader.list(Int(try reader.u8())) }

  func append(to octets: inout [UInt8]) {
    let start = octets.count
    octets.append(0)
    for entry in value.prefix(255) {
      let end = octets.count
      entry.append(to: &octets)
      if octets.count - start - 1 > limit { return octets.removeLast(octets.count - end) }
      octets[start] += 1
    }
  }
}

/// Entries to the end of the PDU, at least `least` octets of them.
struct Entries<Entry: WireValue, let least: Int>: WireValue {
  var value: [Entry]
  init(_ value: [Entry]) { self.value = value }

  init(reading reader: inout OctetReader) throws(WireError) {
    try reader.require(least)
    value = []
    while !reader.isAtEnd { value.append(try Entry(reading: &reader)) }
  }

  func append(to octets: inout [UInt8]) { for entry in value { entry.append(to: &octets) } }
}

extension OctetReader {
  /// The next value, of the type that is asked for.
  mutating func next<Value: WireValue>() throws(WireError) -> Value { try Value(reading: &self) }

  mutating func list<Entry: WireValue>(_ count: Int) throws(WireError) -> [Entry] {
    var list: [Entry] = []
    for _ in 0..<count { list.append(try next()) }
    return list
  }
}
