import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// SYNC, client: vector clocks, snapshots, convergence (BAB 5.6, 5.7.6).
extension Catalog {
  static let syncClient: [TestPurpose] = syncClientClocks + syncClientState

  private static let syncClientClocks: [TestPurpose] = [
    .client(
      "BAB/CLIENT/SYNC/BV-01-C", ["BAB 5.6.1", "BAB 4.20"], "The client adds one to its own entry for each packet.",
      initial: "A host advertises.", expects: ["CLIENT_JOIN with one more than HANDSHAKE, which has at least 1"]
    ) { t, host in
      host.hostAndBeJoined()
      try host.expect(.clientJoin, within: .seconds(10))
      let counts = host.packetsOnLink.map { $0.vectorClock[t.iut.peerID] }
      try host.need(.handshake)
      try t.require(
        "each packet has one more than the one before", actual: "the counts are \(counts)",
        counts.count >= 2 && counts[0] >= 1 && zip(counts, counts.dropFirst()).allSatisfy { $1 == $0 + 1 })
    },
    .client(
      "BAB/CLIENT/SYNC/BV-02-C", ["BAB 5.6.3"], "The client's own count goes on when it comes back.",
      initial: "The client is seated; its host ends the link.",
      expects: ["HANDSHAKE on the new link with a larger count than any before"], needs: [.reconnect]
    ) { t, host in
      try t.preamble { try t.seat(host) }
      let before = host.heard.compactMap { $0.packet?.vectorClock[t.iut.peerID] }.max() ?? 0
      host.disconnect()
      let packet = try host.expect(.handshake, within: .seconds(15))
      let after = packet.vectorClock[t.iut.peerID]
      try t.require("the count is larger than \(before)", actual: "it is \(after)", after > before)
    },
    .client(
      "BAB/CLIENT/SYNC/BV-03-C", ["BAB 5.6.2", "BAB 4.21"], "The client takes over the host's larger counts.",
      initial: "The client is seated.",
      expects: ["after a packet that says 70 for the host and 9 for a friend, the client's next packet says the same"],
      needs: [.roles]
    ) { t, host in
      try t.preamble { try t.seatWith() }
      host.send(.heartbeat, clock: [(host.peerID, 70), ("friend", 9)])
      let clock = try t.nextClock()
      try t.require(
        "the client says 70 and 9", actual: "it says \(clock[host.peerID]) and \(clock["friend"])",
        clock[host.peerID] == 70 && clock["friend"] == 9)
    },
    .client(
      "BAB/CLIENT/SYNC/BV-04-C", ["BAB 5.6.2"], "Receiving a packet adds nothing to the client's own entry.",
      initial: "The client is seated.", expects: ["five packets from the host later, the client's count is one more"],
      needs: [.roles]
    ) { t, host in
      let before = try t.preamble {
        try t.seatWith()
        return try t.nextClock()[t.iut.peerID]
      }
      for _ in 0..<5 { host.send(.heartbeat) }
      let after = try t.nextClock(role: "customer")[t.iut.peerID]
      try t.require("the client's count is \(before + 1)", actual: "it is \(after)", after == before + 1)
    },
    .client(
      "BAB/CLIENT/SYNC/BV-05-C", ["BAB 5.6.2", "BAB 5.6.3"],
      "A smaller count of somebody else leaves the client's as it was.",
      initial: "The client is seated, and was told 80 for a friend.",
      expects: ["the host says 3 for the friend, and the client's next packet still says 80"], needs: [.roles]
    ) { t, host in
      try t.preamble {
        try t.seatWith()
        host.send(.heartbeat, clock: [(host.peerID, 70), ("friend", 80)])
        try host.flush()
      }
      host.send(.heartbeat, clock: [(host.peerID, 71), ("friend", 3)])
      let count = try t.nextClock()["friend"]
      try t.require("the client says 80 for the friend", actual: "it says \(count)", count == 80)
    },
    .client(
      "BAB/CLIENT/SYNC/BV-06-C", ["BAB 5.6.4"], "A packet whose count equals that of the packet before is taken.",
      initial: "The client is seated.", expects: ["of two lobbies with the count 90 the second is shown"],
      needs: [.screen]
    ) { t, host in
      try t.preamble { try t.seat(host) }
      host.sendLobby("easy", count: 90)
      host.sendLobby("hard", count: 90)
      try t.expectDifficulty("hard")
    },
    .client(
      "BAB/CLIENT/SYNC/BI-01-C", ["BAB 5.6.3"], "A host that says less of the client than it knows sets nothing back.",
      initial: "The client is seated.", expects: ["the client's count grows on after a packet that says 0 for it"],
      needs: [.roles]
    ) { t, host in
      let before = try t.preamble {
        try t.seatWith()
        return try t.nextClock()[t.iut.peerID]
      }
      host.send(.heartbeat, clock: [(host.peerID, 70), (t.iut.peerID, 0)])
      let after = try t.nextClock(role: "customer")[t.iut.peerID]
      try t.require("the client's count is larger than \(before)", actual: "it is \(after)", after > before)
    },
    .client(
      "BAB/CLIENT/SYNC/BI-02-C", ["BAB 5.6.4"], "A packet whose count is smaller than an earlier one's is ignored.",
      initial: "The client is seated and shows a lobby with the count 90.",
      expects: ["a lobby with the count 89 is not shown", "one with 91 is"], needs: [.screen]
    ) { t, host in
      try t.preamble { try t.seatAtCount90(host) }
      try t.ignores {
        host.sendLobby("hard", count: 89)
        try t.pause(.seconds(2))
      }
      host.sendLobby("normal", count: 91)
      try t.expectDifficulty("normal")
    },
    .client(
      "BAB/CLIENT/SYNC/BI-03-C", ["BAB 4.22", "BAB 5.6.4"],
      "A packet whose clock does not list its sender counts 0, and comes too late.",
      initial: "The client is seated and shows a lobby with the count 90.",
      expects: ["a lobby with an empty clock is not shown"], needs: [.screen]
    ) { t, host in
      try t.preamble { try t.seatAtCount90(host) }
      try t.ignores {
        host.sendLobby("hard", count: nil)
        try t.pause(.seconds(2))
      }
    },
    .client(
      "BAB/CLIENT/SYNC/BI-04-C", ["BAB 5.6.5"], "A client's clock does not grow without bound.",
      initial: "The client is seated.", expects: ["after three packets with 100 strangers each, at most 66 entries"],
      needs: [.roles]
    ) { t, host in
      try t.preamble { try t.seatWith() }
      for round in 1...3 {
        let strangers = (1...100).map { ("stranger-\(round)-\($0)", Int64($0)) }
        host.send(.heartbeat, clock: [(host.peerID, 70 + Int64(round))] + strangers, note: "with 100 strangers")
      }
      let count = try t.nextClock().timestamps.count
      // 64 merged ones, and those it had: its own and the host's.
      try t.require("the client's clock has at most 66 entries", actual: "it has \(count)", count <= 66)
    },
  ]

