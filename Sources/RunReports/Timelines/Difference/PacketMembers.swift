import CaptureCheck
import Conformance

/// What two packets of one kind say otherwise.
enum PacketMembers {
  /// A member of a packet, and what it is in each.
  struct Difference: Hashable {
    /// `payload.participant.name`; empty for all of a packet that is no JSON.
    var path: String
    var first: String
    var second: String
  }

  /// In the order of the first packet's members. What a capture cut off is not compared.
  static func differences(_ a: String, _ b: String) -> [Difference] {
    if a == b { return [] }
    if PictureText.isCut(a) || PictureText.isCut(b) { return [] }
    guard let first = try? JSONTree(Array(a.utf8)), let second = try? JSONTree(Array(b.utf8)) else {
      return [Difference(path: "", first: a, second: b)]
    }
    var found: [Difference] = []
    compare(first, second, path: "", &found)
    return found
  }

  private static func compare(_ a: JSONTree?, _ b: JSONTree?, path: String, _ found: inout [Difference]) {
    if a == b { return }
    if let a, let b, !a.members.isEmpty, !b.members.isEmpty {
      let names = a.members.map(\.name) + b.members.map(\.name).filter { a.member($0) == nil }
      for name in names {
        compare(a.member(name), b.member(name), path: path.isEmpty ? name : "\(path).\(name)", &found)
      }
    } else if let a, let b, !a.items.isEmpty, !b.items.isEmpty {
      for index in 0..<max(a.items.count, b.items.count) {
        let (first, second) = (a.items.dropFirst(index).first, b.items.dropFirst(index).first)
        compare(first, second, path: "\(path)[\(index)]", &found)
      }
    } else {
      found.append(Difference(path: path, first: text(a), second: text(b)))
    }
  }

  private static func text(_ tree: JSONTree?) -> String {
    switch tree {
    case nil: "none"
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let text), .text(let text): text
    case .list(let items): items.isEmpty ? "an empty list" : "a list of \(items.count)"
    case .object(let members): members.isEmpty ? "an empty object" : "an object"
    }
  }
}
