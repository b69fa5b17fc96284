/// A word with its fields as data: for people, tables and tests, where speed does not matter.
public struct WordShape: Hashable, Sendable {
  public struct Field: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable { case text, optionalText, integer, flag, texts, link, records }

    public var name: String
    public var kind: Kind
    /// As people read it.
    public var value: String
  }

  public var name = ""
  public var fields: [Field] = []
}

extension WordShape: CustomStringConvertible {
  /// `committed(index 3, lineID line-4, text …)`; without fields only the name.
  public var description: String {
    if fields.isEmpty { return name }
    return name + "(" + fields.map { "\($0.name) \($0.value)" }.joined(separator: ", ") + ")"
  }
}

extension WordFields {
  public var shape: WordShape {
    var visitor = ShapeVisitor()
    var copy = self
    copy.visit(&visitor)
    return visitor.shape
  }
}

private struct ShapeVisitor: WordVisitor {
  typealias Failure = Never

  var shape = WordShape()

  private mutating func note(_ name: StaticString, _ kind: WordShape.Field.Kind, _ value: String) {
    shape.fields.append(WordShape.Field(name: name.description, kind: kind, value: value))
  }

  mutating func word(_ name: StaticString) { shape.name = name.description }
  mutating func field(_ name: StaticString, _ value: inout String) { note(name, .text, value) }
  mutating func field(_ name: StaticString, _ value: inout String?) { note(name, .optionalText, value ?? "none") }
  mutating func field(_ name: StaticString, _ value: inout Int64) { note(name, .integer, String(value)) }
  mutating func field(_ name: StaticString, _ value: inout Bool) { note(name, .flag, value ? "yes" : "no") }
  mutating func field(_ name: StaticString, _ value: inout [String]) {
    note(name, .texts, "[" + value.joined(separator: ", ") + "]")
  }
  mutating func field(_ name: StaticString, _ value: inout LinkID) { note(name, .link, String(value.rawValue)) }
  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) {
    let texts = value.map { record in record.shape.fields.map { "\($0.name) \($0.value)" }.joined(separator: ", ") }
    note(name, .records, "[" + texts.joined(separator: "; ") + "]")
  }
}