  private static let syncClientState: [TestPurpose] = [
    .client(
      "BAB/CLIENT/SYNC/BV-07-C", ["BAB 5.2.5"], "After a burst of lobbies the client shows the last one.",
      initial: "The client is seated.", expects: ["difficulty and roster of the last of twenty LOBBY_UPDATEs"],
      needs: [.screen]
    ) { t, host in
      try t.preamble { try t.seat(host) }
      for number in 1...20 {
        host.lobby.difficultyLevel = ["easy", "normal", "hard"][number % 3]
        host.lobby.connectedPlayers.append(LobbyProfile(playerID: "friend-\(number)", displayName: "Friend"))
        if host.lobby.connectedPlayers.count > 4 { host.lobby.connectedPlayers.remove(at: 2) }
        host.tellLobby()
      }
      let players = host.lobby.playerIDs
      try t.expect("the IUT shows hard and \(players)", actual: { "\(t.iut.lobby?.players ?? [])" }) {
        t.iut.lobby?.difficulty == "hard" && t.iut.lobby?.players == players
      }
      try t.never("it shows anything else", for: .seconds(1)) { t.iut.lobby?.players != players }
    },
    .client(
      "BAB/CLIENT/SYNC/BV-08-C", ["BAB 5.7.6"], "A client keeps its own id when it applies a snapshot.",
      initial: "The client is seated, and is sent a snapshot whose localPeerId is the host's.",
      expects: ["ROLE_ASSIGNED for itself with its own id"], needs: [.roles]
    ) { t, host in
      try t.preamble { try t.seatWith() }
      // Roles are asked for before a game.
      var state = host.snapshot()
      (state.currentPhase, state.currentTurnPlayerID) = (.lobby, nil)
      host.send(.fullStateSnapshot(state))
      try host.flush(thenPause: .milliseconds(300))
      host.forget()
      t.iut.user(.requestRole("barista"))
      try host.expect(.roleAssigned, "has the client's id in both places") {
        $0.senderID == t.iut.peerID && $0.payload == .roleAssigned(playerID: t.iut.peerID, roleID: "barista")
      }
    },
    .client(
      "BAB/CLIENT/SYNC/BV-09-C", ["BAB 5.7.6", "BAB 1.1"], "A client stays a client when it applies a snapshot.",
      initial: "The client is seated, and is sent a snapshot whose mode is HOST.",
      expects: ["it neither publishes nor advertises"]
    ) { t, host in
      try t.preamble { try t.seat(host) }
      host.send(.fullStateSnapshot(host.snapshot()))
      try t.never("the IUT publishes or advertises", for: .seconds(5)) {
        t.iut.effects.contains { entry in
          switch entry.effect {
          case .publish, .advertise: true
          default: false
          }
        }
      }
      guard t.ics.claims(.screen) && t.ics.claims(.turns) else { return }
      try t.expectPhase("ACTIVE", clause: "BAB 1.3")
    },
    .client(
      "BAB/CLIENT/SYNC/BV-10-C", ["BAB 5.7.6"], "A snapshot with an empty history leaves the client's as it is.",
      initial: "A game is on, and the client shows two lines.",
      expects: ["the two lines, and the next one after them"], needs: [.turns, .screen]
    ) { t, host in
      try t.preamble { try t.showLines(["a", "b"]) }
      host.send(.fullStateSnapshot(host.snapshot()))
      host.send(.dialogLineAdded(host.line("c", for: host.peerID, visibility: .committed)))
      try t.expectHistory(["a", "b", "c"], "the IUT shows the lines a, b, c")
    },
    .client(
      "BAB/CLIENT/SYNC/BV-11-C", ["BAB 5.7.6"], "A snapshot without roles leaves the client's as they are.",
      initial: "The client has the role barista, and is sent a snapshot without roles.",
      expects: ["PLAYER_READY when its user is ready"], needs: [.roles]
    ) { t, host in
      try t.preamble {
        try t.seatWith()
        host.send(.roleAssigned(playerID: t.iut.peerID, roleID: "barista"))
        try host.flush(thenPause: .milliseconds(300))
      }
      var state = host.snapshot()
      state.currentPhase = .roleSelection
      host.send(.fullStateSnapshot(state))
      try host.flush(thenPause: .milliseconds(300))
      t.iut.user(.setReady(true))
      try host.expect(.playerReady) { $0.payload == .playerReady(playerID: t.iut.peerID, isReady: true) }
    },
    .client(
      "BAB/CLIENT/SYNC/BV-12-C", ["BAB 5.7.6"], "A snapshot without ranking leaves the client's as it is.",
      initial: "The client shows a ranking.", expects: ["the same ranking after the snapshot"],
      needs: [.scoring, .screen]
    ) { t, host in
      let rows = try t.preamble {
        try t.seat(host)
        host.tellStart()
        let rankings = [
          Ranking(rank: 1, playerID: t.iut.peerID, displayName: "iut", score: 25),
          Ranking(rank: 2, playerID: host.peerID, displayName: host.displayName, score: 0),
        ]
        host.send(.leaderboardUpdate(Leaderboard(rankings: rankings, updatedAt: 0)))
        try t.expect("the IUT shows a ranking of two") { t.iut.leaderboard?.count == 2 }
        return t.iut.leaderboard
      }
      host.send(.fullStateSnapshot(host.snapshot()))
      try t.never("the IUT shows another ranking") { t.iut.leaderboard != rows }
    },
    .client(
      "BAB/CLIENT/SYNC/BV-13-C", ["BAB 5.6.6"], "Where the client's history is not the host's, the host's wins.",
      initial: "A game is on, and the client shows the lines a and b.",
      expects: ["after a snapshot with a, x and b it shows these"], needs: [.turns, .screen]
    ) { t, host in
      try t.preamble { try t.showLines(["a", "b"]) }
      var state = host.snapshot()
      state.committedHistory = ["a", "x", "b"].map { host.line($0, for: host.peerID, visibility: .committed) }
      host.send(.fullStateSnapshot(state))
      t.iut.seeks("historyReplaced")
      try t.expectHistory(["a", "x", "b"], "the IUT shows the lines a, x, b")
    },
    .client(
      "BAB/CLIENT/SYNC/BI-05-C", ["BAB 5.4.4"], "The text of another's pending line in a snapshot is not shown.",
      initial: "The client is seated.",
      expects: ["no text on its screen, though the snapshot has one for the host's line"], needs: [.turns, .screen]
    ) { t, host in
      try t.preamble {
        try t.seat(host)
        host.tellStart()
        try host.flush()
      }
      var state = host.snapshot()
      state.currentTurnPlayerID = host.peerID
      state.pendingLine = host.line("secret", for: host.peerID, text: "Nobody may read this")
      host.send(.fullStateSnapshot(state))
      try t.never("the IUT shows the line's text") { t.iut.screenLine?.text != nil }
      try t.require("the turn shown is the host's", actual: t.iut.turn ?? "nobody's", t.iut.turn == host.peerID)
    },
    .client(
      "BAB/CLIENT/SYNC/BV-14-C", ["BAB 5.6.3"], "What the client shows of its clock never goes back.",
      initial: "The client is seated.",
      expects: ["in no two clocks that the IUT shows one after the other does a count decrease"], needs: [.screen]
    ) { t, host in
      try t.preamble { try t.seat(host) }
      for _ in 0..<3 {
        host.tellChange()
        try host.flush(thenPause: .milliseconds(300))
      }
      let shown = t.iut.babReports.compactMap { entry in
        if case .vectorClock(let entries) = entry.report { (entry.record, entries) } else { nil }
      }
      if shown.isEmpty { throw t.blocked("clocks are reported", cause: nil) }
      try host.expectChangeShown()
      for (earlier, later) in zip(shown, shown.dropFirst()) {
        for entry in earlier.1 {
          let count = later.1.first { $0.peerID == entry.peerID }?.count ?? 0
          try t.require(
            "the count of \(entry.peerID) stays at \(entry.count) or grows", record: later.0, actual: "\(count)",
            count >= entry.count)
        }
      }
      t.passed("\(shown.count) clocks shown")
    },
  ]
}

