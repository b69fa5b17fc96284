import AppSeam
import Bench
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

@testable import ProtocolFiles

@Suite("Protocol files")
struct ProtocolFileTests {
  static let chat = ProtocolTemplate.files(named: "chat")?[0].text ?? ""
  static let room = ProtocolTemplate.files(named: "chat")?[1].text ?? ""

  static func form(_ text: String = chat) throws -> ProtocolForm {
    try ProtocolFileReader.read(octets: Array(text.utf8), file: "chat.yaml")
  }

  static func app() throws -> AppProtocol { AppProtocol(try form(), file: "chat.yaml", spellings: ["./chat.yaml"]) }

  private func judge(
    _ engine: String = "reference", role: String = "room", seed: UInt64 = 1, app: AppProtocol? = nil
  ) throws -> Judgement {
    let app = try app ?? Self.app()
    var scenario = try ScenarioReader.read(
      text: Self.room, file: "chat-room.yaml", language: ScenarioLanguage([app])
    ).get()
    for place in scenario.devices.indices where scenario.devices[place].role.rawValue == role {
      scenario.devices[place].engine = engine
    }
    let oracles = app.makeOracleReader()
    _ = try World.run(scenario, options: RunOptions(seed: seed), readers: [oracles], engines: [app].engines)
    return try required(oracles.judgement)
  }

  @Test("The file that “protocol new” writes says what it must")
  func template() throws {
    let form = try Self.form()
    equal(form.packets.map(\.name), ["hello", "message", "welcome", "line"])
    equal(form.claims.count, 8)
    equal(form.purposes.count, 4)
    expect(ProtocolPage.text(form).contains("| GuestsAreWelcomed |"))
  }

  @Test("The reference that the file says enough for keeps all its claims", arguments: [1, 2, 3] as [UInt64])
  func reference(seed: UInt64) throws {
    let judgement = try judge(seed: seed)
    equal(judgement.verdict, .pass, "\(judgement.findings) \(judgement.expectations)")
    for oracle in judgement.oracles { expect(oracle.judged > 0, "\(oracle.id) has judged nothing") }
  }

  @Test("The reference answers what it has done itself, with values of an event before")
  func companions() throws {
    let claims = """
      claims:
        NamesAreSaid:
          clause: CHAT 3
          of: guest
          with: shows welcomed
          when: does say
          then: sends message where text = welcomed.name
          within: 2s
        WelcomesAreTold:
          clause: CHAT 3
          of: guest
          when: shows welcomed
          then: sends message where text = welcomed.name
          within: 2s

      """
    let text = Self.chat.replacing("claims:\n", with: claims)
    let app = AppProtocol(try Self.form(text), file: "chat.yaml", spellings: ["./chat.yaml"])
    let names = ["NamesAreSaid", "WelcomesAreTold"]
    let judgement = try judge(app: app)
    equal(judgement.verdict, .pass, "\(judgement.findings) \(judgement.expectations)")
    for name in names { expect(judgement.oracles.first { $0.id == name }?.judged ?? 0 >= 2, "\(name)") }
    for mutant in app.mutants where names.contains(mutant.oracle ?? "") {
      let result = try judge(mutant.name, role: "guest", app: app).oracles.first { $0.id == mutant.oracle }
      equal(result?.verdict, .fail, "\(mutant.name)")
    }
  }

  @Test("A text between double quotes is one, without them")
  func quotes() throws {
    let event = try EventReader(form: try Self.form()).event(#"sends line where text = "salt and pepper" and kind = 4"#)
    equal(event.conditions.map(\.field), ["text", "kind"])
    equal(event.conditions.map(\.operand), [.constant("salt and pepper"), .constant("4")])
  }

  @Test("Claims that ask for each other in a circle come to an end")
  func circle() throws {
    let claims = """
      claims:
        Round: { clause: CHAT 3, of: guest, when: shows line, then: shows welcomed, within: 1s }
        AndRound: { clause: CHAT 3, of: guest, when: shows welcomed, then: shows line, within: 1s }

      """
    let text = Self.chat.replacing("claims:\n", with: claims)
    let app = AppProtocol(try Self.form(text), file: "chat.yaml", spellings: ["./chat.yaml"])
    _ = try judge(app: app)
  }

  @Test("Each claim fails the mutants that are derived from it")
  func mutants() throws {
    let mutants = try Self.app().mutants
    expect(mutants.count >= 15)
    for mutant in mutants {
      let judgement = try judge(mutant.name, role: mutant.role.rawValue)
      let result = try required(judgement.oracles.first { $0.id == mutant.oracle })
      equal(result.verdict, .fail, "\(mutant.name)")
      // Nobody else is accused: what a peer never got, it does not owe.
      for finding in judgement.findings {
        let role =
          judgement.header.devices.indices.contains(finding.device)
          ? judgement.header.devices[finding.device].role : nil
        equal(role, mutant.role, "\(mutant.name): \(finding)")
      }
    }
  }

  @Test("The reference passes the purposes of its role, and each purpose fails an engine that says nothing")
  func purposes() throws {
    let app = try Self.app()
    for purpose in app.purposes {
      let id = CaseID(purpose: purpose.id, dialect: app.dialect(for: purpose), seed: 1)
      let sound = ImplementationUnderTest(of: app, name: "reference", role: purpose.role, makeEngine: app.makeReference)
      let result = CaseRunner.run(purpose, id, on: sound)
      equal(result.verdict, .pass, "\(purpose.id): \(String(describing: result.finding))")
      let silent = ImplementationUnderTest(of: app, name: "silent", role: purpose.role) { _ in SilentApp() }
      expect(CaseRunner.run(purpose, id, on: silent).verdict != .pass, "\(purpose.id)")
    }
  }
}

extension ProtocolFileTests {
  @Test("What a purpose fails that the reference does not pass is no kill")
  func noKills() throws {
    func matrix(_ text: String) throws -> KillMatrix {
      let app = AppProtocol(try Self.form(text), file: "chat.yaml", spellings: ["./chat.yaml"])
      let purposes = app.purposes.filter { $0.id == "CHAT/ROOM/HELLO/BV-01" }
      var matrix = KillMatrix(purposes: purposes, mutants: app.mutants)
      for piece in Selftest.allPairs(purposes, mutants: app.mutants) { matrix.book(Selftest.run(piece, of: app)) }
      return matrix
    }
    let right = try matrix(Self.chat)
    expect(right.survivors.count < right.mutants.count && right.referenceFailures.isEmpty)
    let wrong = try matrix(
      Self.chat.replacing("hears: welcome where name = ann", with: "hears: welcome where name = bob"))
    expect(wrong.referenceFailures.count == 1 && !wrong.rows[0].kills.isEmpty)
    expect(wrong.survivors.count == wrong.mutants.count && wrong.toothless == [] && wrong.verdict == .fail)
  }
}

/// Does nothing.
private final class SilentApp: AppEngine {
  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] { [] }
}
