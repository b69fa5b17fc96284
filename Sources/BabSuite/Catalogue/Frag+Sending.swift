import AppSeam
import BabOracles
import BabSim
import Bench
import BluetoothWire
import Conformance
import SimKernel
import VirtualRadio

/// FRAG, either role: how a sender cuts (BAB 3.1 to 3.3, 3.5 to 3.8).
extension Catalog {
  /// A purpose about the sender: what is judged are the values of HANDSHAKE and the lobby, or of HANDSHAKE and
  /// CLIENT_JOIN.
  private static func sending(
    _ role: AppRole, _ number: String, _ clauses: [String], _ purpose: String, expects expected: String,
    attMTU: Int, arrange: @escaping @Sendable (inout Stage) -> Void = { _ in },
    judge: @escaping @Sendable (BabBed, SentPackets) throws -> Void
  ) -> TestPurpose {
    TestPurpose(
      "BAB/\(role == .host ? "HOST" : "CLIENT")/FRAG/\(number)-C", clauses, purpose,
      initial: role == .host ? "The IUT hosts, with ATT_MTU \(attMTU)." : "host-1 hosts, with ATT_MTU \(attMTU).",
      expects: [expected],
      arrange: { stage in
        stage.setATTMTU(attMTU)
        stage.hurry()
        arrange(&stage)
      }
    ) { t in try judge(t, try sent(t, attMTU: attMTU)) }
  }

  /// What the implementation sends while a client joins and, by a host, the difficulty changes.
  private static func sent(_ t: BabBed, attMTU: Int) throws -> SentPackets {
    guard t.iut.role == .host else {
      try t.preamble { t.hosts[0].host() }
      t.iut.user(.joinHost)
      try t.preamble { try t.pause(.seconds(12)) }
      return SentPackets(t.hosts[0].values)
    }
    let client = t.clients[0]
    client.wishedATTMTU = attMTU
    t.iut.user(.startHosting)
    try t.preamble {
      try client.join(upTo: .subscribed)
      client.greet()
      client.askForSeat()
      try t.pause(.seconds(2))
      for level in ["hard", "easy"] {
        t.iut.user(.setLobbyDifficulty(level))
        try t.pause(.seconds(2))
      }
    }
    return SentPackets(client.values)
  }

  private static func wholePackets(_ t: BabBed, _ sent: SentPackets, atLeast count: Int = 2) throws {
    let tester: LowerTester = t.iut.role == .host ? t.clients[0] : t.hosts[0]
    try tester.requireValues()
    try t.require("the values are whole packets", actual: sent.problem ?? "", sent.problem == nil)
    try tester.needPackets(sent, atLeast: count)
  }

  static func fragSending(_ role: AppRole) -> [TestPurpose] {
    [
      sending(
        role, "BV-01", ["BAB 3.1", "BAB 3.2"], "A packet that fits one value has a header too.",
        expects: "index 0, count 1, and the packet after them", attMTU: 517
      ) { t, sent in
        try wholePackets(t, sent)
        try t.require(
          "each packet took one value", actual: "\(sent.packets.map(\.count)) fragments",
          sent.packets.allSatisfy { $0.count == 1 })
        try t.require("each is a packet", actual: sent.textProblem ?? "", sent.textProblem == nil)
      },
      sending(
        role, "BV-02", ["BAB 3.3", "BAB 3.2"], "The bodies in the order of their index are the octets of one packet.",
        expects: "one JSON object each, and nothing beside it", attMTU: 23
      ) { t, sent in
        try wholePackets(t, sent)
        try t.require("each is exactly a packet", actual: sent.textProblem ?? "", sent.textProblem == nil)
      },
      sending(
        role, "BV-03", ["BAB 3.6"], "All fragments of a packet carry the same packetID and fragmentCount.",
        expects: "as many values with that packetID as the count says, with each index once", attMTU: 23
      ) { t, sent in
        try wholePackets(t, sent)
      },
      sending(
        role, "BV-04", ["BAB 3.7"], "Consecutive packets carry consecutive packetIDs.",
        expects: "each packetID is one more than the one before", attMTU: 185
      ) { t, sent in
        try wholePackets(t, sent)
        try t.require("the packetIDs are consecutive", actual: sent.gap ?? "", sent.gap == nil)
      },
      sending(
        role, "BV-05", ["BAB 3.5"], "A packet may need many fragments, up to 255.",
        expects: "packets of more than 200 fragments come whole", attMTU: 23,
        arrange: { $0.iut.displayName = String(repeating: "x", count: 3_500) }
      ) { t, sent in
        try wholePackets(t, sent)
        try t.require(
          "a packet had more than 200 fragments", actual: "\(sent.packets.map(\.count))",
          sent.packets.contains { $0.count > 200 })
        try t.require("each is exactly a packet", actual: sent.textProblem ?? "", sent.textProblem == nil)
      },
    ] + (role == .host ? fragSendingHost : fragSendingClient)
  }

