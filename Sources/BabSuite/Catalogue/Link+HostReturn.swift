import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// LINK, host: what a returning player gets back, and until when.
extension Catalog {
  static let linkHostReturn: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/LINK/BV-09-C", ["BAB 5.7.4", "BAB 5.7.2"], "A player who comes back gets its old place.",
      initial: "client-1 and client-2 are seated; client-1 has lost its link.",
      expects: ["LOBBY_UPDATE with client-1 before client-2"], needs: [.reconnect], testers: 2
    ) { t, first, second in
      try t.preamble {
        try t.seatClients(2, scenario: nil)
        try t.lose(first)
        try t.pause(.seconds(2))
      }
      try first.join()
      try t.require(
        "the roster is host, client-1, client-2", actual: "\(first.lobbyIDs)",
        first.lobbyIDs == [t.iut.peerID, first.peerID, second.peerID])
    },
    TestPurpose(
      "BAB/HOST/LINK/BV-10-C", ["BAB 5.7.4", "BAB 5.7.2"], "A player who comes back gets its role.",
      initial: "client-1 has the role customer, and has lost its link.",
      expects: ["ROLE_ASSIGNED with the role customer to client-1"], needs: [.roles, .reconnect], testers: 2
    ) { t, first in
      try t.preamble { try t.giveRoleAndLose(first) }
      try first.join()
      try first.expectRole("customer", of: first.peerID, "gives it the role customer")
    },
    TestPurpose(
      "BAB/HOST/LINK/BV-11-C", ["BAB 5.7.4", "BAB 5.3.2"], "A role that somebody else has taken is not given back.",
      initial: "client-1 had the role customer, and has lost its link; client-2 has the role now.",
      expects: ["nobody is told that client-1 has a role"], needs: [.roles, .reconnect], testers: 2
    ) { t, first, second in
      try t.preamble {
        try t.giveRoleAndLose(first)
        second.askForRole("customer")
        try second.expectRole("customer", of: second.peerID, "gives client-2 the role")
        second.forget()
        first.forget()
        try first.join()
      }
      try [first, second].expectNone(of: [.roleAssigned], for: .seconds(1)) { packet in
        if case .roleAssigned(first.peerID, _) = packet.payload { true } else { false }
      }
    },
    TestPurpose(
      "BAB/HOST/LINK/BV-12-C", ["BAB 5.7.4", "BAB 5.7.2"], "A player who comes back has the points it had.",
      initial: "A game is on; everybody has read a line; client-1 has lost its link and come back.",
      expects: ["the next LEADERBOARD_UPDATE has client-1's points as before"],
      needs: [.turns, .scoring, .reconnect], testers: 2, arrange: { $0.playGame(roles: 3) }
    ) { t, first, second in
      let before = try t.preamble {
        try t.startGame(clients: 2)
        try t.readLines(3, watching: second)
        let score = second.points(of: first.peerID)
        try t.expect("client-1 has points") { (score ?? 0) > 0 }
        try t.lose(first)
        try t.pause(.seconds(2))
        try first.join()
        return score
      }
      try t.preamble { try t.expect("it is the host's turn") { second.turn?.player == t.iut.peerID } }
      try t.readLines(1, watching: second)
      let after = second.points(of: first.peerID)
      try t.require(
        "client-1 has \(before ?? 0) points", actual: after.map { "it has \($0)" } ?? "it is not listed",
        after == before)
    },
    TestPurpose(
      "BAB/HOST/LINK/BV-13-C", ["BAB 5.7.2"], "A player who comes back 29.9 s after the loss is taken back.",
      initial: "A game is on with two clients; client-1 has lost its link 29.9 s ago.",
      expects: ["FULL_STATE_SNAPSHOT and a seat"], needs: [.reconnect], testers: 2
    ) { t, first in
      try t.preamble {
        try t.playPlainly(with: 2)
        let lost = try t.lose(first)
        try t.pause(until: lost + .milliseconds(29_900))
      }
      first.forget()
      try first.join()
      try first.expect(.fullStateSnapshot)
    },
    remembered(
      "BV-14-C", "44.8 s", .milliseconds(44_800), ["BAB 8.2", "BAB 5.7.2"], isRemembered: true),
    remembered("BV-15-C", "45.1 s", .milliseconds(45_100), ["BAB 8.2", "BAB 5.7.2"], isRemembered: false),
    TestPurpose(
      "BAB/HOST/LINK/BV-16-C", ["BAB 5.7.2", "BAB 5.2.10"], "In a game, who asks 45.1 s after the loss is turned away.",
      initial: "A game is on with two clients; client-1 lost its link, and has a new one with HANDSHAKE done.",
      expects: ["client-1's CLIENT_JOIN after 45.1 s ends the link cleanly"], needs: [.reconnect], testers: 2
    ) { t, first in
      try t.preamble {
        try t.playPlainly(with: 2)
        let lost = try t.lose(first)
        try t.pause(until: lost + .seconds(40))
        try first.join(upTo: .greeted)
        try first.flush()
        try t.pause(until: lost + .milliseconds(45_100))
      }
      try t.ignores {
        first.askForSeat()
        try first.expectTurnedAway(within: .seconds(3), reasons: [.remoteUserTerminatedConnection])
      }
    },
  ]

  /// A CLIENT_JOIN at a time at which the player is still remembered, or no longer: in the lobby, so that it gets a
  /// seat either way.
  private static func remembered(
    _ number: String, _ text: String, _ span: SimDuration, _ clauses: [String], isRemembered: Bool
  ) -> TestPurpose {
    TestPurpose(
      "BAB/HOST/LINK/\(number)", clauses,
      "A CLIENT_JOIN \(text) after the loss is that of \(isRemembered ? "a remembered" : "a new") player.",
      initial: "client-1 and client-2 are seated; client-1 lost its link, and has a new one with HANDSHAKE done.",
      expects: [
        isRemembered ? "a snapshot, and the place before client-2" : "no snapshot, and the place after client-2"
      ], needs: [.reconnect], testers: 2
    ) { t, first, second in
      try t.preamble {
        try t.seatClients(2, scenario: nil)
        let lost = try t.lose(first)
        try t.pause(until: lost + .seconds(38))
        try first.join(upTo: .greeted)
        try first.flush()
        first.forget()
        try t.pause(until: lost + span)
      }
      first.askForSeat()
      try first.expectLobby("lists it") { lobby in
        lobby.connectedPlayers.contains { $0.playerID == first.peerID }
      }
      let expected = isRemembered ? [first, second] : [second, first]
      try t.require(
        "the clients' order is \(expected.map(\.name))", actual: "the roster is \(first.lobbyIDs)",
        first.lobbyIDs == [t.iut.peerID] + expected.map(\.peerID))
      let snapshots = first.news(.fullStateSnapshot).count
      if isRemembered, snapshots == 0 {
        throw t.failed(
          "it was sent a snapshot", "none came", record: nil, clause: nil,
          cause: first.missingAtAll(.fullStateSnapshot))
      }
      try t.require(
        isRemembered ? "it was sent a snapshot" : "it was sent no snapshot", actual: "\(snapshots) came",
        snapshots == (isRemembered ? 1 : 0))
    }
  }
}

extension BabBed {
  /// Two clients are seated; the first is given the role customer, and loses its link.
  func giveRoleAndLose(_ client: ClientTester) throws {
    try seatClients(2, scenario: nil)
    iut.user(.setLobbyScenario("coffee-shop"))
    client.askForRole("customer")
    try client.expect(.roleAssigned)
    try lose(client)
    try pause(.seconds(1))
    client.forget()
  }
}
