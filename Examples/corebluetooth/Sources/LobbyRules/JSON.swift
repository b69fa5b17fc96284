import Foundation

/// A JSON value whose objects keep their order.
public enum JSON {
  case text(String)
  case number(Int)
  case flag(Bool)
  case null
  case list([JSON])
  case object([(String, JSON)])

  /// Without spaces, in order; only what must be escaped is (wire.md 4.3, 4.7).
  public var ordered: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .number(let number): String(number)
    case .flag(let flag): flag ? "true" : "false"
    case .null: "null"
    case .list(let items): "[" + items.map(\.ordered).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0) + ":" + $1.ordered }.joined(separator: ",") + "}"
    }
  }

  /// The type of a packet, which is its first member; empty for anything else.
  public var type: String {
    guard case .object(let members) = self, case .text(let type)? = members.first?.1 else { return "" }
    return type
  }

  /// Encoded by Foundation, whose keys have no order: what guides do.
  public var encodedByFoundation: Data { (try? JSONSerialization.data(withJSONObject: foundation)) ?? Data() }

  /// As Foundation has it; the order is lost.
  public var foundation: Any {
    switch self {
    case .text(let text): text
    case .number(let number): number
    case .flag(let flag): flag
    case .null: NSNull()
    case .list(let items): items.map(\.foundation)
    case .object(let members): Dictionary(uniqueKeysWithValues: members.map { ($0, $1.foundation) })
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{8}": quoted += "\\b"
      case "\t": quoted += "\\t"
      case "\n": quoted += "\\n"
      case "\u{C}": quoted += "\\f"
      case "\r": quoted += "\\r"
      case "\0"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
