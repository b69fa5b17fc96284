import AppSeam
import BabOracles
import BabSim
import BabSuite
import Bench
import Conformance
import Platform
import SimKernel
import VirtualRadio

/// A game whose host goes on advertising, so that somebody comes who gets no seat.
enum RefusalGame {
  /// The named engine in place of the one who comes late.
  static func judge(_ engine: String = AppProtocol.reference, dialect: DialectName) throws -> Judgement {
    var devices = [Device(name: "host", group: "host", role: .host, phone: .ideal)]
    devices += (1...2).map { Device(name: "client-\($0)", group: "client", role: .client, phone: .ideal) }
    devices[0].engine = "advertises-in-game"
    devices[2].engine = engine
    for index in devices.indices {
      devices[index].dialect = dialect
      devices[index].position = Position(x: 100 * index, y: 0)
    }
    var scenario = Scenario.bab(name: "refusal game", devices: devices)
    let steps: [(at: Int64, device: Int, action: BabAction)] = [
      (100, 0, .startHosting), (500, 1, .joinHost), (5_000, 0, .setLobbyScenario("coffee-shop")),
      (6_000, 0, .startLobbyGame), (8_000, 2, .joinHost),
    ]
    scenario.steps = steps.map { step in
      Step(
        source: SourceLocation(line: 1, column: 1), label: nil, trigger: .at(.zero + .milliseconds(step.at)),
        devices: [step.device], action: .user(Step.UserAction(AppAction(step.action))), text: "step")
    }
    scenario.duration = .seconds(60)
    let reader = OracleReader()
    _ = try World.run(scenario, options: RunOptions(seed: 1), readers: [reader], engines: [AppProtocol.bab].engines)
    guard let judgement = reader.judgement else { throw LobbyGame.NoJudgement() }
    return judgement
  }
}
