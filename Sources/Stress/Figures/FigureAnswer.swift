package import CaptureCheck
package import Conformance
import Judging

/// What the worlds of a question came to.
package struct FigureAnswer: Sendable {
  package let question: FigureQuestion
  /// In the order of reports.
  let all: [RunMeasure]
  /// By way.
  package let tallies: [CampaignTally]

  /// - Parameters:
  ///   - measures: those of the plans.
  ///   - tallies: of each way one, with one cell.
  package init(_ question: FigureQuestion, _ measures: [RunMeasure], _ tallies: [CampaignTally]) {
    self.question = question
    all = measures
    self.tallies = tallies
  }

  /// A measure as one way shows it.
  struct Row {
    var measure: RunMeasure
    var way: String
    var samples: Distribution
  }

  /// Way by way of each measure, in the order of the question.
  var rows: [Row] { measures.flatMap { rows(of: $0) } }

  private var measures: [Int] { question.measures.compactMap { name in all.firstIndex { $0.name == name } } }

  private func rows(of measure: Int) -> [Row] {
    zip(question.ways, tallies).map { way, tally in
      Row(measure: all[measure], way: way.name, samples: tally.cells[0].measures[measure].samples)
    }
  }

  /// What keeps it from being an answer; nil: nothing does.
  package var problem: String? {
    if let name = question.measures.first(where: { name in !all.contains { $0.name == name } }) {
      return "\(question.name): unknown measure \(name)"
    }
    if let place = measures.first(where: { rows(of: $0).allSatisfy { $0.samples.count == 0 } }) {
      return "\(question.name): no sample of \(all[place].name)"
    }
    return tallies.contains { $0.count(.error) > 0 } ? "\(question.name): a world did not finish" : nil
  }

  /// A table's cells, its header first.
  package var table: [[String]] {
    [["measure", "way", "samples", "least", "median", "95 %", "greatest"]]
      + rows.map { row in
        let (samples, unit) = (row.samples, row.measure.unit)
        func text(_ value: Int64) -> String { samples.count > 0 ? MeasureText.text(value, unit) : "–" }
        return [
          row.measure.name, row.way, String(samples.count), text(samples.least),
          MeasureText.quantile(500, of: samples, unit), MeasureText.quantile(950, of: samples, unit),
          text(samples.greatest),
        ]
      }
  }

  /// The cumulative distributions that are drawn, each with the name of its file.
  package var plots: [(file: String, title: String, plot: StatsPlot)] {
    measures.prefix(question.drawn).compactMap { place in
      let measure = all[place]
      let parts = rows(of: place).map { (name: $0.way, samples: $0.samples) }
      guard
        let plot = StressPlots.cumulative(
          measure, id: question.name + "-" + measure.name, parts: parts, note: question.title)
      else { return nil }
      return (question.name + "-" + measure.name + ".svg", measure.title.capitalizedFirst, plot)
    }
  }
}

/// What the worlds of a comparison came to.
package struct FeatureAnswer: Sendable {
  /// One feature in one way.
  package struct Cell: Sendable {
    package let worlds: Int
    package let passes: Int
    /// What was wrong most often; nil: nothing was.
    package let cause: String?

    package init(_ tally: CampaignTally) {
      worlds = tally.worlds
      passes = tally.count(.pass)
      cause = tally.causes.max { a, b in (a.value.count, b.key) < (b.value.count, a.key) }?.key
    }

    var text: String {
      if worlds == 0 { return "–" }
      if passes == worlds { return "yes: \(passes) of \(worlds)" }
      return (passes == 0 ? "no" : "\(passes) of \(worlds)") + (cause.map { ": " + $0 } ?? "")
    }
  }

  package let comparison: FeatureComparison
  /// By feature, and by way.
  package let cells: [[Cell]]

  package init(_ comparison: FeatureComparison, _ cells: [[Cell]]) {
    self.comparison = comparison
    self.cells = cells
  }

  /// A table's cells, its header first.
  package var table: [[String]] {
    [["feature", "scenario"] + comparison.ways.map(\.name)]
      + zip(comparison.features, cells).map { feature, cells in
        [feature.title, feature.scenario] + cells.map(\.text)
      }
  }
}
