import BluetoothWire
import SimKernel
import Yams

extension YAMLTree {
  /// More values than this no scenario has.
  static let nodeLimit = 20_000
  /// Deeper nesting than this no scenario has.
  static let depthLimit = 32
  /// The YAML reader follows aliases by itself; with more places that look like one it might never end.
  static let aliasLimit = 30

  struct Refusal: Error {
    var location: SourceLocation
    var message: String
  }

  /// Reads one YAML document.
  ///
  /// Total: every text gives a tree or a refusal, in time and space bounded by the text's length.
  static func parse(_ text: String, _ kind: DocumentKind = .scenario) throws(Refusal) -> YAMLTree {
    if let place = excessiveAlias(in: text) { throw Refusal(location: place, message: noAnchors) }
    // The nodes know their anchors only as long as the parser lives.
    let parser: Parser
    let node: Node?
    do {
      parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
      node = try parser.singleRoot()
    } catch let error as YamlError {
      throw Refusal(error, text: text, kind)
    } catch {
      throw Refusal(location: SourceLocation(line: 1, column: 1), message: "this is not YAML; \(error)")
    }
    defer { withExtendedLifetime(parser) {} }
    guard let node else {
      throw Refusal(
        location: SourceLocation(line: 1, column: 1), message: kind.empty)
    }
    var budget = nodeLimit
    return try convert(node, kind, depth: 0, budget: &budget)
  }

  /// Those of YAML's core schema: a value with another one is meant to be something that no file here has.
  private static let tags = ["str", "int", "float", "bool", "null", "seq", "map"].map { "tag:yaml.org,2002:" + $0 }

  /// As it is written: `!!set` and `!name`.
  private static func written(_ tag: String) -> String {
    let core = "tag:yaml.org,2002:"
    return tag.hasPrefix(core) ? "!!" + tag.dropFirst(core.count) : tag
  }

  private static let noAnchors = "YAML anchors and aliases are not taken; write the value out"

