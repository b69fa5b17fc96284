import AppSeam
import Bench
import Conformance
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

  private func judge(_ engine: String = "reference", role: String = "room", seed: UInt64 = 1) throws -> Judgement {
    let app = try Self.app()
    var scenario = try ScenarioReader.read(
      text: Self.room, file: "chat-room.yaml", language: ScenarioLanguage([app])
    ).get()
    for place in scenario.devices.indices where scenario.devices[place].role.rawValue == role {
      scenario.devices[place].engine = engine
    }
    let oracles = app.makeOracleReader()
    _ = try World.run(scenario, options: RunOptions(seed: seed), readers: [oracles], engines: [app].engines)
    return try #require(oracles.judgement)
  }

  @Test("The file that “protocol new” writes says what it must")
  func template() throws {
    let form = try Self.form()
    #expect(form.packets.map(\.name) == ["hello", "message", "welcome", "line"])
    #expect(form.claims.count == 8)
    #expect(form.purposes.count == 4)
    #expect(ProtocolPage.text(form).contains("| GuestsAreWelcomed |"))
  }

  @Test("The reference that the file says enough for keeps all its claims", arguments: [1, 2, 3] as [UInt64])
  func reference(seed: UInt64) throws {
    let judgement = try judge(seed: seed)
    #expect(judgement.verdict == .pass, "\(judgement.findings) \(judgement.expectations)")
    for oracle in judgement.oracles { #expect(oracle.judged > 0, "\(oracle.id) has judged nothing") }
  }

  @Test("Each claim fails the mutants that are derived from it")
  func mutants() throws {
    let mutants = try Self.app().mutants
    #expect(mutants.count >= 15)
    for mutant in mutants {
      let judgement = try judge(mutant.name, role: mutant.role.rawValue)
      let result = try #require(judgement.oracles.first { $0.id == mutant.oracle })
      #expect(result.verdict == .fail, "\(mutant.name)")
      // Nobody else is accused: what a peer never got, it does not owe.
      for finding in judgement.findings {
        let role =
          judgement.header.devices.indices.contains(finding.device)
          ? judgement.header.devices[finding.device].role : nil
        #expect(role == mutant.role, "\(mutant.name): \(finding)")
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
      #expect(result.verdict == .pass, "\(purpose.id): \(String(describing: result.finding))")
      let silent = ImplementationUnderTest(of: app, name: "silent", role: purpose.role) { _ in SilentApp() }
      #expect(CaseRunner.run(purpose, id, on: silent).verdict != .pass, "\(purpose.id)")
    }
  }
}

/// Does nothing.
private final class SilentApp: AppEngine {
  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] { [] }
}
