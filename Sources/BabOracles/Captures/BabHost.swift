import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// What a host shows, as far as its packets say it.
///
/// The host alone decides about the session (BAB 1.3) and tells every client what it decides, so what it tells anybody
/// is what it shows. A packet to several links is one packet (BAB 5.6.1): it counts where it is seen first.
final class BabHost {
  struct Line {
    var id: String
    var player: String
  }

  /// A completion or skip that reached the host.
  struct Claim {
    var lineID: String
    var player: String
    var place: BabRecords.Anchor
  }

  private struct Vote {
    var action: VoteAction
    var voters: [String]
    var isLost = false
  }

  /// Lines and claims that are remembered; more are not open at a time.
  private static let memory = 256

  let device: Int
  private(set) var peerID: String?
  /// The clock of its newest packet.
  private(set) var clock = VectorClock()
  private var newestCount: Int64 = 0
  /// The newest packets: the same one goes to every link.
  private var said: [(count: Int64, packet: BabPacket)] = []
  private var lobbyCount: Int64 = 0
  private var lobby: LobbyView?
  /// A link came up after it told its lobby last.
  private var hasNewLink = false
  private var phase = ""
  private(set) var history: [String] = []
  private var lines: [Line] = []
  private var claims: [Claim] = []
  /// Whose lines have been told since the last ranking that had them.
  private var readers: [String] = []
  /// Players who read lines, or may have, while nobody was told of it: who was there then, which decides about points,
  /// is not known.
  private var uncountedPlayers: [String] = []
  /// So did anybody, perhaps: for a while nothing of the game was seen.
  private var isInterrupted = false
  private var vote: Vote?

  init(device: Int) { self.device = device }

  /// A new run of the app.
  func relaunch() {
    (clock, newestCount, said, lobbyCount) = (VectorClock(), 0, [], 0)
    (lobby, phase, vote) = (nil, "", nil)
    (readers, uncountedPlayers, isInterrupted) = ([], [], false)
    (history, lines, claims) = ([], [], [])
  }

  func identify(_ peerID: String) { self.peerID = peerID }

  func linked() { hasNewLink = true }

  /// A client's completion or skip has come in.
  func hear(_ payload: PacketPayload, from player: String, at place: BabRecords.Anchor) {
    switch payload {
    case .lineCompleted(let lineID, _), .lineSkipped(let lineID):
      if claims.count == Self.memory { claims.removeFirst() }
      claims.append(Claim(lineID: lineID, player: player, place: place))
    default: break
    }
  }

  /// Nobody is left whom the host could tell: that it shows itself alone cannot be seen, and is not held against it.
  /// - Parameter seesAll: links that the captures do not show cannot be there.
  func isAlone(seesAll: Bool) -> [TraceEvent] {
    if let peerID, phase == "ACTIVE" {
      leaveUncounted(peerID)
      if !seesAll { isInterrupted = true }
    }
    guard let peerID, let lobby, lobby.players != [peerID] else { return [] }
    return show(LobbyView(scenarioID: lobby.scenarioID, difficulty: lobby.difficulty, players: [peerID]))
  }

  /// What a packet of the host shows. - Parameter place: where each event belongs; nil: here and now.
  func say(_ packet: BabPacket) -> [(event: TraceEvent, place: BabRecords.Anchor?)] {
    let count = packet.vectorClock[packet.senderID]
    if said.contains(where: { $0.count == count && $0.packet == packet }) { return [] }
    if said.count == Self.memory { said.removeFirst(Self.memory / 2) }
    said.append((count, packet))
    var events: [(TraceEvent, BabRecords.Anchor?)] = []
    if count > newestCount {
      newestCount = count
      clock = packet.vectorClock
      events.append((.report(.vectorClock(packet.vectorClock.entries)), nil))
    }
    switch packet.payload {
    case .lobbyUpdate(let state):
      guard count >= lobbyCount else { break }
      lobbyCount = count
      events += here(show(state.view) + settledVote())
    case .startGame, .gameStarted: events += here(begin())
    case .turnAdvanced(let player, let line):
      events += here(begin())
      if let line { events += here(announce(line)) }
      events.append((.report(.turn(player: player)), nil))
    case .dialogLineAdded(let line):
      if line.visibility == .isPrivate {
        events += here(announce(line))
      } else {
        // One that nobody was told of before is told late, after a snapshot that had no room for it (BAB 5.7.5).
        if isNew(line) {
          leaveUncounted(Self.player(of: line))
          events += here(announce(line))
        }
        events += commit(line)
      }
    case .leaderboardUpdate(let board): events += here(rank(board))
    case .voteRequest(let proposer, let action):
      vote = Vote(action: action, voters: [proposer])
      events += here(settledVote())
    case .voteCast(let voter, let yes):
      if yes { vote?.voters.append(voter) } else { vote?.isLost = true }
      events += here(settledVote())
    case .fullStateSnapshot(let state): events += snapshot(state)
    default: break
    }
    return events
  }

  private func here(_ events: [TraceEvent]) -> [(TraceEvent, BabRecords.Anchor?)] { events.map { ($0, nil) } }

  /// Whether a player's points rest on lines that were read while nobody was told of it.
  func isUncounted(_ player: String) -> Bool { isInterrupted || uncountedPlayers.contains(player) }

  private func leaveUncounted(_ player: String) {
    if !uncountedPlayers.contains(player) { uncountedPlayers.append(player) }
  }

  // MARK: Lobby and phase

