public import Measures

extension CampaignResult {
  /// What makes two results parts, or repetitions, of different campaigns; nil: nothing does.
  public func difference(from other: CampaignResult) -> String? {
    if babbench != other.babbench { return "babbench \(babbench) and \(other.babbench)" }
    if scenario != other.scenario { return "scenario \(scenario) and \(other.scenario)" }
    if scenarioDigest != other.scenarioDigest { return "the file of the scenario is not the same" }
    if settings != other.settings { return "--set \(settings) and \(other.settings)" }
    if keys != other.keys || cells != other.cells { return "other values of --vary" }
    if (firstSeed, seeds) != (other.firstSeed, other.seeds) {
      return "seeds \(seedText) and \(other.seedText)"
    }
    if claims != other.claims { return "other claims" }
    if measures != other.measures { return "other measures" }
    if shard?.count != other.shard?.count {
      return "shards of \(shard?.count ?? 1) and of \(other.shard?.count ?? 1)"
    }
    return nil
  }

  public var seedText: String { "\(firstSeed)..\(firstSeed + UInt64(seeds) - 1)" }

  /// The campaign as a whole.
  /// - Parameter known: the measures that there are now.
  /// - Throws: `Claim.Refusal`, `Refusal`.
  public func plan(among known: [RunMeasure]) throws -> StressPlan {
    guard known.map({ Measure(name: $0.name, unit: $0.unit) }) == measures else {
      throw Refusal(description: "the measures of this result are not those of this version of babbench")
    }
    var claims: [Claim] = []
    for text in self.claims { claims.append(try Claim(text, among: known)) }
    let grid = StressGrid(
      keys: keys, cells: cells.map { StressGrid.Cell(values: $0) }, firstSeed: firstSeed, seedCount: seeds)
    return StressPlan(
      scenario: scenario, scenarioDigest: scenarioDigest, settings: settings, grid: grid, measures: known,
      claims: claims, stopsEarly: stopsEarly)
  }
}
