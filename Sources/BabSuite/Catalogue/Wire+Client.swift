import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// WIRE, client: what a client writes (BAB 4.A).
extension Catalog {
  static let wireClient: [TestPurpose] = wireClientKinds + wireClientClauses + wireClientReading

  /// Every kind of packet a client may send, well formed in every respect.
  private static let wireClientKinds: [TestPurpose] = [
    clientWrites("BV-01-C", [.handshake, .clientJoin], needs: [], BabBed.clientLobbyTalk),
    clientWrites("BV-02-C", [.roleAssigned, .playerReady], needs: [.roles], BabBed.clientRoleTalk),
    clientWrites("BV-03-C", [.lineCompleted, .lineSkipped], needs: [.roles, .turns], BabBed.clientLineTalk),
    clientWrites("BV-04-C", [.voteRequest, .voteCast], needs: [.roles, .turns, .votes], BabBed.clientVoteTalk),
    clientWrites("BV-05-C", [.generateRequest], needs: [.roles, .turns, .generate]) { t in
      try BabBed.clientGameTalk(t)
      t.iut.user(.generate(prompt: BabBed.oddText))
      try t.hosts[0].expect(.generateRequest)
    },
    clientWrites(
      "BV-06-C", [.heartbeat], needs: [.heartbeat], when: " when heartbeats are configured",
      arrange: { $0.scenario.game.heartbeat = .seconds(1) }
    ) { t in
      try BabBed.clientLobbyTalk(t)
      try t.hosts[0].expect(.heartbeat)
    },
  ]

  /// One clause at a time.
  private static let wireClientClauses: [TestPurpose] = [
    clientKeeps("BV-07-C", "BAB 4.1", "A packet is one JSON object with four keys in their order."),
    clientKeeps("BV-08-C", "BAB 4.2", "Types and payloads bear the names of the table, the payload's type first."),
    clientKeeps("BV-09-C", "BAB 4.3", "Keys are in the order of the tables, nothing between tokens."),
    clientKeeps("BV-10-C", "BAB 4.4", "Defaults and null are written."),
    clientKeeps("BV-11-C", "BAB 4.5", "The envelope names the payload."),
    clientKeeps("BV-12-C", "BAB 4.7", "Strings have the escapes they need and no others."),
    clientKeeps("BV-13-C", "BAB 4.10", "Integers are written as plain decimals."),
    clientKeeps("BV-14-C", "BAB 4.13", "A vector clock is an object with timestamps."),
    clientKeeps("BV-15-C", "BAB 4.15", "A CLIENT_JOIN carries the player's profile.", of: [.clientJoin]),
    clientKeeps(
      "BV-16-C", "BAB 4.9", "Enumerations are written by name.", [.roles, .turns, .votes], BabBed.clientVoteTalk),
    clientKeeps(
      "BV-17-C", "BAB 4.11", "A 32-bit number is written with the shortest digits that read back to it.",
      [.roles, .turns], BabBed.clientLineTalk),
    .client(
      "BAB/CLIENT/WIRE/BV-18-C", ["BAB 4.8"],
      "The entries of a vector clock keep their places; new ones go to the end.",
      initial: "A host advertises.", expects: ["each clock's keys begin with those of the clock before"],
      needs: [.roles]
    ) { t, host in
      try t.preamble {
        // Ids that sort before, between and after those that are there.
        host.clock.timestamps["peer-zoe"] = 3
        try BabBed.clientLobbyTalk(t)
        host.clock.timestamps["peer-ann"] = 7
        host.tellLobby()
        try t.pause(.milliseconds(500))
        t.iut.user(.requestRole("customer"))
        try host.expect(.roleAssigned)
      }
      try Catalog.requireClocksGrow(host.heard, of: host.name, t)
    },
    .client(
      "BAB/CLIENT/WIRE/BV-19-C", ["BAB 4.17", "BAB 4.7"],
      "A client's display name is sent as it is, character by character.",
      initial: "A host advertises; the client's user has an odd name.",
      expects: ["HANDSHAKE and CLIENT_JOIN with the same name, without any normalisation"],
      arrange: { $0.iut.displayName = "Annemarie " + BabBed.oddText }
    ) { t, host in
      host.hostAndBeJoined()
      let name = ("Annemarie " + BabBed.oddText).utf8
      try host.expect(.handshake, "has the name unchanged", within: .seconds(10)) {
        guard case .handshake(let participant) = $0.payload else { return false }
        return participant.name.utf8.elementsEqual(name)
      }
      try host.expect(.clientJoin, "has the name unchanged") {
        guard case .clientJoin(let profile) = $0.payload else { return false }
        return profile.displayName.utf8.elementsEqual(name)
      }
    },
  ]

  private static func clientWrites(
    _ number: String, _ types: [PacketType], needs: [ICS.Item], when: String = "",
    arrange: @escaping @Sendable (inout Stage) -> Void = { _ in },
    _ talk: @escaping @Sendable (BabBed) throws -> Void
  ) -> TestPurpose {
    let names = types.map(\.rawValue).joined(separator: ", ")
    return TestPurpose(
      "BAB/CLIENT/WIRE/" + number, ["BAB 4.2", "BAB 4.3"], "A client sends well-formed " + names + when + ".",
      initial: "A host advertises.", expects: [names + " as BAB 4.1 to 4.16 ask"], needs: needs, arrange: arrange
    ) { t in try t.judgeForm(nil, of: types, after: talk) }
  }

  private static func clientKeeps(
    _ number: String, _ clause: String, _ purpose: String, _ needs: [ICS.Item] = [], of types: [PacketType] = [],
    _ talk: @escaping @Sendable (BabBed) throws -> Void = BabBed.clientLobbyTalk
  ) -> TestPurpose {
    TestPurpose(
      "BAB/CLIENT/WIRE/" + number, [clause], purpose, initial: "A host advertises; the client's user has an odd name.",
      expects: ["no packet of the session breaks the clause"], needs: needs,
      arrange: { $0.iut.displayName = "Annemarie " + BabBed.oddText }
    ) { t in try t.judgeForm([clause], of: types, after: talk) }
  }
}
