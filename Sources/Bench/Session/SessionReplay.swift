public import SimKernel

/// A recorded session, run again without anybody outside.
public struct SessionReplay: Sendable {
  public var outcome: RunOutcome
  /// What the recording says of its end; nil when it does not.
  public var recorded: SessionRecording.End?

  /// Whether the run was the recorded one; nil when the recording has no end to compare with.
  public var agrees: Bool? { recorded.map { difference(from: $0) == nil } }

  /// What is different from the recorded run, in one line; nil when nothing is, or nothing can be compared.
  public var difference: String? { recorded.flatMap(difference) }

  private func difference(from recorded: SessionRecording.End) -> String? {
    if recorded.instant != outcome.endInstant {
      return "recorded until \(recorded.instant) s, but the replay ended at \(outcome.endInstant) s"
    }
    if recorded.ending != outcome.ending {
      return "recorded as \(recorded.ending.rawValue), but the replay ended as \(outcome.ending.rawValue)"
    }
    let digest = outcome.digest.hexadecimal
    return recorded.digest == digest ? nil : "recorded digest \(recorded.digest), but the replay has \(digest)"
  }

  /// Feeds a recording into a fresh world, each entry at its instant. What the world says to outsiders is dropped.
  /// A recording without an end is run to its last entry.
  /// - Parameters:
  ///   - scenario: `recording.scenario()`.
  ///   - language: of the steps that somebody has asked for.
  ///   - shouldStop: asked before each entry; once true, the rest is left out.
  ///   - progress: called before each entry, for people.
  /// - Throws: as `LiveSession` does.
  public static func run(
    _ recording: SessionRecording, scenario: Scenario, readers: [any TraceReader] = [],
    engines: @escaping EngineFactory, language: ScenarioLanguage = .bare, shouldStop: () -> Bool = { false },
    progress: (SimInstant) -> Void = { _ in }
  ) throws -> SessionReplay {
    let session = try LiveSession(recording.header, scenario: scenario, readers: readers, engines: engines)
    var devices = recording.header.seats.map { seat in scenario.devices.firstIndex { $0.name == seat.device }! }
    for entry in recording.entries {
      if shouldStop() { break }
      session.advance(to: entry.instant)
      progress(session.now)
      switch entry.what {
      case .seat(let seat, let event):
        guard devices.indices.contains(seat), session.isExternal(devices[seat]) else {
          throw LiveSession.Refusal("something came in at seat \(seat), and nobody has it")
        }
        session.enter(event, device: devices[seat])
      case .step(LiveSession.room, let words) where session.device(named: LiveSession.room) == nil:
        try session.changeRoom(words, language: language)
      case .step(let name, let words):
        guard let device = session.device(named: name) else {
          throw LiveSession.Refusal("a step is for \(name), and there is no such device")
        }
        try session.act(words, device: device, language: language)
      case .arrival(let arrival): devices.append(try session.admit(arrival, language: language))
      case .departure(let name): try session.dismiss(name)
      }
      while session.popOutward() != nil {}
    }
    if let end = recording.end { session.advance(to: end.instant) }
    return SessionReplay(outcome: session.finish(), recorded: recording.end)
  }
}
