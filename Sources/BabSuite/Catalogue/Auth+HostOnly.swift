import AppSeam
import BabOracles
import BabSim
import Conformance

/// AUTH, host: packets that only a host may send, each by itself (BAB 7.1).
extension Catalog {
  static let authHostOnly: [TestPurpose] = [
    hostOnly("BI-11-C", .lobbyUpdate) { client in
      let alone = LobbyProfile(playerID: client.peerID, displayName: client.name)
      return .lobbyUpdate(LobbyState(selectedScenarioID: "the-heist", connectedPlayers: [alone]))
    },
    hostOnly("BI-33-C", .startGame) { _ in .startGame },
    hostOnly("BI-34-C", .gameStarted) { _ in .gameStarted },
    hostOnly("BI-35-C", .turnAdvanced) { .turnAdvanced(nextPlayerID: $0.peerID, pendingLine: line($0)) },
    hostOnly("BI-36-C", .dialogLineAdded) { .dialogLineAdded(line($0, visibility: .committed)) },
    hostOnly("BI-37-C", .leaderboardUpdate) { client in
      let rank = Ranking(rank: 1, playerID: client.peerID, displayName: client.name, score: 999)
      return .leaderboardUpdate(Leaderboard(rankings: [rank], updatedAt: 1))
    },
    hostOnly("BI-38-C", .navigationSync) { _ in .navigationSync(screenName: "theater") },
    hostOnly("BI-39-C", .fullStateSnapshot) { client in
      var state = SessionState()
      state.currentPhase = .active
      state.currentTurnPlayerID = client.peerID
      state.committedHistory = [line(client, visibility: .committed)]
      return .fullStateSnapshot(state)
    },
  ]

  private static func hostOnly(
    _ number: String, _ type: PacketType, _ say: @escaping @Sendable (ClientTester) -> PacketPayload
  ) -> TestPurpose {
    TestPurpose(
      "BAB/HOST/AUTH/" + number, ["BAB 7.1"], "\(type.rawValue) is ignored when a client says it.",
      initial: "client-1 and client-2 are seated.",
      expects: ["nothing is sent, nothing that is shown changes", "the lobby is as it was"], testers: 2
    ) { t, first, second in
      try t.preamble { try seatEverybody(t) }
      try t.ignores {
        first.send(say(first))
        try first.flush()
        try nothingComes(t)
      }
      t.iut.user(.setLobbyDifficulty("easy"))
      try second.expectLobby("has everybody and no scenario") { lobby in
        lobby.connectedPlayers.count == 3 && lobby.selectedScenarioID.isEmpty
      }
    }
  }

  private static func line(_ client: ClientTester, visibility: LineVisibility = .isPrivate) -> DialogLine {
    DialogLine(
      id: "line-77", speakerID: client.peerID, roleName: "", textNative: "Hello", textTranslated: "Hello",
      timestamp: 0, assignedToPlayerID: client.peerID, visibility: visibility)
  }
}
