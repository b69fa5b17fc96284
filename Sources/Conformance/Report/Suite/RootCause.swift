import Judging

/// Something to fix: the cases of one implementation that do not pass for the same reason.
public struct RootCause: Hashable, Sendable {
  public var implementation: Int
  public var cause: Cause
  /// Indices of cases; first those that were judged, for they show more than one that was blocked.
  public var cases: [Int]
  /// How many of them are blocked.
  public var blocked: Int

  /// What stands above the causes that no document has.
  public static let decisionHeading = "Decisions of the bench, which no document says"

  /// Whether it says what to fix, by a clause, by a case that was judged, or by what a platform knows.
  func isNamed(_ run: SuiteRun) -> Bool {
    if !cause.clause.isEmpty || cases.count > blocked { return true }
    let first = run.cases[cases[0]].result
    return first.reason != nil && first.omission == nil
  }
}

extension SuiteRun {
  /// All causes: those that block most cases first, then those of most cases; of equals the earlier one. What the bench
  /// alone has decided comes after what a document says, and what names no clause and only blocks, a condition that was
  /// not reached, comes after all: it follows from something.
  public var causes: [RootCause] {
    var causes: [RootCause] = []
    var places: [RootCause: Int] = [:]
    for (index, report) in cases.enumerated() where report.assessment.isBad {
      let cause = report.result.cause ?? Cause("", clause: "")
      let new = RootCause(implementation: report.implementation, cause: cause, cases: [], blocked: 0)
      let place = places[new] ?? causes.count
      if place == causes.count {
        places[new] = place
        causes.append(new)
      }
      causes[place].cases.append(index)
      if report.assessment == .blocked { causes[place].blocked += 1 }
    }
    for place in causes.indices {
      let all = causes[place].cases
      causes[place].cases =
        all.filter { cases[$0].assessment != .blocked } + all.filter { cases[$0].assessment == .blocked }
    }
    return causes.enumerated().sorted { first, second in
      let ranks = [first.element, second.element].map {
        ($0.isNamed(self) ? 1 : 0, isDecision($0) ? 0 : 1, $0.blocked, $0.cases.count)
      }
      return ranks[0] == ranks[1] ? first.offset < second.offset : ranks[0] > ranks[1]
    }.map(\.element)
  }

  /// Whether no document has the clause. Who breaks down does so under any documents.
  public func isDecision(_ cause: RootCause) -> Bool {
    guard let clause = protocols.lazy.compactMap({ $0.clause(cause.cause.clause) }).first else { return false }
    return clause.origin.isDecision && clause.origin.documents.isEmpty
      && cases[cause.cases[0]].result.failure == nil
  }

  /// What a cause is, in one line with its clause and where that comes from: `sends no greeting (APP 5.1.6, decision)`.
  public func title(of cause: Cause) -> String {
    if cause.clause.isEmpty { return cause.text.isEmpty ? "nothing more is known" : cause.text }
    // It is in a list itself.
    let origin = clauseOrigin(cause.clause)?.replacing("decision, on", with: "decision on")
    if cause.text.isEmpty {
      return cause.clause + (origin.map { " (\($0))" } ?? "") + ": " + (clauseText(cause.clause) ?? "")
    }
    return "\(cause.text) (\(cause.clause)" + (origin.map { ", \($0)" } ?? "") + ")"
  }

  /// As `title`, with what the implementation leaves undone, and with the steps that the bench took where it is only
  /// seen because of them.
  public func title(of cause: RootCause) -> String {
    let steps = cause.cases.map { cases[$0].result.id.assuming }.min { $0.count < $1.count } ?? []
    let isSaid = !cause.cause.text.isEmpty && steps.isEmpty
    let omission = isSaid ? cases[cause.cases[0]].result.omission.map { "; it \($0)" } ?? "" : ""
    return title(of: cause.cause) + omission
      + (steps.isEmpty ? "" : ", with \(steps.joined(separator: ", ")) by the bench")
  }

  /// How many of its cases count as what: `34 fail, 339 blocked`.
  public func tally(of cause: RootCause) -> String {
    Assessment.allCases.compactMap { kind in
      let count = cause.cases.count { cases[$0].assessment == kind }
      return count == 0 ? nil : "\(count) \(kind.words)"
    }.joined(separator: ", ")
  }
}
