/// Binary packets: fields one after the other. Reading is total: no octets trap, and what is made is no longer than
/// what was read.
extension ProtocolForm.Packet {
  /// - Throws: what is wrong first; a constant that differs means that it is another packet.
  func decodeBinary(_ octets: [UInt8], _ fields: [ProtocolForm.Field]) throws(PacketRefusal) -> FilePacket {
    var reader = BinaryReader(octets: octets)
    var packet = FilePacket(name: name, fields: [])
    for field in fields {
      let start = reader.place
      if fields.hasChecksum { reader.begins.append((field.name, start)) }
      if let presence = field.presence, !presence.holds(packet[presence.field]?.number ?? 0) { continue }
      let value = try reader.value(field.kind, field.name, packet)
      try field.check(value, at: start)
      packet.fields.append((field.name, value))
    }
    guard reader.place == octets.count else {
      throw PacketRefusal(
        reason: "\(name) ends at octet \(reader.place), and there are \(octets.count)", offset: reader.place)
    }
    return packet
  }

  /// - Throws: what cannot be written.
  func encodeBinary(
    _ values: [(name: String, value: FieldValue)], _ fields: [ProtocolForm.Field]
  ) throws(PacketRefusal) -> [UInt8] {
    let given = FilePacket(name: name, fields: filled(values, fields))
    var octets: [UInt8] = []
    var begins: [(name: String, place: Int)] = []
    for field in fields {
      begins.append((field.name, octets.count))
      if let presence = field.presence, !presence.holds(given[presence.field]?.number ?? 0) { continue }
      if case .checksum(let sum, let form, let span) = field.kind {
        octets += form.write(sum.value(octets[span.covered(begins, upTo: octets.count)]))
        continue
      }
      guard let value = field.constant ?? given[field.name] else {
        throw PacketRefusal(reason: "\(name) needs a value for “\(field.name)”")
      }
      try field.check(value, at: octets.count)
      octets += try field.kind.octets(of: value, field.name)
    }
    return octets
  }

  /// What follows from other values: the lengths and counts that fields hold.
  private func filled(
    _ values: [(name: String, value: FieldValue)], _ fields: [ProtocolForm.Field]
  ) -> [(name: String, value: FieldValue)] {
    var values = values
    for field in fields {
      guard let owner = field.kind.extent?.field, !values.contains(where: { $0.name == owner }),
        let value = values.first(where: { $0.name == field.name })?.value
      else { continue }
      values.append((owner, .number(Int64(value.extent))))
    }
    return values
  }
}

extension [ProtocolForm.Field] {
  fileprivate var hasChecksum: Bool { contains { if case .checksum = $0.kind { true } else { false } } }
}

extension ProtocolForm.Field.Span {
  /// - Parameters:
  ///   - begins: where each field up to the checksum begins, absent ones included, in their order.
  ///   - place: where the checksum begins.
  fileprivate func covered(_ begins: [(name: String, place: Int)], upTo place: Int) -> Range<Int> {
    let start = from.flatMap { from in begins.first { $0.name == from }?.place } ?? 0
    let last = to.flatMap { to in begins.firstIndex { $0.name == to } }
    let end = last.map { $0 + 1 < begins.count ? begins[$0 + 1].place : place } ?? place
    return start..<Swift.max(start, end)
  }
}

extension ProtocolForm.Field {
  /// Whether a value is what the field allows.
  func check(_ value: FieldValue, at offset: Int) throws(PacketRefusal) {
    if let constant, constant != value {
      throw PacketRefusal(reason: "“\(name)” is \(value.text), not \(constant.text)", offset: offset)
    }
    guard let range else { return }
    if case .decimal(let millionths) = value {
      let bounds = Int128(range.lowerBound) * 1_000_000...Int128(range.upperBound) * 1_000_000
      if bounds.contains(Int128(millionths)) { return }
      throw PacketRefusal(
        reason: "“\(name)” is \(value.text), not \(range.lowerBound)..\(range.upperBound)", offset: offset)
    }
    let number = value.number ?? Int64(value.extent)
    guard range.contains(number) else {
      let what = value.number == nil ? "“\(name)” is \(number) long" : "“\(name)” is \(number)"
      throw PacketRefusal(reason: "\(what), not \(range.lowerBound)..\(range.upperBound)", offset: offset)
    }
  }
}

extension ProtocolForm.Field.Kind {
  var extent: ProtocolForm.Field.Extent? {
    switch self {
    case .text(let extent), .octets(let extent), .list(_, let extent): extent
    case .integer, .number, .decimal, .flag, .map, .checksum: nil
    }
  }

  /// - Throws: a value of another kind, or one that does not fit.
  func octets(of value: FieldValue, _ name: String) throws(PacketRefusal) -> [UInt8] {
    switch (self, value) {
    case (.integer(let form), .number(let number)):
      guard form.range.contains(number) else {
        throw PacketRefusal(reason: "“\(name)” cannot hold \(number)")
      }
      return form.write(number)
    case (.text(let extent), .text(let text)): return try Self.framed(Array(text.utf8), extent, name)
    case (.octets(let extent), .octets(let octets)): return try Self.framed(octets, extent, name)
    case (.list(let element, let extent), .list(let values)):
      var octets: [UInt8] = []
      for value in values { octets += try element.octets(of: value, name) }
      if case .fixed(let count) = extent, count != values.count {
        throw PacketRefusal(reason: "“\(name)” has \(values.count) entries, not \(count)")
      }
      if case .prefix(let form) = extent { return try Self.number(values.count, form, name) + octets }
      return octets
    default: throw PacketRefusal(reason: "“\(name)” cannot be \(value.text)")
    }
  }

