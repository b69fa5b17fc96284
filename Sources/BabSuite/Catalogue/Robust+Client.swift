import AppSeam
import BabSim
import Conformance
import SimKernel

/// ROBUST, client: texts that are no packets, at every state of a session (BAB 7.13).
extension Catalog {
  static let robustClient: [TestPurpose] = robustClientLobby + robustClientGame

  private static let robustClientLobby: [TestPurpose] = [
    stormed(
      "BI-01-C", "before the client has its seat", "the host has shaken hands and told no lobby", [],
      { t in
        let host = t.hosts[0]
        host.answersByItself = false
        try host.seatIUT()
        host.send(.handshake(host.participant))
      },
      { t in
        let host = t.hosts[0]
        host.lobby.connectedPlayers.append(LobbyProfile(playerID: t.iut.peerID, displayName: "iut"))
        host.tellLobby()
        try t.expect("the client shows CONNECTED") { t.iut.linkState == "CONNECTED" }
      }),
    stormed(
      "BI-02-C", "in the lobby", "the client is seated", [],
      { t in try t.seatWith(["peer-ann"]) },
      { t in
        t.hosts[0].tellChange()
        try t.hosts[0].expectChangeShown()
      }),
    stormed(
      "BI-03-C", "while roles are chosen", "the client is seated and has a role", [.roles],
      { t in
        try t.seatWith(["peer-ann"])
        t.hosts[0].send(.roleAssigned(playerID: t.iut.peerID, roleID: "barista"))
      },
      { t in
        t.iut.user(.setReady(true))
        try t.hosts[0].expect(.playerReady)
      }),
    stormed(
      "BI-04-C", "while the client waits", "the client has a role and is ready", [.roles],
      { t in try t.makeIUTWait() },
      { t in
        t.hosts[0].send(.gameStarted)
        try t.expectPhase("ACTIVE")
      }),
  ]

  private static let robustClientGame: [TestPurpose] = [
    stormed(
      "BI-05-C", "in the client's turn", "a game is on; it is the client's turn", [.roles, .turns],
      { t in
        let host = t.hosts[0]
        try startGame(t)
        host.giveTurn(host.line("line-1", for: t.iut.peerID))
      },
      { t in
        t.iut.user(.completeLine(accuracyPermille: 900, errorCount: 0, durationMilliseconds: 1_000))
        try t.hosts[0].expect(.lineCompleted, "is of the pending line") { $0.completes("line-1") }
      }),
    stormed(
      "BI-06-C", "in another player's turn", "a game is on; it is the host's turn", [.roles, .turns],
      { t in
        let host = t.hosts[0]
        try startGame(t)
        host.giveTurn(host.line("line-1", for: host.peerID))
      },
      { t in
        let host = t.hosts[0]
        host.commit(host.line("line-1", for: host.peerID), next: host.line("line-2", for: t.iut.peerID))
        try t.expect("line-1 is in the history") { t.iut.history == ["line-1"] }
        try t.expect("it is the client's turn") { t.iut.turn == t.iut.peerID }
      }),
    stormed(
      "BI-07-C", "while a vote is open", "a game is on; the host wants to skip the line", [.roles, .turns, .votes],
      { t in
        let host = t.hosts[0]
        try startGame(t)
        host.giveTurn(host.line("line-1", for: host.peerID))
        host.send(.voteRequest(proposerID: host.peerID, action: .skipLine))
        try t.expectPhase("VOTING")
      },
      { t in
        t.iut.user(.castVote(true))
        try t.hosts[0].expect(.voteCast)
      }),
    stormed(
      "BI-08-C", "after the end of a game", "a game has been ended", [.roles, .turns, .summary],
      { t in
        let host = t.hosts[0]
        try startGame(t)
        let line = host.line("line-1", for: host.peerID)
        host.giveTurn(line)
        host.commit(line)
        host.finish(
          [line],
          summary: SessionSummary(
            scenarioName: "ensemble", durationMilliseconds: 5_000, totalLines: 1, playerRankings: [], xpEarned: [:],
            achievementsUnlocked: [], overallAccuracy: 1))
        try t.expectPhase("FINISHED")
      },
      { t in
        t.hosts[0].lobby.connectedPlayers.removeAll { $0.playerID == "peer-ann" }
        t.hosts[0].tellLobby()
        try t.expect("the lobby no longer shows peer-ann") {
          !(t.iut.lobby?.players.contains("peer-ann") ?? true)
        }
      }),
  ]

