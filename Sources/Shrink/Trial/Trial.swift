package import Bench
import Conformance
package import RunReports
package import SimKernel

/// What the run of one scenario with one seed came to.
package struct Trial: Hashable, Sendable {
  package var sightings: [Sighting]
  package var endInstant: SimInstant
  package var digest: TraceDigest
  package var events: Int
  package var ending: RunOutcome.Ending
  package var devices: Int

  /// Runs it and collects the reasons.
  ///
  /// - Parameter bounds: the run is stopped where it becomes longer.
  init(_ scenario: Scenario, seed: UInt64, bounds: TrialBounds?, on bench: TrialBench) throws {
    var scenario = scenario
    bounds?.apply(to: &scenario)
    let judgement = try bench.judge(scenario, RunOptions(seed: seed), [])
    sightings = Sighting.all(in: judgement, of: scenario)
    endInstant = judgement.outcome.endInstant
    digest = judgement.outcome.digest
    events = judgement.outcome.statistics.queueEvents
    ending = judgement.outcome.ending
    devices = scenario.devices.count
  }

  func shows(_ reason: Reason) -> Bool { sightings.contains { $0.reason == reason } }
}

/// How long a smaller scenario may run: a multiple of the original, so that no attempt takes much longer than it.
struct TrialBounds: Hashable, Sendable {
  var simulatedTime: SimDuration
  var events: Int

  /// Twice as long as the longer of two runs, and a little more: a run that fails may stop early, its control does not.
  init(_ trial: Trial, _ control: Trial?) {
    let end = max(trial.endInstant, control?.endInstant ?? .zero)
    simulatedTime = (end - SimInstant.zero) * 2 + .seconds(10)
    events = max(trial.events, control?.events ?? 0) * 2 + 100_000
  }

  /// - Parameter scenario: what is run; its own limits hold too.
  func apply(to scenario: inout Scenario) {
    scenario.limits.simulatedTime = min(scenario.limits.simulatedTime, simulatedTime)
    scenario.limits.events = min(scenario.limits.events, events)
  }

  /// Whether a run was stopped here, where its scenario would have let it go on.
  func stopped(_ trial: Trial, of scenario: Scenario) -> Bool {
    switch trial.ending {
    case .finished, .stopped, .breakdown: false
    case .simulatedTimeLimit: simulatedTime < scenario.limits.simulatedTime
    case .eventLimit: events < scenario.limits.events
    }
  }
}
