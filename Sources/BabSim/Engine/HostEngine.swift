public import AppSeam
import BluetoothWire
public import SimKernel

/// The reference host: GAP Peripheral, GATT server, the only authority over the session's state.
///
/// Spec: BAB 1 to 9. Split by concern: links, lobby, roles, turns, votes, snapshots, sending and receiving.
public final class HostEngine: AppEngine {
  let configuration: BabConfiguration
  let dialect: Dialect
  let peerID: String

  var effects: [AppEffect] = []
  var now = SimInstant.zero
  var clock = VectorClock()
  var sender: PacketSender

  // Links
  var isHosting = false
  /// The end of the game has still to reach everybody before the links are ended.
  var isLeaving = false
  var isRadioOn = true
  /// Once for all lobbies of a launch, as long as Bluetooth is on (BAB 2.1).
  var hasPublished = false
  var isAdvertising = false
  var sessions: [PeerSession] = []

  // Lobby
  /// The host itself first, then by joining order.
  var players: [Player] = []
  var remembered: [RememberedPlayer] = []
  var nextJoinIndex = 0
  var scenarioID = ""
  var difficulty = "normal"

  // Game
  var phase = GamePhase.lobby
  var turnPlayerID: String?
  var pendingLine: DialogLine?
  var history: [DialogLine] = []
  var readLines: [Achievements.ReadLine] = []
  var generator: LineGenerator
  /// Games brought to their end with each friend, this run and earlier ones, oldest friend first (BAB 9.7).
  var friends: [BabConfiguration.EarlierSessions]
  var gameStart = SimInstant.zero
  var turnStart = SimInstant.zero
  var summary: SessionSummary?
  var vote: OpenVote?

  var solo: SoloSession?
  var shown = ShownState()

  public init(configuration: BabConfiguration) {
    self.configuration = configuration
    dialect = configuration.dialect
    peerID = configuration.peerID
    sender = PacketSender(path: .notify, dialect: configuration.dialect)
    generator = LineGenerator(script: configuration.lineScript)
    friends = configuration.earlierSessions
  }

  public func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    self.now = now
    switch input {
    case .submitted(let link, _, let accepted): valueSubmitted(link, accepted)
    case .readyToSend(let link): sender.readyToSend(link, &effects)
    case .valueReceived(let link, let characteristic, let octets): valueReceived(link, characteristic, octets)
    case .user(let action): if let action = action.bab { perform(action) }
    case .timer(let timer): timerFired(timer)
    case .launched: launched()
    case .radioPower(let isOn): radioPower(isOn)
    case .background(let isBackground): if !isBackground { advertiseIfRoom(again: true) }
    case .advertisingStarted(let hasStarted): advertisingStarted(hasStarted)
    case .connected(let link, let address): connected(link, address)
    case .disconnected(let link, _): linkLost(link)
    case .attMTU(let link, let attMTU): sender.setATTMTU(attMTU, link)
    case .subscribed(let link, let characteristic, let isOn): subscribed(link, characteristic, isOn)
    case .discovered, .connectFailed, .servicesDiscovered, .valueRead, .writeCompleted, .network, .gatt, .gap,
      .channel:
      break
    }
    assert(players.count <= max(1, dialect.capacity), "there are no more players than seats")
    assert(zip(players, players.dropFirst()).allSatisfy { $0.joinIndex < $1.joinIndex }, "players are in joining order")
    assert((vote != nil) == (phase == .voting), "the phase says whether a vote is open")
    assert((pendingLine == nil) == (turnPlayerID == nil), "a line is pending while it is somebody's turn")
    assert(turnPlayerID.map { playerIndex($0) != nil } ?? true, "the player whose turn it is takes part")
    var result: [AppEffect] = []
    swap(&result, &effects)
    return result
  }

  private func launched() {
    report(.identity(role: .host, peerID: peerID, displayName: configuration.displayName))
    showPhase()
    showLinkState()
  }

  private func perform(_ action: BabAction) {
    switch action {
    case .startHosting: startHosting()
    case .setLobbyScenario(let id): setLobbyScenario(id)
    case .setLobbyDifficulty(let level): setLobbyDifficulty(level)
    case .startLobbyGame: startLobbyGame()
    case .startMultiplayerGame: startMultiplayerGame()
    case .assignRole(let player, let role): assignRole(player, role)
    case .requestRole(let role): assignRole(peerID, role)
    case .setReady(let isReady): setReady(peerID, isReady)
    case .endGame: if isPlaying { finish() }
    case .completeLine(let accuracy, let errors, let duration):
      completeOwnLine(accuracyPermille: accuracy, errorCount: errors, durationMilliseconds: duration)
    case .skipLine: skipOwnLine()
    case .proposeVote(let action): proposeVote(action, by: peerID)
    case .castVote(let yes): castVote(yes, by: peerID)
    case .generate: generateAgain(for: peerID, link: nil)
    case .leave: leave()
    case .startSolo: startSolo()
    case .speak(let text): speak(text)
    case .endSolo(let save): endSolo(save)
    case .joinHost, .joinHostAt: break
    }
  }

  private func timerFired(_ timer: TimerID) {
    switch timer {
    case EngineTimer.heartbeat: sendHeartbeat()
    case EngineTimer.vote: voteTimedOut()
    case EngineTimer.advertiseAgain: advertiseIfRoom(again: true)
    case EngineTimer.forget: forgetPlayers()
    case EngineTimer.leave: endLinks()
    default:
      switch EngineTimer.linkTimer(timer) {
      case .join(let link): joinTimedOut(link)
      case .pause(let link): sender.pauseOver(link, &effects)
      case .partials(let link):
        if let index = sessionIndex(link) { sessions[index].receiver.expire(link, now: now, &effects) }
      case nil: break
      }
    }
  }

  /// A game is on; votes do not stop it.
  var isPlaying: Bool { phase == .active || phase == .voting }

  func report(_ report: BabReport) { effects.append(.report(report)) }
}

/// What was last reported, so that only changes are.
struct ShownState {
  var phase: GamePhase?
  var linkState: ConnectionStatus?
  var lobby: LobbyView?
  var roster: [String]?
  /// The last one that was shown and sent; none before the first line.
  var ranking: [LeaderboardRow]?
}
