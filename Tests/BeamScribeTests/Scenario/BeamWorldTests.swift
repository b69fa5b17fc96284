import AppSeam
import BeamScribe
import Bench
import Expectations
import SimKernel
import Testing

/// Whole scenarios over the virtual radio and the virtual network: those of the plan, and some that are worse.
@Suite("BeamScribe in worlds")
struct BeamWorldTests {
  private final class Notes: TraceReader {
    var failed: [String] = []
    var network: [(device: Int, effect: NetworkEffect)] = []
    var texts: [String] = []

    func read(_ record: TraceRecord) {
      switch record.event {
      case .expectation(let text, false, let detail, _): failed.append("\(text): \(detail)")
      case .effect(.network(let effect)): network.append((record.device, effect))
      case .report(let report):
        if record.device == 0, case .finalShown(_, let text)? = report.beam { texts.append(text) }
      default: break
      }
    }
  }

  private func play(_ text: String, seed: UInt64 = 1) throws -> Notes {
    let scenario = try ScenarioReader.read(text: text, file: "a.yaml", language: .beamScribe()).get()
    let notes = Notes()
    _ = try World.run(scenario, options: RunOptions(seed: seed), readers: [notes]) { BeamEngines.reference($1) }
    return notes
  }

  static let scenarios: [(name: String, text: String)] = [
    (
      "one guest",
      """
      devices: { host: {}, guest: {} }
      beamscribe: { speech: { every: 500ms, finals: 20, partials: 2 } }
      steps:
        - host: start event
        - guest: join
        - { when: guest is showing, within: 15s }
        - { when: host has 20 finals, within: 15s }
      expect:
        - { that: guest agrees on transcript, within: 5s }
        - guest has 20 finals
        - guest has no losses
        - everyone has no refused streams
      """
    ),
    (
      "seven at once",
      """
      devices: { host: {}, guest: { count: 7 } }
      beamscribe: { speech: { every: 1s, finals: 30 } }
      steps:
        - host: { start event: Keynote 2026 }
        - all guests: { join event: Keynote 2026 }
        - { when: host has 7 open guests, within: 20s }
        - { when: host has 30 finals, within: 40s }
      expect:
        - { that: all guests agree on transcript, within: 2s }
        - all guests are showing
        - no guest has losses
      """
    ),
    (
      "an eighth guest is refused",
      """
      devices: { host: {}, guest: { count: 7 }, late: { role: guest } }
      steps:
        - host: start event
        - guest: join
        - { when: host has 7 open guests, within: 20s }
        - late: join
        - { when: host has refused full, within: 20s }
      expect:
        - host has 7 open guests
      """
    ),
    (
      "late guest",
      """
      devices: { host: {}, guest: {}, late: { role: guest } }
      beamscribe: { speech: { every: 200ms, finals: 100 } }
      steps:
        - host: start event
        - guest: join
        - { when: host has 50 finals, within: 20s }
        - late: join
        - { when: host has 100 finals, within: 20s }
      expect:
        - { that: all guests agree on transcript, within: 10s }
      """
    ),
    (
      "the host ends, and begins again",
      """
      devices: { host: {}, guest: { count: 2 } }
      steps:
        - host: start event
        - all guests: join
        - { when: all guests are showing, within: 20s }
        - host: { say: One. }
        - { when: all guests have 1 final, within: 2s }
        - host: end event
        - { when: all guests are ended, within: 2s }
        - after: 20s
          host: start event
        - { when: all guests are showing, within: 30s }
      expect:
        - all guests have alert hostDisconnected shown
        - all guests have no own alerts
        - all guests have cleared their transcript
        - all guests have no losses
      """
    ),
    (
      "begins again at once",
      """
      devices: { host: {}, guest: {} }
      steps:
        - host: start event
        - guest: join
        - { when: guest is showing, within: 20s }
        - host: [end event, start event]
        - { when: guest is ended, within: 2s }
        - { when: guest is showing, within: 40s }
      """
    ),
    (
      "no network but peer to peer",
      """
      devices: { host: {}, guest: { count: 3 } }
      network: no infrastructure
      beamscribe: { speech: { every: 1s, finals: 20 } }
      steps:
        - host: start event
        - all guests: join
        - { when: all guests are showing, within: 30s }
        - { when: host has 20 finals, within: 40s }
      expect:
        - { that: all guests agree on transcript, within: 5s }
        - all guests are on awdl
      """
    ),
    (
      "one network and peer to peer",
      """
      devices: { host: {}, guest: { count: 3 } }
      network: home
      steps:
        - host: start event
        - all guests: join
        - { when: all guests are showing, within: 30s }
      expect:
        - all guests are on wifi
      """
    ),
    (
      "every piece is small, and much is lost",
      """
      devices: { host: {}, guest: { count: 2 } }
      network: { preset: home, pieces: 3, loss: 2%, delay: 20ms }
      beamscribe: { speech: { every: 300ms, finals: 60, partials: 3 } }
      steps:
        - host: start event
        - all guests: join
        - { when: host has 60 finals, within: 60s }
      expect:
        - { that: all guests agree on transcript, within: 20s }
        - everyone has no refused streams
      """
    ),
    (
      "the host vanishes and comes back",
      """
      devices: { host: {}, guest: {} }
      steps:
        - host: start event
        - guest: join
        - { when: guest is showing, within: 20s }
        - host: { say: One. }
        - { when: guest has 1 final, within: 2s }
        - host: vanish
        - { when: guest has alert hostDisconnected shown, within: 80s }
        - host: appear
        - { when: guest is showing, within: 60s }
      expect:
        - guest has 1 own alert
        - guest shows "One."
        - guest has exactly 1 final
      """
    ),
    (
      "the host is killed and goes on",
      """
      devices: { host: {}, guest: {} }
      steps:
        - host: start event
        - guest: join
        - { when: guest is showing, within: 20s }
        - host: { say: One. }
        - { when: guest has 1 final, within: 2s }
        - host: kill
        - after: 1s
          host: relaunch
        - { when: guest has alert sessionResumed shown, within: 60s }
        - host: { say: Two. }
      expect:
        - { that: guest agrees on transcript, within: 2s }
        - guest has 2 finals
      """
    ),
    (
      "a guest that stops to read for a while",
      """
      devices: { host: {}, guest: { count: 2 } }
      beamscribe: { speech: { every: 200ms, finals: 200 } }
      steps:
        - host: start event
        - all guests: join
        - { when: all guests are showing, within: 20s }
        - guest-1: stop reading
        - after: 10s
          guest-1: read again
        - { when: host has 200 finals, within: 60s }
      expect:
        - { that: all guests agree on transcript, within: 5s }
      """
    ),
    (
      "the network is lost for a while",
      """
      devices: { host: {}, guest: { count: 2 } }
      beamscribe: { speech: { every: 500ms, finals: 100 } }
      steps:
        - host: start event
        - all guests: join
        - { when: all guests are showing, within: 20s }
        - guest-1: partition
        - after: 25s
          guest-1: end partition
        - { when: host has 100 finals, within: 80s }
      expect:
        - { that: all guests agree on transcript, within: 30s }
        - all guests are showing
      """
    ),
    (
      "infrastructure comes and is taken",
      """
      devices: { host: {}, guest: {} }
      network: home
      beamscribe: { speech: { every: 300ms, finals: 150, partials: 1 } }
      steps:
        - host: start event
        - everyone: leave network
        - guest: join
        - { when: guest is showing, within: 30s }
        - { when: guest is on awdl, within: 1s }
        - everyone: join network
        - { when: guest is on wifi, within: 30s }
        - { when: host has 150 finals, within: 80s }
      expect:
        - { that: guest agrees on transcript, within: 5s }
        - guest has no losses
      """
    ),
    (
      "two hosts of one name",
      """
      devices: { host: {}, other: { role: host, lobby: other }, guest: { lobby: other } }
      steps:
        - host: { start event: Talk }
        - after: 3s
          other: { start event: Talk }
        - after: 3s
          guest: { join event: Talk (2) }
        - { when: guest is showing, within: 30s }
        - other: { say: Second. }
        - { when: guest shows "Second.", within: 3s }
      expect:
        - host event is named Talk
        - other event is named "Talk (2)"
      """
    ),
    (
      "background",
      """
      devices: { host: { phone: iphone }, guest: { phone: iphone } }
      beamscribe: { speech: { every: 500ms, finals: 60 } }
      steps:
        - host: start event
        - guest: join
        - { when: guest is showing, within: 30s }
        - guest: background
        - after: 15s
          guest: foreground
        - { when: host has 60 finals, within: 60s }
      expect:
        - { that: guest agrees on transcript, within: 10s }
      """
    ),
  ]

