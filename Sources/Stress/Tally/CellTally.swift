import Judging

/// What the worlds of one cell came to.
package struct CellTally: Hashable, Sendable, Codable {
  package internal(set) var worlds = 0
  /// By the name of the verdict.
  package internal(set) var verdicts: [String: Int] = [:]
  package internal(set) var measures: [MeasureTally]
  package internal(set) var claims: [ClaimTally]

  init(measures: Int, claims: Int) {
    self.measures = Array(repeating: MeasureTally(), count: measures)
    self.claims = Array(repeating: ClaimTally(), count: claims)
  }

  package var passes: Int { verdicts[Verdict.pass.name] ?? 0 }

  /// So many of a million of its worlds pass; nil where none was played.
  package var passShare: Int64? { worlds > 0 ? Int64(passes * 1_000_000 / worlds) : nil }

  mutating func add(_ result: WorldResult, measures: [RunMeasure], claims: [Claim]) {
    worlds += 1
    verdicts[result.verdict.name, default: 0] += 1
    for (place, measure) in measures.enumerated() {
      self.measures[place].add(result, place, measure)
    }
    for (place, claim) in claims.enumerated() {
      self.claims[place].add(claim.holds(in: result))
    }
  }

  mutating func merge(_ other: CellTally) {
    worlds += other.worlds
    verdicts.merge(other.verdicts) { $0 + $1 }
    for place in measures.indices { measures[place].merge(other.measures[place]) }
    for place in claims.indices { claims[place].merge(other.claims[place]) }
  }
}

/// In how many worlds a claim held.
package struct ClaimTally: Hashable, Sendable, Codable {
  package internal(set) var holds = 0
  package internal(set) var fails = 0
  /// Nothing was measured that it could be decided by.
  package internal(set) var unknown = 0

  package init() {}

  package mutating func add(_ decision: Bool?) {
    switch decision {
    case true?: holds += 1
    case false?: fails += 1
    case nil: unknown += 1
    }
  }

  mutating func merge(_ other: ClaimTally) {
    holds += other.holds
    fails += other.fails
    unknown += other.unknown
  }
}

/// One measure in the worlds of a cell.
package struct MeasureTally: Hashable, Sendable, Codable {
  /// All worlds together.
  package internal(set) var samples = Distribution()
  /// The 99th percentile of each world, and its worst sample.
  package internal(set) var p99 = Distribution()
  package internal(set) var worst = Distribution()

  mutating func add(_ world: WorldResult, _ place: Int, _ measure: RunMeasure) {
    guard let figures = world.figures[place], let run = world.samples else { return }
    let step = measure.unit.step
    for sample in run.samples[place] {
      samples.record(sample.value, step: step, times: UInt64(sample.count))
    }
    p99.record(figures.p99, step: step)
    worst.record(measure.isBetterWhenLess ? figures.greatest : figures.least, step: step)
  }

  mutating func merge(_ other: MeasureTally) {
    samples.merge(other.samples)
    p99.merge(other.p99)
    worst.merge(other.worst)
  }
}

extension RunMeasure.Unit {
  /// What distributions count it in: times in microseconds.
  package var step: Int64 { self == .time ? 1_000 : 1 }
}
