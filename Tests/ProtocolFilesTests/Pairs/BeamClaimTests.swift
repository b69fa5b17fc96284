import AppSeam
import BeamOracles
import BeamScribe
import BeamSuite
import Bench
import Conformance
import Expectations
import Judging
import Platform
import ProtocolPairs
import SimKernel
import Testing

@testable import ProtocolFiles

/// Claims of `beamscribe.yaml`, and the oracle that one of them stands for, judge the same runs of BeamScribe.
@Suite("Oracles of BeamScribe, as claims of a file and in Swift")
struct BeamClaimTests {
  struct NoJudgement: Error {}

  /// An event that a guest joins and leaves, in a room with a network.
  private func judge(_ mutant: String? = nil) throws -> (file: Judgement, swift: Judgement) {
    let broken = try mutant.map { try required(BeamMutants.named($0)) }
    func engine(_ role: AppRole) -> String { broken?.role == role ? broken?.name ?? "" : "reference" }
    let text = """
      protocol: beamscribe
      network: home
      devices:
        host: { engine: \(engine(.beamHost)) }
        guest: { engine: \(engine(.beamGuest)), around: host }
      steps:
        - { after: 1s, host: { start event: Keynote 2026 } }
        - { after: 1s, guest: join }
        - { after: 10s, guest: leave }
        - { after: 1s, host: end event }
      duration: 20s
      """
    let language = ScenarioLanguage([AppProtocol.beamscribe])
    let scenario = try ScenarioReader.read(text: text, file: "room.yaml", language: language).get()
    let file = BeamPart.app.makeOracleReader()
    let swift = AppProtocol.beamscribe.makeOracleReader()
    let reworded = RewordedJudge(file, app: BeamPart.app.name, BeamPart.wording)
    _ = try World.run(
      scenario, options: RunOptions(seed: 1), readers: [swift, reworded], engines: [AppProtocol.beamscribe].engines)
    guard let said = file.judgement, let other = swift.judgement else { throw NoJudgement() }
    return (said, other)
  }

  private func verdict(_ judgement: Judgement, _ id: String) -> Verdict? {
    judgement.oracles.first { $0.id == id }?.verdict
  }

  @Test("The file's claims pass the reference, and judge it")
  func reference() throws {
    let (file, swift) = try judge()
    for oracle in file.oracles where oracle.id != OnlyPackets.id {
      expect(
        oracle.verdict == .pass && oracle.judged > 0, "\(oracle.id) \(oracle.findings.first.map { "\($0)" } ?? "")")
    }
    equal(swift.verdict, .pass)
  }

  @Test("The claim and the oracle of one name have the same verdict of each broken host")
  func advertising() throws {
    expect(BeamOracles.all.contains { $0.id == AdvertisingFits.id })
    for mutant in BeamMutants.all where mutant.role == .beamHost && mutant.clause.hasPrefix("BEAM 5.2.") {
      let (file, swift) = try judge(mutant.name)
      let said = verdict(file, AdvertisingFits.id)
      equal(said, verdict(swift, AdvertisingFits.id), "\(mutant.name)")
      equal((said == .fail), (mutant.oracle == AdvertisingFits.id), "\(mutant.name)")
    }
  }

  @Test(
    "A claim without an oracle in Swift fails its broken engine",
    arguments: [("HostsPublishNothing", "publishes-service"), ("GuestsDoNotConnect", "connects-over-ble")])
  func others(claim: String, mutant: String) throws {
    equal(verdict(try judge(mutant).file, claim), .fail)
  }
}