  @Test("Scenarios of the new transport", arguments: scenarios.map(\.name))
  func network(_ name: String) throws {
    let text = try required(Self.scenarios.first { $0.name == name }).text
    let failed = try play(text).failed
    equal(failed, [])
  }

  @Test("Those without BLE, gate and path over the old one", arguments: scenarios.prefix(6).map(\.name))
  func old(_ name: String) throws {
    let text = try required(Self.scenarios.first { $0.name == name }).text
    if name.hasPrefix("an eighth") || name.hasPrefix("begins") { return }
    let failed = try play("dialect: mpc\n" + text).failed
    equal(failed, [])
  }

  private let apart = """
    devices: { host: { phone: iphone, interfaces: [] }, guest: { count: 2, phone: iphone, interfaces: [] } }
    beamscribe: { speech: { every: 500ms, finals: 5, partials: 1 } }
    steps:
      - host: { start event: Keynote 2026 }
      - guest-1: join
      - guest-2: { join event: Other talk }
      - { when: host has 5 finals, within: 3s }
      - host: end event
    expect:
      - host is idle
      - host has 5 finals
      - all guests are looking
    """

  @Test("Without a network a host speaks, and guests prime for the host that they hear and want")
  func apartOnly() throws {
    let notes = try play(apart)
    equal(notes.failed, [])
    equal(notes.texts.count, 5)
    let primed = notes.network.filter { if case .prime = $0.effect { true } else { false } }
    equal(primed.map(\.device), [1])
  }

  @Test("What is spoken follows from the seed")
  func seeds() throws {
    try equal(play(apart).texts, play(apart).texts)
    try expect(play(apart).texts != play(apart, seed: 2).texts)
  }
}
