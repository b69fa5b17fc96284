import AppSeam
import Foundation

/// A report of the app, as it goes into the answer.
struct ProgramReport: AppStatement {
  /// One JSON object, without its braces.
  var json: String

  static let words: [ProgramReport] = []

  init(name: String, members: KeyValuePairs<String, any Encodable>) {
    json = "\"name\":" + Self.text(of: name)
    for (member, value) in members { json += "," + Self.text(of: member) + ":" + Self.text(of: value) }
  }

  private static func text(of value: any Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(AnyValue(value: value)) else { return "null" }
    return String(decoding: data, as: UTF8.self)
  }

  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.word("report")
    try visitor.field("json", &json)
  }
}

private struct AnyValue: Encodable {
  let value: any Encodable
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
