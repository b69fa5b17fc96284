import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// AUTH, host: players who act for others, or say what only a host may (BAB 7.1 to 7.3, 7.7, 7.11).
extension Catalog {
  static let authHostPlayers: [TestPurpose] = authHostNames + authHostOnly + authHostActs

  private static let authHostNames: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/AUTH/BI-10-C", ["BAB 7.2"], "A packet in another's name is ignored.",
      initial: "client-1 and client-2 are seated; the scenario is coffee-shop.",
      expects: ["no ROLE_ASSIGNED", "ROLE_ASSIGNED for a request in client-1's own name"], needs: [.roles], testers: 2
    ) { t, first, second in
      try t.preamble { try chooseScenario(t) }
      try t.ignores {
        first.send(.roleAssigned(playerID: second.peerID, roleID: "barista"), as: second.peerID)
        first.send(.roleAssigned(playerID: first.peerID, roleID: "barista"), as: second.peerID)
        first.send(.roleAssigned(playerID: first.peerID, roleID: "barista"), as: "peer-nobody")
        first.send(.roleAssigned(playerID: t.iut.peerID, roleID: "barista"), as: t.iut.peerID)
        try first.flush()
        try nothingComes(t)
      }
      first.askForRole("barista")
      try second.expectRole("barista", of: first.peerID, "gives client-1 its role")
    }
  ]

  private static let authHostActs: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/AUTH/BI-12-C", ["BAB 7.1"], "A client's snapshot does not change a game that is on.",
      initial: "A game with client-1 is on; it is the host's turn.",
      expects: ["nothing is sent", "the turn is still the host's, who reads the same line"], needs: [.roles, .turns]
    ) { t, client in
      try t.preamble { try BabBed.hostGameTalk(t) }
      let line = client.turn?.line?.id ?? ""
      client.forget()
      var state = SessionState()
      state.mode = .host
      state.currentPhase = .finished
      state.localPeerID = client.peerID
      state.currentTurnPlayerID = client.peerID
      try t.ignores {
        client.send(.fullStateSnapshot(state))
        try client.flush()
        try nothingComes(t)
      }
      t.iut.user(.completeLine(accuracyPermille: 900, errorCount: 0, durationMilliseconds: 1_000))
      try client.expect(.lineCompleted, "is of the pending line") {
        guard case .lineCompleted(line, _) = $0.payload else { return false }
        return true
      }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-13-C", ["BAB 7.3", "BAB 5.4.5"], "Nobody completes another's line.",
      initial: "A game with client-1 is on; it is the host's turn.",
      expects: ["client-1's LINE_COMPLETED of the pending line changes nothing", "the host reads it"],
      needs: [.roles, .turns]
    ) { t in
      try foreignLine(t) { client, line in client.complete(line) }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-14-C", ["BAB 7.3", "BAB 5.4.5"], "Nobody skips another's line.",
      initial: "A game with client-1 is on; it is the host's turn.",
      expects: ["client-1's LINE_SKIPPED of the pending line changes nothing", "the host reads it"],
      needs: [.roles, .turns]
    ) { t in
      try foreignLine(t) { client, line in client.send(.lineSkipped(lineID: line)) }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-15-C", ["BAB 7.7"], "A CLIENT_JOIN for another is ignored.",
      initial: "client-1 is seated, client-2 has shaken hands.",
      expects: ["no seat for client-2 or the one it names", "a seat for a CLIENT_JOIN of its own"], testers: 2
    ) { t, first, second in
      try t.preamble {
        try t.seat(first, andBring: second, upTo: .greeted)
        try second.expect(.handshake)
      }
      for client in t.clients { client.forget() }
      try t.ignores {
        second.send(.clientJoin(LobbyProfile(playerID: "peer-friend", displayName: "friend")))
        second.send(.clientJoin(LobbyProfile(playerID: first.peerID, displayName: "another client-1")))
        try nothingComes(t)
      }
      second.askForSeat()
      try second.expect(.lobbyUpdate, "lists client-2") { $0.lists(second.peerID) }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-16-C", ["BAB 7.7"], "A role for another is ignored.",
      initial: "client-1 and client-2 are seated; the scenario is coffee-shop.",
      expects: ["no ROLE_ASSIGNED"], needs: [.roles], testers: 2
    ) { t, first, second in
      try t.preamble { try chooseScenario(t) }
      try t.ignores {
        first.send(.roleAssigned(playerID: second.peerID, roleID: "barista"))
        first.send(.roleAssigned(playerID: t.iut.peerID, roleID: "customer"))
        try nothingComes(t)
      }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-17-C", ["BAB 7.7"], "Readiness for another is ignored.",
      initial: "client-1 and client-2 have roles.", expects: ["no PLAYER_READY"], needs: [.roles], testers: 2
    ) { t, first, second in
      try t.preamble {
        try chooseScenario(t)
        first.askForRole("barista")
        second.askForRole("customer")
        try first.expect(.roleAssigned) { $0.payload == .roleAssigned(playerID: second.peerID, roleID: "customer") }
        try second.expect(.roleAssigned) { $0.payload == .roleAssigned(playerID: first.peerID, roleID: "barista") }
        try t.pause(.milliseconds(200))
        for client in t.clients { client.forget() }
      }
      try t.ignores {
        first.send(.playerReady(playerID: second.peerID, isReady: true))
        try nothingComes(t)
      }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-18-C", ["BAB 7.7"], "A vote in another's name is not opened.",
      initial: "A game with client-1 is on.", expects: ["no VOTE_REQUEST"], needs: [.roles, .turns, .votes]
    ) { t, client in
      try t.preamble {
        try BabBed.hostGameTalk(t)
        try t.pause(.milliseconds(200))
      }
      client.forget()
      try t.ignores {
        client.send(.voteRequest(proposerID: t.iut.peerID, action: .endGame))
        try nothingComes(t)
      }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-19-C", ["BAB 7.7"], "A ballot in another's name is not counted.",
      initial: "A game with client-1 is on; client-1 has proposed to end it.",
      expects: ["the vote stays open when client-1 says yes for the host", "the host's no ends it"],
      needs: [.roles, .turns, .votes]
    ) { t, client in
      try t.preamble {
        try BabBed.hostGameTalk(t)
        client.send(.voteRequest(proposerID: client.peerID, action: .endGame))
        try client.expect(.voteRequest)
        try t.pause(.milliseconds(200))
      }
      client.forget()
      try t.ignores {
        client.send(.voteCast(voterID: t.iut.peerID, vote: true))
        try nothingComes(t)
      }
      t.iut.user(.castVote(false))
      try client.expectVote(false, of: t.iut.peerID, "is the host's no")
    },
    impossible("BI-20-C", "An accuracy outside 0 to 1 is ignored.", [(1.5, 0, 1_000), (-0.25, 0, 1_000)]),
    impossible(
      "BI-21-C", "A number of errors outside 0 to 10 000 is ignored.", [(0.5, -1, 1_000), (0.5, 10_001, 1_000)]),
    impossible(
      "BI-22-C", "A duration outside 0 to 86 400 000 ms is ignored.", [(0.5, 0, -1), (0.5, 0, 86_400_001)]),
    TestPurpose(
      "BAB/HOST/AUTH/BV-03-C", ["BAB 7.11"], "Results at the bounds of what is possible are taken.",
      initial: "A game with client-1 is on; it is client-1's turn.",
      expects: ["LINE_COMPLETED for accuracy 0 with 10 000 errors in 86 400 000 ms, and for accuracy 1 in no time"],
      needs: [.roles, .turns]
    ) { t, client in
      try t.preamble { try clientsTurn(t) }
      for (accuracy, errors, milliseconds) in [(Float(0), Int32(10_000), Int64(86_400_000)), (1, 0, 0)] {
        let line = client.turn?.line?.id ?? ""
        client.forget()
        client.complete(line, accuracy: accuracy, errors: errors, milliseconds: milliseconds)
        try client.expect(.lineCompleted, "is of client-1's line") {
          guard case .lineCompleted(line, _) = $0.payload else { return false }
          return true
        }
        try t.preamble { try hostReads(t) }
      }
    },
  ]

  /// Everybody is seated, and coffee-shop is selected.
  static func chooseScenario(_ t: BabBed) throws {
    try seatEverybody(t)
    t.iut.user(.setLobbyScenario("coffee-shop"))
    try t.expect("every lobby names the scenario") {
      t.clients.allSatisfy { $0.lobby?.selectedScenarioID == "coffee-shop" }
    }
    try t.pause(.milliseconds(200))
    for client in t.clients { client.forget() }
  }

  /// A client's word on the host's own pending line changes nothing.
  private static func foreignLine(_ t: BabBed, _ say: (ClientTester, String) -> Void) throws {
    let client = t.clients[0]
    let line = try t.preamble {
      try BabBed.hostGameTalk(t)
      try t.pause(.milliseconds(200))
      return client.turn?.line?.id ?? ""
    }
    client.forget()
    try t.ignores {
      say(client, line)
      try nothingComes(t)
    }
    t.iut.user(.completeLine(accuracyPermille: 900, errorCount: 0, durationMilliseconds: 1_000))
    try client.expect(.lineCompleted, "is of the pending line") {
      guard case .lineCompleted(line, _) = $0.payload else { return false }
      return true
    }
  }

  /// A game is on, and it is client-1's turn.
  static func clientsTurn(_ t: BabBed) throws {
    try BabBed.hostGameTalk(t)
    try hostReads(t)
  }

  /// The host reads its line, and it is client-1's turn.
  static func hostReads(_ t: BabBed) throws {
    let client = t.clients[0]
    try t.expect("it is the host's turn") { client.turn?.player == t.iut.peerID }
    t.iut.user(.completeLine(accuracyPermille: 900, errorCount: 0, durationMilliseconds: 1_000))
    try t.expect("it is client-1's turn") { client.turn?.player == client.peerID }
    try t.pause(.milliseconds(200))
  }

  /// Results beyond the bounds change nothing; one within them is then taken.
  private static func impossible(
    _ number: String, _ purpose: String, _ results: [(accuracy: Float, errors: Int32, milliseconds: Int64)]
  ) -> TestPurpose {
    TestPurpose(
      "BAB/HOST/AUTH/" + number, ["BAB 7.11"], purpose,
      initial: "A game with client-1 is on; it is client-1's turn.",
      expects: ["nothing is sent", "a possible result is then taken"], needs: [.roles, .turns]
    ) { t, client in
      try t.preamble { try clientsTurn(t) }
      let line = client.turn?.line?.id ?? ""
      client.forget()
      try t.ignores {
        for result in results {
          t.step("accuracy \(result.accuracy), \(result.errors) errors, \(result.milliseconds) ms")
          client.complete(line, accuracy: result.accuracy, errors: result.errors, milliseconds: result.milliseconds)
          try nothingComes(t, for: .seconds(1))
        }
      }
      client.complete(line)
      try client.expect(.lineCompleted)
    }
  }
}