  /// Spec: BAB 5.2.4: the lobby that a host tells is the one it shows. The same one is shown again when a link has come
  /// up, for only that says that it is still the same.
  private func show(_ view: LobbyView) -> [TraceEvent] {
    var events: [TraceEvent] = []
    if view != lobby || hasNewLink { events.append(.report(.lobby(view))) }
    if view.players != lobby?.players { events.append(.report(.roster(view.players))) }
    (lobby, hasNewLink) = (view, false)
    return events
  }

  /// Spec: BAB 5.2.8, 5.3.9, 5.4.1: a start, or a turn, means that a game is on.
  private func begin() -> [TraceEvent] { phase == "FINISHED" ? [] : enter("ACTIVE") }

  private func enter(_ phase: String) -> [TraceEvent] {
    guard phase != self.phase else { return [] }
    // Points count from 0 in a new game.
    if self.phase == "FINISHED" { (uncountedPlayers, isInterrupted) = ([], false) }
    self.phase = phase
    return [.report(.phase(phase))]
  }

  // MARK: Lines

  private func isNew(_ line: DialogLine) -> Bool {
    !lines.contains { $0.id == line.id } && !history.contains(line.id)
  }

  private static func player(of line: DialogLine) -> String {
    line.assignedToPlayerID.isEmpty ? line.speakerID : line.assignedToPlayerID
  }

  /// Spec: BAB 5.4.2, 5.4.3: a pending line is its player's, and every link hears whose it is.
  private func announce(_ line: DialogLine) -> [TraceEvent] {
    guard isNew(line) else { return [] }
    if lines.count == Self.memory { lines.removeFirst() }
    lines.append(Line(id: line.id, player: line.assignedToPlayerID))
    return [.report(.lineGenerated(lineID: line.id, player: line.assignedToPlayerID, text: line.textNative))]
  }

  /// Spec: BAB 5.4.6: a line that the host tells as committed is one that it has accepted from its player.
  private func commit(_ line: DialogLine) -> [(TraceEvent, BabRecords.Anchor?)] {
    guard !history.contains(line.id) else { return [] }
    let player = Self.player(of: line)
    var events: [(TraceEvent, BabRecords.Anchor?)] = []
    let result = line.pronunciationResult
    let isSkipped = result?.skipped ?? true
    let accepted = TraceEvent.report(
      .lineAccepted(
        lineID: line.id, player: player, skipped: isSkipped,
        accuracyPermille: isSkipped ? 0 : result?.accuracyPermille ?? 0))
    let claim =
      claims.last { $0.lineID == line.id && $0.player == player } ?? claims.last { $0.lineID == line.id }
    if let claim, lines.contains(where: { $0.id == line.id }), player != peerID || claim.player == player {
      events.append((accepted, claim.place))
    } else {
      // No packet asked for it: the person at the host did, unless a vote allowed it.
      events.append(
        (
          .input(
            .user(
              isSkipped
                ? .skipLine
                : .completeLine(
                  accuracyPermille: result?.accuracyPermille ?? 0, errorCount: 0, durationMilliseconds: 0))), nil
        ))
      events.append((accepted, nil))
    }
    claims.removeAll { $0.lineID == line.id }
    if !readers.contains(player) { readers.append(player) }
    history.append(line.id)
    events.append((.report(.committed(index: history.count - 1, lineID: line.id, text: line.textNative)), nil))
    return events
  }

  /// Spec: BAB 5.4.6, 6.8: the ranking follows the line that changed it.
  private func rank(_ board: Leaderboard) -> [TraceEvent] {
    return points(board.rankings) + [.report(.leaderboard(board.rows))]
  }

  /// Points that may have changed since the last ranking.
  private func points(_ rankings: [Ranking]) -> [TraceEvent] {
    let told = rankings.filter { readers.contains($0.playerID) || isUncounted($0.playerID) }
    // A ranking says nothing of a reader who is away: the next one with that player does.
    readers.removeAll { reader in rankings.contains { $0.playerID == reader } }
    return told.map { .report(.score(player: $0.playerID, xp: Int($0.score))) }
  }

  // MARK: Votes

  /// Spec: BAB 5.5.5.
  private func settledVote() -> [TraceEvent] {
    guard let vote, let players = lobby?.players else { return [] }
    let isPassed = players.allSatisfy(vote.voters.contains)
    guard vote.isLost || isPassed else { return [] }
    self.vote = nil
    return [.report(.voteResult(action: vote.action.rawValue, passed: !vote.isLost))]
  }

  // MARK: Snapshots

  /// Spec: BAB 5.7.4, 5.8.2. Lines that nobody was there to be told of are in the snapshot of the next who comes.
  private func snapshot(_ state: SessionState) -> [(TraceEvent, BabRecords.Anchor?)] {
    var events: [(TraceEvent, BabRecords.Anchor?)] = []
    if state.currentPhase == .active || state.currentPhase == .voting { events += here(begin()) }
    for line in state.committedHistory where !history.contains(line.id) {
      leaveUncounted(Self.player(of: line))
      events += here(announce(line))
      events += commit(line)
    }
    if let line = state.pendingLine { events += here(announce(line)) }
    guard state.currentPhase == .finished, phase != "FINISHED" else { return events }
    events += here(enter("FINISHED"))
    events.append((.report(.turn(player: nil)), nil))
    if let summary = state.sessionSummary {
      events += here(points(summary.playerRankings) + [.report(.summary(summary.view))])
    }
    return events
  }
}
