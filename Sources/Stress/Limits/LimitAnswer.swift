package import Conformance
import Judging

/// What a search found for a question.
package struct LimitAnswer: Sendable {
  package let question: LimitQuestion
  package let plan: StressPlan
  package let tally: CampaignTally

  /// - Parameter plan: of a search; its first claim is the question's.
  package init(_ question: LimitQuestion, _ plan: StressPlan, _ tally: CampaignTally) {
    self.question = question
    self.plan = plan
    self.tally = tally
  }

  /// A value that was tried.
  struct Row {
    var value: Int64
    /// As it is written in a scenario.
    var text: String
    var cell: CellTally
    var result: ClaimResult
  }

  /// In ascending order of the values.
  var rows: [Row] {
    guard let search = plan.search else { return [] }
    return zip(plan.grid.cells, tally.cells).compactMap { cell, tally in
      guard let value = search.range.value(cell.values[0]), let result = plan.results(of: tally).first else {
        return nil
      }
      return Row(value: value, text: cell.values[0], cell: tally, result: result)
    }.sorted { $0.value < $1.value }
  }

  package var worlds: Int { tally.worlds }

  /// Whether it is known up to where the claim holds, or that there is no limit in the range.
  package var isKnown: Bool {
    switch plan.limit(tally) {
    case .searching, .undecidedEnd: false
    case .holdsEverywhere, .failsEverywhere, .limit: true
    }
  }

  /// Whether the limit is where a closed form says; nil: it says nothing, or the limit is not known.
  package var isWhereExpected: Bool? {
    guard let bracket = question.bracket, let range = plan.search?.range, let low = range.value(bracket.low),
      let high = range.value(bracket.high), case .limit(let holds, let fails) = plan.limit(tally)
    else { return nil }
    return min(holds, fails) >= low && max(holds, fails) <= high
  }

  /// The last value at which the claim is proved to hold, and the first at which it is proved to fail.
  var limit: (holds: String, fails: String) {
    guard let search = plan.search else { return ("", "") }
    switch plan.limit(tally) {
    case .searching: return ("not found", "not found")
    case .undecidedEnd(let value): return ("unknown", "undecided at \(search.setting(value))")
    case .holdsEverywhere: return ("all of \(range)", "–")
    case .failsEverywhere: return ("–", "all of \(range)")
    case .limit(let holds, let fails): return (search.setting(holds), search.setting(fails))
    }
  }

  var range: String {
    plan.search.map { "\($0.setting($0.range.low)) … \($0.setting($0.range.high))" } ?? ""
  }

  /// The measure that the claim is about; nil: it is about the verdict.
  var measure: (place: Int, measure: RunMeasure)? {
    if case .measure(let measure, let place, _, _, _)? = plan.claims.first?.subject { return (place, measure) }
    return nil
  }
}
