import SimKernel

/// Kinds of inputs that no decoder of the bench reads: for parsers of formats that the table does not know.
extension InputGrammar {
  public static let plain: [InputGrammar] = [octets, json]

  static let octets = InputGrammar("octets", "octets without any form", limit: 4_096) { stream in
    stream.octets(stream.number(below: 64))
  }

  static let json = InputGrammar(
    "json", "JSON of any content", form: .text, limit: 4_096,
    valid: { stream in
      var text = ""
      writeValue(&text, &stream, depth: 0)
      return Array(text.utf8)
    })

  private static let names = ["id", "name", "type", "value", "items", "count", "a", "b"]
  private static let scalars = ["0", "1", "-1", "12.5", "1e3", "true", "false", "null", "\"\"", "\"x\"", "\"\\u00e9\""]

  private static func writeValue(_ text: inout String, _ stream: inout RandomStream, depth: Int) {
    let count = stream.number(below: 4)
    switch stream.number(below: depth > 3 ? 2 : 5) {
    case 0, 1: text += scalars[stream.number(below: scalars.count)]
    case 2:
      text += "["
      for index in 0..<count {
        if index > 0 { text += "," }
        writeValue(&text, &stream, depth: depth + 1)
      }
      text += "]"
    default:
      text += "{"
      for index in 0..<count {
        text += (index > 0 ? ",\"" : "\"") + names[stream.number(below: names.count)] + "\":"
        writeValue(&text, &stream, depth: depth + 1)
      }
      text += "}"
    }
  }
}
