package import SimKernel
import Synchronization

/// The wall clock of a campaign, and what ends it before its end.
package final class CampaignClock: Sendable {
  private let began: ContinuousClock.Instant
  private let earlier: Int
  private let deadline: ContinuousClock.Instant?
  private let isEnough = Atomic<Bool>(false)
  /// The deadline was seen to be over; what is done after the last trial does not count.
  private let wasOver = Atomic<Bool>(false)

  /// - Parameters:
  ///   - budget: no trial begins after so much wall-clock time; nil: any time.
  ///   - earlier: milliseconds of the processes that played earlier parts.
  package init(budget: SimDuration? = nil, earlier: Int = 0) {
    let now = ContinuousClock.now
    began = now
    self.earlier = earlier
    deadline = budget.map { now + .nanoseconds($0.nanoseconds) }
  }

  /// Wall-clock time so far, with that of earlier processes.
  package var milliseconds: Int { earlier + Int((ContinuousClock.now - began) / .milliseconds(1)) }

  /// That of this process.
  package var elapsed: Duration { ContinuousClock.now - began }

  /// Ends it: no further trial begins.
  package func stop() { isEnough.store(true, ordering: .relaxed) }

  /// Whether no further trial may begin. Asked before each.
  package var mustStop: Bool { Interruption.isRequested || isEnough.load(ordering: .relaxed) || isOver }

  private var isOver: Bool {
    guard let deadline, ContinuousClock.now >= deadline else { return false }
    wasOver.store(true, ordering: .relaxed)
    return true
  }

  /// How much of what was asked was judged.
  /// - Parameters:
  ///   - unit: what was asked for, in the plural.
  ///   - asked: how many; nil: as many as there is time for.
  ///   - judged: how many were, with those that were left out on purpose.
  package func ending(_ unit: String, asked: Int?, judged: Int) -> CampaignEnding {
    CampaignEnding(
      unit: unit, asked: asked ?? judged, judged: judged,
      reason: Interruption.isRequested ? .interrupted : wasOver.load(ordering: .relaxed) ? .time : nil)
  }
}
