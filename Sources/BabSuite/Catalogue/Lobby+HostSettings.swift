import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// LOBBY, host: scenario and difficulty (BAB 5.2.1 to 5.2.6).
extension Catalog {
  static let lobbyHostSettings: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/LOBBY/BV-10-C", ["BAB 5.2.4", "BAB 5.2.1"],
      "Every seated client is told of every scenario that is selected, and the three of BAB 5.2.1 can be.",
      initial: "client-1 and client-2 are seated; no scenario is selected.",
      expects: ["LOBBY_UPDATE for each: coffee-shop, the-heist, first-date"], testers: 2
    ) { t in
      try t.preamble { try t.seatClients(2, scenario: nil) }
      for scenario in ["coffee-shop", "the-heist", "first-date"] {
        t.iut.user(.setLobbyScenario(scenario))
        try t.clients.expectLobby("selects \(scenario)") { $0.selectedScenarioID == scenario }
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-11-C", ["BAB 5.2.4", "BAB 5.2.3"],
      "Every seated client is told of every difficulty that is selected: easy, hard, normal.",
      initial: "client-1 and client-2 are seated.",
      expects: ["LOBBY_UPDATE for each"], testers: 2
    ) { t in
      try t.preamble { try t.seatClients(2) }
      for level in ["easy", "hard", "normal"] {
        for client in t.clients { client.forget() }
        t.iut.user(.setLobbyDifficulty(level))
        try t.clients.expectLobby("says \(level)") { $0.difficultyLevel == level }
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-12-C", ["BAB 5.2.3"],
      "The difficulty is normal until another is selected.",
      initial: "The host has just begun to host.",
      expects: ["the first LOBBY_UPDATE says normal"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .greeted) }
      client.askForSeat()
      try client.expectLobby("says normal") { $0.difficultyLevel == "normal" }
      try client.expectNoLobby(for: .seconds(1)) { $0.difficultyLevel != "normal" }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-13-C", ["BAB 5.2.5", "BAB 5.1.9"],
      "After quick changes every client has been told the host's last word.",
      initial: "client-1, client-2 and client-3 are seated.",
      expects: ["the newest LOBBY_UPDATE of client-1 and client-2: the-heist, hard, the host, client-1, client-2"],
      testers: 3
    ) { t, one, two, three in
      try t.preamble { try t.seatClients(3) }
      t.iut.user(.setLobbyScenario("first-date"))
      t.iut.user(.setLobbyDifficulty("easy"))
      three.disconnect()
      t.iut.user(.setLobbyScenario("the-heist"))
      try t.pause(.milliseconds(40))
      t.iut.user(.setLobbyDifficulty("hard"))
      try t.pause(.seconds(3))
      for client in [one, two] {
        let lobby = client.lobby
        try t.require(
          "the newest LOBBY_UPDATE of \(client.name): the-heist, hard, the host, client-1, client-2",
          actual: lobby.map { "\($0.selectedScenarioID), \($0.difficultyLevel), \($0.playerIDs)" } ?? "none",
          lobby?.selectedScenarioID == "the-heist" && lobby?.difficultyLevel == "hard"
            && lobby?.playerIDs == t.roster(one, two))
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-14-C", ["BAB 5.1.7", "BAB 5.2.5"],
      "A newcomer is told the scenario and the difficulty that were selected before.",
      initial: "The host has selected first-date and easy.",
      expects: ["client-1's first LOBBY_UPDATE says first-date and easy"]
    ) { t, client in
      try t.preamble {
        t.iut.user(.startHosting)
        t.iut.user(.setLobbyScenario("first-date"))
        t.iut.user(.setLobbyDifficulty("easy"))
        try client.join(upTo: .greeted)
      }
      client.askForSeat()
      try client.expectLobby("says first-date and easy") {
        $0.selectedScenarioID == "first-date" && $0.difficultyLevel == "easy"
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-15-C", ["BAB 5.2.5", "BAB 1.3"],
      "The host shows the lobby that it tells.",
      initial: "client-1 and client-2 are seated.",
      expects: ["after a change of scenario and difficulty the host shows what the clients were told last"],
      needs: [.screen], testers: 2
    ) { t in
      try t.preamble { try t.seatClients(2) }
      t.iut.user(.setLobbyScenario("the-heist"))
      t.iut.user(.setLobbyDifficulty("hard"))
      try t.clients.expectLobby("says the-heist and hard", clause: "BAB 5.2.4") {
        $0.selectedScenarioID == "the-heist" && $0.difficultyLevel == "hard"
      }
      try t.expect("the host shows the-heist, hard, itself, client-1 and client-2", actual: { t.iut.lobbyInWords }) {
        t.iut.lobby
          == LobbyView(scenarioID: "the-heist", difficulty: "hard", players: t.roster(t.clients[0], t.clients[1]))
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BI-02-C", ["BAB 5.2.3"],
      "No other difficulty than easy, normal and hard is ever told.",
      initial: "client-1 is seated; the difficulty is hard.",
      expects: ["after the host's user has asked for \"nightmare\": no LOBBY_UPDATE with another difficulty than hard"]
    ) { t, client in
      try t.preamble {
        try t.seatClients(1)
        t.iut.user(.setLobbyDifficulty("hard"))
        try client.expectLobby("says hard") { $0.difficultyLevel == "hard" }
        try t.settleAfresh()
      }
      try t.ignores {
        t.iut.user(.setLobbyDifficulty("nightmare"))
        try t.pause(.seconds(1))
      }
      t.iut.user(.setLobbyScenario("the-heist"))
      try client.expectLobby("selects the-heist", clause: "BAB 5.2.4") { $0.selectedScenarioID == "the-heist" }
      try client.expectNoLobby(for: .seconds(1)) { $0.difficultyLevel != "hard" }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BI-03-C", ["BAB 5.2.2", "BAB 1.3", "BAB 7.1"],
      "A client cannot change the scenario, the difficulty or the roster.",
      initial: "client-1 and client-2 are seated; the scenario is coffee-shop.",
      expects: ["client-2 is sent no LOBBY_UPDATE that repeats client-1's, and client-3 finds coffee-shop and normal"],
      testers: 3
    ) { t, one, two, three in
      try t.preamble { try t.seatClients(2) }
      let players = [two, one].map { LobbyProfile(playerID: $0.peerID, displayName: $0.displayName) }
      try t.ignores {
        one.send(
          .lobbyUpdate(
            LobbyState(selectedScenarioID: "first-date", difficultyLevel: "easy", connectedPlayers: players)),
          note: "client-1 sends LOBBY_UPDATE: first-date, easy, without the host")
        try two.expectNone(of: [.lobbyUpdate], for: .seconds(1))
      }
      three.begin()
      try three.expectLobby("says coffee-shop, normal, the host, client-1, client-2, client-3") {
        $0.selectedScenarioID == "coffee-shop" && $0.difficultyLevel == "normal"
          && $0.playerIDs == t.roster(one, two, three)
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BI-04-C", ["BAB 5.2.2"],
      "Neither scenario nor difficulty can be changed while a game is on.",
      initial: "A game is on after the plain start, with client-1; coffee-shop, normal.",
      expects: ["no LOBBY_UPDATE with anything else than coffee-shop and normal"]
    ) { t, client in
      try t.preamble { try t.playPlainly(with: 1) }
      try t.ignores {
        t.iut.user(.setLobbyScenario("the-heist"))
        t.iut.user(.setLobbyDifficulty("hard"))
        try client.expectNoLobby(for: .seconds(3)) {
          $0.selectedScenarioID != "coffee-shop" || $0.difficultyLevel != "normal"
        }
      }
    },
  ]
}
