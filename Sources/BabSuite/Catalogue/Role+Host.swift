import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// ROLE, host: roles and readiness (BAB 5.3.1 to 5.3.7, 5.1.12, 5.2.6).
extension Catalog {
  static let roleHost: [TestPurpose] = roleHostValid + roleHostInvalid

  private static let roleHostValid: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/ROLE/BV-01-C", ["BAB 5.3.4", "BAB 5.3.3"],
      "A client that asks for a free role gets it, and every seated client is told.",
      initial: "client-1 and client-2 are seated; the scenario is coffee-shop.",
      expects: ["both clients are sent ROLE_ASSIGNED: client-1, barista"], needs: [.roles], testers: 2
    ) { t, one in
      try t.preamble { try t.seatClients(2) }
      one.askForRole("barista")
      try t.clients.expectRole("barista", of: one.peerID, "gives client-1 barista")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-02-C", ["BAB 5.3.4"],
      "Every seated client is told of the role that the host takes for itself.",
      initial: "client-1 and client-2 are seated; the scenario is coffee-shop.",
      expects: ["both clients are sent ROLE_ASSIGNED: the host, customer"], needs: [.roles], testers: 2
    ) { t in
      try t.preamble { try t.seatClients(2) }
      t.iut.user(.requestRole("customer"))
      try t.clients.expectRole("customer", of: t.iut.peerID, "gives the host customer")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-03-C", ["BAB 5.3.4"],
      "Every seated client is told of the role that the host gives to a client.",
      initial: "client-1 and client-2 are seated; the scenario is coffee-shop.",
      expects: ["both clients are sent ROLE_ASSIGNED: client-2, barista"], needs: [.roles], testers: 2
    ) { t in
      let two = t.clients[1]
      try t.preamble { try t.seatClients(2) }
      t.iut.user(.assignRole(player: two.peerID, role: "barista"))
      try t.clients.expectRole("barista", of: two.peerID, "gives client-2 barista")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-04-C", ["BAB 5.3.4", "BAB 5.3.2"],
      "A player may change its role, and the old one is free again.",
      initial: "client-1 and client-2 are seated; client-1 is the barista.",
      expects: ["client-1 gets customer, then client-2 gets barista; both clients are told both"], needs: [.roles],
      testers: 2
    ) { t, one, two in
      try t.preamble { try t.seatPair(barista: one) }
      one.askForRole("customer")
      try t.clients.expectRole("customer", of: one.peerID, "gives client-1 customer")
      two.askForRole("barista")
      try t.clients.expectRole("barista", of: two.peerID, "gives client-2 barista")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-05-C", ["BAB 5.1.12"],
      "A newcomer is told, after its LOBBY_UPDATE, every role and who is ready.",
      initial: "The host is the barista and ready, client-1 the customer and ready; client-2 has shaken hands.",
      expects: ["client-2 is sent LOBBY_UPDATE first, then both ROLE_ASSIGNED and both PLAYER_READY"], needs: [.roles],
      testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.seatReadyPair()
        try two.join(upTo: .greeted)
      }
      two.askForSeat()
      for (player, role) in [(t.iut.peerID, "barista"), (one.peerID, "customer")] {
        try two.expectRole(role, of: player, "gives \(player) \(role)")
        try two.expectReady(true, of: player, "says that \(player) is ready")
      }
      let types = two.heard.compactMap(\.type)
      let lobby = types.firstIndex(of: .lobbyUpdate) ?? types.count
      let role = types.firstIndex { $0 == .roleAssigned || $0 == .playerReady } ?? types.count
      try t.require(
        "LOBBY_UPDATE comes before the first ROLE_ASSIGNED and PLAYER_READY",
        actual: types.map(\.rawValue).joined(separator: ", "), lobby < role)
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-06-C", ["BAB 5.1.12"],
      "A newcomer is not told that somebody is ready who is not.",
      initial: "client-1 is the customer, was ready and is so no more; nobody else has a role.",
      expects: ["client-2 is sent ROLE_ASSIGNED for client-1, and no PLAYER_READY that says true"], needs: [.roles],
      testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.seatClients(1)
        try t.giveRole("customer", to: one)
        try t.makeReady(one)
        one.setReady(false)
        try one.expectReady(false, of: one.peerID, "says so")
      }
      two.begin()
      try two.expectRole("customer", of: one.peerID, "gives client-1 customer")
      try two.expectNever(.playerReady(playerID: one.peerID, isReady: true), for: .seconds(1))
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-07-C", ["BAB 5.3.6"],
      "Every client is told when a player with a role becomes ready, and when it is so no more.",
      initial: "client-1 and client-2 are seated; client-1 is the barista.",
      expects: ["both clients are sent PLAYER_READY: client-1, true; then client-1, false"], needs: [.roles], testers: 2
    ) { t, one in
      try t.preamble { try t.seatPair(barista: one) }
      for isReady in [true, false] {
        one.setReady(isReady)
        for client in t.clients {
          try client.expectReady(isReady, of: one.peerID, "says \(isReady) of client-1")
        }
      }
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-08-C", ["BAB 5.3.6"],
      "Every client is told that the host is ready.",
      initial: "client-1 and client-2 are seated; the host is the barista.",
      expects: ["both clients are sent PLAYER_READY: the host, true"], needs: [.roles], testers: 2
    ) { t in
      try t.preamble {
        try t.seatClients(2)
        t.iut.user(.requestRole("barista"))
        try t.clients[0].expect(.roleAssigned)
      }
      t.iut.user(.setReady(true))
      try t.clients.expectReady(true, of: t.iut.peerID, "says true of the host")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-09-C", ["BAB 5.3.5"],
      "A new role ends readiness, and no PLAYER_READY says so.",
      initial: "client-1 and client-2 are seated; client-1 is the barista and ready.",
      expects: ["client-1 gets customer; nobody is sent PLAYER_READY; client-3, who joins, is told nobody is ready"],
      needs: [.roles], testers: 3
    ) { t, one, two, three in
      try t.preamble {
        try t.seatPair(barista: one)
        try t.makeReady(one)
      }
      one.askForRole("customer")
      try two.expectRole("customer", of: one.peerID, "gives client-1 customer", clause: "BAB 5.3.4")
      three.begin()
      try three.expectRole("customer", of: one.peerID, "gives client-1 customer", clause: "BAB 5.1.12")
      try [one, two, three].expectNone(of: [.playerReady], for: .seconds(1))
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-10-C", ["BAB 5.2.6"],
      "Another scenario clears all roles: they are free again.",
      initial: "client-1 and client-2 are seated; client-1 is the barista and ready.",
      expects: ["after the-heist and coffee-shop have been selected client-2 gets barista"], needs: [.roles], testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.seatPair(barista: one)
        try t.makeReady(one)
      }
      for scenario in ["the-heist", "coffee-shop"] {
        t.iut.user(.setLobbyScenario(scenario))
        try two.expectLobby("selects \(scenario)", clause: "BAB 5.2.4") { $0.selectedScenarioID == scenario }
      }
      two.askForRole("barista")
      try two.expectRole("barista", of: two.peerID, "gives client-2 barista")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-11-C", ["BAB 5.2.6"],
      "Another scenario clears all roles and all readiness: a newcomer is told of none.",
      initial: "client-1 is seated, the customer and ready; the host is the barista and ready.",
      expects: ["client-2, who joins after the-heist has been selected, is sent no ROLE_ASSIGNED and no PLAYER_READY"],
      needs: [.roles], testers: 2
    ) { t in
      let two = t.clients[1]
      try t.preamble { try t.seatReadyPair() }
      t.iut.user(.setLobbyScenario("the-heist"))
      try t.clients[0].expectLobby("selects the-heist", clause: "BAB 5.2.4") { $0.selectedScenarioID == "the-heist" }
      two.begin()
      try two.expectLobby("lists client-2", clause: "BAB 5.1.7") { $0.playerIDs.contains(two.peerID) }
      try two.expectNone(of: [.roleAssigned, .playerReady])
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-12-C", ["BAB 5.2.6"],
      "Another difficulty clears nothing.",
      initial: "client-1 is seated, the customer and ready; the host is the barista and ready.",
      expects: ["client-2, who joins after hard has been selected, is told of both roles and both ready players"],
      needs: [.roles], testers: 2
    ) { t in
      let two = t.clients[1]
      try t.preamble { try t.seatReadyPair() }
      t.iut.user(.setLobbyDifficulty("hard"))
      two.begin()
      for player in [t.iut.peerID, t.clients[0].peerID] {
        try two.expectReady(true, of: player, "says that \(player) is ready")
      }
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-13-C", ["BAB 5.3.7"],
      "The host shows LOBBY, then ROLE_SELECTION with the first role, then WAITING while it is ready itself.",
      initial: "client-1 is seated; nobody has a role.",
      expects: [
        "LOBBY; ROLE_SELECTION with client-1's role and also when client-1 is ready; WAITING when the host is ready;"
          + " ROLE_SELECTION when it is so no more"
      ],
      needs: [.roles, .screen]
    ) { t, client in
      try t.preamble { try t.seatClients(1) }
      try t.expectPhase("LOBBY")
      client.askForRole("customer")
      try t.expectPhase("ROLE_SELECTION")
      client.setReady()
      try client.expectReady(true, of: client.peerID, "says so", clause: "BAB 5.3.6")
      try t.keepsPhase("ROLE_SELECTION", for: .seconds(1))
      t.iut.user(.requestRole("barista"))
      t.iut.user(.setReady(true))
      try t.expectPhase("WAITING")
      t.iut.user(.setReady(false))
      try t.expectPhase("ROLE_SELECTION")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-14-C", ["BAB 5.3.7", "BAB 5.2.6"],
      "The host shows LOBBY again when another scenario has cleared the roles.",
      initial: "The host is the barista and ready, client-1 the customer and ready; the host shows WAITING.",
      expects: ["LOBBY after the-heist has been selected"], needs: [.roles, .screen]
    ) { t in
      try t.preamble {
        try t.seatReadyPair()
        try t.expectPhase("WAITING")
      }
      t.iut.user(.setLobbyScenario("the-heist"))
      try t.expectPhase("LOBBY")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BV-15-C", ["BAB 5.2.1", "BAB 5.3.1"],
      "The three scenarios that every app knows have the roles of BAB 5.2.1.",
      initial: "client-1 is seated; nobody has a role.",
      expects: ["client-1 gets barista and customer, detective and thief, date1 and date2, each in its scenario"],
      needs: [.roles]
    ) { t, client in
      try t.preamble { try t.seatClients(1, scenario: nil) }
      let roles = [
        ("coffee-shop", ["barista", "customer"]), ("the-heist", ["detective", "thief"]),
        ("first-date", ["date1", "date2"]),
      ]
      for (scenario, roles) in roles {
        t.iut.user(.setLobbyScenario(scenario))
        for role in roles {
          client.askForRole(role)
          try client.expectRole(role, of: client.peerID, "gives client-1 \(role)")
        }
      }
    },
  ]

  private static let roleHostInvalid: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/ROLE/BI-01-C", ["BAB 5.3.2", "BAB 5.3.3"],
      "A client is not given a role that another player has.",
      initial: "client-1 and client-2 are seated; client-1 is the barista.",
      expects: ["client-2's request is ignored: nobody is sent ROLE_ASSIGNED"], needs: [.roles], testers: 2
    ) { t, one, two in
      try t.preamble { try t.seatPair(barista: one) }
      try t.ignores {
        two.askForRole("barista")
        try t.clients.expectNone(of: [.roleAssigned])
      }
    },
    TestPurpose(
      "BAB/HOST/ROLE/BI-02-C", ["BAB 5.3.2"],
      "When two clients ask for one role at the same time, one gets it.",
      initial: "client-1 and client-2 are seated; nobody has a role.",
      expects: ["every client is told of one barista, and both of the same"], needs: [.roles], testers: 2
    ) { t, one, two in
      try t.preamble { try t.seatClients(2) }
      one.askForRole("barista")
      two.askForRole("barista")
      try t.clients.expect(.roleAssigned, clause: "BAB 5.3.4")
      try t.pause(.seconds(2))
      let told = t.clients.map { $0.news(.roleAssigned).map(\.payload) }
      let isOne = { (player: String) in
        told.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 == .roleAssigned(playerID: player, roleID: "barista") } }
      }
      try t.require(
        "every ROLE_ASSIGNED names the same player as the barista", actual: "\(told)",
        isOne(one.peerID) || isOne(two.peerID))
    },
    TestPurpose(
      "BAB/HOST/ROLE/BI-03-C", ["BAB 5.3.1", "BAB 5.3.3"],
      "A client is not given a role of another scenario, or one that there is not.",
      initial: "client-1 is seated; the scenario is coffee-shop.",
      expects: ["the requests for thief, pilot and a role without a name are ignored, that for barista granted"],
      needs: [.roles]
    ) { t, client in
      try t.preamble { try t.seatClients(1) }
      try t.ignores {
        for role in ["thief", "pilot", ""] {
          client.askForRole(role)
          try client.expectNone(of: [.roleAssigned], for: .seconds(1))
        }
      }
      client.askForRole("barista")
      try client.expectRole("barista", of: client.peerID, "gives client-1 barista")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BI-04-C", ["BAB 5.3.1", "BAB 5.3.3"],
      "Nobody is given a role while no scenario is selected.",
      initial: "client-1 is seated; no scenario is selected.",
      expects: ["the request for barista is ignored, and granted once coffee-shop is selected"], needs: [.roles]
    ) { t, client in
      try t.preamble { try t.seatClients(1, scenario: nil) }
      try t.ignoresRequest(of: client, for: "barista")
      t.iut.user(.setLobbyScenario("coffee-shop"))
      try t.settleAfresh()
      client.askForRole("barista")
      try client.expectRole("barista", of: client.peerID, "gives client-1 barista")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BI-05-C", ["BAB 5.3.1", "BAB 5.2.6"],
      "After another scenario has been selected the roles of the old one are not given.",
      initial: "client-1 is seated; the-heist has been selected in place of coffee-shop.",
      expects: ["the request for barista is ignored, that for thief granted"], needs: [.roles]
    ) { t, client in
      try t.preamble {
        try t.seatClients(1)
        t.iut.user(.setLobbyScenario("the-heist"))
        try t.settleAfresh()
      }
      try t.ignoresRequest(of: client, for: "barista")
      client.askForRole("thief")
      try client.expectRole("thief", of: client.peerID, "gives client-1 thief")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BI-06-C", ["BAB 5.3.2", "BAB 5.3.1"],
      "The host's own user cannot give a role twice, or one that is not the scenario's.",
      initial: "client-1 and client-2 are seated; client-1 is the barista.",
      expects: ["nobody is sent ROLE_ASSIGNED for barista or thief"], needs: [.roles], testers: 2
    ) { t, one, two in
      try t.preamble { try t.seatPair(barista: one) }
      try t.ignores {
        t.iut.user(.assignRole(player: two.peerID, role: "barista"))
        t.iut.user(.requestRole("barista"))
        t.iut.user(.assignRole(player: two.peerID, role: "thief"))
        try t.clients.expectNone(of: [.roleAssigned])
      }
    },
    TestPurpose(
      "BAB/HOST/ROLE/BI-07-C", ["BAB 5.3.6"],
      "A player without a role cannot be ready.",
      initial: "client-1 and client-2 are seated; nobody has a role.",
      expects: [
        "client-1's PLAYER_READY is ignored: nobody is sent PLAYER_READY, a newcomer neither",
        "with a role client-1 can be ready",
      ],
      needs: [.roles], testers: 3
    ) { t in
      let (one, three) = (t.clients[0], t.clients[2])
      try t.preamble { try t.seatClients(2) }
      try t.ignores {
        one.setReady()
        try t.clients.prefix(2).expectNone(of: [.playerReady], for: .seconds(1))
      }
      three.begin()
      try three.expectLobby("lists client-3", clause: "BAB 5.1.7") { $0.playerIDs.contains(three.peerID) }
      try three.expectNone(of: [.playerReady], for: .seconds(1))
      try t.giveRole("barista", to: one)
      try t.makeReady(one)
    },
    TestPurpose(
      "BAB/HOST/ROLE/BI-08-C", ["BAB 5.3.6", "BAB 5.2.6"],
      "A player whose role was cleared with the scenario cannot be ready.",
      initial: "client-1 is seated and was the barista; the-heist has been selected since.",
      expects: ["client-1's PLAYER_READY is ignored"], needs: [.roles]
    ) { t, client in
      try t.preamble {
        try t.seatClients(1)
        try t.giveRole("barista", to: client)
        t.iut.user(.setLobbyScenario("the-heist"))
        try t.settleAfresh()
      }
      try t.ignores {
        client.setReady()
        try client.expectNone(of: [.playerReady])
      }
    },
    TestPurpose(
      "BAB/HOST/ROLE/BI-09-C", ["BAB 5.3.3"],
      "A request for a role is ignored while a game is on, and while it is over.",
      initial: "A game is on after the plain start with client-1; nobody has a role.",
      expects: ["no ROLE_ASSIGNED, neither then nor after the host has ended the game"], needs: [.roles]
    ) { t, client in
      try t.preamble { try t.playPlainly(with: 1) }
      try t.ignoresRequest(of: client, for: "barista")
      t.iut.user(.endGame)
      try t.pause(.seconds(1))
      try t.ignoresRequest(of: client, for: "barista")
    },
    TestPurpose(
      "BAB/HOST/ROLE/BI-10-C", ["BAB 5.3.3", "BAB 5.3.4"],
      "A client without a seat is no player, and is given no role.",
      initial: "client-1 is seated, client-2 has shaken hands; the scenario is coffee-shop.",
      expects: ["nobody is sent ROLE_ASSIGNED for client-2's request, and client-1 can have the role"],
      needs: [.roles], testers: 2
    ) { t in
      // Where no packet asks for a seat, whoever has shaken hands has one.
      t.uses(.clientJoin)
      let (one, two) = (t.clients[0], t.clients[1])
      try t.preamble {
        try t.seatClients(1)
        try two.join(upTo: .greeted)
      }
      try t.ignores {
        two.askForRole("barista")
        try [one, two].expectNone(of: [.roleAssigned], for: .seconds(1))
      }
      one.askForRole("barista")
      try one.expectRole("barista", of: one.peerID, "gives client-1 barista")
    },
  ]
}
