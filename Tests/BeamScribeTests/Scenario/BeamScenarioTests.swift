import AppSeam
import BeamScribe
import Expectations
import SimKernel
import Testing

@testable import Bench

@Suite("BeamScribe in scenario files")
struct BeamScenarioTests {
  private func read(_ text: String) throws -> Scenario {
    try ScenarioReader.read(text: text, file: "a.yaml", language: .beamScribe()).get()
  }

  private func problems(_ text: String) -> [String] {
    switch ScenarioReader.read(text: text, file: "a.yaml", language: .beamScribe()) {
    case .success: return []
    case .failure(let problems): return problems.list.map(\.description)
    }
  }

  private let devices = "devices: { host: {}, guest: { count: 2 } }\n"

  private func actions(_ scenario: Scenario) -> [BeamAction?] {
    scenario.steps.map { step in
      if case .user(let action) = step.action { return action.action.beam }
      return nil
    }
  }

  @Test("Every action has its words")
  func actions() throws {
    let scenario = try read(
      devices + """
        steps:
          - host: start event
          - host: { start event: Keynote 2026 }
          - host: { say partial: good mor }
          - host: { say: Good morning. }
          - host: [battery low, battery ok, end event]
          - all guests: join
          - guest-1: { join event: "Keynote 2026" }
          - guest-2: [stop reading, read again, leave]
        """)
    equal(
      actions(scenario),
      [
        .startEvent(name: ""), .startEvent(name: "Keynote 2026"), .speakPartial("good mor"),
        .speakFinal("Good morning."), .batteryLow, .batteryOK, .endEvent, .join, .joinEvent(name: "Keynote 2026"),
        .stopReading, .readAgain, .leave,
      ])
    equal(scenario.dialect, .beamNetwork)
  }

  @Test("Settings have their defaults and their words")
  func settings() throws {
    try equal(read(devices).beamScribe, BeamSettings())
    let scenario = try read(
      devices + """
        dialect: mpc
        beamscribe:
          host advertises: free seats
          sent timestamp: no
          resume: no
          speech: { every: 500ms, finals: 20, partials: 3 }
        """)
    var settings = BeamSettings()
    settings.advertisesFreeSeats = true
    settings.writesSentTimestamp = false
    settings.resumes = false
    var speech = BeamSettings.Speech()
    speech.interval = .milliseconds(500)
    speech.finals = 20
    speech.partials = 3
    settings.speech = speech
    equal(scenario.beamScribe, settings)
    equal(scenario.dialect, .beamMPC)
    try equal(read(devices + "beamscribe: { speech: yes }").beamScribe.speech, BeamSettings.Speech())
  }

  @Test(
    "Every predicate has its words",
    arguments: [
      "all guests are showing", "guest-1 is LOST", "host is hosting", "all guests agree on transcript",
      "any guest has cleared its transcript", "guest-1 shows \"Good morning.\"", "guest-1 shows partial \"good mor\"",
      "guest-2 has alert hostDisconnected shown", "host has refused slow",
      "host event is named \"Keynote (2)\"", "all guests are on awdl", "guest-2 has 5 finals", "host has 7 guests",
      "host has at least 2 open guests", "host has no streams", "guest-1 has at most 3 losses", "guest-1 has 1 alert",
      "guest-1 has no own alerts", "everyone has no refused streams", "host has 2 unstable streams",
      "guest-1 has claimed latencies", "guest-1 has exactly 1 fullHistory packet", "no guest is ended",
    ])
  func predicates(_ text: String) {
    equal(problems(devices + "expect:\n  - '\(text)'"), [])
  }

  @Test(
    "What is wrong is said",
    arguments: [
      ("steps: [ { guest-1: start event } ]", "start event"), ("steps: [ { host: join } ]", "join"),
      ("expect: [ guest-1 is DANCING ]", "DANCING"), ("expect: [ guest-1 has alert fire shown ]", "fire"),
      ("beamscribe: { host advertises: sometimes }", "sometimes"), ("beamscribe: { speech: { every: 0s } }", "every"),
      ("steps: [ { host: { say: } } ]", "what is said"),
    ])
  func problems(_ text: String, _ words: String) {
    let found = problems(devices + text)
    equal(found.count, 1)
    expect(found.first?.contains(words) ?? false, "\(found)")
  }

  @Test("The speaker says so many partials and finals in time, the same for each seed")
  func speaker() throws {
    var scenario = try read(devices + "beamscribe: { speech: { every: 2s, finals: 3, partials: 3 } }")
    let people = try required(BeamApp().makePeople(scenario, settings: AppSettings(scenario.beamScribe), seed: 7))
    let again = try required(BeamApp().makePeople(scenario, settings: AppSettings(scenario.beamScribe), seed: 7))
    expect(waits(people.intention(after: AppReport(BeamReport.state("LOOKING")), device: 1, peerID: nil)) == nil)
    var report = BeamReport.state("HOSTING")
    var kinds = ""
    while let wait = waits(people.intention(after: AppReport(report), device: 0, peerID: nil)) {
      equal(wait, 500_000_000)
      let action = try required(people.act(device: 0)?.beam)
      equal(again.act(device: 0)?.beam, action)
      switch action {
      case .speakPartial(let text):
        kinds += "p"
        report = .partialShown(sequence: 1, text: text)
      case .speakFinal(let text):
        kinds += "f"
        report = .finalShown(sequence: 1, text: text)
      default: Issue.record("\(action)")
      }
    }
    equal(kinds, "pppfpppfpppf")
    scenario.beamScribe.speech = nil
    expect(BeamApp().makePeople(scenario, settings: AppSettings(scenario.beamScribe), seed: 7) == nil)
  }

  private func waits(_ intention: PeopleIntention) -> Int64? {
    if case .actAfter(let nanoseconds) = intention { return nanoseconds }
    return nil
  }

  @Test("Where events go on side by side, guests join that of their own host")
  func lobbies() {
    let app = BeamApp()
    let step = app.action(Step.UserAction(AppAction(BeamAction.join)), towards: 3)
    equal(step.about, 3)
    equal(app.action(step.action, about: PeerNames(peerID: "Talk", address: "")).beam, .joinEvent(name: "Talk"))
    equal(app.action(AppAction(BeamAction.leave), about: PeerNames(peerID: "Talk", address: "")).beam, .leave)
  }
}
