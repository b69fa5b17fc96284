extension JSONReader {
  /// A payload. When its discriminator is the first key the fields are read as they come; else the whole object is
  /// taken in first, and the last discriminator counts. Spec: BAB 4.37.
  mutating func payload() throws(BabPacketError) -> PacketPayload {
    skipSpaces()
    let start = position
    if let type = try leadingDiscriminator() {
      return try fields(of: type)
    }
    position = start
    let members = try object()
    guard let discriminator = members["type"] else { throw BabPacketError(.missingDiscriminator, offset: start) }
    let type: PacketType?
    switch discriminator {
    case .string(var text), .literal(var text): type = text.withUTF8 { PacketType(discriminator: $0) }
    case .null, .array, .object: type = nil
    }
    guard let type else { throw BabPacketError(.unknownName("payload type"), offset: start) }
    // Written again, the object is canonical, so the reader below needs no rules of its own.
    var writer = JSONWriter(capacity: 2 * (position - start))
    writer.value(.object(members))
    let outcome: Result<PacketPayload, BabPacketError> = writer.octets.withUnsafeBufferPointer { text in
      var reader = JSONReader(text, base: text.baseAddress!)
      reader.readsWholeScalars = true
      do throws(BabPacketError) {
        try reader.beginObject()
        return .success(try reader.fields(of: type))
      } catch {
        return .failure(BabPacketError(error.reason, offset: start))
      }
    }
    return try outcome.get()
  }

  /// The kind of the payload whose first key is its discriminator; nil when the first key is another one.
  private mutating func leadingDiscriminator() throws(BabPacketError) -> PacketType? {
    guard position < end, base[position] == 0x7B else { throw unexpected("{") }
    position += 1
    skipSpaces()
    guard position < end, base[position] == 0x22 || Self.isPlain(base[position]) else { return nil }
    let key = try scanString()
    guard withText(key, { Self.equal($0, "type") }) else { return nil }
    try expect(0x3A, ":")
    skipSpaces()
    let start = position
    guard position < end, base[position] == 0x22 || Self.isPlain(base[position]) else { return nil }
    let span = try scanString()
    guard let type = withText(span, { PacketType(discriminator: $0) }) else {
      throw BabPacketError(.unknownName("payload type"), offset: start)
    }
    return type
  }

  private mutating func fields(of type: PacketType) throws(BabPacketError) -> PacketPayload {
    var payload = PacketPayload.blank(type)
    try fields(of: &payload)
    return payload
  }
}
