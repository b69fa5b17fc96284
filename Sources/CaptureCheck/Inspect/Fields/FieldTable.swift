/// The layouts of one family of packets, as text: a hexadecimal code, then its fields in their order.
///
/// A field is `Name:kind`, the name as the specification writes it, with `_` for a space; `FieldReader` and
/// `FieldValue` know the kinds, and digits after a kind are a width in octets.
/// `*( … )` repeats to the end of the octets, `#( … )` as often as the number before it says.
struct FieldTable: Sendable {
  private let entries: [UInt16: [Substring]]

  init(_ text: String) {
    var entries: [UInt16: [Substring]] = [:]
    var code: UInt16 = 0
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let next = UInt16(word, radix: 16) {
        code = next
        entries[code] = []
      } else {
        entries[code, default: []].append(word)
      }
    }
    self.entries = entries
  }

  /// Nil for a code that the table does not have.
  func fields(_ code: UInt16) -> [Substring]? { entries[code] }

  /// The fields of a packet, a line each; octets alone where the table has no layout.
  func lines(_ code: UInt16, _ octets: ArraySlice<UInt8>, name: @escaping FieldReader.AttributeName = { _ in nil })
    -> [String]
  {
    guard let fields = entries[code] else { return octets.isEmpty ? [] : [FieldValue.octets(octets)] }
    var reader = FieldReader(octets, name: name)
    reader.read(fields)
    return reader.finished()
  }
}
