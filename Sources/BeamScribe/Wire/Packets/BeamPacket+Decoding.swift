extension BeamPacket {
  /// Reads a body.
  ///
  /// Members may be in any order and with white space; those that the packet's row of table 4.A does not have may be
  /// anything. Numbers are decimal as BEAM 4.4 and 9.1 write them, with zeros at the end of a fraction.
  ///
  /// - Throws: for everything that BEAM 4.6 and 4.8 say is no packet.
  ///
  /// Spec: BEAM 4.1, 4.2, 4.5–4.8.
  package init(decoding body: [UInt8]) throws(PacketRefusal) {
    if let chunk = LiveChunk(canonical: body) {
      self = .liveChunk(chunk)
      return
    }
    guard String(validating: body, as: UTF8.self) != nil else { throw PacketRefusal(.notUTF8, at: 0) }
    var reader = JSONReader(body)
    var members = PacketMembers()
    reader.skipSpace()
    try reader.object(depth: 1) { (reader, key) throws(PacketRefusal) in try members.take(key, &reader) }
    try reader.finish()
    self = try members.packet(body)
  }
}

/// The members of a packet, whichever its type turns out to be.
private struct PacketMembers {
  struct Member {
    var value: JSONReader.Scalar
    var offset: Int
  }

  var type: Member?
  var isFinal: Member?
  var sentTimestamp: Member?
  var sequence: Member?
  var text: Member?
  var upToSequence: Member?
  var alert: Member?
  var chunks: Chunks?

  /// What `chunks` has; what is wrong with it counts only if the packet is a history.
  struct Chunks {
    var list: [BeamPacket.Chunk] = []
    var refusal: PacketRefusal?
    var offset: Int
  }

  mutating func take(_ key: JSONReader.Key, _ reader: inout JSONReader) throws(PacketRefusal) {
    if reader.isNamed(key, "chunks") {
      chunks = try Self.chunks(&reader)
      return
    }
    let member = Member(value: try reader.value(depth: 2), offset: reader.place)
    if reader.isNamed(key, "type") { type = member }
    if reader.isNamed(key, "isFinal") { isFinal = member }
    if reader.isNamed(key, "sentTimestamp") { sentTimestamp = member }
    if reader.isNamed(key, "sequence") { sequence = member }
    if reader.isNamed(key, "text") { text = member }
    if reader.isNamed(key, "upToSequence") { upToSequence = member }
    if reader.isNamed(key, "alert") { alert = member }
  }

  // MARK: Chunks

  private static func chunks(_ reader: inout JSONReader) throws(PacketRefusal) -> Chunks {
    var chunks = Chunks(offset: reader.place)
    guard reader.next == UInt8(ascii: "[") else {
      chunks.refusal = reader.refusal(.wrongKind)
      _ = try reader.value(depth: 2)
      return chunks
    }
    try reader.list(depth: 2) { (reader) throws(PacketRefusal) in
      switch try chunk(&reader) {
      case .success(let chunk):
        if let last = chunks.list.last, chunk.sequence != last.sequence + 1 {
          chunks.refusal = chunks.refusal ?? reader.refusal(.notConsecutive)
        }
        if chunks.refusal == nil { chunks.list.append(chunk) }
      case .failure(let refusal): chunks.refusal = chunks.refusal ?? refusal
      }
    }
    return chunks
  }

  /// One object of the list. What is no JSON is thrown; what is no chunk is returned.
  private static func chunk(
    _ reader: inout JSONReader
  ) throws(PacketRefusal) -> Result<BeamPacket.Chunk, PacketRefusal> {
    let start = reader.place
    guard reader.next == UInt8(ascii: "{") else {
      _ = try reader.value(depth: 3)
      return .failure(PacketRefusal(.wrongKind, at: start))
    }
    var members = PacketMembers()
    try reader.object(depth: 3) { (reader, key) throws(PacketRefusal) in
      let member = Member(value: try reader.value(depth: 4), offset: reader.place)
      if reader.isNamed(key, "sequence") { members.sequence = member }
      if reader.isNamed(key, "text") { members.text = member }
    }
    do throws(PacketRefusal) {
      let sequence = try integer(members.sequence, 1, reader.text, in: reader.place)
      return .success(BeamPacket.Chunk(sequence: sequence, text: try shortText(members.text, in: reader.place)))
    } catch {
      return .failure(error)
    }
  }

