extension BabPacket {
  /// Reads a packet as the published decoder does.
  ///
  /// Spec: BAB 4.30–4.46. Total: every octet string is a packet or a refusal.
  /// - Throws: `BabPacketError` with why and where.
  public init(decoding octets: [UInt8]) throws(BabPacketError) {
    let outcome = octets.withUnsafeBufferPointer { BabPacket.decode($0) }
    self = try outcome.get()
  }

  private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> Result<BabPacket, BabPacketError> {
    guard text.count <= WireLimits.packetOctets else {
      return .failure(BabPacketError(.tooLarge, offset: WireLimits.packetOctets))
    }
    guard let base = text.baseAddress, !text.isEmpty else {
      return .failure(BabPacketError(.unexpectedEnd, offset: 0))
    }
    if UTF8Repair.isValid(text) { return decodeValid(text, base) }
    let repaired = UTF8Repair.repaired(text)
    return repaired.withUnsafeBufferPointer { valid in
      decodeValid(valid, valid.baseAddress!).mapError { error in
        BabPacketError(error.reason, offset: UTF8Repair.originalOffset(of: error.offset, in: text))
      }
    }
  }

  private static func decodeValid(
    _ text: UnsafeBufferPointer<UInt8>, _ base: UnsafePointer<UInt8>
  ) -> Result<BabPacket, BabPacketError> {
    var reader = JSONReader(text, base: base)
    do throws(BabPacketError) {
      let packet = try reader.packet()
      reader.skipSpaces()
      guard reader.position == reader.end else { throw BabPacketError(.trailingOctets, offset: reader.position) }
      return .success(packet)
    } catch {
      return .failure(error)
    }
  }
}

extension JSONReader {
  mutating func packet() throws(BabPacketError) -> BabPacket {
    var type: PacketType?
    var senderID: String?
    var clock: VectorClock?
    var payload: PacketPayload?
    try beginObject()
    while try nextKey() {
      if key(is: "type") {
        type = try packetType()
      } else if key(is: "senderId") {
        senderID = try string()
      } else if key(is: "vectorClock") {
        clock = try self.clock()
      } else if key(is: "payload") {
        payload = try self.payload()
      } else {
        try skipValue()
      }
    }
    return BabPacket(
      type: try required(type, "type"), senderID: try required(senderID, "senderId"),
      vectorClock: try required(clock, "vectorClock"), payload: try required(payload, "payload"))
  }

  private mutating func packetType() throws(BabPacketError) -> PacketType {
    skipSpaces()
    let start = position
    let span = try scanString()
    if span.isNull { throw BabPacketError(.unexpectedNull, offset: start) }
    guard let type = withText(span, { PacketType(envelope: $0) }) else {
      throw BabPacketError(.unknownName("packet type"), offset: start)
    }
    return type
  }

  @inline(__always)
  func required<Value>(_ value: Value?, _ key: StaticString) throws(BabPacketError) -> Value {
    guard let value else { throw missing(key) }
    return value
  }

  @inline(never)
  private func missing(_ key: StaticString) -> BabPacketError {
    BabPacketError(.missingKey(key.description), offset: position)
  }

  mutating func clock() throws(BabPacketError) -> VectorClock {
    var clock = VectorClock()
    try beginObject()
    while try nextKey() {
      if key(is: "timestamps") {
        clock.timestamps = try map { (reader) throws(BabPacketError) in try reader.int64() }
      } else {
        try skipValue()
      }
    }
    return clock
  }

  /// A map; of a key that occurs twice the last value counts, at the first one's place.
  mutating func map<Value>(
    _ value: (inout JSONReader) throws(BabPacketError) -> Value
  ) throws(BabPacketError) -> OrderedMap<Value> {
    var map = OrderedMap<Value>()
    var isFirst = true
    try beginObject()
    while let key = try nextEntry(isFirst: isFirst) {
      isFirst = false
      map[key] = try value(&self)
      guard map.count <= WireLimits.mapEntries else { throw BabPacketError(.tooManyEntries, offset: position) }
    }
    return map
  }

  mutating func array<Element>(
    _ element: (inout JSONReader) throws(BabPacketError) -> Element
  ) throws(BabPacketError) -> [Element] {
    var elements: [Element] = []
    try beginArray()
    while try nextElement(isFirst: elements.isEmpty) { elements.append(try element(&self)) }
    return elements
  }

  @inline(__always)
  mutating func optional<Value>(
    _ value: (inout JSONReader) throws(BabPacketError) -> Value
  ) throws(BabPacketError) -> Value? {
    takeNull() ? nil : try value(&self)
  }
}
