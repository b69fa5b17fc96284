import AppSeam
import BabSim
import Conformance
import SimKernel

/// START, client: both ways to start a game (BAB 5.2.8, 5.3.9).
extension Catalog {
  static let startClient: [TestPurpose] = [
    TestPurpose(
      "BAB/CLIENT/START/BV-01-C", ["BAB 5.2.8"],
      "After START_GAME a client is in phase ACTIVE, with a role or without.",
      initial: "The client is seated, without a role, and does not show ACTIVE.", expects: ["it shows ACTIVE"],
      needs: [.screen]
    ) { t in
      try t.preamble {
        try t.seatWith()
        try t.expect("the IUT does not show ACTIVE", actual: { "it does" }) { t.iut.phase != "ACTIVE" }
      }
      t.hosts[0].send(.startGame)
      try t.expectPhase("ACTIVE")
    },
    TestPurpose(
      "BAB/CLIENT/START/BV-02-C", ["BAB 1.3", "BAB 5.3.9"],
      "After GAME_STARTED a client is in phase ACTIVE.",
      initial: "The client is seated, ready with a role, and shows WAITING.", expects: ["it shows ACTIVE"],
      needs: [.roles, .screen]
    ) { t in
      try t.preamble { try t.makeIUTWait() }
      t.hosts[0].send(.gameStarted)
      try t.expectPhase("ACTIVE")
    },
    .client(
      "BAB/CLIENT/START/BV-03-C", ["BAB 5.3.7", "BAB 5.2.8"],
      "While a game is on a client does not go back to the phases before it.",
      initial: "The client has been told START_GAME and shows ACTIVE.",
      expects: ["ACTIVE after a LOBBY_UPDATE with another scenario, ROLE_ASSIGNED and PLAYER_READY"],
      needs: [.roles, .screen]
    ) { t, host in
      try t.preamble {
        try t.seatWith(["peer-x"])
        host.send(.startGame)
        try t.expectPhase("ACTIVE")
      }
      host.lobby.selectedScenarioID = "the-heist"
      host.tellLobby()
      host.send(.roleAssigned(playerID: t.iut.peerID, roleID: "thief"))
      host.send(.playerReady(playerID: t.iut.peerID, isReady: true))
      try t.keepsPhase("ACTIVE")
    },
    .client(
      "BAB/CLIENT/START/BI-01-C", ["BAB 1.3"],
      "A client cannot start the game.",
      initial: "The client is seated; the scenario is coffee-shop.",
      expects: ["its user's wish to start, either way, sends nothing and shows no ACTIVE; START_GAME does"],
      needs: [.screen]
    ) { t, host in
      try t.preamble { try t.seatWith() }
      try t.ignores {
        t.iut.user(.startLobbyGame)
        t.iut.user(.startMultiplayerGame)
        try t.never("the IUT shows ACTIVE", for: .seconds(1)) { t.iut.phase == "ACTIVE" }
        try host.expectNone(of: [.startGame, .gameStarted], for: .seconds(1))
      }
      host.send(.startGame)
      try t.expectPhase("ACTIVE", clause: "BAB 5.2.8")
    },
  ]
}
