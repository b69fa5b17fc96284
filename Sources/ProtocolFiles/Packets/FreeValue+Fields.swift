import AppSeam

extension [FreeValue] {
  /// The values as fields of a packet: a number where the text is one, else a text.
  var fields: [(name: String, value: FieldValue)] {
    map { ($0.name, Int64($0.value).map { .number($0) } ?? .text($0.value)) }
  }
}