  private static func framed(
    _ octets: [UInt8], _ extent: ProtocolForm.Field.Extent, _ name: String
  ) throws(PacketRefusal) -> [UInt8] {
    switch extent {
    case .fixed(let count):
      // A shorter text is filled up with octets of 0.
      guard octets.count <= count else {
        throw PacketRefusal(reason: "“\(name)” has \(octets.count) octets, more than \(count)")
      }
      return octets + Array(repeating: 0, count: count - octets.count)
    case .prefix(let form): return try number(octets.count, form, name) + octets
    case .zeroEnded: return octets + [0]
    case .field, .rest: return octets
    }
  }

  private static func number(_ count: Int, _ form: IntegerForm, _ name: String) throws(PacketRefusal) -> [UInt8] {
    guard form.range.contains(Int64(count)) else {
      throw PacketRefusal(reason: "“\(name)” is \(count) long, more than its length can say")
    }
    return form.write(Int64(count))
  }
}

extension ProtocolForm.Field.Extent {
  fileprivate var field: String? { if case .field(let name) = self { name } else { nil } }
}

extension FieldValue {
  /// Octets of a text or of octets, entries of a list.
  var extent: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .octets(let octets): octets.count
    case .list(let values): values.count
    case .map(let entries): entries.count
    case .number, .decimal, .flag: 1
    }
  }
}

/// Reads fields from the front of octets.
private struct BinaryReader {
  let octets: [UInt8]
  private(set) var place = 0
  /// Where the fields up to here begin, where a checksum needs it.
  var begins: [(name: String, place: Int)] = []

  init(octets: [UInt8]) { self.octets = octets }

  mutating func value(
    _ kind: ProtocolForm.Field.Kind, _ name: String, _ packet: FilePacket
  ) throws(PacketRefusal) -> FieldValue {
    switch kind {
    case .integer(let form): return .number(try number(form, name))
    case .text(let extent):
      let start = place
      let octets = try run(extent, name, packet)
      guard let text = String(validating: trimmed(octets, extent), as: UTF8.self) else {
        throw PacketRefusal(reason: "“\(name)” is not UTF-8", offset: start)
      }
      return .text(text)
    case .octets(let extent): return .octets(Array(try run(extent, name, packet)))
    case .list(let element, let extent): return .list(try list(of: element, extent, name, packet))
    case .checksum(let sum, let form, let span):
      let covered = octets[span.covered(begins, upTo: place)]
      let start = place
      let said = try number(form, name)
      let mask = form.octets == 8 ? Int64(-1) : (1 << Int64(form.octets * 8)) - 1
      let right = sum.value(covered) & mask
      guard said & mask == right else {
        throw PacketRefusal(reason: "the checksum “\(name)” is \(said), not \(right)", offset: start)
      }
      return .number(said)
    case .number, .decimal, .flag, .map: throw PacketRefusal(reason: "“\(name)” is of JSON", offset: place)
    }
  }

  /// A text of a fixed length ends with the octets of 0 that fill it.
  private func trimmed(_ octets: ArraySlice<UInt8>, _ extent: ProtocolForm.Field.Extent) -> ArraySlice<UInt8> {
    guard case .fixed = extent, let last = octets.lastIndex(where: { $0 != 0 }) else {
      if case .fixed = extent { return [] }
      return octets
    }
    return octets[...last]
  }

  private mutating func number(_ form: IntegerForm, _ name: String) throws(PacketRefusal) -> Int64 {
    form.read(try take(form.octets, name))
  }

  private mutating func take(_ count: Int, _ name: String) throws(PacketRefusal) -> ArraySlice<UInt8> {
    guard count >= 0, count <= octets.count - place else {
      throw PacketRefusal(reason: "the packet ends within “\(name)”", offset: octets.count)
    }
    defer { place += count }
    return octets[place..<(place + count)]
  }

  private mutating func count(
    _ extent: ProtocolForm.Field.Extent, _ name: String, _ packet: FilePacket
  ) throws(PacketRefusal) -> Int {
    switch extent {
    case .fixed(let count): return count
    case .field(let field): return Int(clamping: packet[field]?.number ?? 0)
    case .prefix(let form): return Int(clamping: try number(form, name))
    case .zeroEnded, .rest: return octets.count - place
    }
  }

  private mutating func run(
    _ extent: ProtocolForm.Field.Extent, _ name: String, _ packet: FilePacket
  ) throws(PacketRefusal) -> ArraySlice<UInt8> {
    if extent == .zeroEnded {
      guard let end = octets[place...].firstIndex(of: 0) else {
        throw PacketRefusal(reason: "no octet of 0 ends “\(name)”", offset: octets.count)
      }
      defer { place = end + 1 }
      return octets[place..<end]
    }
    return try take(try count(extent, name, packet), name)
  }

  private mutating func list(
    of element: ProtocolForm.Field.Kind, _ extent: ProtocolForm.Field.Extent, _ name: String, _ packet: FilePacket
  ) throws(PacketRefusal) -> [FieldValue] {
    var values: [FieldValue] = []
    if extent == .rest || extent == .zeroEnded {
      while place < octets.count {
        let before = place
        values.append(try value(element, name, packet))
        if place == before { break }
      }
      return values
    }
    let count = try count(extent, name, packet)
    // An entry of no octets would not end.
    guard count <= max(0, octets.count - place) else {
      throw PacketRefusal(reason: "“\(name)” says \(count) entries, and the packet ends before", offset: place)
    }
    for _ in 0..<count { values.append(try value(element, name, packet)) }
    return values
  }
}
