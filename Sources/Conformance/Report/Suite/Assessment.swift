public import Judging

/// What a case counts as in a report: its verdict, read with what the implementation claims and what its team accepts.
///
/// See Docs/Decisions/0012.
public enum Assessment: String, Hashable, Sendable, CaseIterable {
  case pass
  case fail
  /// Passes, but only with steps that the bench took for it. Never green.
  case assumedPass
  /// The initial condition was not reached, so that its subject was never tested. Never green.
  case blocked
  /// Something else kept it from being judged. Never green.
  case inconclusive
  /// The bench's own fault, or an implementation that was never there.
  case error
  /// The implementation does not claim what the purpose needs: neither green nor red.
  case notApplicable
  /// Fails, and a waiver says why that is accepted: green, but shown.
  case waived
  /// Passes although a waiver says that it fails, and so does all else that the waiver names: the waiver is out of
  /// date, and the run fails.
  case unexpectedPass

  /// A waiver excuses a failure and nothing else; one without a reason excuses nothing.
  public init(_ result: CaseResult, waiver: Waiver? = nil, repetition: Repetition? = nil) {
    if case .differs(.bench, _, _) = repetition {
      self = .error
      return
    }
    let isWaived = waiver?.hasReason ?? false
    switch result.verdict {
    case .none: self = result.notApplicable == nil ? .inconclusive : .notApplicable
    case .pass where !result.id.assuming.isEmpty: self = .assumedPass
    case .pass: self = isWaived ? .unexpectedPass : .pass
    case .fail: self = isWaived ? .waived : .fail
    case .inconclusive: self = result.isBlocked ? .blocked : .inconclusive
    case .error: self = .error
    }
  }

  /// What it adds to the verdict of the run.
  public var verdict: Verdict {
    switch self {
    case .pass: .pass
    case .fail, .unexpectedPass: .fail
    case .assumedPass, .blocked, .inconclusive: .inconclusive
    case .error: .error
    // What is accepted shows nothing: a run that has nothing else has shown nothing.
    case .waived, .notApplicable: .none
    }
  }

  /// The implementation did what the purpose asks, wanted or not.
  public var isPassing: Bool { self == .pass || self == .unexpectedPass }

  /// Needs somebody's eyes.
  public var isBad: Bool { verdict > .pass && self != .assumedPass }

  /// For people.
  public var words: String {
    switch self {
    case .pass: "pass"
    case .fail: "fail"
    case .assumedPass: "pass with help"
    case .blocked: "blocked"
    case .inconclusive: "inconclusive"
    case .error: "error"
    case .notApplicable: "not applicable"
    case .waived: "waived"
    case .unexpectedPass: "unexpected pass"
    }
  }
}

extension Waiver {
  /// Whether it says anything but white space.
  public var hasReason: Bool { reason.contains { !$0.isWhitespace } }
}
