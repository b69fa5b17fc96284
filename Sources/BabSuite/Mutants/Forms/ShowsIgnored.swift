import AppSeam
import BabSim
import Conformance
import SimKernel

/// A correct engine that shows what it ignores as if it had been taken, and sends nothing because of it.
///
/// The inner engine has ignored what it sends nothing for, asks for nothing and shows nothing; so one form fits every
/// rule. Peers notice nothing, only whoever looks at the screen.
final class ShowsIgnored: AppEngine {
  /// What may be ignored.
  enum Stimulus {
    case packet(PacketPayload)
    /// The engine's own user does it.
    case action(BabAction)
    /// Octets that are no packet.
    case text
    /// Fragments that are dropped.
    case drop
    /// A fragment of a packet that is not whole yet, with its number among all of them.
    case part(Int)
    /// A link that is ended at once.
    case link
  }

  private let inner: any AppEngine
  private let configuration: BabConfiguration
  /// Asked once for everything that was ignored and could be shown.
  private let isShown: @Sendable (Stimulus) -> Bool
  private var receivers: [(link: LinkID, reassembler: Reassembler)] = []
  private var parts = 0

  init(
    wrapping inner: any AppEngine, configuration: BabConfiguration,
    isShown: @escaping @Sendable (Stimulus) -> Bool
  ) {
    self.inner = inner
    self.configuration = configuration
    self.isShown = isShown
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    let stimulus = stimulus(input, now)
    let effects = inner.handle(input, at: now)
    guard let stimulus, effects.allSatisfy(\.isNoAnswer) else { return effects }
    if case .link = stimulus, !effects.contains(where: \.isEndOfLink) { return effects }
    let reports = reports(stimulus)
    guard !reports.isEmpty, isShown(stimulus) else { return effects }
    return effects + reports.map { .report($0) }
  }

  /// What an input asks of the app, once all of it is there.
  private func stimulus(_ input: AppInput, _ now: SimInstant) -> Stimulus? {
    switch input {
    case .connected(let link, _):
      receivers.append((link, Reassembler(framing: configuration.dialect.framing)))
      return .link
    case .disconnected(let link, _): receivers.removeAll { $0.link == link }
    case .user(let action): return action.bab.map { .action($0) }
    case .valueReceived(let link, _, let octets):
      guard let index = receivers.firstIndex(where: { $0.link == link }) else { return nil }
      let reception = receivers[index].reassembler.receive(octets, at: now)
      guard let text = reception.packet else {
        guard reception.drops.isEmpty else { return .drop }
        parts += 1
        return .part(parts)
      }
      guard let packet = try? BabPacket(decoding: text) else { return .text }
      return .packet(packet.payload)
    default: break
    }
    return nil
  }

  private func reports(_ stimulus: Stimulus) -> [BabReport] {
    switch stimulus {
    case .packet(let payload): payload.shown
    case .action(let action): action.shown(by: configuration.peerID)
    case .text, .drop: [.sessionEnded("something unreadable came")]
    case .part(let number): [.committed(index: 0, lineID: "part-\(number)", text: "")]
    case .link: [.roster([configuration.peerID, "somebody"])]
    }
  }
}

extension AppEffect {
  /// A report of a refusal or of traffic, the end of a link, a timer: what an app may do although it ignores something.
  fileprivate var isNoAnswer: Bool {
    switch self {
    case .setTimer, .cancelTimer, .disconnect: true
    case .report: !(bab?.isOfScreen ?? true)
    default: false
    }
  }

  var isEndOfLink: Bool { if case .disconnect = self { true } else { false } }
}

extension PacketPayload {
  /// What an app shows that takes it, whoever says it; a new player is there twice, so that it differs from any roster.
  fileprivate var shown: [BabReport] {
    switch self {
    case .handshake(let participant): [.roster([participant.id, participant.id])]
    case .clientJoin(let profile): [.roster([profile.playerID, profile.playerID])]
    case .lobbyUpdate(let lobby): [.lobby(lobby.view)]
    case .startGame, .gameStarted, .navigationSync: [.phase(GamePhase.active.rawValue)]
    case .turnAdvanced(let player, _): [.turn(player: player)]
    case .dialogLineAdded(let line): [.committed(index: 0, lineID: line.id, text: line.textNative)]
    case .leaderboardUpdate(let board):
      [
        .leaderboard(
          board.rankings.map {
            LeaderboardRow(rank: Int($0.rank), player: $0.playerID, score: Int($0.score), highlight: $0.highlight)
          })
      ]
    case .fullStateSnapshot(let state): [.phase(state.currentPhase.rawValue), .resumed]
    case .roleAssigned(let player, let role): [.role(player: player, role: role)]
    case .playerReady(let player, let isReady): [.ready(player: player, isReady)]
    case .voteRequest(let proposer, let action):
      [.phase(GamePhase.voting.rawValue), .vote(action: action.rawValue, voter: proposer, yes: true)]
    case .voteCast(let voter, let yes): [.vote(action: "", voter: voter, yes: yes)]
    case .lineCompleted(let line, _), .lineSkipped(let line): [.committed(index: 0, lineID: line, text: "")]
    case .generateRequest(let prompt): [.screen(ScreenLine(lineID: "another", text: prompt))]
    case .heartbeat: []
    }
  }
}

extension BabAction {
  /// What an app shows that does it.
  fileprivate func shown(by player: String) -> [BabReport] {
    switch self {
    case .setLobbyScenario(let scenario):
      [.lobby(LobbyView(scenarioID: scenario, difficulty: "normal", players: [player]))]
    case .setLobbyDifficulty(let difficulty):
      [.lobby(LobbyView(scenarioID: "coffee-shop", difficulty: difficulty, players: [player]))]
    case .startLobbyGame, .startMultiplayerGame: [.phase(GamePhase.active.rawValue)]
    case .assignRole(let player, let role): [.role(player: player, role: role)]
    case .requestRole(let role): [.role(player: player, role: role)]
    case .setReady(let isReady): [.ready(player: player, isReady)]
    case .completeLine, .skipLine: [.turn(player: "somebody else")]
    case .proposeVote: [.phase(GamePhase.voting.rawValue)]
    case .castVote(let yes): [.vote(action: "", voter: player, yes: yes)]
    case .startHosting, .endGame, .joinHost, .joinHostAt, .generate, .leave, .startSolo, .speak, .endSolo: []
    }
  }
}

extension Mutant {
  /// An app that shows what it ignores (`ShowsIgnored`).
  static func shows(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    _ isShown: @escaping @Sendable (ShowsIgnored.Stimulus) -> Bool
  ) -> Mutant {
    Mutant(
      name, role, clause: clause, summary,
      wrapped: { engine, configuration in
        ShowsIgnored(wrapping: engine, configuration: configuration, isShown: isShown)
      })
  }

  /// An app that shows ignored packets of a type.
  static func shows(_ type: PacketType, _ role: AppRole, _ clause: String) -> Mutant {
    let word = type.rawValue.lowercased().replacing("_", with: "-")
    return shows(
      "\(role.rawValue)-shows-ignored-\(word)", role, clause,
      "shows \(type.rawValue) that it must ignore as taken, and sends nothing because of it"
    ) { stimulus in
      if case .packet(let payload) = stimulus { payload.type == type } else { false }
    }
  }
}
