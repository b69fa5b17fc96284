package import Judging
import SimKernel

/// A campaign with all that reports say of it.
package struct StressReport: Sendable {
  package let plan: StressPlan
  package let tally: CampaignTally
  package let missing: Int
  package var comparison: Comparison?
  /// What the baseline is called.
  package var baseline = ""
  /// Folders with the files of single worlds, by the world's number.
  package var kept: [Int: String] = [:]
  /// What explains single worlds, by the world's number: of those that stand for a cause.
  package var reasons: [Int: String] = [:]
  package let repeatLine: String
  package let wallMilliseconds: Int
  /// The line that repeats one world.
  package let worldLine: @Sendable (Int) -> String

  package init(
    plan: StressPlan, tally: CampaignTally, missing: Int, repeatLine: String, wallMilliseconds: Int,
    worldLine: @escaping @Sendable (Int) -> String
  ) {
    self.plan = plan
    self.tally = tally
    self.missing = missing
    self.repeatLine = repeatLine
    self.wallMilliseconds = wallMilliseconds
    self.worldLine = worldLine
  }

  /// That of the claims; not better than fail where something became worse.
  package var verdict: Verdict {
    let own = plan.verdict(tally, missing: missing)
    return comparison?.isWorse == true ? max(own, .fail) : own
  }

  // MARK: What is shown

  /// Worlds not played because their cell was decided.
  package var skipped: Int { plan.size - tally.worlds - missing }

  /// Causes, the commonest first.
  package var causes: [(text: String, cause: CauseTally)] {
    tally.causes.map { ($0.key, $0.value) }
      .sorted { ($1.1.count, $0.1.first, $0.0) < ($0.1.count, $1.1.first, $1.0) }
  }

  /// What a person looks at first: the app's own times where there are some, and deliveries.
  package var headline: [Int] {
    let wanted = ["lobby", "delivery", "turn", "line"]
    return plan.measures.indices.filter { place in
      wanted.contains(plan.measures[place].name) && tally.cells.contains { $0.measures[place].samples.count > 0 }
    }
  }

  /// All samples of a measure.
  package func samples(_ place: Int) -> Distribution {
    tally.cells.reduce(into: Distribution()) { $0.merge($1.measures[place].samples) }
  }

  /// A world for people: its seed, and its cell where there are more.
  package func name(ofWorld index: Int) -> String {
    let (cell, seed) = plan.grid.world(index)
    return plan.grid.cells.count > 1 ? "seed \(seed), \(plan.grid.name(of: cell))" : "seed \(seed)"
  }

  /// Every claim in every cell with worlds; of a search only the one that it is about, by the values that were tried.
  package var claims: [(cell: Int, claim: Claim, result: ClaimResult)] {
    let all = tally.cells.enumerated().filter { $0.element.worlds > 0 }.flatMap { cell, tally in
      zip(plan.claims, plan.results(of: tally)).map { (cell: cell, claim: $0, result: $1) }
    }
    guard let search = plan.search else { return all }
    func value(_ cell: Int) -> Int64 { search.range.value(plan.grid.cells[cell].values[0]) ?? 0 }
    return all.filter { $0.claim == plan.claims[0] }.sorted { value($0.cell) < value($1.cell) }
  }

  package func name(of claim: Claim, in cell: Int) -> String {
    claim.text + (plan.grid.cells.count > 1 ? " with " + plan.grid.name(of: cell) : "")
  }

  /// What a search came to, one line; nil when nothing was searched.
  package var limitLine: String? {
    plan.search.map { $0.sentence(plan.limit(tally), claim: plan.claims[0].text) }
  }

  /// How a claim stands, one line.
  package static func detail(_ result: ClaimResult) -> String {
    let decided = result.tally.holds + result.tally.fails
    guard decided > 0 else { return "no world has a sample of it" }
    var text = "holds in \(result.tally.holds) of \(decided) worlds"
    if result.tally.unknown > 0 { text += ", unknown in \(result.tally.unknown)" }
    if let interval = result.interval {
      text += "; in \(MeasureText.percent(low: interval.low)) to \(MeasureText.percent(high: interval.high)) of all"
    }
    if result.verdict == .inconclusive, let needed = result.needed, decided < needed {
      text += "; it needs at least \(needed) worlds"
    }
    return text
  }

  /// What changed, one line for each.
  package var changeLines: [(isWorse: Bool, text: String)] {
    guard let comparison else { return [] }
    var lines: [(Bool, String)] = []
    if comparison.failsMore {
      lines.append((true, "\(comparison.passLost) do not pass any more, \(comparison.passGained) pass now"))
    }
    lines += comparison.worse.map { (true, Self.line($0)) } + comparison.better.map { (false, Self.line($0)) }
    return lines
  }

  private static func line(_ change: Change) -> String {
    let unit = change.measure.unit
    let medians = [change.before, change.after].map { MeasureText.quantile(500, of: $0, unit) }
    let shift = change.measure.isBetterWhenLess ? change.shift : -change.shift
    let words = (shift < 0 ? "−" : "+") + MeasureText.text(Int64(shift.magnitude), unit)
    return
      "\(change.figure.rawValue) \(change.measure.name): worse in \(CountedNoun.text(change.worse.count, "world")), better in"
      + " \(change.better.count), equal in \(change.equal); median of the differences \(words), from \(medians[0]) to"
      + " \(medians[1])"
  }
}