  private static let fragSendingHost: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/FRAG/BI-22-C", ["BAB 3.5"], "A packet that needs more than 255 fragments is not sent.",
      initial: "The IUT hosts, with ATT_MTU 23; client-1 has shaken hands.",
      expects: ["no fragment of a lobby that lists client-1's name of 3 900 characters; the HANDSHAKE, whole"],
      arrange: { stage in
        stage.setATTMTU(23)
        stage.hurry()
      }
    ) { t, client in
      try t.preamble {
        try t.bring(client, upTo: .greeted)
        try client.expect(.handshake)
      }
      client.send(
        .clientJoin(LobbyProfile(playerID: client.peerID, displayName: String(repeating: "x", count: 3_900))),
        note: "client-1 joins with a name of 3 900 characters")
      try client.flush(within: .seconds(30))
      try t.pause(.seconds(10))
      try client.requireWhole(atLeast: 1)
    },
    TestPurpose(
      "BAB/HOST/FRAG/BV-06-C", ["BAB 3.7"],
      "Each link counts its own packetIDs.",
      initial: "client-1 and client-2 join one after the other.",
      expects: ["on either link each packetID is one more than the one before"], testers: 2
    ) { t in
      try t.preamble {
        t.iut.user(.startHosting)
        for client in t.clients { try client.join() }
        for level in ["hard", "easy"] {
          t.iut.user(.setLobbyDifficulty(level))
          try t.pause(.seconds(2))
        }
      }
      for client in t.clients {
        let sent = SentPackets(client.values)
        try client.needPackets(sent, atLeast: 2)
        try t.require("\(client.name)'s values are whole packets", actual: sent.problem ?? "", sent.problem == nil)
        try t.require("\(client.name)'s packetIDs are consecutive", actual: sent.gap ?? "", sent.gap == nil)
      }
    },
    TestPurpose(
      "BAB/HOST/FRAG/BV-07-C", ["BAB 3.8"],
      "A notification that the platform refuses is not taken for sent.",
      initial: "The IUT's phone takes one notification at a time; ATT_MTU is 23.",
      expects: ["every packet comes whole"],
      arrange: { stage in
        stage.setATTMTU(23)
        stage.iut.phone.buffers.notificationQueue = 1
        stage.iut.phone.buffers.aclCount = 1
      }
    ) { t in
      t.iut.user(.startHosting)
      try t.preamble { try t.clients[0].join(upTo: .subscribed) }
      t.clients[0].greet()
      try t.clients[0].expect(.handshake)
      t.clients[0].askForSeat()
      try t.clients[0].expect(.lobbyUpdate)
    },
    TestPurpose(
      "BAB/HOST/FRAG/BI-23-C", ["BAB 3.9"],
      "The same packetIDs on two links are different packets.",
      initial: "client-1 and client-2 have subscribed.",
      expects: ["fragments of both, sent in turn with the same packetID, make both packets"], testers: 2
    ) { t in
      try t.preamble {
        t.iut.user(.startHosting)
        for client in t.clients { try client.join(upTo: .subscribed) }
        for client in t.clients {
          client.greet()
          try client.expect(.handshake)
        }
      }
      let values = t.clients.map { client in
        let profile = LobbyProfile(playerID: client.peerID, displayName: client.displayName)
        return FragProbe.cut(client.packet(.clientJoin(profile)).encoded(), into: 3, id: 77)
      }
      for index in 0..<3 {
        for (client, values) in zip(t.clients, values) {
          client.transmit(values: [values[index]], note: "\(client.name) sends fragment \(index) of 3 of packet 77")
          try client.flush()
        }
      }
      for client in t.clients { try client.expect(.lobbyUpdate) { $0.lists(client.peerID) } }
    },
  ]

  private static let fragSendingClient: [TestPurpose] = [
    .client(
      "BAB/CLIENT/FRAG/BI-22-C", ["BAB 3.5"], "A packet that needs more than 255 fragments is not sent.",
      initial: "host-1 hosts, with ATT_MTU 23; the client's user has a name of 5 000 characters.",
      expects: ["the client subscribes, and no fragment of such a packet comes"],
      arrange: { stage in
        stage.setATTMTU(23)
        stage.hurry()
        stage.iut.displayName = String(repeating: "x", count: 5_000)
      }
    ) { t, host in
      try t.preamble {
        host.hostAndBeJoined()
        try t.expect("the IUT subscribes", within: .seconds(10), cause: { host.missingStep }) {
          host.link?.isSubscribed ?? false
        }
      }
      try t.pause(.seconds(10))
      let sent = SentPackets(host.values)
      // Who neither writes nor shows anything has refused nothing.
      let shows = t.iut.babReports.contains { if case .identity = $0.report { false } else { true } }
      try t.need(
        "the IUT sends or shows something", actual: "it does neither", cause: host.missing(.handshake),
        !host.values.isEmpty || shows)
      try t.require("the values are whole packets", actual: sent.problem ?? "", sent.problem == nil)
      try t.require("each is exactly a packet", actual: sent.textProblem ?? "", sent.textProblem == nil)
    },
    .client(
      "BAB/CLIENT/FRAG/BV-07-C", ["BAB 3.8"],
      "A write without response that the platform refuses is not taken for sent.",
      initial: "The command characteristic has only write without response; the IUT's phone takes one at a time.",
      expects: ["every packet comes whole"],
      arrange: { stage in
        stage.setATTMTU(23)
        stage.iut.phone.buffers.writeCommandQueue = 1
        stage.iut.phone.buffers.aclCount = 1
      }
    ) { t, host in
      for index in host.service.characteristics.indices
      where host.service.characteristics[index].uuid == t.dialect.command.uuid {
        host.service.characteristics[index].properties = [.writeWithoutResponse]
      }
      host.hostAndBeJoined()
      try host.expect(.handshake)
      try host.expect(.clientJoin)
    },
  ]
}
