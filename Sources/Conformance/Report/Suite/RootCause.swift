import Judging

/// Something to fix: the cases of one implementation that do not pass for the same reason.
public struct RootCause: Hashable, Sendable {
  public var implementation: Int
  public var cause: Cause
  /// Indices of cases; first those that were judged, for they show more than one that was blocked.
  public var cases: [Int]
  /// How many of them are blocked.
  public var blocked: Int

  /// Whether it says what to fix, by a clause or by a case that was judged.
  var isNamed: Bool { !cause.clause.isEmpty || cases.count > blocked }
}

extension SuiteRun {
  /// All causes: those that block most cases first, then those of most cases; of equals the earlier one. What names no
  /// clause and only blocks, a condition that was not reached, comes after all that name one: it follows from
  /// something.
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
      let ranks = [first.element, second.element].map { ($0.isNamed ? 1 : 0, $0.blocked, $0.cases.count) }
      return ranks[0] == ranks[1] ? first.offset < second.offset : ranks[0] > ranks[1]
    }.map(\.element)
  }

  /// What a cause is, in one line with its clause: `sends no greeting (APP 5.1.6)`.
  public func title(of cause: Cause) -> String {
    guard cause.text.isEmpty else { return cause.clause.isEmpty ? cause.text : "\(cause.text) (\(cause.clause))" }
    return cause.clause.isEmpty ? "nothing more is known" : "\(cause.clause): \(clauseText(cause.clause) ?? "")"
  }

  /// As `title`, with the steps that the bench took where it is only seen because of them.
  public func title(of cause: RootCause) -> String {
    let steps = cause.cases.map { cases[$0].result.id.assuming }.min { $0.count < $1.count } ?? []
    return title(of: cause.cause) + (steps.isEmpty ? "" : ", with \(steps.joined(separator: ", ")) by the bench")
  }

  /// How many of its cases count as what: `34 fail, 339 blocked`.
  public func tally(of cause: RootCause) -> String {
    Assessment.allCases.compactMap { kind in
      let count = cause.cases.count { cases[$0].assessment == kind }
      return count == 0 ? nil : "\(count) \(kind.words)"
    }.joined(separator: ", ")
  }
}
