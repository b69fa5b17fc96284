package import Bench

/// A scenario's tree as a file that people read: blocks at the top, short mappings on one line, as in `Scenarios`.
///
/// Reading the text gives the same tree, apart from places. Comments are not part of a tree and so get lost.
package enum ScenarioText {
  /// Columns that a line takes where there is a choice.
  static let width = 100
  /// A mapping at the top of the file that is shorter than this is on one line.
  private static let short = 64

  /// The whole file, ending in a line feed.
  /// - Parameter remarks: lines of a comment at its beginning.
  package static func text(of tree: YAMLTree, remarks: [String] = []) -> String {
    var text = remarks.map { $0.isEmpty ? "#\n" : "# \($0)\n" }.joined()
    var wasBlock = false
    for (index, entry) in tree.entries.enumerated() {
      var lines: [String] = []
      let isBlock = !isShort(entry)
      write(entry, indent: 0, isBlock: isBlock, to: &lines)
      if index > 0, isBlock || wasBlock { text += "\n" }
      text += lines.map { $0 + "\n" }.joined()
      wasBlock = isBlock
    }
    return text
  }

  /// Lines of a scenario, without those of its remarks and empty ones.
  static func lineCount(of tree: YAMLTree) -> Int { text(of: tree).split(separator: "\n").count }

  private static func isShort(_ entry: YAMLTree.Entry) -> Bool {
    switch entry.value.value {
    case .scalar: true
    case .sequence(let items): items.isEmpty
    case .mapping(let entries):
      entries.isEmpty
        || entry.key != "devices" && (entry.key + flow(entry.value)).unicodeScalars.count < short
    }
  }

  private static func write(
    _ entry: YAMLTree.Entry, indent: Int, isBlock: Bool = false, to lines: inout [String]
  ) {
    let blanks = String(repeating: " ", count: indent)
    let key = blanks + quoted(entry.key, isPlain: true, inFlow: false) + ":"
    let line = entry.value.isEmpty ? key : key + " " + flow(entry.value, isWhole: true)
    if entry.value.scalar != nil || !isBlock && line.unicodeScalars.count <= width || entry.value.isEmptyCollection {
      return lines.append(line)
    }
    lines.append(key)
    for child in entry.value.entries { write(child, indent: indent + 2, to: &lines) }
    for item in entry.value.items { write(item, indent: indent + 2, isBlock: indent == 0, to: &lines) }
  }

  private static func write(_ item: YAMLTree, indent: Int, isBlock: Bool, to lines: inout [String]) {
    let blanks = String(repeating: " ", count: indent)
    let line = blanks + "- " + flow(item, isWhole: true)
    if item.entries.isEmpty || !isBlock && line.unicodeScalars.count <= width { return lines.append(line) }
    var inner: [String] = []
    for entry in item.entries { write(entry, indent: indent + 2, to: &inner) }
    lines.append(blanks + "- " + inner[0].drop { $0 == " " })
    lines += inner.dropFirst()
  }

  /// A value on one line, cut where it is long.
  package static func line(of tree: YAMLTree, limit: Int = 60) -> String {
    var text = flow(tree, isWhole: true)
    if !tree.entries.isEmpty { text = String(text.dropFirst(2).dropLast(2)) }
    return text.unicodeScalars.count > limit ? String(text.unicodeScalars.prefix(limit)) + "…" : text
  }

  /// - Parameter isWhole: the value is all that follows on its line, so that a text need not fear commas.
  private static func flow(_ tree: YAMLTree, isWhole: Bool = false) -> String {
    switch tree.value {
    case .scalar(let text, let isPlain):
      return tree.isEmpty ? (text.isEmpty ? "~" : text) : quoted(text, isPlain: isPlain, inFlow: !isWhole)
    case .sequence(let items): return "[" + items.map { flow($0) }.joined(separator: ", ") + "]"
    case .mapping(let entries):
      if entries.isEmpty { return "{}" }
      let parts = entries.map { entry in
        quoted(entry.key, isPlain: true, inFlow: true) + ": " + flow(entry.value)
      }
      return "{ " + parts.joined(separator: ", ") + " }"
    }
  }

  /// A text in quotes only where YAML would read something else.
  private static func quoted(_ text: String, isPlain: Bool, inFlow: Bool) -> String {
    if canBePlain(text, inFlow: inFlow), isPlain || !["~", "null"].contains(text) { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default:
        if isHidden(scalar) {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }

  private static func canBePlain(_ text: String, inFlow: Bool) -> Bool {
    if isWord(text) { return true }
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.first, let last = scalars.last, first != " ", last != " ", last != ":" else {
      return false
    }
    if "?:,[]{}#&*!|>'\"%@`".unicodeScalars.contains(first) { return false }
    if first == "-", scalars.count == 1 || !isDigit(scalars[1]) { return false }
    if text.hasPrefix("...") { return false }
    for (index, scalar) in scalars.enumerated() {
      if isHidden(scalar) { return false }
      if inFlow, ",[]{}".unicodeScalars.contains(scalar) { return false }
      if scalar == ":", scalars[index + 1] == " " || inFlow { return false }
      if scalar == "#", index > 0, scalars[index - 1] == " " { return false }
    }
    return true
  }

  /// Whether it is letters, digits, hyphens and single blanks, as nearly all texts are: YAML takes that as it is.
  private static func isWord(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { octets in
      var index = 0
      var wasLetter = false
      while index < octets.count {
        switch octets[index] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: wasLetter = true
        case 0x20, 0x2D:
          if !wasLetter { return false }
          wasLetter = false
        default: return false
        }
        index += 1
      }
      return wasLetter
    }
  }

  /// Controls, and what some readers take for a line break or for nothing.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF: true
    default: false
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}

extension YAMLTree {
  /// What is at a path, for people: entries of a list by what they say, since their numbers change.
  func words(at path: TreePath) -> String {
    var text = ""
    var place = TreePath([])
    for part in path.parts {
      place = place.adding(part)
      switch part {
      case .key(let key): text += (text.isEmpty ? "" : ".") + key
      case .item:
        let item = value(at: place) ?? YAMLTree(text: "")
        text += " “" + ScenarioText.line(of: item) + "”"
      }
    }
    return text
  }
}
