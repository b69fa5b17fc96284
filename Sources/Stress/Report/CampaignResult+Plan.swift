extension CampaignResult {
  package var seedText: String { StressGrid.seedText(firstSeed, seeds) }

  /// The campaign as a whole.
  /// - Parameter known: the measures that there are now.
  /// - Throws: `Claim.Refusal`, `Refusal`.
  package func plan(among known: [RunMeasure]) throws -> StressPlan {
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