  /// A game is on, with a third player who is only a name.
  private static func startGame(_ t: BabBed) throws {
    let host = t.hosts[0]
    try t.seatWith(["peer-ann"])
    host.send(.roleAssigned(playerID: t.iut.peerID, roleID: "barista"))
    host.send(.playerReady(playerID: t.iut.peerID, isReady: true))
    host.send(.gameStarted)
    try t.expectPhase("ACTIVE")
  }

  /// - Parameter situate: brings the situation about.
  /// - Parameter serve: shows that the session goes on.
  private static func stormed(
    _ number: String, _ when: String, _ initial: String, _ needs: [ICS.Item],
    _ situate: @escaping @Sendable (BabBed) throws -> Void, _ serve: @escaping @Sendable (BabBed) throws -> Void
  ) -> TestPurpose {
    .client(
      "BAB/CLIENT/ROBUST/" + number, ["BAB 7.13"],
      "Texts that are no packets, \(when), stop nothing and change nothing.", initial: initial + ".",
      expects: ["nothing is sent, nothing that is shown changes, the link stays up", "the session goes on"],
      needs: [.screen] + needs, seeds: [1, 2, 3], arrange: { $0.playGame() }
    ) { t, host in
      try t.preamble {
        try situate(t)
        try host.flush()
        try t.settleAfresh()
      }
      try t.ignores {
        try host.storm(24, effective: effective(t, host), idle: idle(t, host))
        try t.never("the client sends anything", for: .seconds(1)) { host.news.contains { $0.type != .heartbeat } }
        try host.expectConnected()
      }
      try serve(t)
    }
  }

  /// Packets that would have an effect.
  private static func effective(_ t: BabBed, _ host: HostTester) -> [BabPacket] {
    var over = SessionState()
    over.currentPhase = .finished
    let payloads: [PacketPayload] = [
      .lobbyUpdate(LobbyState(difficultyLevel: "hard")), .startGame, .gameStarted, .fullStateSnapshot(over),
      .turnAdvanced(nextPlayerID: "peer-ann", pendingLine: host.line("line-8", for: "peer-ann")),
      .dialogLineAdded(host.line("line-9", for: "peer-ann", visibility: .committed)),
      .lineCompleted(lineID: "line-1", result: HostTester.perfect), .lineSkipped(lineID: "line-1"),
      .roleAssigned(playerID: t.iut.peerID, roleID: "customer"), .playerReady(playerID: t.iut.peerID, isReady: false),
      .voteRequest(proposerID: host.peerID, action: .endGame), .voteCast(voterID: host.peerID, vote: false),
    ]
    return payloads.map { host.packet($0) }
  }

  /// Packets that a client ignores.
  private static func idle(_ t: BabBed, _ host: HostTester) -> [BabPacket] {
    let others: [PacketPayload] = [
      .lobbyUpdate(host.lobby), .fullStateSnapshot(SessionState()),
      .turnAdvanced(nextPlayerID: "peer-ann", pendingLine: host.line("line-8", for: "peer-ann")),
    ]
    let own: [PacketPayload] = [
      .heartbeat, .generateRequest(prompt: "again"),
      .clientJoin(LobbyProfile(playerID: "peer-third", displayName: "third")),
    ]
    return others.map { host.packet($0, as: "peer-other") } + own.map { host.packet($0) }
  }
}
