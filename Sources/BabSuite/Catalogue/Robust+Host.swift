import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// ROBUST, host: texts that are no packets, at every state of a session (BAB 7.13).
///
/// What is sent: random octets, packets with flipped bits, halves of packets, values of the wrong kind, numbers beyond
/// all bounds, deep nesting, missing keys. A text that happens to be a packet is left out.
extension Catalog {
  static let robustHost: [TestPurpose] = robustHostLobby + robustHostGame

  private static let robustHostLobby: [TestPurpose] = [
    stormed(
      "BI-01-C", "on a link without HANDSHAKE", "client-1 is seated, client-2 has subscribed", [], by: 1, texts: 10,
      { t in
        t.iut.user(.startHosting)
        try t.clients[0].join()
        try t.clients[1].join(upTo: .subscribed)
      },
      { t in
        t.clients[1].greet()
        t.clients[1].askForSeat()
        try t.clients[0].expect(.lobbyUpdate, "lists client-2") { $0.lists(t.clients[1].peerID) }
      }),
    stormed(
      "BI-02-C", "between HANDSHAKE and CLIENT_JOIN", "client-1 is seated, client-2 has shaken hands", [], by: 1,
      texts: 10,
      { t in
        t.iut.user(.startHosting)
        try t.clients[0].join()
        try t.clients[1].join(upTo: .greeted)
        try t.clients[1].expect(.handshake)
      },
      { t in
        t.clients[1].askForSeat()
        try t.clients[0].expect(.lobbyUpdate, "lists client-2") { $0.lists(t.clients[1].peerID) }
      }),
    stormed(
      "BI-03-C", "in the lobby", "client-1 and client-2 are seated", [],
      { t in try t.openLobby(clients: 2) },
      { t in
        try t.clients[2].join()
        try t.clients[1].expect(.lobbyUpdate, "lists client-3") { $0.lists(t.clients[2].peerID) }
      }),
    stormed(
      "BI-04-C", "while roles are chosen", "client-1 and client-2 are seated; client-2 has a role", [.roles],
      isForBenchScenario: true,
      { t in
        try t.openLobby(clients: 2)
        t.clients[1].askForRole("role-3")
        try t.clients[0].expect(.roleAssigned)
      },
      { t in
        t.clients[0].askForRole("role-2")
        try t.clients[1].expectRole("role-2", of: t.clients[0].peerID, "gives client-1 its role")
      }),
    stormed(
      "BI-05-C", "when everybody is ready", "the host, client-1 and client-2 have roles and are ready", [.roles],
      isForBenchScenario: true,
      { t in
        try t.openLobby(clients: 2)
        try t.dealRoles()
      },
      { t in
        t.iut.user(.startMultiplayerGame)
        try t.clients.prefix(2).expect(.gameStarted)
      }),
  ]

  private static let robustHostGame: [TestPurpose] = [
    stormed(
      "BI-06-C", "by the player whose turn it is", "a game with client-1 and client-2 is on; it is client-1's turn",
      [.roles, .turns],
      { t in
        try t.startGame(clients: 2)
        try t.playUntilTurn(of: t.clients[0].peerID)
      },
      { t in
        let turn = try t.turn()
        t.readLine(turn)
        try t.clients[1].expect(.lineCompleted, "is of the pending line") { $0.completes(turn.lineID) }
      }),
    stormed(
      "BI-07-C", "in another player's turn", "a game with client-1 and client-2 is on; it is client-2's turn",
      [.roles, .turns],
      { t in
        try t.startGame(clients: 2)
        try t.playUntilTurn(of: t.clients[1].peerID)
      },
      { t in
        let turn = try t.turn()
        t.readLine(turn)
        try t.clients[0].expect(.lineCompleted, "is of the pending line") { $0.completes(turn.lineID) }
      }),
    stormed(
      "BI-08-C", "while a vote is open", "a game with client-1 and client-2 is on; client-2 wants to end it",
      [.roles, .turns, .votes],
      { t in
        try t.startGame(clients: 2)
        t.clients[1].send(.voteRequest(proposerID: t.clients[1].peerID, action: .endGame))
        try t.clients.prefix(2).expect(.voteRequest)
      },
      { t in
        t.clients[0].send(.voteCast(voterID: t.clients[0].peerID, vote: false))
        try t.clients[1].expectVote(false, of: t.clients[0].peerID, "is client-1's no")
      }),
    stormed(
      "BI-09-C", "after the end of a game", "a game with client-1 and client-2 has been ended",
      [.roles, .turns, .summary],
      { t in
        try t.startGame(clients: 2)
        t.iut.user(.endGame)
        try t.clients.prefix(2).expect(.fullStateSnapshot)
      },
      { t in
        t.clients[0].disconnect()
        try t.clients[1].expect(.lobbyUpdate, "does not list client-1") { !$0.lists(t.clients[0].peerID) }
      }),
  ]

