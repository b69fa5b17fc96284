import AppSeam
import BabOracles
import BabSim
import BabSuite
import Bench
import Conformance
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio

/// A lobby with one peer from outside: that peer's host stack and engine live in a world of their own, and what the two
/// worlds say to each other is H4 packets, at the instants at which they leave.
///
/// The lobby's world sees a foreign host, as it would see Bumble; that the outsider is our own reference only means
/// that it plays by the rules.
struct OutsiderLobby {
  var scenario: Scenario
  /// The device from outside.
  var outsider: Int
  /// What its person does, and when.
  var deeds: [(instant: SimDuration, action: BabAction)]
  /// How long the lobby lives when its scenario does not end it sooner.
  var limit = SimDuration.seconds(130)

  static func scenario(_ path: String) throws -> Scenario {
    try ScenarioFile.load(Repository.path("Scenarios/\(path).yaml"), language: .bab()).get()
  }

  /// A host's person opens a lobby and starts a game; a client's joins.
  init(_ scenario: Scenario, outsider: String) throws {
    self.scenario = scenario
    self.outsider = try required(scenario.devices.firstIndex { $0.name == outsider })
    deeds =
      scenario.devices[self.outsider].role == .client
      ? [(.zero, .joinHost)]
      : [
        (.zero, .startHosting), (.seconds(6), .setLobbyScenario("coffee-shop")),
        (.seconds(7), .setLobbyDifficulty("hard")), (.seconds(8), .startLobbyGame),
      ]
  }

  /// Every engine but the outsider's, which is the reference.
  mutating func setEngines(_ role: AppRole, _ engine: String) {
    for index in scenario.devices.indices where scenario.devices[index].role == role {
      scenario.devices[index].engine = engine
    }
  }

  func play(readers: [any TraceReader]) -> RunOutcome {
    var home = scenario
    let device = scenario.devices[outsider]
    home.devices = [device]
    home.devices[0].engine = AppProtocol.reference
    home.steps = deeds.enumerated().map { index, deed in
      Step(
        source: SourceLocation(line: 1, column: 1), label: nil, trigger: .at(.zero + deed.instant), devices: [0],
        action: .user(Step.UserAction(AppAction(deed.action))), text: "\(deed.action)")
    }
    home.expectations = []
    if let players = scenario.game.autoplay?.players { home.game.autoplay?.players = [players[outsider]] }
    var seats = scenario.devices.map { _ in Seat.simulated }
    seats[outsider] = .foreignHost
    let lobby = Self.world(scenario, seats, readers)
    let away = Self.world(home, [.foreignController], [])
    lobby.begin()
    away.begin()
    lobby.enter(.attached, device: outsider)
    away.enter(.attached, device: 0)
    let end = SimInstant.zero + limit
    var isExhausted = false
    while !isExhausted, lobby.now < end, lobby.scenarioEnd.map({ lobby.now < $0 }) ?? true {
      let next = [lobby.nextInstant, away.nextInstant, lobby.scenarioEnd, end].compactMap { $0 }.min() ?? end
      isExhausted = lobby.advance(to: next) == .eventLimit || away.advance(to: next) == .eventLimit
      while carry(lobby, away) {}
    }
    return lobby.finish(ending: isExhausted ? .eventLimit : lobby.scenarioEnd == nil ? .stopped : .finished)
  }

  /// Hands over what waits on either side; false when nothing did.
  private func carry(_ lobby: World, _ away: World) -> Bool {
    var isBusy = false
    while let packet = lobby.popOutward() {
      isBusy = true
      away.enter(.packet(packet.packet), device: 0)
    }
    while let packet = away.popOutward() {
      isBusy = true
      lobby.enter(.packet(packet.packet), device: outsider)
    }
    return isBusy
  }

  func judge(readers: [any TraceReader] = []) throws -> Judgement {
    let oracles = OracleReader()
    _ = play(readers: [oracles] + readers)
    return try required(oracles.judgement)
  }

  private static func world(_ scenario: Scenario, _ seats: [Seat], _ readers: [any TraceReader]) -> World {
    var options = RunOptions(seed: scenario.seed)
    options.seats = seats
    return World(
      scenario, options: options, readers: readers,
      engines: [AppProtocol.bab].engines)
  }
}
