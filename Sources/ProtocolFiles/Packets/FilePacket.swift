/// A packet of a protocol file: its kind, and what its fields hold, in their order.
struct FilePacket: Hashable, Sendable {
  var name: String
  var fields: [(name: String, value: FieldValue)]
  /// Its place among the packets of the file; negative: nobody has looked for it.
  var kind = -1

  subscript(field: String) -> FieldValue? { fields.first { $0.name == field }?.value }

  static func == (a: Self, b: Self) -> Bool {
    a.name == b.name && a.fields.map(\.name) == b.fields.map(\.name) && a.fields.map(\.value) == b.fields.map(\.value)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(fields.map(\.value))
  }

  /// `join, name ann`.
  var text: String {
    ([name] + fields.map { "\($0.name) \($0.value.text)" }).joined(separator: ", ")
  }
}

/// Why octets are no packet, or values are none.
struct PacketRefusal: Error, Hashable {
  var reason: String
  /// Where in the octets.
  var offset = 0
}
