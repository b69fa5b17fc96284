import AppSeam
import BabOracles
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// START, host: both ways to start a game (BAB 5.2.7 to 5.2.10, 5.3.8, 5.3.9).
extension Catalog {
  static let startHost: [TestPurpose] = startHostValid + startHostInvalid + startHostLate

  private static let startHostValid: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/START/BV-01-C", ["BAB 5.2.8"],
      "The plain start needs no roles, and every seated client is sent START_GAME.",
      initial: "client-1, client-2 and client-3 are seated; the scenario is coffee-shop; nobody has a role.",
      expects: ["each client is sent START_GAME"], testers: 3
    ) { t in
      try t.preamble { try t.seatClients(3) }
      t.iut.user(.startLobbyGame)
      try t.clients.expect(.startGame)
    },
    TestPurpose(
      "BAB/HOST/START/BV-02-C", ["BAB 5.3.9"],
      "The start with roles sends GAME_STARTED to every seated client.",
      initial: "The host, client-1 and client-2 each have a role of the scenario trio, and all are ready.",
      expects: ["each client is sent GAME_STARTED"], needs: [.roles], excludes: [.ownScenarios], testers: 2,
      arrange: { $0.playGame(roles: 3) }
    ) { t in
      try t.preamble {
        try t.seatClients(2, scenario: BabBed.ensemble)
        try t.makeTrioReady()
      }
      t.iut.user(.startMultiplayerGame)
      try t.clients.expect(.gameStarted)
    },
    TestPurpose(
      "BAB/HOST/START/BV-03-C", ["BAB 5.2.9"],
      "With the plain start the host stops advertising.",
      initial: "client-1 is seated, a seat is free, and client-2 finds the host's advertisements.",
      expects: ["client-2 finds none from 0.5 s after the start on, for 5 s"], testers: 2
    ) { t in
      let watcher = t.clients[1]
      try t.preamble {
        try t.seatClients(1)
        try t.beginWatching(watcher)
      }
      t.iut.user(.startLobbyGame)
      try t.expectNoAdvertisements(to: watcher)
    },
    TestPurpose(
      "BAB/HOST/START/BV-04-C", ["BAB 5.2.9", "BAB 5.3.9"],
      "With the start with roles the host stops advertising.",
      initial: "The host and client-1 are ready with roles, a seat is free, and client-2 finds the advertisements.",
      expects: ["client-2 finds none from 0.5 s after the start on, for 5 s"], needs: [.roles], testers: 2
    ) { t in
      let watcher = t.clients[1]
      try t.preamble {
        try t.seatReadyPair()
        try t.beginWatching(watcher)
      }
      t.iut.user(.startMultiplayerGame)
      try t.expectNoAdvertisements(to: watcher)
    },
    TestPurpose(
      "BAB/HOST/START/BV-05-C", ["BAB 5.2.8"],
      "After the plain start the host is in phase ACTIVE.",
      initial: "client-1 is seated; the scenario is coffee-shop.", expects: ["the host shows ACTIVE"],
      needs: [.screen]
    ) { t in
      try t.preamble { try t.seatClients(1) }
      t.iut.user(.startLobbyGame)
      try t.expectPhase("ACTIVE")
    },
    TestPurpose(
      "BAB/HOST/START/BV-06-C", ["BAB 5.3.9", "BAB 5.2.8"],
      "After the start with roles the host is in phase ACTIVE.",
      initial: "The host and client-1 are ready with roles; the host shows WAITING.",
      expects: ["the host shows ACTIVE"],
      needs: [.roles, .screen]
    ) { t in
      try t.preamble {
        try t.seatReadyPair()
        try t.expectPhase("WAITING")
      }
      t.iut.user(.startMultiplayerGame)
      try t.expectPhase("ACTIVE")
    },
    TestPurpose(
      "BAB/HOST/START/BV-07-C", ["BAB 5.3.8"],
      "A player who has left need not be ready.",
      initial: "The host and client-1 are ready with roles; client-2 has none, and leaves.",
      expects: ["GAME_STARTED when the host's user starts after client-2 has left"], needs: [.roles], testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.seatClients(2)
        try t.makePairReady()
        two.disconnect()
        try one.expectLobby("lists the host and client-1") { $0.playerIDs == t.roster(one) }
      }
      t.iut.user(.startMultiplayerGame)
      try one.expect(.gameStarted)
    },
    TestPurpose(
      "BAB/HOST/START/BV-08-C", ["BAB 5.2.9"],
      "A host whose seats are all taken does not advertise once the game has begun.",
      initial: "All seats are taken.", expects: ["a further client finds none from 0.5 s after the start on, for 5 s"],
      testers: 8
    ) { t in
      try t.preamble { try t.seatClients(t.dialect.capacity - 1) }
      t.iut.user(.startLobbyGame)
      try t.clients[0].expect(.startGame, clause: "BAB 5.2.8")
      try t.expectNoAdvertisements(to: t.clients[t.dialect.capacity - 1])
    },
  ]

  private static let startHostInvalid: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/START/BI-01-C", ["BAB 5.2.7"],
      "The plain start does nothing while no scenario is selected.",
      initial: "client-1 is seated; no scenario is selected.",
      expects: ["no START_GAME, and client-2 can still join", "START_GAME once coffee-shop is selected"], testers: 2
    ) { t in
      try t.preamble { try t.seatClients(1, scenario: nil) }
      try t.ignoresStart(.startLobbyGame)
      try t.expectStillOpen(to: t.clients[1])
      t.iut.user(.setLobbyScenario("coffee-shop"))
      try t.expectStart()
    },
    TestPurpose(
      "BAB/HOST/START/BI-02-C", ["BAB 5.2.7"],
      "The plain start does nothing with a scenario that is not known.",
      initial: "client-1 is seated; the host's user has asked for the scenario \"no-such-scene\" and no other.",
      expects: ["no START_GAME, and client-2 can still join", "START_GAME once coffee-shop is selected"], testers: 2
    ) { t in
      try t.preamble { try t.seatClients(1, scenario: "no-such-scene") }
      try t.ignoresStart(.startLobbyGame)
      try t.expectStillOpen(to: t.clients[1])
      t.iut.user(.setLobbyScenario("coffee-shop"))
      try t.expectStart()
    },
    TestPurpose(
      "BAB/HOST/START/BI-03-C", ["BAB 5.2.7"],
      "The plain start does nothing while no client is seated.",
      initial: "The host advertises; the scenario is coffee-shop; client-1 has shaken hands and has no seat.",
      expects: ["no START_GAME, and client-1 and client-2 can still join", "START_GAME with them"], testers: 2
    ) { t, one in
      try t.preamble {
        try t.seatClients(0)
        try one.join(upTo: .greeted)
      }
      try t.ignoresStart(.startLobbyGame, for: .seconds(1))
      one.askForSeat()
      try one.expectLobby("lists client-1") { $0.playerIDs.contains(one.peerID) }
      try t.expectStillOpen(to: t.clients[1])
      try t.expectStart()
    },
    TestPurpose(
      "BAB/HOST/START/BI-04-C", ["BAB 5.3.8"],
      "The start with roles does nothing while a player has no role.",
      initial: "client-1 is ready with a role; the host has none.",
      expects: ["no GAME_STARTED, and client-2 can still join"], needs: [.roles], testers: 2
    ) { t in
      try t.preamble {
        try t.seatClients(1)
        try t.giveRole("customer", to: t.clients[0])
        try t.makeReady(t.clients[0])
      }
      try t.ignoresStart(.startMultiplayerGame)
      try t.expectStillOpen(to: t.clients[1])
    },
    TestPurpose(
      "BAB/HOST/START/BI-05-C", ["BAB 5.3.8"],
      "The start with roles does nothing while a player is not ready.",
      initial: "The host is ready with a role; client-1 has a role and is ready no more.",
      expects: ["no GAME_STARTED until client-1 is ready again"], needs: [.roles]
    ) { t, client in
      try t.preamble {
        try t.seatReadyPair()
        client.setReady(false)
        try client.expectReady(false, of: client.peerID, "says so")
        try t.settleAfresh()
      }
      try t.ignoresStart(.startMultiplayerGame)
      client.setReady()
      try client.expectReady(true, of: client.peerID, "says so", clause: "BAB 5.3.6")
      t.iut.user(.startMultiplayerGame)
      try client.expect(.gameStarted, clause: "BAB 5.3.9")
    },
    TestPurpose(
      "BAB/HOST/START/BI-06-C", ["BAB 5.3.8", "BAB 5.3.5"],
      "The start with roles does nothing while a player whose role is new has not said again that it is ready.",
      initial: "All players of the scenario quartet are ready; then client-1 takes the free fourth role.",
      expects: ["no GAME_STARTED until client-1 is ready again"], needs: [.roles], excludes: [.ownScenarios],
      testers: 2,
      arrange: { $0.playGame(roles: 4) }
    ) { t, one in
      try t.preamble {
        try t.seatClients(2, scenario: BabBed.ensemble)
        try t.makeTrioReady()
        try t.giveRole("role-4", to: one)
      }
      try t.ignoresStart(.startMultiplayerGame)
      one.setReady()
      try one.expectReady(true, of: one.peerID, "says so", clause: "BAB 5.3.6")
      t.iut.user(.startMultiplayerGame)
      try t.clients.expect(.gameStarted, clause: "BAB 5.3.9")
    },
    TestPurpose(
      "BAB/HOST/START/BI-07-C", ["BAB 5.3.8"],
      "The start with roles does nothing while no client is seated.",
      initial: "The host is alone, ready with a role.",
      expects: ["client-1 and client-2 can still join, and are sent no GAME_STARTED"], needs: [.roles], testers: 2
    ) { t in
      try t.preamble {
        try t.seatClients(0)
        t.iut.user(.requestRole("barista"))
        t.iut.user(.setReady(true))
      }
      try t.ignores {
        t.iut.user(.startMultiplayerGame)
        try t.pause(.seconds(1))
      }
      for client in t.clients { try t.expectStillOpen(to: client) }
      try t.clients[0].expectReady(true, of: t.iut.peerID, "says that the host is ready", clause: "BAB 5.1.12")
      try t.expectNoStart()
    },
    TestPurpose(
      "BAB/HOST/START/BI-08-C", ["BAB 5.3.8", "BAB 5.2.6"],
      "The start with roles does nothing after another scenario has cleared the roles.",
      initial: "The host and client-1 were ready with roles; the-heist has been selected since.",
      expects: ["no GAME_STARTED"], needs: [.roles]
    ) { t in
      try t.preamble {
        try t.seatReadyPair()
        t.iut.user(.setLobbyScenario("the-heist"))
        try t.settleAfresh()
      }
      try t.ignoresStart(.startMultiplayerGame)
    },
  ]

  private static let startHostLate: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/START/BI-09-C", ["BAB 5.2.10"],
      "While a game is on, a client that asks for a seat for the first time is sent away cleanly.",
      initial: "client-1 is seated, client-2 has shaken hands; then the game begins.",
      expects: ["client-2's link is ended cleanly, and client-1 is sent no LOBBY_UPDATE that lists client-2"],
      testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.seatClients(1)
        try two.join(upTo: .greeted)
        t.iut.user(.startLobbyGame)
        try one.expect(.startGame)
        try t.settleAfresh()
      }
      try t.ignores {
        two.askForSeat()
        try two.expectTurnedAway(reasons: [.remoteUserTerminatedConnection])
        try [one, two].expectNoLobby(for: .seconds(1)) { $0.playerIDs.contains(two.peerID) }
      }
    },
    TestPurpose(
      "BAB/HOST/START/BI-10-C", ["BAB 5.2.10"],
      "While a game is over, a client that asks for a seat for the first time is sent away cleanly.",
      initial: "client-1 is seated, client-2 has shaken hands; the game has begun, and the host has ended it.",
      expects: ["client-2's link is ended cleanly, and client-1 is sent no LOBBY_UPDATE that lists client-2"],
      testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.seatClients(1)
        try two.join(upTo: .greeted)
        t.iut.user(.startLobbyGame)
        try one.expect(.startGame)
        t.iut.user(.endGame)
        try t.settleAfresh(.seconds(1))
      }
      try t.ignores {
        two.askForSeat()
        try two.expectTurnedAway(reasons: [.remoteUserTerminatedConnection])
        try [one, two].expectNoLobby(for: .seconds(1)) { $0.playerIDs.contains(two.peerID) }
      }
    },
    TestPurpose(
      "BAB/HOST/START/BI-11-C", ["BAB 5.2.10", "BAB 5.7.3"],
      "A game that waits for a lost player is not open to others.",
      initial: "A game is on with client-1 and client-2; client-2 has lost its link, so the host advertises again.",
      expects: ["client-3's link is ended cleanly when it asks for a seat; client-2, who comes back, is seated"],
      needs: [.reconnect], testers: 3
    ) { t, one, two, three in
      try t.preamble {
        try t.playPlainly(with: 2)
        two.disconnect()
        try three.join(upTo: .greeted)
        try t.settleAfresh()
      }
      try t.ignores {
        three.askForSeat()
        try three.expectTurnedAway(reasons: [.remoteUserTerminatedConnection])
      }
      two.begin()
      try one.expectLobby("lists the host, client-1 and client-2", within: .seconds(10), clause: "BAB 5.7.4") {
        $0.playerIDs == t.roster(one, two)
      }
    },
  ]
}

