package import AppSeam
package import Judging

extension JSONText {
  /// The members of a word, its name under `key` and then its fields; the members of a record.
  package mutating func fields(of words: some WordFields, key: StaticString = "name") {
    var visitor = JSONWordWriter(text: self, nameKey: key)
    self = JSONText()
    var copy = words
    copy.visit(&visitor)
    self = visitor.text
  }
}

/// Writes words as members of the object that is open.
private struct JSONWordWriter: WordVisitor {
  typealias Failure = Never

  var text: JSONText
  let nameKey: StaticString
  /// Whether the object that is open is a line's.
  private var isLine = false

  init(text: JSONText, nameKey: StaticString) {
    self.text = text
    self.nameKey = nameKey
  }

  mutating func word(_ name: StaticString) {
    text.key(nameKey)
    text.value(name)
    isLine = true
  }

  private func member(_ field: StaticString) -> StaticString {
    isLine ? WordMember.name(of: field, isAction: nameKey.description == "action") : field
  }

  mutating func field(_ name: StaticString, _ value: inout String) { text.member(member(name), value) }
  mutating func field(_ name: StaticString, _ value: inout String?) { text.member(member(name), value) }
  mutating func field(_ name: StaticString, _ value: inout Int64) { text.member(member(name), value) }
  mutating func field(_ name: StaticString, _ value: inout Bool) { text.member(member(name), value) }
  mutating func field(_ name: StaticString, _ value: inout [String]) { text.member(member(name), value) }
  mutating func field(_ name: StaticString, _ value: inout LinkID) { text.member(member(name), value.rawValue) }
  mutating func field(_ name: StaticString, _ value: inout UInt8?) {
    text.key(member(name))
    if let value { text.value(value) } else { text.null() }
  }

  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) {
    text.key(member(name))
    text.beginArray()
    let wasLine = isLine
    isLine = false
    for index in value.indices {
      text.beginObject()
      value[index].visit(&self)
      text.endObject()
    }
    isLine = wasLine
    text.endArray()
  }
}
