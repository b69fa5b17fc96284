/// One figure of many worlds, paired with the same figure of the same worlds at another time.
package struct Change: Hashable, Sendable {
  /// A column of `worlds.csv` that is compared.
  package enum Figure: String, Hashable, Sendable, CaseIterable {
    case mean, median, p99
  }

  package let measure: RunMeasure
  package let figure: Figure
  package private(set) var worse = Distribution()
  package private(set) var better = Distribution()
  package private(set) var equal = 0
  /// The sum of all differences.
  private var total: Int64 = 0
  /// Pairs in which one side has no sample.
  package private(set) var unpaired = 0
  /// The earlier worlds.
  package private(set) var before = Distribution()
  package private(set) var after = Distribution()

  init(_ measure: RunMeasure, _ figure: Figure) {
    self.measure = measure
    self.figure = figure
  }

  mutating func add(_ old: Int64?, _ new: Int64?) {
    let step = measure.unit.step
    guard let old, let new else {
      if old != nil || new != nil { unpaired += 1 }
      return
    }
    before.record(old, step: step)
    after.record(new, step: step)
    let difference = measure.isBetterWhenLess ? new - old : old - new
    total = total.addingReportingOverflow(difference).partialValue
    if difference == 0 { equal += 1 }
    if difference > 0 { worse.record(difference, step: 1) }
    if difference < 0 { better.record(-difference, step: 1) }
  }

  package var p: Double { SignedRankTest(worse: worse, better: better).p }

  /// More worlds became worse than better; of as many, whether the sum did.
  package var isWorse: Bool {
    worse.count == better.count ? total > 0 : worse.count > better.count
  }

  /// The median of all differences of pairs; above zero: it became worse. Counting loses about one hundredth of it.
  package var shift: Int64 {
    let (bad, good) = (Int(worse.count), Int(better.count))
    let middle = (bad + good + equal + 1) / 2
    if bad + good + equal == 0 { return 0 }
    // In ascending order: the better ones from the largest, the equal ones, the worse ones from the smallest.
    if middle <= good { return -(better.quantile(permille: (good - middle + 1) * 1_000 / good, step: 1) ?? 0) }
    if middle <= good + equal { return 0 }
    return worse.quantile(permille: ((middle - good - equal) * 1_000 + bad - 1) / bad, step: 1) ?? 0
  }
}

/// What is different from an earlier campaign, world by world.
package struct Comparison: Sendable {
  /// Less probable than that by chance, all figures together (Bonferroni): one false alarm in a hundred comparisons.
  static let level = 0.01

  package private(set) var changes: [Change]
  /// Worlds that passed and do not, and the other way round.
  package private(set) var passLost = 0
  package private(set) var passGained = 0
  package private(set) var worlds = 0
  /// Worlds with another digest.
  package private(set) var different = 0

  package init(_ measures: [RunMeasure]) {
    changes = measures.flatMap { measure in Change.Figure.allCases.map { Change(measure, $0) } }
  }

  package mutating func add(_ old: ComparedWorld, _ new: ComparedWorld) {
    worlds += 1
    if old.digest != new.digest { different += 1 }
    if old.isPass, !new.isPass { passLost += 1 }
    if !old.isPass, new.isPass { passGained += 1 }
    for place in changes.indices { changes[place].add(old.figures[place], new.figures[place]) }
  }

  private var limit: Double { Self.level / Double(changes.count + 1) }

  /// Figures that became worse, the least probable first; better ones likewise.
  package var worse: [Change] { significant.filter(\.isWorse) }
  package var better: [Change] { significant.filter { !$0.isWorse } }

  private var significant: [Change] {
    let probabilities = changes.map(\.p)
    return changes.indices.filter { probabilities[$0] < limit }
      .sorted { (probabilities[$0], $0) < (probabilities[$1], $1) }.map { changes[$0] }
  }

  /// Whether more worlds fail than before, beyond chance.
  package var failsMore: Bool { passLost > passGained && SignTest(worse: passLost, better: passGained).p < limit }
  package var isWorse: Bool { failsMore || !worse.isEmpty }
}

/// The figures of one world that are compared.
package struct ComparedWorld: Sendable {
  package var digest: String
  package var isPass: Bool
  /// In the order of `Comparison.changes`.
  package var figures: [Int64?]
}
