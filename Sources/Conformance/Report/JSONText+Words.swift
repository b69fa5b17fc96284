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

  mutating func word(_ name: StaticString) {
    text.key(nameKey)
    text.value(name)
  }

  mutating func field(_ name: StaticString, _ value: inout String) { text.member(name, value) }
  mutating func field(_ name: StaticString, _ value: inout String?) { text.member(name, value) }
  mutating func field(_ name: StaticString, _ value: inout Int64) { text.member(name, value) }
  mutating func field(_ name: StaticString, _ value: inout Bool) { text.member(name, value) }
  mutating func field(_ name: StaticString, _ value: inout [String]) { text.member(name, value) }
  mutating func field(_ name: StaticString, _ value: inout LinkID) { text.member(name, value.rawValue) }

  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) {
    text.key(name)
    text.beginArray()
    for index in value.indices {
      text.beginObject()
      value[index].visit(&self)
      text.endObject()
    }
    text.endArray()
  }
}
