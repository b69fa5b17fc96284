extension JSONReader {
  /// A string, quoted or not; numbers and booleans count as their text, unquoted `null` is refused.
  mutating func string() throws(BabPacketError) -> String {
    let span = try scanString()
    if span.isNull { throw BabPacketError(.unexpectedNull, offset: span.start) }
    return text(span)
  }

  /// A name of an enumeration, octet by octet.
  mutating func name<Name: PacketName>() throws(BabPacketError) -> Name {
    let span = try scanString()
    if span.isNull { throw BabPacketError(.unexpectedNull, offset: span.start) }
    let name = withText(span) { text in
      Name.allCases.first { name in
        let word = name.rawValue.utf8
        guard word.count == text.count else { return false }
        return word.withContiguousStorageIfAvailable { Self.equal($0, text) } ?? false
      }
    }
    guard let name else {
      throw BabPacketError(.unknownName(Name.kind.description), offset: span.isQuoted ? span.start - 1 : span.start)
    }
    return name
  }

  /// `true` or `false` in any case, quoted or not.
  mutating func boolean() throws(BabPacketError) -> Bool {
    skipSpaces()
    let start = position
    if readsWholeScalars {
      let span = try scanString()
      let value = withText(span) { text in
        text.count == 4 && Self.matches(text, "true")
          ? true : text.count == 5 && Self.matches(text, "false") ? false : nil
      }
      guard let value else { throw BabPacketError(.invalidBoolean, offset: start) }
      return value
    }
    let isQuoted = position < end && base[position] == 0x22
    if isQuoted { position += 1 }
    let rest = UnsafeBufferPointer(start: base + position, count: end - position)
    let value: Bool
    if Self.matches(rest, "true") {
      value = true
      position += 4
    } else if Self.matches(rest, "false") {
      value = false
      position += 5
    } else {
      throw BabPacketError(start < end ? .invalidBoolean : .unexpectedEnd, offset: start)
    }
    if isQuoted {
      guard position < end, base[position] == 0x22 else { throw unexpected("closing quote") }
      position += 1
    }
    return value
  }

  /// Whether `text` starts with a lower-case word, in any case of ASCII.
  private static func matches(_ text: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard text.count >= word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount where text[index] | 0x20 != word.utf8Start[index] { return false }
    return true
  }

  /// A 64-bit integer, quoted or not.
  mutating func int64() throws(BabPacketError) -> Int64 {
    skipSpaces()
    let start = position
    let outcome: Result<(value: Int64, end: Int), BabPacketError.Reason>
    if readsWholeScalars {
      let span = try scanString()
      outcome = withText(span) { IntegerLiteral.read($0, from: 0) }
    } else {
      outcome = IntegerLiteral.read(UnsafeBufferPointer(start: base, count: end), from: position)
    }
    switch outcome {
    case .success(let (value, next)):
      if !readsWholeScalars { position = next }
      return value
    case .failure(let reason): throw BabPacketError(reason, offset: start)
    }
  }

  mutating func int32() throws(BabPacketError) -> Int32 {
    skipSpaces()
    let start = position
    guard let value = Int32(exactly: try int64()) else { throw BabPacketError(.numberOverflow, offset: start) }
    return value
  }

  /// A finite 32-bit number, quoted or not, in any notation the JVM reads.
  mutating func float() throws(BabPacketError) -> Float {
    skipSpaces()
    let start = position
    let span = try scanString()
    guard let value = withText(span, { FloatLiteral.read($0) }) else {
      throw BabPacketError(.invalidNumber, offset: start)
    }
    guard value.isFinite else { throw BabPacketError(.notFinite, offset: start) }
    return value
  }
}
