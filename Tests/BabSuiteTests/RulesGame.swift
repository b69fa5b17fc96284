import AppSeam
import BabOracles
import BabSim
import BabSuite
import Bench
import Conformance
import Platform
import SimKernel
import VirtualRadio

/// One game with roles, votes, a reader who leaves and an end, in an ideal room: what `LobbyGame` has not.
enum RulesGame {
  /// The oracles that have something to judge here and not there.
  static var oracles: [any BabOracle.Type] {
    [
      RolesFollowRules.self, RolesAreTold.self, GameStartsWhenReady.self, VotesFollowRules.self, GamesGoOn.self,
      VoteResultsFollowVotes.self,
      GamesEndWhenTheyMust.self, SummaryMatchesGame.self, SnapshotIsTheGame.self, ClientsShowTheGame.self,
      TurnsGoRound.self, LinesAreToldInOrder.self,
    ]
  }

  static let story = GameScenario.ensemble(id: "ensemble", roles: 4)

  /// One host and three clients; the named engine in place of the host or of the second client.
  static func judge(
    _ engine: String = AppProtocol.reference, role: AppRole = .host, dialect: DialectName = .guide,
    types: [any BabOracle.Type] = OracleRegistry.all
  ) throws -> Judgement {
    var devices = [Device(name: "host", group: "host", role: .host, phone: .ideal)]
    devices += (1...3).map { Device(name: "client-\($0)", group: "client", role: .client, phone: .ideal) }
    devices[role == .host ? 0 : 2].engine = engine
    for index in devices.indices {
      devices[index].dialect = dialect
      devices[index].position = Position(x: 100 * index, y: 0)
    }
    var scenario = Scenario.bab(name: "rules game", devices: devices)
    scenario.game.knownScenarios = [.coffeeShop, story]
    scenario.game.totalLines = 30
    scenario.limits.events = 2_000_000
    let steps = (lobby + taps + votes).enumerated()
    scenario.steps = steps.sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map { _, step in
      Step(
        source: SourceLocation(line: 1, column: 1), label: nil, trigger: .at(.zero + .milliseconds(step.at)),
        devices: [step.device], action: step.action, text: "step")
    }
    scenario.duration = .seconds(60)
    let reader = OracleReader(types: types)
    _ = try World.run(scenario, options: RunOptions(seed: 1), readers: [reader], engines: [AppProtocol.bab].engines)
    guard let judgement = reader.judgement else { throw LobbyGame.NoJudgement() }
    return judgement
  }

  private typealias Timed = (at: Int64, device: Int, action: Step.Action)

  private static func user(_ at: Int64, _ device: Int, _ action: BabAction) -> Timed {
    (at, device, .user(Step.UserAction(AppAction(action))))
  }

  /// A scenario that is chosen again, a role that is taken, one who changes its role, one who comes late, starts that
  /// come too early, and a word to everybody after somebody is ready.
  private static let lobby: [Timed] = [
    user(100, 0, .startHosting), user(500, 1, .joinHost), user(510, 2, .joinHost),
    user(4_000, 0, .setLobbyScenario("coffee-shop")), user(4_200, 1, .requestRole("barista")),
    user(4_400, 1, .setReady(true)), user(4_500, 0, .setLobbyDifficulty("hard")),
    user(4_600, 0, .startMultiplayerGame), user(5_000, 0, .setLobbyScenario(story.id)),
    user(5_200, 1, .setReady(true)), user(5_400, 0, .requestRole("role-1")), user(5_600, 1, .requestRole("role-2")),
    user(5_800, 2, .requestRole("role-2")), user(6_000, 1, .setReady(true)), user(6_000, 0, .setReady(true)),
    user(6_200, 2, .requestRole("role-3")), user(6_400, 2, .setReady(true)), user(6_600, 2, .requestRole("role-4")),
    user(7_000, 0, .startMultiplayerGame), user(7_500, 3, .joinHost), user(9_000, 3, .requestRole("role-3")),
    user(9_200, 3, .setReady(true)), user(9_400, 2, .setReady(true)), user(9_600, 3, .setReady(false)),
    user(9_800, 0, .startMultiplayerGame), user(10_000, 3, .setReady(true)), user(10_500, 0, .startMultiplayerGame),
  ]

  /// Everybody taps all the time.
  private static let taps: [Timed] = (0..<240).map { tap in
    let (round, peer) = (tap / 4, tap % 4)
    let accuracy = [1_000, 1_000, 855, 960, 400][round % 5]
    let line = BabAction.completeLine(
      accuracyPermille: accuracy, errorCount: round % 5 / 2, durationMilliseconds: 2_500)
    return user(11_000 + Int64(round) * 800 + Int64(peer), peer, line)
  }

  /// Votes that fail and that pass, another line, and a reader who is killed.
  private static let votes: [Timed] = [
    user(13_100, 1, .proposeVote("END_GAME")), user(13_200, 0, .castVote(true)), user(13_300, 2, .castVote(false)),
    user(14_100, 2, .proposeVote("SKIP_LINE")), user(14_200, 0, .castVote(true)), user(14_250, 1, .castVote(true)),
    user(14_300, 3, .castVote(true)), user(15_100, 3, .proposeVote("CHANGE_SCENE")), user(15_200, 0, .castVote(true)),
    user(15_250, 1, .castVote(true)), user(15_300, 2, .castVote(true)), user(16_100, 0, .generate(prompt: "more")),
    user(16_150, 1, .generate(prompt: "more")), (20_000, 3, .fault(.kill)), (24_000, 3, .fault(.relaunch)),
    user(24_100, 3, .joinHost),
  ]
}
