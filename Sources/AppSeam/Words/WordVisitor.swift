public import BluetoothWire

/// Goes through the fields of a word in their order, and takes each value or puts another one in its place.
///
/// A word names its fields once, where it lets itself be visited. Digest, JSON, the pipe and tables are visitors.
/// Those that only read values never fail.
public protocol WordVisitor {
  associatedtype Failure: Error

  /// The word itself, before its fields.
  mutating func word(_ name: StaticString) throws(Failure)

  mutating func field(_ name: StaticString, _ value: inout String) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout String?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout Int64) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout Bool) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout [String]) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout LinkID) throws(Failure)
  /// A text for most visitors; one that reads may know which roles there are.
  mutating func field(_ name: StaticString, _ value: inout AppRole) throws(Failure)
  /// A number for most visitors; one that reads knows the largest.
  mutating func field(_ name: StaticString, _ value: inout UInt8) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout UInt16) throws(Failure)
  /// A text for most visitors; JSON has a number or null.
  mutating func field(_ name: StaticString, _ value: inout UInt8?) throws(Failure)
  /// Hexadecimal digits for most visitors, as the next ones are texts.
  mutating func field(_ name: StaticString, _ value: inout [UInt8]) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout [UInt8]?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout BluetoothUUID) throws(Failure)
  mutating func field(_ name: StaticString, _ value: inout [BluetoothUUID]) throws(Failure)
  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) throws(Failure)
}

extension WordVisitor {
  @inlinable public mutating func field(_ name: StaticString, _ value: inout Int) throws(Failure) {
    var number = Int64(value)
    try field(name, &number)
    value = Int(number)
  }

  @inlinable public mutating func field(_ name: StaticString, _ value: inout AppRole) throws(Failure) {
    var text = value.rawValue
    try field(name, &text)
    value = AppRole(rawValue: text)
  }

  // What follows gives values and takes none back: visitors that read have their own.

  public mutating func field(_ name: StaticString, _ value: inout UInt8) throws(Failure) {
    var number = Int64(value)
    try field(name, &number)
  }

  public mutating func field(_ name: StaticString, _ value: inout UInt16) throws(Failure) {
    var number = Int64(value)
    try field(name, &number)
  }

  public mutating func field(_ name: StaticString, _ value: inout UInt8?) throws(Failure) {
    var text = value.map { String($0) }
    try field(name, &text)
  }

  public mutating func field(_ name: StaticString, _ value: inout [UInt8]) throws(Failure) {
    var text = String(hexadecimal: value)
    try field(name, &text)
  }

  public mutating func field(_ name: StaticString, _ value: inout [UInt8]?) throws(Failure) {
    var text = value.map { String(hexadecimal: $0) }
    try field(name, &text)
  }

  public mutating func field(_ name: StaticString, _ value: inout BluetoothUUID) throws(Failure) {
    var text = value.description
    try field(name, &text)
  }

  public mutating func field(_ name: StaticString, _ value: inout [BluetoothUUID]) throws(Failure) {
    var texts = value.map(\.description)
    try field(name, &texts)
  }
}

/// Several fields that belong together, as an entry of a list in a word.
public protocol WordRecord: WordFields {
  /// Any value; a visitor that reads puts the fields in.
  static var empty: Self { get }
}
