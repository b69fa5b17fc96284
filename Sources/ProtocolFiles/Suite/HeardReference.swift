/// A field of a packet that a tester has heard, in a text of a test purpose: `<turn.line>`.
struct HeardReference {
  var packet: String
  var field: String
  /// With its brackets.
  var range: Range<String.Index>

  /// Those of a text, in their order. What is in brackets and begins with no packet's name is text.
  static func all(in text: String, _ form: ProtocolForm) -> [HeardReference] {
    parts(of: text, form).filter { part in
      form.packets.first { $0.name == part.packet }?.fields.contains { $0.name == part.field } ?? false
    }
  }

  /// The first one with a field that its packet does not have; nil: there is none.
  static func wrong(in text: String, _ form: ProtocolForm) -> (packet: String, field: String)? {
    let known = all(in: text, form).map(\.range.lowerBound)
    return parts(of: text, form).first { !known.contains($0.range.lowerBound) }.map { ($0.packet, $0.field) }
  }

  private static func parts(of text: String, _ form: ProtocolForm) -> [HeardReference] {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return [] }
    var found: [HeardReference] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let inside = rest[rest.index(after: start)..<end]
      if let packet = form.packets.first(where: { inside.hasPrefix($0.name + ".") }) {
        found.append(
          HeardReference(
            packet: packet.name, field: String(inside.dropFirst(packet.name.count + 1)),
            range: start..<text.index(after: end)))
      }
      rest = rest[rest.index(after: start)...]
    }
    return found
  }
}

extension String {
  /// With what was heard in place of each reference.
  /// - Returns: nil where nothing like it was heard.
  func filled(_ form: ProtocolForm, _ heard: (_ packet: String, _ field: String) -> FieldValue?) -> String? {
    let references = HeardReference.all(in: self, form)
    if references.isEmpty { return self }
    var text = ""
    var place = startIndex
    for reference in references {
      guard let value = heard(reference.packet, reference.field) else { return nil }
      text += self[place..<reference.range.lowerBound] + value.text
      place = reference.range.upperBound
    }
    return text + self[place...]
  }
}
