import Judging

extension Suite {
  /// The case once more, with the bench taking the steps that did not come, one more as long as there is one:
  /// Docs/Decisions/0016.
  ///
  /// - Parameter first: what the case came to by itself.
  /// - Returns: nil when nothing can be assumed, or when the case comes to nothing new by it.
  public func assuming(_ item: Item, after first: CaseResult) -> (item: Item, result: CaseResult)? {
    let steps = implementations[item.implementation].app.assumedSteps.all.map(\.name)
    var result = first
    var helped = item
    // A failure may hide another one, but a failure that was found with help is found.
    while result.isBlocked || result.verdict == .none || result.verdict == .fail && helped.id == item.id,
      let step = result.step,
      steps.contains(step), !helped.id.assuming.contains(step)
    {
      helped.id.assuming = steps.filter { helped.id.assuming.contains($0) || $0 == step }
      result = run(helped)
    }
    guard helped.id != item.id, result.verdict == .pass || result.verdict == .fail else { return nil }
    // A failure is news only when it has another cause, and a pass only after a case that was never judged.
    let isNews = result.verdict == .pass ? first.isBlocked || first.verdict == .none : result.cause != first.cause
    return isNews ? (helped, result) : nil
  }
}