extension BabBed {
  /// role-1 for the host, role-2 and role-3 for client-1 and client-2, and all are ready.
  fileprivate func makeTrioReady() throws {
    iut.user(.requestRole("role-1"))
    iut.user(.setReady(true))
    for (index, client) in clients.prefix(2).enumerated() {
      try giveRole("role-\(index + 2)", to: client)
      try makeReady(client)
    }
  }

  /// A client that scans and does not connect; it must find the host.
  fileprivate func beginWatching(_ watcher: ClientTester) throws {
    watcher.begin(upTo: .scanning)
    try expect("\(watcher.name) finds the host") {
      watcher.advertisements.contains { dialect.isHost($0.advertisement) }
    }
  }

  /// After half a second for what is under way, a new scan no longer finds the host.
  fileprivate func expectNoAdvertisements(to watcher: ClientTester) throws {
    watcher.ask(.stopScanning)
    try pause(.milliseconds(500))
    let count = watcher.advertisements.count
    watcher.begin(upTo: .scanning)
    try never("\(watcher.name) finds an advertisement of the host", for: .seconds(5)) {
      watcher.advertisements.dropFirst(count).contains { $0.advertisement.address == iut.address }
    }
  }

  /// The host's user asks for a start, which the host ignores: no client is told of a game.
  fileprivate func ignoresStart(_ start: BabAction, for span: SimDuration = .seconds(2)) throws {
    try ignores {
      iut.user(start)
      try expectNoStart(for: span)
    }
  }

  /// No client is told that a game has begun.
  fileprivate func expectNoStart(for span: SimDuration = .seconds(2)) throws {
    let types: [PacketType] = [.startGame, .gameStarted, .turnAdvanced]
    for client in clients where client.newestLink != nil { try client.expectNone(of: types, for: span) }
  }

  /// The game has not begun: a further client finds the host and gets a seat.
  /// The plain start, which nothing forbids: every client is told.
  fileprivate func expectStart() throws {
    iut.user(.startLobbyGame)
    for client in clients { try client.expect(.startGame, clause: "BAB 5.2.8") }
  }

  fileprivate func expectStillOpen(to client: ClientTester) throws {
    client.begin()
    try client.expectLobby("lists \(client.name)", within: .seconds(10)) { $0.playerIDs.contains(client.peerID) }
  }
}