  /// - Parameter isForBenchScenario: three players have roles, which takes a scenario of the bench.
  /// - Parameter place: which client sends the texts.
  /// - Parameter situate: brings the situation about.
  /// - Parameter serve: shows that the session goes on.
  private static func stormed(
    _ number: String, _ when: String, _ initial: String, _ needs: [ICS.Item], isForBenchScenario: Bool = false,
    by place: Int = 0,
    texts: Int = 24,
    _ situate: @escaping @Sendable (BabBed) throws -> Void, _ serve: @escaping @Sendable (BabBed) throws -> Void
  ) -> TestPurpose {
    TestPurpose(
      "BAB/HOST/ROBUST/" + number, ["BAB 7.13"],
      "Texts that are no packets, \(when), stop nothing and change nothing.", initial: initial + ".",
      expects: ["nobody is sent anything, nobody's link is ended", "the session goes on"], needs: needs,
      excludes: isForBenchScenario ? [.ownScenarios] : [], seeds: [1, 2, 3], testers: 3, arrange: { $0.playGame() }
    ) { t in
      let client = t.clients[place]
      let line = try t.preamble {
        try situate(t)
        try t.settle()
        for client in t.clients { client.forget() }
        return client.turn?.line?.id ?? "line-1"
      }
      let up = t.clients.filter(\.isConnected)
      try t.ignores {
        try client.storm(texts, effective: effective(client, line), idle: idle(client, isShort: texts < 20))
        try nothingComes(t, for: .seconds(1))
        try t.require("every link is up", up.allSatisfy(\.isConnected))
      }
      try serve(t)
    }
  }

  /// Packets that would have an effect.
  private static func effective(_ client: ClientTester, _ line: String) -> [BabPacket] {
    let id = client.peerID
    let result = PronunciationResult(errorCount: 0, accuracy: 1, wordErrors: [], skipped: false, duration: 1_000)
    let payloads: [PacketPayload] = [
      .handshake(Participant(id: id, name: client.name)), .clientJoin(LobbyProfile(playerID: id, displayName: id)),
      .roleAssigned(playerID: id, roleID: "role-2"), .playerReady(playerID: id, isReady: false),
      .lineCompleted(lineID: line, result: result), .lineSkipped(lineID: line), .generateRequest(prompt: "again"),
      .voteRequest(proposerID: id, action: .endGame), .voteCast(voterID: id, vote: false),
    ]
    return payloads.map { client.packet($0) }
  }

  /// Packets that a host ignores.
  private static func idle(_ client: ClientTester, isShort: Bool) -> [BabPacket] {
    let result = PronunciationResult(
      errorCount: 1, accuracy: 0.5, wordErrors: [WordError(word: "a", position: 1, expected: "a", heard: "b")],
      skipped: false, duration: 1_000)
    var payloads: [PacketPayload] = [
      .heartbeat, .lineCompleted(lineID: "line-0", result: result), .lineSkipped(lineID: "line-0"),
      .roleAssigned(playerID: client.peerID, roleID: "no such role"), .lobbyUpdate(LobbyState()),
    ]
    if !isShort { payloads.append(.fullStateSnapshot(SessionState())) }
    return payloads.map { client.packet($0) }
  }
}

extension BabPacket {
  /// Whether it is LINE_COMPLETED of a line.
  func completes(_ line: String) -> Bool {
    if case .lineCompleted(line, _) = payload { true } else { false }
  }
}
