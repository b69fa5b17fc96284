import AppSeam
import BabOracles
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// LOBBY, host: capacity, the time to join, heartbeats (BAB 2.3, 5.1.10, 5.1.11, 8.3, 8.8).
extension Catalog {
  static let lobbyHostLimits: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/LOBBY/BV-16-C", ["BAB 5.1.7", "BAB 2.3"],
      "As many clients as the dialect has seats for can join at once.",
      initial: "The host advertises; seven clients (in app three) begin to join at the same instant.",
      expects: ["every one is sent a LOBBY_UPDATE with as many players as the capacity, and all the same"], testers: 7
    ) { t in
      let clients = t.clients.prefix(t.dialect.capacity - 1)
      try t.preamble {
        t.iut.user(.startHosting)
        try t.pause(.milliseconds(100))
      }
      for client in clients { client.begin() }
      for client in clients {
        try client.expectLobby("lists \(t.dialect.capacity) players", within: .seconds(30)) {
          $0.playerIDs.count == t.dialect.capacity
        }
      }
      try t.pause(.seconds(1))
      let roster = clients[0].lobbyIDs
      try t.require(
        "all have been told the same roster, the host first", clause: "BAB 5.2.5",
        actual: "\(clients.map(\.lobbyIDs))",
        clients.allSatisfy { $0.lobbyIDs == roster } && roster.first == t.iut.peerID)
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-17-C", ["BAB 2.3"],
      "In app a lobby has four players: three clients can join and a fourth cannot.",
      initial: "client-1, client-2 and client-3 are seated.",
      expects: [
        "client-4 finds no advertiser to connect to", "client-4's link is ended", "in any case nobody is told of five",
      ],
      dialects: [.app], testers: 4
    ) { t in
      try t.preamble {
        try t.seatClients(3)
        try t.expect("client-1 has been told of four players") { t.clients[0].lobbyIDs.count == 4 }
      }
      let fourth = t.clients[3]
      fourth.begin()
      try t.clients.expectNoLobby(for: .seconds(4)) { $0.playerIDs.count > 4 || $0.playerIDs.contains(fourth.peerID) }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-18-C", ["BAB 5.1.11", "BAB 8.3"],
      "A client has 15 s from its connection to ask for a seat.",
      initial: "client-1 has connected, subscribed and shaken hands, and asks for nothing.",
      expects: ["its link is up 14.9 s after the connection, and a CLIENT_JOIN sent at 14.7 s is given a seat"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .greeted) }
      let start = try t.connectionInstant()
      try client.expectConnected(for: start + .milliseconds(14_700) - t.now)
      client.askForSeat()
      try client.expectLobby("lists client-1") { $0.playerIDs.contains(client.peerID) }
      try client.expectConnected(for: .seconds(3))
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-19-C", ["BAB 8.8", "BAB 5.1.11"],
      "A seated client that sends nothing, no HEARTBEAT either, keeps its seat.",
      initial: "client-1 and client-2 are seated.",
      expects: ["for two minutes no link is ended and nobody leaves the roster"], testers: 2
    ) { t, one, two in
      try t.preamble { try t.seatClients(2) }
      try t.never("a link is ended", for: .seconds(120), actual: { "it was ended" }) {
        !one.isConnected || !two.isConnected
      }
      t.iut.user(.setLobbyDifficulty("hard"))
      try [one, two].expectLobby("still lists all", clause: "BAB 5.2.4") { $0.playerIDs == t.roster(one, two) }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-20-C", ["BAB 8.8"],
      "No HEARTBEAT is sent unless one is configured.",
      initial: "client-1 is seated; no heartbeat is configured.",
      expects: ["no HEARTBEAT for 60 s"]
    ) { t, client in
      try t.preamble { try t.seatClients(1) }
      try client.expectNone(of: [.heartbeat], for: .seconds(60))
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BV-21-C", ["BAB 8.8"],
      "HEARTBEATs come as configured, to every seated client.",
      initial: "A heartbeat of 2 s is configured; client-1 and client-2 are seated.",
      expects: ["in 20 s each client is sent 9 to 11 of them"], needs: [.heartbeat], testers: 2,
      arrange: { $0.scenario.game.heartbeat = .seconds(2) }
    ) { t in
      try t.preamble { try t.seatClients(2) }
      try t.pause(.seconds(20))
      for client in t.clients {
        let count = client.news(.heartbeat).count
        try t.require("\(client.name) was sent 9 to 11 HEARTBEATs", actual: "\(count)", (9...11).contains(count))
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BI-05-C", ["BAB 5.1.11", "BAB 8.3"],
      "A link on which nothing is said is ended 15 s after its connection.",
      initial: "client-1 has connected and subscribed, and sends nothing.",
      expects: ["the link is up at 14.9 s and ended cleanly by 15.1 s"], needs: [.endsLinks]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .subscribed) }
      let start = try t.connectionInstant()
      try client.expectConnected(for: start + .milliseconds(14_900) - t.now)
      try client.expectDisconnected(within: .milliseconds(200), reasons: [.remoteUserTerminatedConnection])
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BI-06-C", ["BAB 5.1.11"],
      "A HANDSHAKE alone does not keep a link: without CLIENT_JOIN it is ended after 15 s.",
      initial: "client-1 has connected; it shakes hands 10 s later and sends nothing more.",
      expects: ["the link is up at 14.9 s and ended by 15.1 s, both from the connection"], needs: [.endsLinks]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .subscribed) }
      let start = try t.connectionInstant()
      try t.pause(until: start + .seconds(10))
      client.greet()
      try client.expect(.handshake, clause: "BAB 5.1.6")
      try client.expectConnected(for: start + .milliseconds(14_900) - t.now)
      try client.expectDisconnected(within: .milliseconds(200))
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BI-07-C", ["BAB 5.1.11", "BAB 5.1.2"],
      "A seat that a silent link held is free again after 15 s.",
      initial: "All seats but one were taken, and a silent link held the last one until its time was over.",
      expects: ["another client finds the host and is seated"], needs: [.endsLinks], testers: 8
    ) { t in
      let seats = t.dialect.capacity - 1
      let (silent, late) = (t.clients[seats - 1], t.clients[seats])
      try t.preamble {
        try t.seatClients(seats - 1)
        try silent.join(upTo: .subscribed)
        try t.expect("\(silent.name)'s link is ended", within: .seconds(16)) { !silent.isConnected }
      }
      late.begin()
      try late.expectLobby("lists \(late.name) last", within: .seconds(10)) {
        $0.playerIDs.count == t.dialect.capacity && $0.playerIDs.last == late.peerID
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BI-08-C", ["BAB 5.1.10", "BAB 2.3"],
      "A link that comes when links hold all seats is ended cleanly at once.",
      initial: "All seats are taken; the host's platform goes on advertising, whatever it is asked.",
      expects: ["the surplus client's link is ended cleanly within 1 s, and nobody else's"], testers: 8
    ) { t in
      let seats = t.dialect.capacity - 1
      let surplus = t.clients[seats]
      try t.preamble {
        try t.seatClients(seats)
      }
      try t.ignores {
        try t.preamble {
          try t.platformGoesOnAdvertising()
          try surplus.join(upTo: .connected)
        }
        try surplus.expectTurnedAway(within: .seconds(1), reasons: [.remoteUserTerminatedConnection])
        try t.never("a seated client's link is ended", for: .seconds(1)) {
          t.clients.prefix(seats).contains { !$0.isConnected }
        }
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BI-09-C", ["BAB 2.3", "BAB 5.1.10"],
      "A surplus client that tries to join gets no seat, and those who have one are not disturbed.",
      initial: "All seats are taken; the host's platform goes on advertising, whatever it is asked.",
      expects: ["no LOBBY_UPDATE lists more players than the capacity, or the surplus client"], testers: 8
    ) { t in
      let seats = t.dialect.capacity - 1
      let surplus = t.clients[seats]
      try t.preamble {
        try t.seatClients(seats)
      }
      try t.ignores {
        try t.platformGoesOnAdvertising()
        surplus.begin()
        try [t.clients[0], surplus].expectNoLobby(for: .seconds(3)) {
          $0.playerIDs.count > t.dialect.capacity || $0.playerIDs.contains(surplus.peerID)
        }
        if !t.ics.claims(.endsLinks) {
          try t.require("the surplus client is sent nothing", actual: "it is", surplus.values.isEmpty)
        }
      }
      t.iut.user(.setLobbyDifficulty("easy"))
      try t.clients[seats - 1].expectLobby("says easy, with every seat as before", clause: "BAB 5.2.4") {
        $0.difficultyLevel == "easy" && $0.playerIDs == [t.iut.peerID] + t.clients.prefix(seats).map(\.peerID)
      }
    },
    TestPurpose(
      "BAB/HOST/LOBBY/BI-10-C", ["BAB 5.1.7", "BAB 2.3"],
      "A seat that somebody leaves can be taken by somebody else.",
      initial: "All seats are taken.",
      expects: ["after client-1 has left, another client can join"], testers: 8
    ) { t in
      let seats = t.dialect.capacity - 1
      let late = t.clients[seats]
      try t.preamble { try t.seatClients(seats) }
      t.clients[0].disconnect()
      late.begin()
      try late.expectLobby("lists \(late.name), and not client-1", within: .seconds(15)) {
        $0.playerIDs.contains(late.peerID) && !$0.playerIDs.contains(t.clients[0].peerID)
      }
    },
  ]
}
