import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// What a client shows, as far as the packets say it that came to it: it shows what the host has told it (BAB 1.3).
final class BabClient {
  /// Lines of which a text came.
  private struct Line {
    var id: String
    var text: String
  }

  private static let memory = 64

  let device: Int
  private(set) var peerID: String?
  /// The clock of its newest packet.
  private(set) var clock = VectorClock()
  private(set) var isSeated = false
  /// Has had a seat since the session began.
  private(set) var hasBeenSeated = false
  private(set) var phase = ""
  private var lobby: LobbyView?
  private var history: [String] = []
  private var announced: [Line] = []
  /// The sender of the first packet on the present link, and its newest count.
  private var hostID: String?
  private var hostCount = Int64.min
  private var hasSnapshot = false

  init(device: Int) { self.device = device }

  func relaunch() {
    (clock, isSeated, hasBeenSeated, phase, lobby) = (VectorClock(), false, false, "", nil)
    (history, announced, hostID, hostCount) = ([], [], nil, Int64.min)
  }

  func identify(_ peerID: String) { self.peerID = peerID }

  func linked() { (hostID, hostCount, isSeated, hasSnapshot) = (nil, Int64.min, false, false) }
  func unlinked() { isSeated = false }

  /// A packet of its own. Spec: BAB 5.6.3.
  func say(_ packet: BabPacket) -> [TraceEvent] {
    clock = packet.vectorClock
    return [.report(.vectorClock(packet.vectorClock.entries))]
  }

  /// A packet that came to it.
  func hear(_ packet: BabPacket) -> [TraceEvent] {
    guard isTaken(packet) else { return [] }
    switch packet.payload {
    case .lobbyUpdate(let state): return show(state)
    case .startGame, .gameStarted: return begin()
    case .turnAdvanced(let player, let line):
      guard phase != "FINISHED" else { return [] }
      return begin() + [.report(.turn(player: player))] + (line.map(announce) ?? [])
    case .dialogLineAdded(let line):
      return line.visibility == .isPrivate ? announce(line) : commit(line.id, line.textNative)
    case .lineCompleted(let lineID, _), .lineSkipped(let lineID):
      guard let line = announced.first(where: { $0.id == lineID && !$0.text.isEmpty }) else { return [] }
      return commit(lineID, line.text)
    case .leaderboardUpdate(let board): return [.report(.leaderboard(board.rows))]
    case .fullStateSnapshot(let state): return apply(state)
    default: return []
    }
  }

  /// Only the host is heard, and no packet that comes after a later one. Spec: BAB 5.6.4, 7.5, 7.12.
  private func isTaken(_ packet: BabPacket) -> Bool {
    guard packet.senderID != peerID, packet.senderID == hostID ?? packet.senderID else { return false }
    let count = packet.vectorClock[packet.senderID]
    guard count >= hostCount else { return false }
    hostCount = count
    switch packet.payload {
    case .handshake(let participant) where !participant.isHost || participant.id != packet.senderID: return false
    case .clientJoin, .generateRequest: return false
    default: break
    }
    hostID = packet.senderID
    return true
  }

  // MARK: Lobby

  /// Spec: BAB 5.1.13, 5.2.5.
  private func show(_ state: LobbyState) -> [TraceEvent] {
    let view = state.view
    var events: [TraceEvent] = []
    if view != lobby { events.append(.report(.lobby(view))) }
    if view.players != lobby?.players { events.append(.report(.roster(view.players))) }
    lobby = view
    guard !isSeated, let peerID, view.players.contains(peerID) else { return events }
    if !hasSnapshot, !history.isEmpty || phase == "FINISHED" {
      // A seat without a snapshot begins a new session, and nothing of the old one is left (BAB 5.7.4).
      (history, phase) = ([], "LOBBY")
      events += [.report(.phase("LOBBY")), .report(.historyReplaced([]))]
    }
    (isSeated, hasBeenSeated) = (true, true)
    return events + [.report(.linkState("CONNECTED"))]
  }

  /// Spec: BAB 5.2.8.
  private func begin() -> [TraceEvent] {
    guard phase != "ACTIVE", phase != "FINISHED" else { return [] }
    phase = "ACTIVE"
    return [.report(.phase("ACTIVE"))]
  }

  // MARK: Lines

  /// A text that has come is on this device, whatever its screen shows of it. Spec: BAB 5.4.3, 5.4.4.
  private func announce(_ line: DialogLine) -> [TraceEvent] {
    if !line.textNative.isEmpty {
      announced.removeAll { $0.id == line.id }
      if announced.count == Self.memory { announced.removeFirst() }
      announced.append(Line(id: line.id, text: line.textNative))
    }
    return [.report(.screen(ScreenLine(lineID: line.id, text: line.textNative.isEmpty ? nil : line.textNative)))]
  }

  /// Spec: BAB 5.4.7.
  private func commit(_ lineID: String, _ text: String) -> [TraceEvent] {
    guard !history.contains(lineID) else { return [] }
    history.append(lineID)
    return [.report(.committed(index: history.count - 1, lineID: lineID, text: text))]
  }

  // MARK: Snapshots

  /// Spec: BAB 5.7.6, 5.7.9.
  private func apply(_ state: SessionState) -> [TraceEvent] {
    var events: [TraceEvent] = []
    let ids = state.committedHistory.map(\.id)
    if !ids.isEmpty, ids != history {
      history = ids
      events.append(.report(.historyReplaced(ids)))
    }
    let phase = state.currentPhase == .voting ? "ACTIVE" : state.currentPhase.rawValue
    if phase != self.phase, self.phase != "ACTIVE" || phase == "FINISHED" {
      self.phase = phase
      events.append(.report(.phase(phase)))
    }
    events.append(.report(.turn(player: state.currentTurnPlayerID)))
    if let line = state.pendingLine { events += announce(line) }
    if let board = state.sessionLeaderboard { events.append(.report(.leaderboard(board.rows))) }
    if let summary = state.sessionSummary { events.append(.report(.summary(summary.view))) }
    if !isSeated {
      hasSnapshot = true
      // Its host knows it, even if its own seat was lost before it heard of it.
      events.append(.report(.resumed))
    }
    return events
  }
}
