import AppSeam
import BluetoothWire
import SimKernel

/// FULL_STATE_SNAPSHOT: what a returning player gets, and how a game ends (BAB 5.7).
extension HostEngine {
  /// How much of the state goes into a snapshot; what is left out follows in packets of its own.
  private enum Extent {
    case whole
    case withoutHistory
    case bare
  }

  /// The whole state for one player, in as many packets as it takes on a link with a small ATT_MTU (BAB 5.7.5).
  func sendSnapshot(to link: LinkID, player: String) {
    showRankingIfItChanged(except: link)
    for extent in [Extent.whole, .withoutHistory, .bare] {
      let payload = PacketPayload.fullStateSnapshot(state(for: player, extent))
      guard extent == .bare || fits(payload, link) else { continue }
      send(payload, to: link)
      if extent != .whole { for line in history { send(.dialogLineAdded(line), to: link) } }
      if extent == .bare { send(.leaderboardUpdate(leaderboard), to: link) }
      return
    }
  }

  /// The end of the game; nobody's text is private any more, so one packet serves all links it fits on.
  func sendFinalSnapshot() {
    showRankingIfItChanged()
    let joined = sessions.filter(\.hasJoined).map(\.link)
    for extent in [Extent.whole, .withoutHistory, .bare] {
      let payload = PacketPayload.fullStateSnapshot(state(for: peerID, extent))
      guard extent == .bare || joined.allSatisfy({ fits(payload, $0) }) else { continue }
      broadcast(payload)
      return
    }
  }

  private func fits(_ payload: PacketPayload, _ link: LinkID) -> Bool {
    let packet = BabPacket(senderID: peerID, vectorClock: clock, payload: payload)
    // The clock may gain a digit when the packet is sent.
    let octets = PacketCoder.encode(packet).count + 8
    return PacketCoder.fits(octets, attMTU: sender.attMTU(link), framing: dialect.framing)
  }

  private func state(for player: String, _ extent: Extent) -> SessionState {
    var state = SessionState()
    state.mode = .host
    state.connectionStatus = players.count > 1 ? .connected : .disconnected
    state.localPeerID = peerID
    state.currentPhase = phase
    state.vectorClock = clock
    state.lastSyncTimestamp = BabConfiguration.wallMilliseconds(now)
    state.isAdvertising = isAdvertising
    state.currentTurnPlayerID = turnPlayerID
    state.pendingLine = turnPlayerID == player ? pendingLine : pendingLine?.redacted
    state.sessionSummary = summary
    if let vote {
      state.pendingVote = PendingVote(
        proposerID: vote.proposer, action: vote.action, requiredVotes: Int32(clamping: players.count))
      state.voteResults = OrderedMap(vote.ballots.map { ($0.voter, $0.yes) })
    }
    if extent == .whole { state.committedHistory = history }
    guard extent != .bare else { return state }
    state.scenario = scenario(scenarioID)
    state.sessionLeaderboard = leaderboard
    for player in players {
      let role = role(of: player.id)
      state.peers.append(Participant(id: player.id, name: player.name, role: role, isHost: player.id == peerID))
      if let role { state.roles[player.id] = role }
      state.lobbyPlayers.append(
        LobbyPlayer(peerID: player.id, displayName: player.name, assignedRole: role, isReady: player.isReady))
      state.playerStats[player.id] = player.score.wireStats
      if player.id != peerID {
        state.connectedPeers.append(
          ConnectedPeer(peerID: player.id, displayName: player.name, lastSeen: state.lastSyncTimestamp))
      }
    }
    return state
  }
}
