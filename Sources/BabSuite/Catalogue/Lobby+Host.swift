import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// LOBBY, host: joining and leaving, scenario and difficulty (BAB 5.1, 5.2).
extension Catalog {
  static let lobbyHost: [TestPurpose] = lobbyHostJoining + lobbyHostSettings + lobbyHostLimits

  /// HANDSHAKE, CLIENT_JOIN and the roster.
  static let lobbyHostJoining: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/LOBBY/BV-01-C", ["BAB 5.1.7", "BAB 5.2.4"],
      "A client that joins is given a seat, and every seated client is told.",
      initial: "The host advertises; client-1 is seated.",
      expects: ["client-1 and client-2 are each sent LOBBY_UPDATE that lists the host, client-1 and client-2"],
      testers: 2
    ) { t, first, second in
      try t.preamble {
        t.iut.user(.startHosting)
        try first.join()
      }
      first.forget()
      try second.join(upTo: .greeted)
      second.askForSeat()
      let everybody = [t.iut.peerID, first.peerID, second.peerID]
      try [first, second].expectLobby("lists the host, client-1 and client-2") { lobby in
        lobby.playerIDs == everybody
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-02-C", ["BAB 5.1.6"],
      "The host answers a HANDSHAKE with its own.",
      initial: "client-1 is connected and subscribed, and has sent nothing.",
      expects: ["client-1 is sent HANDSHAKE with the host's id and isHost true, before it has asked for a seat"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .subscribed) }
      client.greet()
      try client.expect(.handshake, "is the host's own, with isHost true") { packet in
        guard case .handshake(let participant) = packet.payload else { return false }
        return participant.isHost && participant.id == t.iut.peerID && packet.senderID == t.iut.peerID
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-03-C", ["BAB 5.1.6"],
      "The host's HANDSHAKE is its first packet on a link, and it waits for the client's.",
      initial: "client-1 is seated; client-2 is connected and subscribed.",
      expects: ["nothing before client-2's HANDSHAKE, though the lobby changes; then HANDSHAKE before all else"],
      testers: 2
    ) { t in
      let client = t.clients[1]
      try t.preamble {
        try t.seatClients(1)
        try client.join(upTo: .subscribed)
      }
      t.iut.user(.setLobbyScenario("the-heist"))
      try t.never("client-2 is sent a packet before its HANDSHAKE", for: .seconds(1)) { !client.heard.isEmpty }
      client.greet()
      client.askForSeat()
      try client.expect(.lobbyUpdate)
      let first = client.heard.first
      try t.require(
        "the first packet on client-2's link is HANDSHAKE", record: first?.record,
        actual: first?.type?.rawValue ?? "no packet", first?.type == .handshake)
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-04-C", ["BAB 1.4", "BAB 5.1.8"],
      "The host is itself a player, the first of the roster.",
      initial: "The host advertises.",
      expects: ["LOBBY_UPDATE with two players: the host, client-1"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .greeted) }
      client.askForSeat()
      try client.expectLobby("lists the host and client-1, in this order") { $0.playerIDs == t.roster(client) }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-05-C", ["BAB 5.1.8"],
      "The roster is in the order of the joins, not of the connections or handshakes.",
      initial: "client-1, client-2 and client-3 are connected, in this order, and have shaken hands.",
      expects: ["after client-3, client-1 and client-2 have joined: the host, client-3, client-1, client-2"], testers: 3
    ) { t, one, two, three in
      try t.preamble {
        t.iut.user(.startHosting)
        for client in [one, two, three] { try client.join(upTo: .greeted) }
      }
      for client in [three, one, two] {
        client.askForSeat()
        try client.expectLobby("lists it last", clause: "BAB 5.1.7") { $0.playerIDs.last == client.peerID }
      }
      try [one, two, three].expectLobby("lists the host, client-3, client-1 and client-2") {
        $0.playerIDs == t.roster(three, one, two)
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-06-C", ["BAB 5.1.8", "BAB 5.7.4"],
      "A player who loses its link and comes back in time has its old place in the roster.",
      initial: "client-1 and client-2 are seated.",
      expects: ["after client-1 has gone and joined again: the host, client-1, client-2"], needs: [.reconnect],
      testers: 2
    ) { t, one, two in
      try t.preamble { try t.seatClients(2) }
      one.disconnect()
      try two.expectLobby("lists the host and client-2", clause: "BAB 5.7.1") { $0.playerIDs == t.roster(two) }
      try t.pause(.seconds(2))
      try t.settleAfresh()
      try t.preamble { try one.join() }
      try [one, two].expectLobby("lists the host, client-1 and client-2") { $0.playerIDs == t.roster(one, two) }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-07-C", ["BAB 5.1.7"],
      "The lobby lists a client with the name it joined with.",
      initial: "client-1 has shaken hands.",
      expects: ["LOBBY_UPDATE lists client-1 with the displayName of its CLIENT_JOIN"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .greeted) }
      client.askForSeat()
      try client.expectLobby("lists client-1 as \"\(client.displayName)\"") { lobby in
        lobby.connectedPlayers.contains { $0.playerID == client.peerID && $0.displayName == client.displayName }
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-08-C", ["BAB 5.1.7"],
      "A client that has shaken hands and not joined has no seat.",
      initial: "client-1 is seated; client-2 has shaken hands.",
      expects: ["no LOBBY_UPDATE that lists client-2 until it asks for a seat"], testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.seatClients(1)
        try two.join(upTo: .greeted)
      }
      t.iut.user(.setLobbyDifficulty("hard"))
      try one.expectLobby("says hard, and does not list client-2") {
        $0.difficultyLevel == "hard" && $0.playerIDs == t.roster(one)
      }
      try one.expectNoLobby { $0.playerIDs.contains(two.peerID) }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-09-C", ["BAB 5.2.4", "BAB 5.7.1"],
      "The others are told when a client leaves.",
      initial: "client-1, client-2 and client-3 are seated.",
      expects: ["client-1 and client-3 are sent LOBBY_UPDATE that lists the host, client-1 and client-3"], testers: 3
    ) { t, one, two, three in
      try t.preamble { try t.seatClients(3) }
      two.disconnect()
      try [one, three].expectLobby("lists the host, client-1 and client-3") { $0.playerIDs == t.roster(one, three) }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BI-01-C", ["BAB 1.5", "BAB 5.1.8"],
      "A second CLIENT_JOIN does not seat a player twice.",
      initial: "client-1 and client-2 are seated.",
      expects: ["no LOBBY_UPDATE with another roster than the host, client-1, client-2"], testers: 2
    ) { t, one, two in
      try t.preamble { try t.seatClients(2) }
      try t.ignores {
        one.askForSeat()
        try t.pause(.seconds(1))
      }
      t.iut.user(.setLobbyDifficulty("easy"))
      try two.expectLobby("says easy", clause: "BAB 5.2.4") { $0.difficultyLevel == "easy" }
      try [one, two].expectNoLobby(for: .seconds(1)) { $0.playerIDs != t.roster(one, two) }
    },
  ]
}
