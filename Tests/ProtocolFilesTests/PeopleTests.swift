import AppSeam
import Bench
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

@testable import ProtocolFiles

@Suite("People and features of protocol files")
struct PeopleTests {
  private static let people = """
    people:
      answer: { of: guest, when: shows welcomed, does: [{ say: hi }, { say: good evening }], after: 200ms..900ms }
      chatter: { of: guest, when: shows line where text = hi, does: { say: well }, at most: 2 }

    """

  /// Two guests enter, and nobody says anything in the scenario.
  private static func run(
    _ people: String = people, settings: String = "", expect: String = "all guests show welcomed", seed: UInt64 = 1
  ) throws -> (Judgement, RunOutcome) {
    let text = ProtocolFileTests.chat.replacing("clauses:", with: people + "clauses:")
    let app = AppProtocol(try ProtocolFileTests.form(text), file: "chat.yaml", spellings: ["./chat.yaml"])
    let room = """
      protocol: ./chat.yaml
      \(settings)
      devices: { room: { phone: linux }, guest: { count: 2 } }
      steps:
        - { after: 6s, guest-1: { enter: ann } }
        - { after: 100ms, guest-2: { enter: bob } }
      expect:
        - { that: \(expect), within: 20s }
        - { that: "all guests have \(settings.isEmpty ? "at least 2" : "exactly 0") lines", at the end: yes }
      duration: 20s

      """.replacing(", at the end: yes", with: "")
    let scenario = try ScenarioReader.read(text: room, file: "room.yaml", language: ScenarioLanguage([app])).get()
    let oracles = app.makeOracleReader()
    let outcome = try World.run(
      scenario, options: RunOptions(seed: seed), readers: [oracles], engines: [app].engines)
    return (try required(oracles.judgement), outcome)
  }

  @Test("What an app shows makes its people act, and the claims hold", arguments: [1, 2, 3] as [UInt64])
  func act(seed: UInt64) throws {
    let (judgement, outcome) = try Self.run(seed: seed)
    equal(judgement.verdict, .pass, "\(judgement.findings) \(judgement.expectations)")
    expect(judgement.oracles.first { $0.id == "WhatIsSaidIsSent" }?.judged ?? 0 >= 2)
    try equal(Self.run(seed: seed).1.digest, outcome.digest)
  }

  @Test("What people do may have what they have seen")
  func seen() throws {
    let greet = "people:\n  p: { of: guest, when: shows welcomed, does: { say: I am <welcomed.name> }, at most: 1 }\n"
    let judgement = try Self.run(
      greet, expect: "all guests show line where text has I am and text != I am <welcomed.name>"
    ).0
    equal(judgement.verdict, .pass, "\(judgement.findings) \(judgement.expectations)")
  }

  @Test("A scenario switches them off")
  func off() throws {
    let judgement = try Self.run(settings: "people: no").0
    equal(judgement.verdict, .pass, "\(judgement.findings) \(judgement.expectations)")
    equal(judgement.oracles.first { $0.id == "WhatIsSaidIsSent" }?.judged, 0)
  }

  @Test("A limit of a habit is kept")
  func limit() throws {
    let once =
      "people:\n  p: { of: guest, when: shows welcomed, does: { say: hi }, at most: 1 }\n"
      + "  q: { of: guest, when: shows line, does: { say: again }, at most: 2 }\n"
    let said = try Self.run(once).0.oracles.first { $0.id == "WhatIsSaidIsSent" }?.judged ?? 0
    // Each guest says hi once, and again twice at most.
    expect((3...6).contains(said), "\(said)")
  }

  @Test("A purpose that needs a feature applies where it is claimed only")
  func features() throws {
    let text = ProtocolFileTests.chat
      .replacing("clauses:", with: "features: { history: The room tells lines of before. }\nclauses:")
      .replacing("text: A room welcomes a guest by its name.", with: "needs: history\n    text: A room welcomes.")
    let app = AppProtocol(try ProtocolFileTests.form(text), file: "chat.yaml", spellings: [])
    equal(app.ics.map(\.name), ["history"])
    equal(app.purposes.map { $0.needs.map(\.name) }, [["history"], [], [], []])
    expect(ICS(app.ics).missing(of: app.purposes[0].needs) == nil)
    equal(ICS([]).missing(of: app.purposes[0].needs)?.name, "history")
  }
}
