package import SimKernel

/// A world that plays its scenario: steps when they are due, expectations when they are decided, its end.
extension World {
  /// How far a scenario has come.
  package enum PlayProgress: Hashable, Sendable {
    /// The condition of whoever plays it came true.
    case conditionMet
    /// The instant was reached first.
    case instantReached
    /// It is through.
    case over(RunOutcome.Ending)
  }

  /// Lets the scenario play until an instant, and says how it ended if it is through by then.
  func play(to instant: SimInstant, _ progress: ((SimInstant) -> Void)? = nil) -> RunOutcome.Ending? {
    play(to: instant, until: nil, progress)
  }

  /// As above, or until a condition holds, which is asked after every event.
  func play(
    to instant: SimInstant, until condition: Condition?, _ progress: ((SimInstant) -> Void)? = nil
  ) -> RunOutcome.Ending? {
    var nextReport = timeline.eventCount + 65_536
    let reached = play(
      to: instant,
      stops: {
        if let condition { facts.holds(condition, at: timeline.now) } else { false }
      },
      afterEvent: {
        if let progress, timeline.eventCount >= nextReport {
          progress(timeline.now)
          nextReport = timeline.eventCount + 65_536
        }
      })
    if case .over(let ending) = reached { return ending }
    return nil
  }

  /// Lets the scenario play until an instant, or until a condition of its owner holds, which is asked now and after
  /// every event. Wherever it is cut into such parts, it plays the same.
  package func play(to instant: SimInstant, until condition: () -> Bool) -> PlayProgress {
    play(to: instant, stops: condition, afterEvent: {})
  }

  /// What the scenario's conditions say now; nil as long as it is unknown.
  package func judge(_ condition: Condition) -> Bool? { facts.judge(condition, at: timeline.now) }

  @inline(__always)
  private func play(to instant: SimInstant, stops: () -> Bool, afterEvent: () -> Void) -> PlayProgress {
    let limit = SimInstant.zero + scenario.limits.simulatedTime
    while true {
      if isOverEventLimit { return .over(.eventLimit) }
      if let programs, programs.breakdown != nil { return .over(.breakdown) }
      if stops() { return .conditionMet }
      if let end = scheduler.end, timeline.now >= end { return .over(.finished) }
      let horizon = min(instant, limit, scheduler.end ?? limit)
      guard let event = timeline.advance(limit: horizon, runsAhead: true) else {
        if timeline.now < horizon { timeline.skip(to: horizon) }
        if let end = scheduler.end, timeline.now >= end { return .over(.finished) }
        return timeline.now >= limit ? .over(.simulatedTimeLimit) : .instantReached
      }
      dispatch(event)
      settleInstant()
      afterEvent()
    }
  }
}
