import AppSeam
import BeamOracles
import BeamScribe
import BeamSuite
import Bench
import Conformance
import Judging

/// Runs of scenarios in which some devices have a mutant, judged by all oracles of BeamScribe.
enum JudgedWorld {
  /// - Parameters:
  ///   - host: the engine of the device `host`.
  ///   - guest: that of all devices whose name begins with `guest`.
  ///   - rude: that of the device `rude`, where there is one.
  ///   - readers: read the trace too.
  static func judge(
    _ scenario: String, host: String = AppProtocol.reference, guest: String = AppProtocol.reference,
    rude: String = AppProtocol.reference, seed: UInt64 = 1, readers: [any TraceReader] = []
  ) throws -> Judgement {
    let language = ScenarioLanguage.beamScribe(engines: BeamMutants.all.map(\.name))
    let text = scenario.replacing("HOST", with: host).replacing("GUEST", with: guest)
      .replacing("OTHER", with: rude)
    let reader = OracleReader.beamScribe()
    _ = try World.run(
      ScenarioReader.read(text: text, file: "a.yaml", language: language).get(), options: RunOptions(seed: seed),
      readers: [reader] + readers
    ) { name, configuration in
      if let mutant = BeamMutants.named(name) { return mutant.makeEngine(configuration) }
      return BeamEngines.reference(configuration)
    }
    guard let judgement = reader.judgement else { preconditionFailure("a run without an end") }
    return judgement
  }

  /// Oracles that found something.
  static func findings(_ judgement: Judgement) -> [String] {
    judgement.findings.map { "\($0.oracle) \($0.instant) s device \($0.device): \($0.expected); \($0.actual)" }
  }
}

extension JudgedWorld {
  private static func devices(_ count: Int, network: String = "home", events: Int = 5_000_000, more: String = "")
    -> String
  {
    """
    network: \(network)
    devices:
      host: { phone: iphone, engine: HOST, at: [0, 0] }
      guest: { count: \(count), phone: iphone, engine: GUEST, at: [2, 0] }
    \(more)
    limits: { simulated time: 20min, events: \(events) }

    """
  }

  /// Text, partials and alerts, a guest that comes late, one that leaves early, and the end.
  static let talk =
    devices(3) + """
      steps:
        - host: { start event: Keynote of the year }
        - after: 1s
          guest-1: join
        - when: guest-1 is connected
          within: 20s
          host: { say partial: well }
        - after: 1s
          host: { say: "Well, and/or  " }
        - when: guest-1 is showing
          within: 20s
          host: { say partial: good mor }
        - host: { say: " Good morning. " }
        - after: 1s
          guest-2: join
        - when: guest-2 is connected
          within: 20s
          host: { say: Within the gate. }
        - when: guest-2 is showing
          within: 20s
          host: battery low
        - host: { say: One. }
        - after: 500ms
          host: { say: Two. }
        - host: [{ say: Three. }, { say: Four. }, { say: Five. }, { say: Six. }, { say: Seven. }]
        - after: 3s
          host: battery ok
        - after: 1s
          host: battery low
        - after: 3s
          guest-3: join
        - when: guest-3 is connected
          within: 20s
        - after: 1s
          guest-3: leave
        - after: 2s
          guest-2: leave
        - after: 2s
          guest-1: leave
        - after: 3s
          all guests: join
        - when: all guests are showing
          within: 30s
          host: { say: Nine. }
        - after: 4s
          host: end event
        - after: 10s
          host: { start event: Keynote of the year }
        - after: 25s
          host: { say: Once more. }
        - after: 3s
          host: end event
      """

  /// The host vanishes in the midst of its event, and is there again after two minutes.
  static let vanishing =
    devices(1) + """
      steps:
        - host: { start event: Keynote }
        - host: { say: Hi. }
        - guest: join
        - when: guest is showing
          within: 20s
        - host: vanish
        - after: 120s
          host: appear
        - after: 60s
          host: { say: Again. }
        - after: 5s
          host: end event
      """

  /// The guest's Wi-Fi is off for a while.
  static let outage =
    devices(1) + """
      steps:
        - host: { start event: Keynote }
        - guest: join
        - when: guest is showing
          within: 20s
        - guest: wifi off
        - after: 3s
          guest: wifi on
        - after: 60s
          host: { say: Again. }
        - after: 5s
          host: end event
      """

  /// A partial is being spoken when the gate opens, and there is no final yet.
  static let partial =
    devices(2) + """
      steps:
        - host: { start event: Keynote }
        - host: { say partial: Well }
        - all guests: join
        - after: 60s
          host: { say: Well. }
        - after: 40s
          host: end event
      """

  /// A guest does not read while much is said.
  static let slow =
    devices(2) + """
      beamscribe: { speech: { every: 2ms, finals: 10000 } }
      steps:
        - all guests: join
        - host: { start event: Keynote }
        - when: all guests are showing
          within: 20s
          guest-1: stop reading
        - after: 60s
          host: end event
      """

  /// More than a thousand finals.
  static let long =
    devices(2) + """
      beamscribe: { speech: { every: 20ms, finals: 1200 } }
      steps:
        - all guests: join
        - host: { start event: Keynote }
        - after: 40s
          host: end event
        - after: 5s
      """

  /// Eight guests want seven places.
  static let crowd =
    devices(8) + """
      steps:
        - host: { start event: Keynote }
        - all guests: join
        - after: 30s
          host: { say: Hi. }
        - after: 4s
          host: end event
      """

  /// Guests look for an event before there is one, and nothing is spoken until their gates are open.
  static let early =
    devices(2) + """
      steps:
        - all guests: join
        - after: 5s
          host: { start event: Keynote }
        - after: 15s
          host: { say: Hi. }
        - after: 4s
          host: end event
      """

  /// One more guest, whose engine is chosen, beside two that keep every clause.
  static let rude =
    devices(2, more: "  rude: { phone: iphone, engine: OTHER, at: [3, 0] }") + """
      steps:
        - host: { start event: Keynote }
        - all guests: join
        - when: all guests are showing
          within: 20s
          rude: join
        - after: 10s
          host: { say: Hi. }
        - after: 4s
          host: end event
      """

  /// The host's Wi-Fi is off when a gate is to open.
  static let flaky =
    devices(1) + """
      steps:
        - host: { start event: Keynote }
        - guest: join
        - when: guest is connected
          within: 20s
        - after: 2500ms
          host: wifi off
        - after: 3s
          host: wifi on
        - after: 40s
          host: { say: Hi. }
        - after: 4s
          host: end event
      """

  /// A history that takes seconds, and finals that are spoken meanwhile.
  static let heavy =
    devices(1, network: "{ preset: home, bandwidth: 200 kbit/s }") + """
      beamscribe: { speech: { every: 20ms, finals: 2500 } }
      steps:
        - host: { start event: Keynote }
        - after: 30s
          guest: join
        - after: 60s
          host: end event
      """

  /// A history of more than one frame.
  static let huge =
    devices(1) + """
      beamscribe: { speech: { every: 1ms, finals: 15000 } }
      steps:
        - host: { start event: Keynote }
        - after: 16s
          guest: join
        - after: 20s
          host: end event
      """

  /// The run ends soon if it does not rest.
  static let restless =
    devices(1, events: 100_000) + """
      steps:
        - host: { start event: Keynote }
        - guest: join
        - after: 10s
          host: end event
      """
}
