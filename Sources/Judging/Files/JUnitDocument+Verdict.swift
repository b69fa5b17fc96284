extension JUnitDocument.Case {
  /// The element that a verdict calls for.
  package mutating func set(_ verdict: Verdict, message: String, lines: [String]) {
    let problem = JUnitDocument.Problem(message: message, type: verdict.name, text: lines.joined(separator: "\n"))
    switch verdict {
    case .none: skipped = JUnitDocument.Skip(message: "nothing to judge")
    case .pass: break
    case .fail: failure = problem
    case .inconclusive, .error: error = problem
    }
  }
}
