/// Values of a link, each with an octet before it that counts it: `packetID: 2 | index: 1 | count: 1 | body`.
extension PlantedParser {
  static let fragments: [PlantedParser] = [
    PlantedParser(
      "fragment-index", "the index of a fragment is not compared with the count", witness: [4, 0, 7, 5, 2]
    ) { input, isSound in join(input, Joiner(checksIndex: isSound)) },
    PlantedParser(
      "fragment-twice", "a fragment that comes twice counts twice", witness: [4, 0, 7, 0, 2, 4, 0, 7, 0, 2]
    ) { input, isSound in join(input, Joiner(checksRepeats: isSound)) },
    PlantedParser(
      "fragment-count-changes", "a later fragment may have another count than the first, and an index below that",
      witness: [4, 0, 7, 0, 2, 4, 0, 7, 5, 9]
    ) { input, isSound in join(input, Joiner(checksCount: isSound)) },
    PlantedParser(
      "partial-kept", "a packet that is not whole at the end of an input keeps its place, of which there are 256",
      witness: [4, 0, 7, 0, 2], repetitions: 257
    ) { input, isSound in join(input, Joiner(forgets: isSound)) },
  ]

  private static func join(_ input: [UInt8], _ joiner: Joiner) -> ParserAnswer {
    var joiner = joiner
    var place = 0
    while place < input.count {
      let count = Int(input[place])
      guard place + count < input.count else { return .refused("value cut off", offset: place) }
      if !joiner.take(Array(input[place + 1..<place + 1 + count])) { return .refused("fragment", offset: place) }
      place += 1 + count
    }
    joiner.end()
    return .accepted(kind: UInt64(joiner.packets) << 4 | UInt64(min(15, joiner.partials.count)))
  }
}

struct Joiner {
  struct Partial {
    var id: UInt16
    var received = 0
    var bodies: [[UInt8]?]
  }

  var checksIndex = true
  var checksRepeats = true
  var checksCount = true
  var forgets = true
  private(set) var partials: [Partial] = []
  private(set) var packets = 0

  /// Places that are taken, and never given back: one process tries one input after the other.
  nonisolated(unsafe) private static var places = 0
  private static let room = [UInt8](repeating: 0, count: 256)

  init(checksIndex: Bool = true, checksRepeats: Bool = true, checksCount: Bool = true, forgets: Bool = true) {
    self.checksIndex = checksIndex
    self.checksRepeats = checksRepeats
    self.checksCount = checksCount
    self.forgets = forgets
  }

  /// False for a value that is no fragment.
  mutating func take(_ value: [UInt8]) -> Bool {
    guard value.count >= 4, value[3] > 0 else { return false }
    let (id, index, count) = (UInt16(value[0]) << 8 | UInt16(value[1]), Int(value[2]), Int(value[3]))
    if checksIndex, index >= count { return false }
    let known = partials.firstIndex { $0.id == id }
    if let known, checksCount, partials[known].bodies.count != count { return false }
    let place = known ?? partials.count
    if known == nil { partials.append(Partial(id: id, bodies: Array(repeating: nil, count: count))) }
    if checksRepeats, partials[place].bodies[index] != nil { return true }
    partials[place].bodies[index] = Array(value.dropFirst(4))
    partials[place].received += 1
    if partials[place].received == partials[place].bodies.count {
      packets += partials.remove(at: place).bodies.reduce(0) { $0 + ($1!.isEmpty ? 1 : 2) } > 0 ? 1 : 0
    }
    return true
  }

  func end() {
    if forgets { return }
    for _ in partials {
      precondition(Self.room[Self.places] == 0)
      Self.places += 1
    }
  }
}
