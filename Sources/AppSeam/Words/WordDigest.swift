public import SimKernel

extension TraceDigest {
  /// Mixes a word in: its name, then its fields by name and value. Nothing else of a statement reaches a digest, so
  /// types may be renamed and moved.
  @inlinable public mutating func combine(_ statement: some AppStatement) {
    var visitor = DigestVisitor(digest: self)
    var copy = statement
    copy.visit(&visitor)
    self = visitor.digest
  }
}

@usableFromInline
struct DigestVisitor: WordVisitor {
  @usableFromInline typealias Failure = Never

  @usableFromInline var digest: TraceDigest

  @inlinable init(digest: TraceDigest) { self.digest = digest }

  @inlinable mutating func name(_ name: StaticString) {
    name.withUTF8Buffer { octets in
      var word: UInt64 = 0
      for octet in octets { word = word &* 0x100_0000_01B3 ^ UInt64(octet) }
      digest.combine(word)
    }
  }

  @inlinable mutating func word(_ name: StaticString) { self.name(name) }

  @inlinable mutating func field(_ name: StaticString, _ value: inout String) {
    self.name(name)
    digest.combine(text: value)
  }

  @inlinable mutating func field(_ name: StaticString, _ value: inout String?) {
    self.name(name)
    digest.combine(value == nil ? 0 : 1)
    if let value { digest.combine(text: value) }
  }

  @inlinable mutating func field(_ name: StaticString, _ value: inout Int64) {
    self.name(name)
    digest.combine(UInt64(bitPattern: value))
  }

  @inlinable mutating func field(_ name: StaticString, _ value: inout Bool) {
    self.name(name)
    digest.combine(value ? 1 : 0)
  }

  @inlinable mutating func field(_ name: StaticString, _ value: inout [String]) {
    self.name(name)
    digest.combine(UInt64(value.count))
    for text in value { digest.combine(text: text) }
  }

  @inlinable mutating func field(_ name: StaticString, _ value: inout LinkID) {
    self.name(name)
    digest.combine(UInt64(value.rawValue))
  }

  @inlinable mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) {
    self.name(name)
    digest.combine(UInt64(value.count))
    for index in value.indices { value[index].visit(&self) }
  }
}
