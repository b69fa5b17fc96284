/// JSON as a tree that keeps what it does not understand: numbers and texts stay as they were written, keys keep their
/// order and may come twice.
indirect enum JSONTree: Hashable {
  case object([Member])
  case array([JSONTree])
  /// A text with its quotes, a number, or a word.
  case scalar([UInt8])

  struct Member: Hashable {
    /// With its quotes.
    var key: [UInt8]
    var value: JSONTree
  }

  /// Deeper texts are not taken apart.
  private static let depthLimit = 32

  /// Nil for what is no JSON, and for what is nested too deeply.
  init?(_ octets: [UInt8]) {
    var reader = Reader(octets: octets)
    guard let tree = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = tree
  }

  var octets: [UInt8] {
    switch self {
    case .scalar(let octets): return octets
    case .array(let items):
      return Array("[".utf8) + items.map(\.octets).joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
    case .object(let members):
      let parts = members.map { $0.key + [UInt8(ascii: ":")] + $0.value.octets }
      return Array("{".utf8) + parts.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
    }
  }

  /// How many nodes it has, itself included.
  var count: Int {
    switch self {
    case .scalar: 1
    case .array(let items): items.reduce(1) { $0 + $1.count }
    case .object(let members): members.reduce(1) { $0 + $1.value.count }
    }
  }

  /// Changes the node of a number, in the order in which they are written.
  mutating func change(_ number: Int, _ body: (inout JSONTree) -> Void) {
    if number == 0 { return body(&self) }
    var rest = number - 1
    switch self {
    case .scalar: return
    case .array(var items):
      for index in items.indices {
        let count = items[index].count
        if rest < count {
          items[index].change(rest, body)
          break
        }
        rest -= count
      }
      self = .array(items)
    case .object(var members):
      for index in members.indices {
        let count = members[index].value.count
        if rest < count {
          members[index].value.change(rest, body)
          break
        }
        rest -= count
      }
      self = .object(members)
    }
  }

  /// Every node, in the order in which they are written.
  func visit(_ body: (JSONTree) -> Void) {
    body(self)
    switch self {
    case .scalar: break
    case .array(let items): for item in items { item.visit(body) }
    case .object(let members): for member in members { member.value.visit(body) }
    }
  }

  private struct Reader {
    let octets: [UInt8]
    var place = 0

    init(octets: [UInt8]) { self.octets = octets }

    private var next: UInt8? { place < octets.count ? octets[place] : nil }

    var isAtEnd: Bool {
      mutating get {
        skip()
        return place == octets.count
      }
    }

    private mutating func skip() {
      while let octet = next, [0x20, 0x09, 0x0A, 0x0D].contains(octet) { place += 1 }
    }

    private mutating func takes(_ octet: UInt8) -> Bool {
      skip()
      guard next == octet else { return false }
      place += 1
      return true
    }

    mutating func value(depth: Int) -> JSONTree? {
      if depth > JSONTree.depthLimit { return nil }
      if takes(UInt8(ascii: "{")) { return object(depth) }
      if takes(UInt8(ascii: "[")) { return array(depth) }
      if next == UInt8(ascii: "\"") { return text().map { .scalar($0) } }
      let start = place
      while let octet = next, !Array(",]}: \t\r\n".utf8).contains(octet) { place += 1 }
      return place > start ? .scalar(Array(octets[start..<place])) : nil
    }

    private mutating func text() -> [UInt8]? {
      let start = place
      place += 1
      while let octet = next {
        place += octet == UInt8(ascii: "\\") ? 2 : 1
        if octet == UInt8(ascii: "\"") { return Array(octets[start..<place]) }
      }
      return nil
    }

    private mutating func object(_ depth: Int) -> JSONTree? {
      var members: [Member] = []
      if takes(UInt8(ascii: "}")) { return .object([]) }
      repeat {
        skip()
        guard next == UInt8(ascii: "\""), let key = text(), takes(UInt8(ascii: ":")),
          let value = value(depth: depth + 1)
        else { return nil }
        members.append(Member(key: key, value: value))
      } while takes(UInt8(ascii: ","))
      return takes(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func array(_ depth: Int) -> JSONTree? {
      var items: [JSONTree] = []
      if takes(UInt8(ascii: "]")) { return .array([]) }
      repeat {
        guard let item = value(depth: depth + 1) else { return nil }
        items.append(item)
      } while takes(UInt8(ascii: ","))
      return takes(UInt8(ascii: "]")) ? .array(items) : nil
    }
  }
}
