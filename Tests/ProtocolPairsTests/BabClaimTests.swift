import AppSeam
import BabMutants
import BabOracles
import BabSim
import BabSuite
import Bench
import Conformance
import Judging
import Platform
import SimKernel
import Testing
import VirtualRadio

@testable import ProtocolFiles

/// Claims of `bab.yaml` and the oracles of their names judge the same runs of Bab's engines.
@Suite("Oracles of Bab, as claims of a file and in Swift")
struct BabClaimTests {
  /// Of a claim: the oracle that it stands for.
  private static let oracles: [String: String] = Dictionary(
    BabPart.app.oracles.map(\.id).filter { $0 != OnlyPackets.id }.map { ($0, $0 == "EachLineOnce" ? "CommittedLinesArePrefix" : $0) },
    uniquingKeysWith: { $1 })

  static let mutants: [Mutant] = Mutants.all.filter { mutant in
    mutant.oracle.map { oracle in Self.oracles.values.contains(oracle) } ?? false
  }

  @Test("Ten oracles have claims, and each of these oracles a broken engine")
  func names() {
    let known = Set(OracleRegistry.all.map { $0.id })
    #expect(Set(Self.oracles.values).count >= 6)
    for oracle in Self.oracles.values {
      #expect(known.contains(oracle), "\(oracle)")
      #expect(Self.mutants.contains { $0.oracle == oracle }, "\(oracle)")
    }
  }

  @Test("The file's claims pass the reference, and judge it")
  func reference() throws {
    let (file, swift) = try PairedLobby.judge()
    for oracle in file.oracles {
      #expect(oracle.verdict == .pass && oracle.judged > 0, "\(oracle.id) \(oracle.findings.first.map { "\($0)" } ?? "")")
    }
    #expect(swift.verdict == .pass)
  }

  @Test("A broken engine has the same verdicts by claims and oracles", arguments: mutants.map(\.name))
  func verdicts(name: String) throws {
    let mutant = try #require(Mutants.named(name))
    let (file, swift) = try PairedLobby.judge(mutant)
    var differences: Set<String> = []
    for oracle in Set(Self.oracles.values) {
      let claims = file.oracles.filter { Self.oracles[$0.id] == oracle }
      let said = claims.contains { $0.verdict == .fail } ? Verdict.fail : .pass
      let other = swift.oracles.first { $0.id == oracle }?.verdict == .fail ? Verdict.fail : .pass
      if said != other { differences.insert("\(oracle) | \(name) | \(said.rawValue) | \(other.rawValue)") }
    }
    let known = try PairTable(under: "Bab: oracles").rows.filter { $0.contains("| \(name) |") }
    #expect(differences == known)
  }
}

/// One game in an ideal room, judged by both in the same run.
enum PairedLobby {
  struct NoJudgement: Error {}

  /// - Parameter mutant: in place of the host, or of the second client.
  static func judge(_ mutant: Mutant? = nil) throws -> (file: Judgement, swift: Judgement) {
    let file = BabPart.app.makeOracleReader()
    let swift = AppProtocol.bab.makeOracleReader()
    let reworded = RewordedJudge(file, app: BabPart.app.name, BabPart.wording)
    _ = try World.run(
      scenario(mutant), options: RunOptions(seed: 1), readers: [swift, reworded], engines: [AppProtocol.bab].engines)
    guard let said = file.judgement, let other = swift.judgement else { throw NoJudgement() }
    return (said, other)
  }

  static func scenario(_ mutant: Mutant? = nil) -> Scenario {
    let clients = 8
    var devices = [device("host", .host)] + (1...clients).map { device("client-\($0)", .client) }
    if let mutant { devices[mutant.role == .host ? 0 : 2].engine = mutant.name }
    for index in devices.indices {
      devices[index].dialect = .sdk
      devices[index].position = Position(x: 100 * index, y: 0)
    }
    var scenario = Scenario.bab(name: "lobby game", devices: devices)
    scenario.game.totalLines = 10_000
    scenario.limits.events = 2_000_000
    scenario.steps = steps(clients: clients)
    scenario.duration = .seconds(48)
    return scenario
  }

  private static func device(_ name: String, _ role: AppRole) -> Device {
    var phone = PhonePreset.ideal
    phone.connection.linksAsPeripheral = 10
    return Device(name: name, group: role.rawValue, role: role, phone: phone)
  }

  private static func steps(clients: Int) -> [Step] {
    var steps: [(at: Int64, device: Int, action: Step.Action)] = [(100, 0, user(.startHosting))]
    for client in 1..<clients { steps.append((500 + Int64(client), client, user(.joinHost))) }
    steps.append((5_500, clients, user(.joinHost)))
    steps.append((6_000, 0, user(.setLobbyScenario("coffee-shop"))))
    steps.append((7_000, 0, user(.setLobbyDifficulty("hard"))))
    steps.append((10_000, 0, user(.startLobbyGame)))
    // Everybody taps "complete" all the time; only the player whose turn it is may have an effect.
    for round in 0..<60 {
      let action = user(.completeLine(accuracyPermille: 900, errorCount: 1, durationMilliseconds: 1_500))
      for peer in 0...clients { steps.append((11_000 + Int64(round) * 500 + Int64(peer), peer, action)) }
    }
    steps.append((30_100, 1, user(.skipLine)))
    steps += [(35_000, 2, .fault(.vanish)), (43_000, 2, .fault(.appear))]
    return steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map { _, step in
      Step(
        source: SourceLocation(line: 1, column: 1), label: nil, trigger: .at(.zero + .milliseconds(step.at)),
        devices: [step.device], action: step.action, text: "step")
    }
  }

  private static func user(_ action: BabAction) -> Step.Action { .user(Step.UserAction(AppAction(action))) }
}
