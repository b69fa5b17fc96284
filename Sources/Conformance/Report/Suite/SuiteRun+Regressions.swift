public import Judging

extension SuiteRun {
  /// What the run comes to when only what got worse since the baseline counts; nil without a baseline.
  ///
  /// A case that passed and does not now is a failure, unless a waiver accepts it; what failed before may fail, and so
  /// may a case that the baseline does not have. Inconclusive: cases of the baseline that were selected were not run,
  /// or the run ended before its end. None: the baseline has no case that was judged now.
  public var regressionVerdict: Verdict? {
    guard let baseline, let comparison else { return nil }
    let worse = comparison.regressions.filter { $0.now != .waived }
    if worse.contains(where: { $0.now == .error }) { return .error }
    if !worse.isEmpty { return .fail }
    if notRun > 0 || !unasked.isEmpty || !comparison.vanished.isEmpty { return .inconclusive }
    let known = Set(baseline.entries.map(\.key))
    let isCompared = cases.contains {
      !$0.isSecondPass && $0.assessment != .notApplicable && known.contains(key(of: $0))
    }
    return isCompared ? .pass : Verdict.none
  }

  /// Whether a case is no better in the baseline, and only what got worse counts: known, and nothing to fix now.
  public func isExcused(_ report: CaseReport) -> Bool {
    guard failsOnRegressionsOnly, let baseline, report.assessment.isBad else { return false }
    let key = key(of: report)
    return !baseline.entries.contains { $0.key == key && $0.assessment.isPassing }
  }
}
