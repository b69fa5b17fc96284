extension PacketValue {
  static func map(from reader: inout JSONReader) throws(BabPacketError) -> OrderedMap<Self> { try reader.map() }
}

extension String: PacketValue {
  init(from reader: inout JSONReader) throws(BabPacketError) { self = try reader.string() }
  func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: PacketValue {
  init(from reader: inout JSONReader) throws(BabPacketError) { self = try reader.boolean() }
  func write(to writer: inout JSONWriter) { writer.boolean(self) }
}

extension Int32: PacketValue {
  init(from reader: inout JSONReader) throws(BabPacketError) { self = try reader.int32() }
  func write(to writer: inout JSONWriter) { writer.integer(Int64(self)) }
}

extension Int64: PacketValue {
  init(from reader: inout JSONReader) throws(BabPacketError) { self = try reader.int64() }
  func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Float: PacketValue {
  init(from reader: inout JSONReader) throws(BabPacketError) { self = try reader.float() }
  func write(to writer: inout JSONWriter) { writer.float(self) }
}

/// Carried, not interpreted; null counts as a key in a map of these.
extension JSONValue: PacketValue {
  init(from reader: inout JSONReader) throws(BabPacketError) { self = try reader.value() }
  func write(to writer: inout JSONWriter) { writer.value(self) }
  static func map(from reader: inout JSONReader) throws(BabPacketError) -> OrderedMap<Self> { try reader.object() }
}

extension Optional: PacketValue where Wrapped: PacketValue {
  init(from reader: inout JSONReader) throws(BabPacketError) {
    self = reader.takeNull() ? nil : try Wrapped(from: &reader)
  }

  func write(to writer: inout JSONWriter) {
    if let self { self.write(to: &writer) } else { writer.raw("null") }
  }
}

extension Array: PacketValue where Element: PacketValue {
  init(from reader: inout JSONReader) throws(BabPacketError) {
    self = []
    try reader.beginArray()
    while try reader.nextElement(isFirst: isEmpty) { append(try Element(from: &reader)) }
  }

  func write(to writer: inout JSONWriter) {
    writer.octet(0x5B)
    for index in indices {
      if index > 0 { writer.octet(0x2C) }
      self[index].write(to: &writer)
    }
    writer.octet(0x5D)
  }
}

extension OrderedMap: PacketValue where Value: PacketValue {
  init(from reader: inout JSONReader) throws(BabPacketError) { self = try Value.map(from: &reader) }

  func write(to writer: inout JSONWriter) {
    writer.octet(0x7B)
    for index in entries.indices {
      if index > 0 { writer.octet(0x2C) }
      writer.string(entries[index].key)
      writer.octet(0x3A)
      entries[index].value.write(to: &writer)
    }
    writer.octet(0x7D)
  }
}

/// A closed set of names.
protocol PacketName: PacketValue, CaseIterable, RawRepresentable<String> {
  /// What a text that is none of the names is called in a refusal.
  static var kind: StaticString { get }
}

extension PacketName {
  init(from reader: inout JSONReader) throws(BabPacketError) { self = try reader.name() }

  func write(to writer: inout JSONWriter) {
    writer.octet(0x22)
    writer.word(rawValue)
    writer.octet(0x22)
  }
}

extension PacketType: PacketName { static var kind: StaticString { "packet type" } }
extension SessionMode: PacketName { static var kind: StaticString { "mode" } }
extension ConnectionStatus: PacketName { static var kind: StaticString { "connection status" } }
extension GamePhase: PacketName { static var kind: StaticString { "phase" } }
extension VoteAction: PacketName { static var kind: StaticString { "vote action" } }
extension LineVisibility: PacketName { static var kind: StaticString { "visibility" } }
extension ConnectionQuality: PacketName { static var kind: StaticString { "connection quality" } }
