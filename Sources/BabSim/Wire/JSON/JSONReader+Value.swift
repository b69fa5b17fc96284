extension JSONReader {
  /// Skips the value of an unknown key as loosely as the published decoder does: strings must end and have valid
  /// escapes, brackets must match, all else passes. No recursion, at any depth.
  mutating func skipValue() throws(BabPacketError) {
    skipSpaces()
    guard position < end else { throw BabPacketError(.unexpectedEnd, offset: end) }
    guard base[position] == 0x7B || base[position] == 0x5B else {
      _ = try scanString()
      return
    }
    var closers: [UInt8] = []
    repeat {
      skipSpaces()
      guard position < end else { throw BabPacketError(.unexpectedEnd, offset: end) }
      let octet = base[position]
      switch octet {
      case 0x22:
        _ = try scanString()
        continue
      case 0x7B: closers.append(0x7D)
      case 0x5B: closers.append(0x5D)
      case 0x7D, 0x5D:
        if closers.last != octet { throw unexpected(octet == 0x7D ? "]" : "}") }
        closers.removeLast()
      default: break
      }
      position += 1
    } while !closers.isEmpty
  }

  /// A value that is kept. Every comma counts here, and the depth is bounded.
  mutating func value(depth: Int = 0) throws(BabPacketError) -> JSONValue {
    skipSpaces()
    guard position < end else { throw BabPacketError(.unexpectedEnd, offset: end) }
    switch base[position] {
    case 0x7B: return try .object(object(depth: depth + 1))
    case 0x5B:
      guard depth < WireLimits.nesting else { throw BabPacketError(.tooDeep, offset: position) }
      var elements: [JSONValue] = []
      try beginArray()
      while try nextElement(isFirst: elements.isEmpty) { elements.append(try value(depth: depth + 1)) }
      return .array(elements)
    default:
      let span = try scanString()
      if span.isNull { return .null }
      let text = text(span)
      return !span.isQuoted && JSONValue.isLiteral(text) ? .literal(text) : .string(text)
    }
  }

  /// An object that is kept; unquoted `null` is a key here like any other.
  mutating func object(depth: Int = 1) throws(BabPacketError) -> OrderedMap<JSONValue> {
    skipSpaces()
    guard depth <= WireLimits.nesting else { throw BabPacketError(.tooDeep, offset: position) }
    var members = OrderedMap<JSONValue>()
    var isFirst = true
    try beginObject()
    while let key = try nextEntry(isFirst: isFirst, allowsNull: true) {
      isFirst = false
      members[key] = try value(depth: depth)
      guard members.count <= WireLimits.mapEntries else { throw BabPacketError(.tooManyEntries, offset: position) }
    }
    return members
  }

  /// A map; of a key that occurs twice the last value counts, at the first one's place.
  mutating func map<Value: PacketValue>() throws(BabPacketError) -> OrderedMap<Value> {
    var map = OrderedMap<Value>()
    var isFirst = true
    try beginObject()
    while let key = try nextEntry(isFirst: isFirst) {
      isFirst = false
      map[key] = try Value(from: &self)
      guard map.count <= WireLimits.mapEntries else { throw BabPacketError(.tooManyEntries, offset: position) }
    }
    return map
  }
}
