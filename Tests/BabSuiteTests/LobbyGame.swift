import AppSeam
import BabOracles
import BabSim
import BabSuite
import Bench
import Conformance
import Platform
import SimKernel
import VirtualRadio

/// One game in an ideal room, with short transmit queues, in which every oracle has something to judge.
enum LobbyGame {
  /// One host and as many clients as the dialect's capacity, one more than a lobby holds; the named engine in place of
  /// one of them.
  static func judge(
    _ engine: String = AppProtocol.reference, role: AppRole = .host, dialect: DialectName = .guide,
    types: [any BabOracle.Type] = OracleRegistry.all, readers: [any TraceReader] = []
  ) throws -> Judgement {
    let clients = dialect.profile.capacity
    var devices = [device("host", .host)] + (1...clients).map { device("client-\($0)", .client) }
    // The third peer is the one that vanishes and comes back.
    devices[role == .host ? 0 : 2].engine = engine
    for index in devices.indices {
      devices[index].dialect = dialect
      devices[index].position = Position(x: 100 * index, y: 0)
    }
    var scenario = Scenario.bab(name: "lobby game", devices: devices)
    scenario.game.totalLines = 10_000
    scenario.limits.events = 2_000_000
    scenario.steps = steps(clients: clients)
    scenario.duration = .seconds(48)
    let reader = OracleReader(types: types)
    _ = try World.run(
      scenario, options: RunOptions(seed: 1), readers: [reader] + readers, engines: [AppProtocol.bab].engines)
    guard let judgement = reader.judgement else { throw NoJudgement() }
    return judgement
  }

  struct NoJudgement: Error {}

  private static func device(_ name: String, _ role: AppRole) -> Device {
    var phone = PhonePreset.ideal
    phone.att.serverMTU = 131
    phone.buffers.notificationQueue = 2
    phone.buffers.writeCommandQueue = 2
    phone.connection.linksAsPeripheral = 10
    return Device(name: name, group: role.rawValue, role: role, phone: phone)
  }

  private static func steps(clients: Int) -> [Step] {
    var steps: [(at: Int64, device: Int, action: Step.Action)] = [(100, 0, user(.startHosting))]
    for client in 1..<clients { steps.append((500 + Int64(client), client, user(.joinHost))) }
    // The one that is too many comes last.
    steps.append((5_500, clients, user(.joinHost)))
    steps.append((6_000, 0, user(.setLobbyScenario("coffee-shop"))))
    steps.append((7_000, 0, user(.setLobbyDifficulty("hard"))))
    steps.append((20_000, 0, user(.startLobbyGame)))
    let accuracies = [1_000, 1_000, 850, 950, 400, 1_000, 900]
    // Everybody taps "complete" all the time; only the player whose turn it is may have an effect.
    for round in 0..<100 {
      let accuracy = accuracies[round % accuracies.count]
      let action = user(
        .completeLine(
          accuracyPermille: accuracy, errorCount: accuracy == 1_000 ? 0 : 1, durationMilliseconds: 1_500))
      for peer in 0...clients { steps.append((21_000 + Int64(round) * 500 + Int64(peer), peer, action)) }
    }
    steps.append((30_100, 1, user(.skipLine)))
    steps += [(35_000, 2, .fault(.vanish)), (43_000, 2, .fault(.appear)), (60_000, 1, .fault(.kill))]
    steps.append((82_000, 0, .fault(.vanish)))
    return steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map { _, step in
      Step(
        source: SourceLocation(line: 1, column: 1), label: nil, trigger: .at(.zero + .milliseconds(step.at)),
        devices: [step.device], action: step.action, text: "step")
    }
  }

  private static func user(_ action: BabAction) -> Step.Action { .user(Step.UserAction(AppAction(action))) }
}