  // MARK: Kinds and limits

  private static func present(_ member: Member?, in end: Int) throws(PacketRefusal) -> Member {
    guard let member else { throw PacketRefusal(.memberMissing, at: end) }
    return member
  }

  private static func string(_ member: Member?, in end: Int) throws(PacketRefusal) -> String {
    let member = try present(member, in: end)
    guard case .text(let text) = member.value else { throw PacketRefusal(.wrongKind, at: member.offset) }
    return text
  }

  private static func shortText(_ member: Member?, in end: Int) throws(PacketRefusal) -> String {
    let text = try string(member, in: end)
    guard (1...BeamLimits.text).contains(text.utf8.count) else {
      throw PacketRefusal(.outsideLimits, at: member?.offset ?? end)
    }
    return text
  }

  private static func integer(
    _ member: Member?, _ least: Int, _ body: [UInt8], in end: Int
  ) throws(PacketRefusal) -> Int {
    let member = try present(member, in: end)
    guard case .number(let range) = member.value else { throw PacketRefusal(.wrongKind, at: member.offset) }
    guard body[range].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      throw PacketRefusal(.wrongKind, at: member.offset)
    }
    guard let value = DecimalText.integer(body[range], limit: Int64(BeamLimits.sequence)), value >= least else {
      throw PacketRefusal(.outsideLimits, at: member.offset)
    }
    return Int(value)
  }

  // MARK: Packets

  func packet(_ body: [UInt8]) throws(PacketRefusal) -> BeamPacket {
    let end = body.count
    guard let kind = BeamPacket.Kind(rawValue: try Self.string(type, in: end)) else {
      throw PacketRefusal(.unknownType, at: type?.offset ?? end)
    }
    switch kind {
    case .fullHistory: return .fullHistory(try history(body))
    case .liveChunk: return .liveChunk(try liveChunk(body))
    case .alert:
      guard let alert = BeamAlert(rawValue: try Self.string(alert, in: end)) else {
        throw PacketRefusal(.outsideLimits, at: self.alert?.offset ?? end)
      }
      return .alert(alert)
    }
  }

  private func history(_ body: [UInt8]) throws(PacketRefusal) -> BeamPacket.History {
    guard let chunks else { throw PacketRefusal(.memberMissing, at: body.count) }
    if let refusal = chunks.refusal { throw refusal }
    let upTo = try Self.integer(upToSequence, 0, body, in: body.count)
    guard chunks.list.last.map({ $0.sequence <= upTo }) ?? (upTo == 0) else {
      throw PacketRefusal(.notConsecutive, at: chunks.offset)
    }
    return BeamPacket.History(chunks: chunks.list, upToSequence: upTo)
  }

  private func liveChunk(_ body: [UInt8]) throws(PacketRefusal) -> BeamPacket.LiveChunk {
    let isFinal = try Self.present(isFinal, in: body.count)
    guard case .flag(let flag) = isFinal.value else { throw PacketRefusal(.wrongKind, at: isFinal.offset) }
    var sent: Int64?
    if let sentTimestamp {
      guard case .number(let range) = sentTimestamp.value else {
        throw PacketRefusal(.wrongKind, at: sentTimestamp.offset)
      }
      sent = DecimalText.milliseconds(body[range], limit: BeamLimits.sentMilliseconds)
      if sent == nil { throw PacketRefusal(.outsideLimits, at: sentTimestamp.offset) }
    }
    return BeamPacket.LiveChunk(
      isFinal: flag, sentMilliseconds: sent, sequence: try Self.integer(sequence, 1, body, in: body.count),
      text: try Self.shortText(text, in: body.count))
  }
}
