import AppSeam
import BabSim
import BabSuite
import BeamSuite
import Bench
import Conformance
import Judging
import SimKernel
import Testing

/// An engine of somebody else: here one that does nothing at all.
private final class SilentEngine: AppEngine {
  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] { [] }
}

/// The products of the two apps that the bench knows: engines of one's own under their suites, and theirs in rooms.
@Suite("An engine of Bab or BeamScribe of an outsider")
struct EngineDoorTests {
  private func verdicts(
    of app: AppProtocol, _ role: AppRole, _ purpose: String,
    _ makeEngine: @escaping @Sendable (AppConfiguration) -> any AppEngine
  ) -> [Verdict] {
    let mine = ImplementationUnderTest(of: app, name: "mine", role: role, makeEngine: makeEngine)
    let suite = Suite([mine], selection: CaseSelection(select: [purpose]))
    return suite.items.map { suite.run($0).verdict }
  }

  @Test("Bab's suite passes its reference, and no engine that is silent")
  func bab() {
    let purpose = "BAB/HOST/GATT/BV-01-C"
    let right = verdicts(of: .bab, .host, purpose, AppProtocol.bab.makeReference)
    #expect(!right.isEmpty && right.allSatisfy { $0 == .pass })
    let silent = verdicts(of: .bab, .host, purpose) { _ in SilentEngine() }
    #expect(silent.count == right.count && silent.allSatisfy { $0 != .pass })
  }

  @Test("BeamScribe's suite passes its reference, and no engine that is silent")
  func beamScribe() throws {
    let purpose = try #require(AppProtocol.beamscribe.purposes.first)
    let right = verdicts(of: .beamscribe, purpose.role, purpose.id, AppProtocol.beamscribe.makeReference)
    #expect(!right.isEmpty && right.allSatisfy { $0 == .pass })
    let silent = verdicts(of: .beamscribe, purpose.role, purpose.id) { _ in SilentEngine() }
    #expect(silent.allSatisfy { $0 != .pass })
  }

  @Test("A room of Bab's own engines is played and judged")
  func room() throws {
    let room = """
      devices:
        host: {}
        client: { around: host }
      steps:
        - host: start hosting
        - client: join
      expect:
        - { that: all clients in lobby, within: 30s }
      """
    let language = ScenarioLanguage([AppProtocol.bab])
    let scenario = try ScenarioReader.read(text: room, file: "room.yaml", language: language).get()
    let judge = [AppProtocol.bab].judge(of: scenario)
    _ = try World.run(
      scenario, options: RunOptions(seed: scenario.seed), readers: [judge], engines: [AppProtocol.bab].engines)
    #expect(judge.judgement?.verdict == .pass)
  }
}
