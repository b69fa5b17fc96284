import AppSeam
import BabSim
import Conformance
import SimKernel

/// ROLE, client: roles and readiness (BAB 5.3.3 to 5.3.7, 5.2.6, 1.3).
extension Catalog {
  static let roleClient: [TestPurpose] = [
    .client(
      "BAB/CLIENT/ROLE/BV-01-C", ["BAB 5.3.3"],
      "A client asks for a role with ROLE_ASSIGNED for itself.",
      initial: "The client is seated; the scenario is coffee-shop.",
      expects: ["the host is sent ROLE_ASSIGNED: the client's id, barista"], needs: [.roles]
    ) { t, host in
      try t.preamble { try t.seatWith() }
      t.iut.user(.requestRole("barista"))
      try host.expectRole("barista", of: t.iut.peerID, "asks for barista for itself")
    },
    .client(
      "BAB/CLIENT/ROLE/BV-02-C", ["BAB 5.3.6"],
      "A client with a role says with PLAYER_READY for itself that it is ready, and that it is so no more.",
      initial: "The client is seated and the barista.",
      expects: ["the host is sent PLAYER_READY: the client's id, true; then false"], needs: [.roles]
    ) { t, host in
      try t.preamble {
        try t.seatWith()
        host.send(.roleAssigned(playerID: t.iut.peerID, roleID: "barista"))
        try t.settleAfresh()
      }
      t.iut.user(.setReady(true))
      try host.expectReady(true, of: t.iut.peerID, "says that it is ready")
      host.send(.playerReady(playerID: t.iut.peerID, isReady: true))
      try t.pause(.seconds(1))
      t.iut.user(.setReady(false))
      try host.expectReady(false, of: t.iut.peerID, "says that it is not")
    },
    .client(
      "BAB/CLIENT/ROLE/BV-03-C", ["BAB 1.3"],
      "A client shows a role when the host has given it, and not when its user asks for it.",
      initial: "The client is seated and shows LOBBY.",
      expects: ["no role and LOBBY while the host is silent; the role and ROLE_SELECTION after ROLE_ASSIGNED"],
      needs: [.roles, .screen]
    ) { t, host in
      try t.preamble {
        try t.seatWith()
        try t.expectPhase("LOBBY")
      }
      t.iut.user(.requestRole("barista"))
      try t.never("the IUT shows a role that the host has not given, or another phase") {
        t.iut.role(of: t.iut.peerID) != nil || t.iut.phase != "LOBBY"
      }
      host.send(.roleAssigned(playerID: t.iut.peerID, roleID: "barista"))
      try t.expect("the IUT shows that it is the barista") { t.iut.role(of: t.iut.peerID) == "barista" }
      try t.expectPhase("ROLE_SELECTION", clause: "BAB 5.3.7")
    },
    .client(
      "BAB/CLIENT/ROLE/BV-04-C", ["BAB 1.3"],
      "A client is not WAITING because its user is ready, but because the host says so.",
      initial: "The client is seated, the barista, and shows ROLE_SELECTION.",
      expects: ["ROLE_SELECTION while the host is silent; WAITING after PLAYER_READY"], needs: [.roles, .screen]
    ) { t, host in
      try t.preamble {
        try t.seatWith()
        host.send(.roleAssigned(playerID: t.iut.peerID, roleID: "barista"))
        try t.expectPhase("ROLE_SELECTION")
      }
      t.iut.user(.setReady(true))
      try t.keepsPhase("ROLE_SELECTION")
      host.send(.playerReady(playerID: t.iut.peerID, isReady: true))
      try t.expectPhase("WAITING", clause: "BAB 5.3.7")
    },
    .client(
      "BAB/CLIENT/ROLE/BV-05-C", ["BAB 5.3.7"],
      "A client shows LOBBY without roles, ROLE_SELECTION with anybody's role, WAITING while it is ready itself.",
      initial: "The client is seated with the host and a further player; nobody has a role.",
      expects: [
        "LOBBY; ROLE_SELECTION when the further player gets a role and when that player is ready; WAITING when the"
          + " client is ready; ROLE_SELECTION when it is so no more"
      ],
      needs: [.roles, .screen]
    ) { t, host in
      try t.preamble { try t.seatWith(["peer-x"]) }
      try t.expectPhase("LOBBY")
      host.send(.roleAssigned(playerID: "peer-x", roleID: "customer"))
      try t.expectPhase("ROLE_SELECTION")
      host.send(.playerReady(playerID: "peer-x", isReady: true))
      try t.keepsPhase("ROLE_SELECTION", for: .seconds(1))
      host.send(.roleAssigned(playerID: t.iut.peerID, roleID: "barista"))
      try t.keepsPhase("ROLE_SELECTION", for: .seconds(1))
      host.send(.playerReady(playerID: t.iut.peerID, isReady: true))
      try t.expectPhase("WAITING")
      host.send(.playerReady(playerID: t.iut.peerID, isReady: false))
      try t.expectPhase("ROLE_SELECTION")
    },
    .client(
      "BAB/CLIENT/ROLE/BV-06-C", ["BAB 5.3.5", "BAB 5.3.7"],
      "A new role ends the client's readiness, though no PLAYER_READY says so.",
      initial: "The client is the barista and ready, and shows WAITING.",
      expects: ["ROLE_SELECTION after ROLE_ASSIGNED: the client, customer"], needs: [.roles, .screen]
    ) { t, host in
      try t.preamble { try t.makeIUTWait() }
      host.send(.roleAssigned(playerID: t.iut.peerID, roleID: "customer"))
      try t.expectPhase("ROLE_SELECTION")
      try t.expect("the IUT shows that it is the customer", clause: "BAB 1.3") {
        t.iut.role(of: t.iut.peerID) == "customer"
      }
    },
    .client(
      "BAB/CLIENT/ROLE/BV-07-C", ["BAB 5.2.6"],
      "A LOBBY_UPDATE that names another scenario clears all roles and all readiness.",
      initial: "The client is the barista and ready, and shows WAITING.",
      expects: ["LOBBY after LOBBY_UPDATE with the-heist, and LOBBY still after one with coffee-shop"],
      needs: [.roles, .screen]
    ) { t, host in
      try t.preamble { try t.makeIUTWait() }
      for scenario in ["the-heist", "coffee-shop"] {
        host.lobby.selectedScenarioID = scenario
        host.tellLobby()
        try t.pause(.seconds(1))
        try t.expectPhase("LOBBY")
      }
    },
    .client(
      "BAB/CLIENT/ROLE/BV-08-C", ["BAB 5.2.6"],
      "A LOBBY_UPDATE with the same scenario clears nothing.",
      initial: "The client is the barista and ready, and shows WAITING.",
      expects: ["WAITING after LOBBY_UPDATE with another difficulty and one more player"], needs: [.roles, .screen]
    ) { t, host in
      try t.preamble { try t.makeIUTWait() }
      host.lobby.difficultyLevel = "hard"
      host.lobby.connectedPlayers.append(LobbyProfile(playerID: "peer-y", displayName: "y"))
      host.tellLobby()
      try t.keepsPhase("WAITING")
    },
    .client(
      "BAB/CLIENT/ROLE/BV-09-C", ["BAB 5.3.7"],
      "A client shows LOBBY again when the only player with a role has left.",
      initial: "The client is seated with a further player, who alone has a role; it shows ROLE_SELECTION.",
      expects: ["LOBBY after a LOBBY_UPDATE without that player"], needs: [.roles, .screen]
    ) { t, host in
      try t.preamble {
        try t.seatWith(["peer-x"])
        host.send(.roleAssigned(playerID: "peer-x", roleID: "customer"))
        try t.expectPhase("ROLE_SELECTION")
      }
      host.lobby.connectedPlayers.removeAll { $0.playerID == "peer-x" }
      host.tellLobby()
      try t.expectPhase("LOBBY")
    },
  ]
}
