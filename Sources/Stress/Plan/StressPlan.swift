package import Judging

/// What a campaign plays and claims.
package struct StressPlan: Hashable, Sendable {
  /// As written on the command line.
  package var scenario: String
  /// Over the octets of its file.
  package var scenarioDigest: String
  /// `key=value` of all cells, in order.
  package var settings: [String]
  package var grid: StressGrid
  package var shard: Shard
  package var measures: [RunMeasure]
  package var claims: [Claim]
  /// A cell ends when all its claims are decided.
  package var stopsEarly: Bool
  /// Cells are chosen one after the other, by what came out; the first claim is the one that it is about.
  package var search: LimitSearch?

  /// A claim about `pass` is added where there is none: then every world that is played must pass.
  package init(
    scenario: String, scenarioDigest: String, settings: [String], grid: StressGrid, shard: Shard = .all,
    measures: [RunMeasure],
    claims: [Claim], stopsEarly: Bool = false, search: LimitSearch? = nil
  ) {
    self.search = search
    self.scenario = scenario
    self.scenarioDigest = scenarioDigest
    self.settings = settings
    self.grid = grid
    self.shard = shard
    self.measures = measures
    self.claims = claims + (claims.contains { $0.subject == .pass } ? [] : [.everyWorldPasses])
    self.stopsEarly = stopsEarly
  }

  /// Worlds that are to be played.
  package var size: Int { shard.size(of: grid.worldCount) }

  package var emptyTally: CampaignTally {
    CampaignTally(cells: grid.cells.count, measures: measures.count, claims: claims.count)
  }

  // MARK: Looking

  /// Worlds of a cell after which somebody looks whether its claims are decided: 64, 128, 256 … and all of them.
  package func isLook(_ worlds: Int) -> Bool {
    worlds == grid.seedCount || worlds >= 64 && worlds & (worlds - 1) == 0
  }

  /// How often somebody looks at most.
  package var looks: Int { stopsEarly ? max(1, (1...max(1, grid.seedCount)).lookCount) : 1 }

  package func results(of cell: CellTally) -> [ClaimResult] {
    zip(claims, cell.claims).map { ClaimResult($0, $1, looks: looks) }
  }

  /// Whether more worlds of a cell would change nothing.
  package func isDecided(_ cell: CellTally) -> Bool {
    let results = zip(claims, results(of: cell))
    let inferred = results.filter { $0.0.share != nil }
    return inferred.isEmpty
      ? results.contains { $0.1.verdict == .fail } : inferred.allSatisfy { $0.1.verdict != .inconclusive }
  }

  // MARK: Searching

  /// The values that were tried, in their order.
  package func points(_ tally: CampaignTally) -> [LimitSearch.Point] {
    guard let search else { return [] }
    return zip(grid.cells, tally.cells).compactMap { cell, tally in
      search.range.value(cell.values[0]).map { LimitSearch.Point(value: $0, verdict: results(of: tally)[0].verdict) }
    }
  }

  package func limit(_ tally: CampaignTally) -> LimitSearch.Outcome {
    search?.outcome(of: points(tally)) ?? .searching
  }

  // MARK: Judging

  /// The heaviest of all claims in all cells; not better than inconclusive where worlds are missing.
  package func verdict(_ tally: CampaignTally, missing: Int) -> Verdict {
    if tally.count(.error) > 0 { return .error }
    if tally.worlds == 0 { return .none }
    if search != nil {
      if case .limit = limit(tally) { return .pass }
      return [.holdsEverywhere, .failsEverywhere].contains(limit(tally)) ? .pass : .inconclusive
    }
    let all = tally.cells.filter { $0.worlds > 0 }.flatMap { results(of: $0).map(\.verdict) }.combined()
    return missing > 0 ? max(all, .inconclusive) : all
  }
}

extension ClosedRange<Int> {
  /// Looks at 64, 128 … within, and one at the end.
  fileprivate var lookCount: Int {
    var (count, next) = (1, 64)
    while next < upperBound {
      count += 1
      next *= 2
    }
    return count
  }
}

extension Claim {
  static let everyWorldPasses = Claim(text: "pass", subject: .pass, share: nil)
}
