import SimKernel

/// Changes packets that are JSON so that they stay JSON, and mean something else.
///
/// What a protocol calls its fields and kinds is taken from the packets that have passed: their members, texts and
/// numbers come in each other's places.
struct JSONMutator {
  private let trees: [JSONTree]
  /// Members and values that were seen, each once, in the order in which they were.
  private let members: [JSONTree.Member]
  private let values: [JSONTree]
  private let octets: OctetMutator

  init(pool: [[UInt8]], limit: Int) {
    trees = pool.compactMap { JSONTree($0) }
    var members: [JSONTree.Member] = []
    var values: [JSONTree] = []
    var seen: Set<JSONTree> = []
    for tree in trees {
      tree.visit { node in
        if seen.insert(node).inserted { values.append(node) }
        if case .object(let found) = node {
          for member in found where seen.insert(.object([member])).inserted { members.append(member) }
        }
      }
    }
    self.members = members
    self.values = values
    octets = OctetMutator(pool: pool, limit: limit)
  }

  func mutated(_ packet: [UInt8], _ draws: inout RandomStream) -> [UInt8] {
    guard draws.below(8) > 0, var tree = JSONTree(packet) else { return octets.mutated(packet, &draws) }
    for _ in 0...draws.below(3) {
      let number = Int(draws.below(UInt64(tree.count)))
      tree.change(number) { change(&$0, &draws) }
    }
    return Array(tree.octets.prefix(octets.limit))
  }

  private func change(_ node: inout JSONTree, _ draws: inout RandomStream) {
    switch node {
    case .scalar(let old): node = scalar(in: old, &draws)
    case .array(let items): node = .array(list(items, &draws))
    case .object(let old): node = .object(mapping(old, &draws))
    }
  }

  private func scalar(in old: [UInt8], _ draws: inout RandomStream) -> JSONTree {
    switch draws.below(8) {
    case 0, 1: Self.word(Self.numbers, &draws)
    case 2: Self.word(Self.texts, &draws)
    case 3: Self.word(["null", "true", "false", "{}", "[]"], &draws)
    case 4: longText(&draws)
    case 5: .scalar(octets.mutated(old, &draws))
    default: any(values, &draws) ?? .scalar(old)
    }
  }

  private func list(_ old: [JSONTree], _ draws: inout RandomStream) -> [JSONTree] {
    var items = old
    let place = items.isEmpty ? 0 : Int(draws.below(UInt64(items.count)))
    switch draws.below(5) {
    case 0: items.removeAll()
    case 1: if !items.isEmpty { items.remove(at: place) }
    case 2: if !items.isEmpty { items.insert(items[place], at: place) }
    case 3: items = Array(repeating: items, count: 1 << draws.below(8)).flatMap { $0 }
    default: if let value = any(values, &draws) { items.insert(value, at: place) }
    }
    return Array(items.prefix(1 << 12))
  }

  private func mapping(_ old: [JSONTree.Member], _ draws: inout RandomStream) -> [JSONTree.Member] {
    var list = old
    guard !list.isEmpty else { return any(members, &draws).map { [$0] } ?? [] }
    let place = Int(draws.below(UInt64(list.count)))
    switch draws.below(7) {
    case 0: list.remove(at: place)
    case 1: list.append(list[place])
    case 2: if let other = any(members, &draws) { list[place].key = other.key }
    case 3: if let other = any(members, &draws) { list[place].value = other.value }
    case 4: if let other = any(members, &draws) { list.append(other) }
    case 5: list[place].key = Array("\"\(String(draws.next(), radix: 36))\"".utf8)
    default: replaceByName(&list, &draws)
    }
    return list
  }

  /// Gives a member the value that another packet has under the same name: another kind, another player.
  private func replaceByName(_ list: inout [JSONTree.Member], _ draws: inout RandomStream) {
    let place = Int(draws.below(UInt64(list.count)))
    let others = members.filter { $0.key == list[place].key }
    if let other = any(others, &draws) { list[place] = other }
  }

  private func longText(_ draws: inout RandomStream) -> JSONTree {
    let count = 1 << draws.below(14)
    return .scalar(Array("\"".utf8) + Array(repeating: UInt8(ascii: "x"), count: count) + Array("\"".utf8))
  }

  private func any<Element>(_ list: [Element], _ draws: inout RandomStream) -> Element? {
    list.isEmpty ? nil : list[Int(draws.below(UInt64(list.count)))]
  }

  private static func word(_ words: [String], _ draws: inout RandomStream) -> JSONTree {
    .scalar(Array(words[Int(draws.below(UInt64(words.count)))].utf8))
  }

  private static let numbers = [
    "0", "1", "-1", "2147483647", "2147483648", "-2147483648", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "18446744073709551616", "1e400", "-0", "0.5", "1.0000000001", "255", "65536",
  ]

  private static let texts = [
    #""""#, #"" ""#, #""\u0000""#, #""\ud800""#, #""\n\r\t""#, #""ACTIVE""#, #""null""#, #""0""#, #""../x""#,
    #""é💥""#,
  ]
}