  private static func convert(
    _ node: Node, _ kind: DocumentKind, depth: Int, budget: inout Int
  ) throws(Refusal) -> YAMLTree {
    let location = SourceLocation(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    if node.anchor != nil { throw Refusal(location: location, message: noAnchors) }
    let tag = node.written
    if !tag.isEmpty, !tags.contains(tag) {
      let shown = ShownText.oneLine(written(tag))
      throw Refusal(location: location, message: "the YAML tag “\(shown)” is not taken; leave it out")
    }
    budget -= 1
    if budget < 0 {
      throw Refusal(location: location, message: "more than \(nodeLimit) values; \(kind.noun) needs a few hundred")
    }
    if depth > depthLimit {
      throw Refusal(location: location, message: "nested deeper than \(depthLimit) levels; \(kind.noun) needs five")
    }
    switch node {
    case .scalar(let scalar):
      if let forbidden = scalar.string.unicodeScalars.first(where: isForbidden) {
        let digits = String(hexadecimal: forbidden.value, digits: 4, uppercase: true)
        throw Refusal(
          location: location,
          message: "the control character U+\(digits) would not be seen where the text is shown; leave it out")
      }
      let isPlain = scalar.style == .plain || scalar.style == .any
      return YAMLTree(location: location, value: .scalar(scalar.string, isPlain: isPlain))
    case .sequence(let sequence):
      var items: [YAMLTree] = []
      for item in sequence { items.append(try convert(item, kind, depth: depth + 1, budget: &budget)) }
      return YAMLTree(location: location, value: .sequence(items))
    case .mapping(let mapping):
      var entries: [Entry] = []
      for pair in mapping {
        let key = try convert(pair.key, kind, depth: depth + 1, budget: &budget)
        guard case .scalar(let name, _) = key.value else {
          throw Refusal(location: key.location, message: "a key must be a word, not \(key.kindName)")
        }
        let value = try convert(pair.value, kind, depth: depth + 1, budget: &budget)
        entries.append(Entry(key: name, keyLocation: key.location, value: value))
      }
      return YAMLTree(location: location, value: .mapping(entries))
    case .alias: throw Refusal(location: location, message: noAnchors)
    }
  }

  /// Control characters but tabs and line feeds, and those that turn the direction of writing: they change what a
  /// terminal or a page shows.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The first place that looks like an alias, when there are more than `aliasLimit` of them.
  private static func excessiveAlias(in text: String) -> SourceLocation? {
    var first: SourceLocation? = nil
    var count = 0
    var line = 1
    var column = 0
    var mayStart = true
    var sawStar = false
    for octet in text.utf8 {
      let isBlank = octet == 0x20 || octet == 0x09 || octet == 0x0A || octet == 0x0D
      if sawStar, !isBlank {
        count += 1
        if first == nil { first = SourceLocation(line: line, column: max(1, column)) }
      }
      sawStar = mayStart && octet == UInt8(ascii: "*")
      mayStart = isBlank || "[{,:?-".utf8.contains(octet)
      if octet == 0x0A {
        line += 1
        column = 0
      } else if octet & 0xC0 != 0x80 {
        column += 1
      }
    }
    return count > aliasLimit ? first : nil
  }
}

extension YAMLTree.Refusal {
  init(_ error: YamlError, text: String, _ kind: DocumentKind) {
    func at(_ mark: Mark?) -> SourceLocation {
      SourceLocation(line: max(1, mark?.line ?? 1), column: max(1, mark?.column ?? 1))
    }
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let detail = context.map { "\($0.text) \(problem)" } ?? problem
      if problem.contains("another document") {
        self.init(location: at(mark), message: "a second YAML document; a file holds one \(kind.word)")
      } else if problem.contains("nesting level") {
        self.init(location: at(mark), message: "nested far too deeply; \(kind.noun) needs five levels")
      } else if problem.contains("undefined alias") {
        self.init(location: at(mark), message: "YAML anchors and aliases are not taken; write the value out")
      } else if problem.contains("cannot start any token"), detail.contains("next token") {
        self.init(
          location: at(mark),
          message: "a character that YAML cannot begin with; put the value in quotes, and indent with blanks")
      } else {
        self.init(
          location: at(mark), message: "not YAML: \(detail.trimmingDots()); check indentation, colons and quotes")
      }
    case .duplicatedKeysInMapping(let duplicates, let context):
      let key = duplicates.first ?? ""
      self.init(
        location: Self.repeated(key, after: at(context.mark), in: text),
        message: "“\(key)” is written twice; keep one")
    case .reader(let problem, _, _, _):
      self.init(location: SourceLocation(line: 1, column: 1), message: "not text: \(problem); save the file as UTF-8")
    default:
      self.init(location: SourceLocation(line: 1, column: 1), message: "this is not YAML; \(error)")
    }
  }

  /// Where a key of the mapping that begins at `start` stands for the second time.
  ///
  /// The YAML reader only says where the first one is. Block mappings are searched line by line at the same column,
  /// flow mappings on the rest of the line; when nothing is found the first place must do.
  static func repeated(_ key: String, after start: SourceLocation, in text: String) -> SourceLocation {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.unicodeScalars) }
    let spellings = [key, "\"\(key)\"", "'\(key)'"].map { Array($0.unicodeScalars) }
    func isKey(_ line: [Unicode.Scalar], at index: Int) -> Bool {
      spellings.contains { spelling in
        guard index >= 0, line.count >= index + spelling.count,
          line[index..<index + spelling.count].elementsEqual(spelling)
        else { return false }
        let rest = line[(index + spelling.count)...].drop { $0 == " " }
        return rest.first == ":"
      }
    }
    guard start.line <= lines.count else { return start }
    let first = lines[start.line - 1]
    for index in first.indices where index > start.column - 1 && isKey(first, at: index) {
      let before = index == 0 ? " " : first[index - 1]
      if before == " " || before == "," || before == "{" {
        return SourceLocation(line: start.line, column: index + 1)
      }
    }
    for number in lines.indices where number >= start.line && isKey(lines[number], at: start.column - 1) {
      return SourceLocation(line: number + 1, column: start.column)
    }
    return start
  }
}

extension Node {
  /// The tag that stands before the value; empty where none does.
  fileprivate var written: String {
    switch self {
    case .scalar(let scalar): scalar.tag.rawValue
    case .sequence(let sequence): sequence.tag.rawValue
    case .mapping(let mapping): mapping.tag.rawValue
    case .alias: ""
    }
  }
}

extension String {
  fileprivate func trimmingDots() -> String {
    var text = Substring(self)
    while let last = text.last, last == "." || last == " " || last == "\n" { text = text.dropLast() }
    return String(text)
  }
}
