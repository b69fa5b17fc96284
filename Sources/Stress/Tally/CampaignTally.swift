package import Judging
import SimKernel

/// What many worlds came to, in memory that does not grow with their number.
///
/// It is the same in whatever order they are added, and however they were split before they were merged.
package struct CampaignTally: Hashable, Sendable, Codable {
  package internal(set) var worlds = 0
  package internal(set) var queueEvents = 0
  /// By the name of the verdict.
  package internal(set) var verdicts: [String: Int] = [:]
  /// The digests of all worlds with their numbers, added up.
  package internal(set) var digest: [UInt64] = [0, 0]
  package internal(set) var cells: [CellTally]
  /// By their text.
  package internal(set) var causes: [String: CauseTally] = [:]
  /// For each measure the worlds in which it was worst, the worst one first.
  package internal(set) var worst: [[WorstWorld]]

  /// Worst worlds that are kept for each measure.
  package static let worstCount = 3
  /// Different causes that are kept; all others are counted together.
  package static let causeLimit = 1_000
  static let otherCauses = "other causes"

  package init(cells: Int, measures: Int, claims: Int) {
    self.cells = (0..<cells).map { _ in CellTally(measures: measures, claims: claims) }
    worst = Array(repeating: [], count: measures)
  }

  /// One more cell, after all others.
  package mutating func appendCell(claims: Int) { cells.append(CellTally(measures: worst.count, claims: claims)) }

  package func count(_ verdict: Verdict) -> Int { verdicts[verdict.name] ?? 0 }

  // MARK: Adding

  package mutating func add(_ result: WorldResult, cell: Int, measures: [RunMeasure], claims: [Claim]) {
    worlds += 1
    queueEvents += result.queueEvents
    verdicts[result.verdict.name, default: 0] += 1
    for (place, word) in Self.words(of: result).enumerated() { digest[place] &+= word }
    cells[cell].add(result, measures: measures, claims: claims)
    if let cause = result.causes.first {
      let known = causes[cause] != nil || causes.count < Self.causeLimit
      let text = known ? cause : Self.otherCauses
      let one = CauseTally(result)
      causes[text] = causes[text].map { $0.merged(with: one) } ?? one
    }
    for (place, measure) in measures.enumerated() {
      guard let figures = result.figures[place] else { continue }
      keep(
        WorstWorld(
          world: result.index, value: measure.isBetterWhenLess ? figures.greatest : figures.least,
          queueEvents: result.queueEvents),
        place, measure)
    }
  }

  private static func words(of result: WorldResult) -> [UInt64] {
    var mixed = TraceDigest()
    mixed.combine(UInt64(result.index))
    mixed.combine(text: result.digest?.hexadecimal ?? "")
    let digits = mixed.hexadecimal
    return [digits.prefix(16), digits.suffix(16)].map { UInt64($0, radix: 16) ?? 0 }
  }

  private mutating func keep(_ world: WorstWorld, _ place: Int, _ measure: RunMeasure) {
    if let last = worst[place].last, worst[place].count == Self.worstCount,
      !world.isWorse(than: last, measure.isBetterWhenLess)
    {
      return
    }
    let rank = worst[place].firstIndex { world.isWorse(than: $0, measure.isBetterWhenLess) } ?? worst[place].count
    worst[place].insert(world, at: rank)
    if worst[place].count > Self.worstCount { worst[place].removeLast() }
  }

  package mutating func merge(_ other: CampaignTally, measures: [RunMeasure]) {
    worlds += other.worlds
    queueEvents += other.queueEvents
    verdicts.merge(other.verdicts) { $0 + $1 }
    for place in digest.indices { digest[place] &+= other.digest[place] }
    for place in cells.indices { cells[place].merge(other.cells[place]) }
    causes.merge(other.causes) { $0.merged(with: $1) }
    for (place, measure) in measures.enumerated() {
      for world in other.worst[place] { keep(world, place, measure) }
    }
  }

  package var digestText: String {
    digest.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// A world that is worst in one respect.
package struct WorstWorld: Hashable, Sendable, Codable {
  package var world: Int
  package var value: Int64
  package var queueEvents: Int

  /// The first of equal ones counts.
  func isWorse(than other: WorstWorld, _ isBetterWhenLess: Bool) -> Bool {
    if value != other.value { return isBetterWhenLess ? value > other.value : value < other.value }
    return world < other.world
  }
}

/// How often one thing went wrong first, and the smallest world in which it did.
package struct CauseTally: Hashable, Sendable, Codable {
  package internal(set) var count: Int
  package internal(set) var verdict: String
  /// The lowest number of a world with it.
  package internal(set) var first: Int
  /// The world with the fewest queue events.
  package internal(set) var example: Int
  package internal(set) var exampleEvents: Int
  /// What was seen in that world.
  package internal(set) var detail: String

  init(_ result: WorldResult) {
    count = 1
    verdict = result.verdict.name
    (first, example) = (result.index, result.index)
    exampleEvents = result.queueEvents
    detail = result.detail
  }

  func merged(with other: CauseTally) -> CauseTally {
    var sum = (exampleEvents, example) <= (other.exampleEvents, other.example) ? self : other
    sum.count = count + other.count
    sum.first = min(first, other.first)
    return sum
  }
}
