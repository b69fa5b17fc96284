package import Bench
package import Conformance
package import RunReports
import SimKernel

/// Makes the recording of a live session smaller as long as its replay fails for one reason: first what came in from
/// outside, then the scenario, then what came in again.
///
/// Where the replay fails for that reason without anything from outside too, what the devices came to because of it
/// stays: links, subscriptions, phases and whatever else apps were told and showed, each kind by each role.
///
/// Nobody outside answers: what is left of the recording comes in when it came in. Seeds stay, because what came in was
/// an answer to that run. One thread; the result is the same each time, unless a limit of time ends it.
package final class SessionShrinker {
  /// What it came to.
  package struct Result: Sendable {
    /// With the end and the digest of its own replay.
    package var recording: SessionRecording
    package var sighting: Sighting
    package var entriesBefore: Int
    package var linesBefore: Int
    package var linesAfter: Int
    /// Whether the replay without anything from outside fails for the same reason.
    package var failsInSilence: Bool
    package var executions: Int
    /// False: a limit was reached first.
    package var isSmallest: Bool
  }

  /// Judges the replay of a recording.
  package typealias Judge = @Sendable (SessionRecording, Scenario, [any TraceReader]) throws -> Judgement

  private var recording: SessionRecording
  private let language: ScenarioLanguage
  private let judge: Judge
  private let limit: Int
  private let shouldStop: () -> Bool
  private let progress: (SessionShrinker) -> Void
  private(set) package var executions = 0
  private var wasStopped = false
  /// What every smaller replay must come to, besides the reason.
  private var milestones: Set<Milestones.Milestone> = []
  package var entries: Int { recording.entries.count }

  /// - Parameters:
  ///   - limit: replays, about.
  ///   - shouldStop: asked before each; once true, what was reached is the result.
  package init(
    _ recording: SessionRecording, language: ScenarioLanguage, limit: Int, judge: @escaping Judge,
    shouldStop: @escaping () -> Bool = { false }, progress: @escaping (SessionShrinker) -> Void = { _ in }
  ) {
    self.recording = recording
    self.language = language
    self.limit = limit
    self.judge = judge
    self.shouldStop = shouldStop
    self.progress = progress
  }

  /// The reasons of the whole recording.
  /// - Throws: `ScenarioProblems`, `LiveSession.Refusal`, or what the bench throws when it fails.
  package func sightings() throws -> [Sighting] { try trial(recording).sightings }

  /// Shrinks until nothing changes, or a limit is reached.
  package func run(_ sighting: Sighting) throws -> Result {
    let reason = sighting.reason
    let before = (entries: recording.entries.count, lines: lines(of: recording))
    var silent = recording
    silent.entries = []
    let failsInSilence = try trial(silent).shows(reason)
    if failsInSilence { milestones = try reached(by: recording).subtracting(reached(by: silent)) }
    let isWanted = { (candidate: SessionRecording) in try self.trial(candidate).shows(reason) }
    try cutEnd(sighting.instant, isWanted)
    var count = -1
    while count != recording.entries.count, !isOver {
      count = recording.entries.count
      try dropEntries(isWanted)
      try shrinkScenario(sighting, isExplained: !failsInSilence)
    }
    let last = try trial(recording)
    recording.end = SessionRecording.End(instant: last.endInstant, ending: last.ending, digest: last.digest.hexadecimal)
    return Result(
      recording: recording, sighting: last.sightings.first { $0.reason == reason } ?? sighting,
      entriesBefore: before.entries, linesBefore: before.lines, linesAfter: lines(of: recording),
      failsInSilence: failsInSilence, executions: executions, isSmallest: !isOver)
  }

  private var isOver: Bool {
    if executions >= limit || shouldStop() { wasStopped = true }
    return wasStopped
  }

  // MARK: Replays

  private func reached(by recording: SessionRecording) throws -> Set<Milestones.Milestone> {
    let milestones = Milestones()
    executions += 1
    _ = try judge(recording, try recording.scenario(language).get(), [milestones])
    return milestones.reached
  }

  private func trial(_ recording: SessionRecording) throws -> Trial {
    let scenario = try recording.scenario(language).get()
    executions += 1
    progress(self)
    return try Trial(scenario, seed: recording.header.seed, bounds: nil, on: bench(recording))
  }

  /// Judges any scenario with what came in. A replay that does not come as far as it must is one without a reason.
  private func bench(_ recording: SessionRecording) -> TrialBench {
    let (language, judge, milestones) = (language, judge, milestones)
    return TrialBench(
      read: { text in
        var changed = recording
        (changed.header.scenario, changed.header.settings) = (text, [])
        return changed.scenario(language).flatMap { scenario in
          do throws(LiveSession.Refusal) {
            _ = try SeatRules.seats(changed.header, in: scenario)
            return .success(scenario)
          } catch {
            return .failure(ScenarioProblems(list: []))
          }
        }
      },
      judge: { scenario, _, readers in
        let come = Milestones()
        var judgement = try judge(recording, scenario, readers + [come])
        if !milestones.isSubset(of: come.reached) { (judgement.oracles, judgement.expectations) = ([], []) }
        return judgement
      })
  }

  private func lines(of recording: SessionRecording) -> Int {
    recording.header.scenario.split(separator: "\n").count { line in
      line.first { $0 != " " }.map { $0 != "#" } ?? false
    }
  }

  // MARK: What came in

  /// Ends the session where the reason shows, or a little later.
  private func cutEnd(_ instant: SimInstant, _ isWanted: (SessionRecording) throws -> Bool) throws {
    guard let end = recording.end?.instant ?? recording.entries.last?.instant else { return }
    for span in [SimDuration.zero, .seconds(1), .seconds(10)] where instant + span < end && !isOver {
      var shorter = recording
      shorter.entries.removeAll { $0.instant > instant + span }
      shorter.end = SessionRecording.End(instant: instant + span, ending: .stopped, digest: "")
      if try isWanted(shorter) {
        recording = shorter
        return
      }
    }
  }

  /// Halves, quarters and so on down to single ones; what comes last first.
  private func dropEntries(_ isWanted: (SessionRecording) throws -> Bool) throws {
    var size = recording.entries.count
    while size > 0 {
      var end = recording.entries.count
      while end > 0 {
        if isOver { return }
        let start = max(0, end - size)
        var smaller = recording
        smaller.entries.removeSubrange(start..<end)
        if try isWanted(smaller) { recording = smaller }
        end = start
      }
      size = min(size / 2, recording.entries.count)
    }
  }

  // MARK: The scenario

  private func shrinkScenario(_ sighting: Sighting, isExplained: Bool) throws {
    if isOver { return }
    let seed = recording.header.seed
    let tree = try ScenarioReader.tree(
      octets: Array(recording.header.scenario.utf8), file: recording.header.file, language: language,
      overrides: recording.header.settings.compactMap { ScenarioOverride($0) }
    ).get()
    var trials = bench(recording)
    if isExplained {
      var silent = recording
      silent.entries = []
      trials.silence = bench(silent).judge
    }
    let run = try ShrinkStart.run(tree, seed: seed, on: trials)
    let start = try ShrinkStart(run, seed: seed, origin: "", sighting: sighting, on: trials)
    let shrinker = Shrinker(
      start, limits: .init(executions: limit - executions, seedsPerStep: 1), bench: trials, shouldStop: shouldStop,
      progress: { [unowned self] _ in progress(self) })
    let result = try shrinker.run()
    executions += result.executions
    recording.header.scenario = ScenarioText.text(of: result.tree)
    recording.header.settings = []
  }
}
