import AppSeam
import BabOracles
import BabSim
import BabSuite
package import Bench
package import Conformance
import Judging
import Platform
import SimKernel
import VirtualRadio

/// One game of Bab in an ideal room, of its engines in Swift: as a scenario of Bab, and as one of the file.
package enum PairedLobby {
  package struct NoJudgement: Error {}

  /// One host, the seven clients that it has seats for, and one more.
  private static let clients = 8

  /// Judged by both in one run of the Swift protocol.
  /// - Parameter mutant: in place of the host, or of the second client.
  package static func judge(_ mutant: Mutant? = nil) throws -> (file: Judgement, swift: Judgement) {
    let file = BabPart.app.makeOracleReader()
    let swift = AppProtocol.bab.makeOracleReader()
    let reworded = RewordedJudge(file, app: BabPart.app.name, BabPart.wording)
    _ = try World.run(
      scenario(mutant), options: RunOptions(seed: 1), readers: [swift, reworded], engines: [AppProtocol.bab].engines)
    guard let said = file.judgement, let other = swift.judgement else { throw NoJudgement() }
    return (said, other)
  }

  /// - Parameter rounds: in which everybody taps “complete”, half a second each.
  package static func scenario(_ mutant: Mutant? = nil, rounds: Int = 60) -> Scenario {
    var scenario = Scenario.bab(name: "lobby game", devices: devices(mutant, app: nil))
    scenario.game.totalLines = 10_000
    return completed(scenario, rounds) { BabPart.wording.action($0) }
  }

  /// The same in the words of the file, for `BabPart.reworded`.
  package static func fileScenario(rounds: Int) -> Scenario {
    let app = BabPart.reworded
    var scenario = Scenario(name: "lobby game", devices: devices(nil, app: app))
    scenario.dialect = app.mainDialect
    scenario.apps = [ScenarioApp(app: app.app, settings: app.app.settings(nil, ScenarioDecoder(file: "")))]
    return completed(scenario, rounds) { AppAction($0) }
  }

  private static func completed(
    _ scenario: Scenario, _ rounds: Int, _ word: (FreeAction) -> AppAction?
  ) -> Scenario {
    var scenario = scenario
    scenario.limits.events = 20_000_000
    scenario.steps = steps(rounds).compactMap { step in
      let action: Step.Action
      switch step.deed {
      case .fault(let fault): action = .fault(fault)
      case .user(let free):
        guard let own = word(free) else { return nil }
        action = .user(Step.UserAction(own))
      }
      return Step(
        source: SourceLocation(line: 1, column: 1), label: nil, trigger: .at(.zero + .milliseconds(step.at)),
        devices: [step.device], action: action, text: "step")
    }
    scenario.duration = .milliseconds(18_000 + 500 * Int64(rounds))
    return scenario
  }

  private static func devices(_ mutant: Mutant?, app: AppProtocol?) -> [Device] {
    var devices = [device("host", .host)] + (1...clients).map { device("client-\($0)", .client) }
    if let mutant { devices[mutant.role == .host ? 0 : 2].engine = mutant.name }
    for index in devices.indices {
      devices[index].dialect = app?.mainDialect ?? .sdk
      if let app { devices[index].app = app.name }
      devices[index].leads = index == 0
      devices[index].position = Position(x: 100 * index, y: 0)
    }
    return devices
  }

  private static func device(_ name: String, _ role: AppRole) -> Device {
    var phone = PhonePreset.ideal
    phone.connection.linksAsPeripheral = 10
    return Device(name: name, group: role.rawValue, role: role, phone: phone)
  }

  private enum Deed {
    case user(FreeAction)
    case fault(DeviceFault)
  }

  private static func steps(_ rounds: Int) -> [(at: Int64, device: Int, deed: Deed)] {
    func user(_ what: String, _ values: (String, String)...) -> Deed {
      .user(FreeAction(what, values.map { FreeValue($0.0, $0.1) }))
    }
    var steps: [(at: Int64, device: Int, deed: Deed)] = [(100, 0, user("host"))]
    for client in 1..<clients { steps.append((500 + Int64(client), client, user("find"))) }
    // The one that is too many comes last.
    steps.append((5_500, clients, user("find")))
    steps.append((6_000, 0, user("select scenario", ("scenario", "coffee-shop"))))
    steps.append((7_000, 0, user("select difficulty", ("level", "hard"))))
    steps.append((10_000, 0, user("start")))
    // Everybody taps “complete” all the time; only the player whose turn it is may have an effect.
    let complete = user("complete", ("accuracy", "900"), ("errors", "1"), ("duration", "1500"))
    for round in 0..<rounds {
      for peer in 0...clients { steps.append((11_000 + Int64(round) * 500 + Int64(peer), peer, complete)) }
    }
    steps.append((30_100, 1, user("skip")))
    steps += [(35_000, 2, .fault(.vanish)), (43_000, 2, .fault(.appear))]
    return steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }
}
