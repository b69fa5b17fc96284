/// Something with named fields: a packet, a report or an action.
protocol FieldedWord {
  var name: String { get }
  var fields: [ProtocolForm.Field] { get }
}

extension ProtocolForm.Packet: FieldedWord {}
extension ProtocolForm.Word: FieldedWord {}

/// A field of a packet that a tester has heard, in a text of a test purpose, or of a report that a person has seen, in
/// what people do: `<turn.line>`.
struct HeardReference {
  /// The packet or the report.
  var word: String
  var field: String
  /// With its brackets.
  var range: Range<String.Index>

  /// Those of a text, in their order. What is in brackets and begins with no word's name is text.
  static func all(in text: String, _ words: [some FieldedWord]) -> [HeardReference] {
    parts(of: text, words).filter { part in
      words.first { $0.name == part.word }?.fields.contains { $0.name == part.field } ?? false
    }
  }

  /// The first one with a field that its word does not have; nil: there is none.
  static func wrong(in text: String, _ words: [some FieldedWord]) -> (word: String, field: String)? {
    let known = all(in: text, words).map(\.range.lowerBound)
    return parts(of: text, words).first { !known.contains($0.range.lowerBound) }.map { ($0.word, $0.field) }
  }

  private static func parts(of text: String, _ words: [some FieldedWord]) -> [HeardReference] {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return [] }
    var found: [HeardReference] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let inside = rest[rest.index(after: start)..<end]
      if let word = words.first(where: { inside.hasPrefix($0.name + ".") }) {
        found.append(
          HeardReference(
            word: word.name, field: String(inside.dropFirst(word.name.count + 1)),
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
  func filled(_ words: [some FieldedWord], _ heard: (_ word: String, _ field: String) -> FieldValue?) -> String? {
    let references = HeardReference.all(in: self, words)
    if references.isEmpty { return self }
    var text = ""
    var place = startIndex
    for reference in references {
      guard let value = heard(reference.word, reference.field) else { return nil }
      text += self[place..<reference.range.lowerBound] + value.text
      place = reference.range.upperBound
    }
    return text + self[place...]
  }
}
