package import Judging

/// How much of what a campaign was asked for was judged, and why not all of it.
///
/// Whatever was not judged is not passed: an interrupted campaign, one without trials and one that ran out of time are
/// no pass, whatever their other trials came to.
package struct CampaignEnding: Hashable, Sendable {
  /// What ended it before its end.
  package enum Reason: String, Sendable {
    case interrupted
    /// The wall-clock time that it was given.
    case time
  }

  /// What was asked for, in the plural: "worlds".
  package var unit: String
  package var asked: Int
  package var judged: Int
  /// Nil: nothing ended it early.
  package var reason: Reason?

  package init(unit: String, asked: Int, judged: Int, reason: Reason?) {
    (self.unit, self.asked, self.judged, self.reason) = (unit, asked, judged, reason)
  }

  /// Those that were not judged.
  package var missing: Int { asked - judged }

  /// What is missing and why, for people; nil: nothing is.
  package var text: String? {
    guard missing > 0 else { return reason == .interrupted ? "interrupted" : nil }
    let cause =
      switch reason {
      case .interrupted: ": interrupted"
      case .time: ": the time was up"
      case nil: ""
      }
    return "\(missing) of \(asked) \(unit) are missing" + cause
  }

  /// A verdict about what was judged, as one about all that was asked for.
  package func verdict(_ verdict: Verdict) -> Verdict {
    if judged == 0, verdict == .pass { return .none }
    return missing > 0 && judged > 0 ? verdict.combined(with: .inconclusive) : verdict
  }

  /// What the process answers to its caller.
  package func exitCode(_ verdict: Verdict) -> Int32 {
    reason == .interrupted ? Interruption.exitCode : ExitCode(self.verdict(verdict)).rawValue
  }
}
