/// Several fields in their order, declared once for reading and for writing.
///
/// Whoever goes through the fields puts others in their place, or takes them as they are.
protocol WireRecord: WireValue {
  /// Any value: one that is read begins with it.
  static var blank: Self { get }
  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure)
}

extension WireRecord {
  init(reading reader: inout OctetReader) throws(WireError) {
    self = .blank
    try fields(&reader)
  }

  func append(to octets: inout [UInt8]) {
    var record = self
    record.fields(&octets)
  }
}

/// Goes through the fields of a record: reads them, or writes them, which never fails.
protocol FieldPass {
  associatedtype Failure: Error
  mutating func field<Value: WireValue>(_ value: inout Value) throws(Failure)
  /// As many entries as the record says elsewhere.
  mutating func list<Entry: WireValue>(_ list: inout [Entry], count: Int) throws(Failure)
}

extension FieldPass {
  mutating func fields<A: WireValue, B: WireValue>(_ a: inout A, _ b: inout B) throws(Failure) {
    try field(&a)
    try field(&b)
  }

  mutating func fields<A: WireValue, B: WireValue, C: WireValue>(
    _ a: inout A, _ b: inout B, _ c: inout C
  ) throws(Failure) {
    try fields(&a, &b)
    try field(&c)
  }

  mutating func fields<A: WireValue, B: WireValue, C: WireValue, D: WireValue>(
    _ a: inout A, _ b: inout B, _ c: inout C, _ d: inout D
  ) throws(Failure) {
    try fields(&a, &b)
    try fields(&c, &d)
  }

  /// Numbers of three octets; of a larger one the higher bits are left out.
  mutating func three(_ value: inout UInt32) throws(Failure) {
    try field(&value, as: { Wide<3>(UInt64($0 & 0xFF_FFFF)) }, { UInt32($0.value) })
  }

  mutating func three(_ a: inout UInt32, _ b: inout UInt32) throws(Failure) {
    try three(&a)
    try three(&b)
  }

  /// A field whose form on the wire is another type's.
  mutating func field<Value, Form: WireValue>(
    _ value: inout Value, as form: (Value) -> Form, _ back: (Form) -> Value
  ) throws(Failure) {
    var formed = form(value)
    try field(&formed)
    value = back(formed)
  }
}

extension OctetReader: FieldPass {
  mutating func field<Value: WireValue>(_ value: inout Value) throws(WireError) { value = try next() }

  mutating func list<Entry: WireValue>(_ list: inout [Entry], count: Int) throws(WireError) {
    list = try self.list(count)
  }
}

extension [UInt8]: FieldPass {
  typealias Failure = Never
  mutating func field<Value: WireValue>(_ value: inout Value) { value.append(to: &self) }

  mutating func list<Entry: WireValue>(_ list: inout [Entry], count: Int) {
    for entry in list.prefix(count) { entry.append(to: &self) }
  }
}
