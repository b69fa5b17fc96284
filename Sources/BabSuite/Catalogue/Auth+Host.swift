import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// AUTH, host: who may say what (BAB 7, 1.2, 1.5, 5.1.6).
extension Catalog {
  static let authHost: [TestPurpose] = authHostLinks + authHostPlayers + authHostLimits

  /// Whose link it is.
  private static let authHostLinks: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/AUTH/BV-01-C", ["BAB 5.1.6"],
      "A host answers HANDSHAKE with its own, and says nothing before.",
      initial: "client-1 has subscribed.",
      expects: ["nothing before the HANDSHAKE", "then HANDSHAKE of the host, isHost true, before all else"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .subscribed) }
      try client.expectNone(of: PacketType.allCases, for: .seconds(1))
      client.greet()
      client.askForSeat()
      try client.expect(.lobbyUpdate)
      let first = client.news.first?.packet
      try t.require(
        "the first packet is the host's HANDSHAKE", actual: first?.type.rawValue ?? "no packet",
        first?.payload.isHandshake(of: t.iut.peerID) ?? false)
    },
    TestPurpose(
      "BAB/HOST/AUTH/BV-02-C", ["BAB 1.2"], "A host speaks for itself and passes nobody's packets on.",
      initial: "client-1 and client-2 are seated.", expects: ["every packet to client-2 is of the host's id"],
      testers: 2
    ) { t, first, second in
      try t.preamble { try seatEverybody(t) }
      first.send(.heartbeat)
      first.send(.generateRequest(prompt: "a line for client-2"))
      t.iut.user(.setLobbyDifficulty("hard"))
      try second.expect(.lobbyUpdate)
      try t.pause(.seconds(1))
      let foreign = second.heard.compactMap(\.packet).first { $0.senderID != t.iut.peerID }
      try t.require(
        "all of \(second.heard.count) packets to client-2 have the host's id",
        actual: foreign.map { "\($0.type.rawValue) of \($0.senderID)" } ?? "", foreign == nil)
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-01-C", ["BAB 7.6"], "Everything but HANDSHAKE is ignored on a link that has none yet.",
      initial: "client-1 is seated, client-2 has subscribed.",
      expects: [
        "no answer and no seat for CLIENT_JOIN, HEARTBEAT and LOBBY_UPDATE", "then a seat in the proper order",
      ],
      testers: 2
    ) { t, first, second in
      try t.preamble { try t.seat(first, andBring: second, upTo: .subscribed) }
      first.forget()
      try t.ignores {
        second.send(.heartbeat)
        second.askForSeat()
        second.send(.lobbyUpdate(LobbyState()))
        try second.flush()
        try nothingComes(t)
      }
      second.greet()
      second.askForSeat()
      try second.expect(.lobbyUpdate, "lists client-2") { $0.lists(second.peerID) }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-02-C", ["BAB 7.2"], "A HANDSHAKE whose participant is not its sender is ignored.",
      initial: "client-1 has subscribed.", expects: ["no answer", "an answer to a HANDSHAKE of one id"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .subscribed) }
      try t.ignores {
        client.send(.handshake(Participant(id: "peer-else", name: "else")))
        client.send(.handshake(Participant(id: client.peerID, name: "client-1")), as: "peer-else")
        try client.expectNone(of: PacketType.allCases)
      }
      client.greet()
      try client.expect(.handshake)
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-03-C", ["BAB 7.4"], "A second HANDSHAKE with another id on a link is ignored.",
      initial: "client-1 and client-2 are seated.",
      expects: ["no answer, no change of the lobby, no seat for the other id", "client-1 keeps its seat"], testers: 2
    ) { t, first, second in
      try t.preamble { try seatEverybody(t) }
      try t.ignores {
        first.send(.handshake(Participant(id: "peer-other", name: "other")), as: "peer-other")
        first.send(.clientJoin(LobbyProfile(playerID: "peer-other", displayName: "other")), as: "peer-other")
        try first.flush()
        try nothingComes(t)
      }
      t.iut.user(.setLobbyDifficulty("hard"))
      try second.expect(.lobbyUpdate, "lists client-1 and not the other id") {
        $0.lists(first.peerID) && !$0.lists("peer-other")
      }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-04-C", ["BAB 7.9", "BAB 1.5"],
      "A HANDSHAKE with the id of a peer on another link is ignored, and its link ended.",
      initial: "client-1 is seated, client-2 has subscribed.",
      expects: ["client-2's link is ended without an answer", "client-1 keeps link and seat"], testers: 2
    ) { t, first, second in
      try t.preamble { try t.seat(first, andBring: second, upTo: .subscribed) }
      first.forget()
      second.peerID = first.peerID
      try t.ignores {
        second.greet()
        try second.expectTurnedAway()
        try t.require("client-2 was sent nothing", actual: "\(second.heard.count) packets", second.heard.isEmpty)
        try first.expectConnected()
      }
      t.iut.user(.setLobbyDifficulty("hard"))
      try first.expectLobby("lists client-1 once") { lobby in
        lobby.playerIDs == [t.iut.peerID, first.peerID]
      }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-05-C", ["BAB 7.9", "BAB 5.7.4"],
      "Nobody is sent the state of a game for a player who is there.",
      initial: "A game with client-1 is on; client-2 has been on a link since before.",
      expects: ["client-2 comes with client-1's id and is sent neither FULL_STATE_SNAPSHOT nor TURN_ADVANCED"],
      needs: [.roles, .turns], testers: 2
    ) { t in
      let second = t.clients[1]
      try t.preamble {
        try BabBed.hostGameTalk(t, before: { try second.join(upTo: .subscribed) })
      }
      second.peerID = t.clients[0].peerID
      try t.ignores {
        second.greet()
        second.askForSeat()
        try second.expectNone(of: PacketType.allCases)
      }
      t.clients[0].forget()
      t.iut.user(.completeLine(accuracyPermille: 900, errorCount: 0, durationMilliseconds: 1_000))
      try t.clients[0].expect(.turnAdvanced, "is for client-1") {
        guard case .turnAdvanced(t.clients[0].peerID, _) = $0.payload else { return false }
        return true
      }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-06-C", ["BAB 7.10"], "A HANDSHAKE that claims to be a host is ignored.",
      initial: "client-1 has subscribed.", expects: ["no answer", "an answer to a HANDSHAKE that does not"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .subscribed) }
      try t.ignores {
        client.send(
          .handshake(Participant(id: client.peerID, name: "client-1", isHost: true)),
          note: "client-1 claims to be a host"
        )
        try client.expectNone(of: PacketType.allCases)
      }
      client.greet()
      try client.expect(.handshake)
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-07-C", ["BAB 7.10", "BAB 1.5"], "A HANDSHAKE with the host's own id is ignored.",
      initial: "client-1 has subscribed, client-2 is seated.",
      expects: ["no answer and no seat", "an answer to a HANDSHAKE with its own id"], testers: 2
    ) { t, client in
      try t.preamble { try t.seat(t.clients[1], andBring: client, upTo: .subscribed) }
      try t.ignores {
        client.send(.handshake(Participant(id: t.iut.peerID, name: "iut")), as: t.iut.peerID)
        client.send(.clientJoin(LobbyProfile(playerID: t.iut.peerID, displayName: "iut")), as: t.iut.peerID)
        try client.expectNone(of: PacketType.allCases)
      }
      client.greet()
      try client.expect(.handshake)
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-08-C", ["BAB 1.5"], "Nobody has a seat without an id.",
      initial: "client-1 is seated, client-2 has subscribed.", expects: ["no LOBBY_UPDATE lists an empty id"],
      testers: 2
    ) { t, first, second in
      try t.preamble { try t.seat(first, andBring: second, upTo: .subscribed) }
      first.forget()
      second.peerID = ""
      try t.ignores {
        second.greet()
        second.askForSeat()
        try first.expectNone(of: [.lobbyUpdate]) { $0.lists("") }
      }
      t.iut.user(.setLobbyDifficulty("hard"))
      try first.expect(.lobbyUpdate, "lists client-1 and nobody without an id") {
        $0.lists(first.peerID) && !$0.lists("")
      }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-09-C", ["BAB 2.3", "BAB 5.1.10"],
      "One peer more than the dialect's capacity gets no seat.",
      initial: "Every seat is taken.",
      expects: [
        "the host cannot be found or connected to", "the link is ended",
        "the CLIENT_JOIN is answered by the end of the link",
      ],
      testers: 8
    ) { t in
      let capacity = t.dialect.capacity
      try t.preamble {
        t.iut.user(.startHosting)
        for client in t.clients.prefix(capacity - 1) { try client.join() }
        try t.expect("the lobby is full") { t.clients[0].lobbyIDs.count == capacity }
      }
      let late = t.clients[capacity - 1]
      t.clients[0].forget()
      late.begin()
      try t.never("a lobby lists more than \(capacity) players", for: .seconds(20)) {
        late.stage == .joined || t.clients.contains { $0.lobbyIDs.count > capacity }
      }
      try t.clients[0].expectConnected()
    },
  ]

  /// Everybody of the case is seated.
  static func seatEverybody(_ t: BabBed) throws {
    t.iut.user(.startHosting)
    for client in t.clients { try client.join() }
    try t.expectTold("every lobby lists everybody", by: [.lobbyUpdate]) {
      t.clients.allSatisfy { $0.lobbyIDs.count == t.clients.count + 1 }
    }
    try t.pause(.milliseconds(200))
    for client in t.clients { client.forget() }
  }

  /// No client of the case is sent anything but heartbeats.
  static func nothingComes(_ t: BabBed, for span: SimDuration = .seconds(2), clause: String? = nil) throws {
    var came: Heard?
    let what = "anybody is sent anything"
    try t.never(what, for: span, clause: clause, actual: { came.map { BabBed.excerpt($0) } ?? "" }) {
      came = t.clients.lazy.compactMap { $0.news.first { $0.type != .heartbeat } }.first
      return came != nil
    }
  }
}

extension PacketPayload {
  /// Whether it is a host's HANDSHAKE of that id.
  func isHandshake(of id: String) -> Bool {
    guard case .handshake(let participant) = self else { return false }
    return participant.isHost && participant.id == id
  }
}
