/// A value in a packet: it can be read and written.
protocol PacketValue: Hashable, Sendable {
  init(from reader: inout JSONReader) throws(BabPacketError)
  func write(to writer: inout JSONWriter)

  /// A map with values of this type.
  static func map(from reader: inout JSONReader) throws(BabPacketError) -> OrderedMap<Self>
}

/// Takes the fields of an object one after another, and reads each value or writes it.
protocol PacketFieldVisitor: ~Copyable {
  associatedtype Failure: Error

  /// Whether a field has been given a value since the visit began; never so for a visitor that writes.
  var hasRead: Bool { get }

  /// A field that must be there; it may be null if its type is optional.
  mutating func required<Value: PacketValue>(_ key: StaticString, _ value: inout Value) throws(Failure)

  /// A field that may be absent, and then keeps the value it has.
  mutating func optional<Value: PacketValue>(_ key: StaticString, _ value: inout Value) throws(Failure)
}

/// An object with named fields. Reader, writer and defaults all follow from `visit`.
///
/// Spec: BAB 4.1–4.17.
protocol PacketFields {
  /// Names each field once, in the order of the wire. At most 32 fields.
  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure)
}

/// An object that is a value by itself.
protocol PacketObject: PacketFields, PacketValue {
  /// What is read into: defaults where there are any, else any value.
  static var blank: Self { get }
}

extension PacketObject {
  init(from reader: inout JSONReader) throws(BabPacketError) {
    self = .blank
    try reader.beginObject()
    try reader.fields(of: &self)
  }

  func write(to writer: inout JSONWriter) {
    writer.octet(0x7B)
    writer.fields(of: self)
  }
}

// MARK: Reading

/// Where the reader stands among the fields of one object.
struct FieldCursor {
  /// A key has been read, and its value not yet.
  var hasKey = false
  /// A value has been read in this pass.
  var hasRead = false
  /// The fields are gone through for the first one that is lacking.
  var namesLacking = false
  /// The bit of the field that is visited next.
  var bit: UInt32 = 1
  /// The bits of the fields that must be there, and of those that were.
  var required: UInt32 = 0
  var seen: UInt32 = 0
}

extension JSONReader: PacketFieldVisitor {
  var hasRead: Bool { cursor.hasRead }

  /// Reads the rest of an object, after its opening brace.
  ///
  /// Keys and fields are gone through side by side, so that keys in the order of the wire need one pass. A pass that
  /// reads nothing proves the key unknown.
  @inline(__always)
  mutating func fields<Object: PacketFields>(of object: inout Object) throws(BabPacketError) {
    let outer = cursor
    cursor = FieldCursor()
    cursor.hasKey = try nextKey()
    repeat {
      cursor.bit = 1
      cursor.hasRead = false
      try object.visit(&self)
      if cursor.hasKey, !cursor.hasRead {
        try skipValue()
        cursor.hasKey = try nextKey()
      }
    } while cursor.hasKey
    if cursor.required & ~cursor.seen != 0 {
      cursor.bit = 1
      cursor.namesLacking = true
      try object.visit(&self)
    }
    cursor = outer
  }

  @inline(__always)
  mutating func required<Value: PacketValue>(_ key: StaticString, _ value: inout Value) throws(BabPacketError) {
    cursor.required |= cursor.bit
    if cursor.namesLacking, cursor.seen & cursor.bit == 0 { throw missing(key) }
    try optional(key, &value)
  }

  @inline(__always)
  mutating func optional<Value: PacketValue>(_ key: StaticString, _ value: inout Value) throws(BabPacketError) {
    let bit = cursor.bit
    cursor.bit = bit << 1
    guard cursor.hasKey, self.key(is: key) else { return }
    value = try Value(from: &self)
    cursor.seen |= bit
    cursor.hasRead = true
    cursor.hasKey = try nextKey()
  }

  @inline(never)
  private func missing(_ key: StaticString) -> BabPacketError {
    BabPacketError(.missingKey(key.description), offset: position)
  }
}

// MARK: Writing

extension JSONWriter: PacketFieldVisitor {
  var hasRead: Bool { false }

  /// Writes the fields of an object, and its closing brace.
  @inline(__always)
  mutating func fields<Object: PacketFields>(of object: Object) {
    // The object is visited where it is, not copied: this visitor changes no field.
    withUnsafePointer(to: object) { UnsafeMutablePointer(mutating: $0).pointee.visit(&self) }
    octet(0x7D)
  }

  @inline(__always)
  mutating func required<Value: PacketValue>(_ key: StaticString, _ value: inout Value) {
    name(key)
    value.write(to: &self)
  }

  @inline(__always)
  mutating func optional<Value: PacketValue>(_ key: StaticString, _ value: inout Value) { required(key, &value) }
}