extension BabBed {
  /// The clock of the implementation's next packet: its user asks for a role.
  func nextClock(role: String = "barista") throws -> VectorClock {
    try hosts[0].flush()
    try pause(.milliseconds(300))
    hosts[0].forget()
    iut.user(.requestRole(role))
    return try hosts[0].expect(.roleAssigned).vectorClock
  }

  /// The implementation has its seat, and shows a lobby that came with the count 90.
  fileprivate func seatAtCount90(_ host: HostTester) throws {
    try seat(host)
    host.sendLobby("easy", count: 90)
    try expectDifficulty("easy")
  }

  /// A game is on, and the implementation shows these lines.
  func showLines(_ ids: [String]) throws {
    try seat(hosts[0])
    hosts[0].tellStart()
    for id in ids { hosts[0].send(.dialogLineAdded(hosts[0].line(id, for: hosts[0].peerID, visibility: .committed))) }
    try expect("the IUT shows the lines \(ids)", actual: { "\(self.iut.history)" }) { iut.history == ids }
  }

  func expectDifficulty(_ level: String) throws {
    try expect("the IUT shows difficulty \(level)", actual: { self.iut.lobby?.difficulty ?? "no lobby" }) {
      iut.lobby?.difficulty == level
    }
  }
}

extension HostTester {
  /// The lobby with this difficulty, in a packet whose own count is this; nil: with an empty clock.
  func sendLobby(_ level: String, count: Int64?) {
    var lobby = lobby
    lobby.difficultyLevel = level
    let text = count.map { "with \(level), count \($0)" } ?? "with \(level) and an empty clock"
    send(.lobbyUpdate(lobby), clock: count.map { [(peerID, $0)] } ?? [], note: text)
  }

  /// A snapshot of a running game in which everything that may be empty is empty.
  func snapshot() -> SessionState {
    var state = SessionState()
    state.mode = .host
    state.connectionStatus = .connected
    state.localPeerID = peerID
    state.currentPhase = .active
    state.vectorClock = clock
    state.currentTurnPlayerID = peerID
    return state
  }
}
