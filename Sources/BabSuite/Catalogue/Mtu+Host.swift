import AppSeam
import BabSim
import Bench
import BluetoothWire
import Conformance
import SimKernel
import VirtualRadio

/// MTU, host: values fit whatever ATT_MTU a link has, whenever it gets it (BAB 3.4, 3.5).
extension Catalog {
  static let mtuHost: [TestPurpose] =
    zip(["01", "02", "03", "04"], [23, 185, 247, 517]).map { size($0, $1) } + mtuHostOrder

  private static func size(_ number: String, _ attMTU: Int) -> TestPurpose {
    TestPurpose(
      "BAB/HOST/MTU/BV-\(number)-C", ["BAB 3.4"],
      "With an ATT_MTU of \(attMTU) no value is longer than \(min(attMTU - 3, 512)) octets.",
      initial: "client-1 has agreed on an ATT_MTU of \(attMTU); the IUT's display name has 600 characters.",
      expects: ["whole packets in values that fit"],
      arrange: { stage in
        stage.setATTMTU(attMTU)
        stage.iut.displayName = String(repeating: "x", count: 600)
      }
    ) { t, client in
      client.wishedATTMTU = attMTU
      try t.preamble {
        try t.bring(client, upTo: .subscribed)
        try t.require("the ATT_MTU is \(attMTU)", client.link?.attMTU == attMTU)
      }
      client.greet()
      client.askForSeat()
      try t.preamble { try t.pause(.seconds(8)) }
      try t.requireFit()
      try client.requireWhole(atLeast: 2)
    }
  }

  private static let mtuHostOrder: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/MTU/BV-05-C", ["BAB 3.4"],
      "Without an exchange the ATT_MTU is 23.",
      initial: "client-1 never asks for an ATT_MTU.",
      expects: ["whole packets in values of at most 20 octets"]
    ) { t, client in
      client.wishedATTMTU = nil
      t.iut.user(.startHosting)
      try t.preamble {
        try client.join(upTo: .greeted)
        client.askForSeat()
        try t.pause(.seconds(5))
      }
      try t.requireFit()
      try client.requireWhole(atLeast: 2)
    },
    TestPurpose(
      "BAB/HOST/MTU/BV-06-C", ["BAB 3.4"],
      "The ATT_MTU may come after discovery, subscription and seat.",
      initial: "client-1 is seated with an ATT_MTU of 23, then asks for 185.",
      expects: ["whole packets that fit, before and after"]
    ) { t, client in
      client.wishedATTMTU = nil
      t.iut.user(.startHosting)
      try t.preamble {
        try client.join()
        try t.pause(.seconds(1))
      }
      try exchange(t, client)
      client.forget()
      t.iut.user(.setLobbyDifficulty("hard"))
      try client.expect(.lobbyUpdate)
      try t.requireFit()
      try client.requireWhole(atLeast: 3)
    },
    TestPurpose(
      "BAB/HOST/MTU/BV-07-C", ["BAB 3.4"],
      "The ATT_MTU may come in the middle of a packet.",
      initial: "client-1 has an ATT_MTU of 23, and the IUT's HANDSHAKE takes more than 60 values.",
      expects: ["whole packets that fit, before, around and after the exchange"],
      arrange: { stage in
        stage.iut.displayName = String(repeating: "x", count: 900)
        stage.iut.phone.buffers.notificationQueue = 2
      }
    ) { t, client in
      client.wishedATTMTU = nil
      t.iut.user(.startHosting)
      try t.preamble { try client.join(upTo: .subscribed) }
      client.greet()
      try t.preamble { try t.expect("ten values have come") { client.values.count >= 10 } }
      try exchange(t, client)
      try client.expect(.handshake)
      client.askForSeat()
      try client.expect(.lobbyUpdate)
      try t.requireFit()
      try client.requireWhole(atLeast: 2)
    },
    TestPurpose(
      "BAB/HOST/MTU/BV-08-C", ["BAB 3.4"],
      "Each link has its own ATT_MTU.",
      initial: "client-1 has an ATT_MTU of 23 and client-2 one of 247.",
      expects: ["the same lobby comes whole to both, in values that fit either link"], testers: 2
    ) { t in
      t.clients[0].wishedATTMTU = nil
      t.clients[1].wishedATTMTU = 247
      t.iut.user(.startHosting)
      try t.preamble {
        for client in t.clients { try client.join(upTo: .subscribed) }
        for client in t.clients {
          client.greet()
          client.askForSeat()
        }
        try t.pause(.seconds(4))
        for client in t.clients { client.forget() }
      }
      t.iut.user(.setLobbyDifficulty("hard"))
      try t.clients.expect(.lobbyUpdate)
      try t.requireFit()
      for client in t.clients { try client.requireWhole(atLeast: 2) }
    },
    TestPurpose(
      "BAB/HOST/MTU/BI-01-C", ["BAB 3.5"],
      "A lobby that takes more than 255 values on one link is not sent there, and that link is served on.",
      initial: "client-1 is seated with an ATT_MTU of 23; client-2 has an ATT_MTU of 247.",
      expects: ["nothing of a lobby with a name of 4 500 characters comes to client-1; the lobby after it does"],
      testers: 2
    ) { t, small, large in
      small.wishedATTMTU = nil
      large.wishedATTMTU = 247
      t.iut.user(.startHosting)
      try t.preamble {
        try small.join()
        try large.join(upTo: .subscribed)
        large.greet()
        try large.expect(.handshake)
      }
      large.send(
        .clientJoin(LobbyProfile(playerID: large.peerID, displayName: String(repeating: "x", count: 4_500))),
        note: "client-2 joins with a name of 4 500 characters")
      try t.preamble { try large.expect(.lobbyUpdate, within: .seconds(10)) }
      try t.pause(.seconds(3))
      try small.requireWhole(atLeast: 2)
      small.forget()
      large.disconnect()
      try small.expect(.lobbyUpdate, "lists the IUT and client-1", within: .seconds(10)) {
        if case .lobbyUpdate(let lobby) = $0.payload { lobby.connectedPlayers.count == 2 } else { false }
      }
      try small.requireWhole(atLeast: 3)
    },
  ]

  private static func exchange(_ t: BabBed, _ client: ClientTester) throws {
    guard client.gives("asks for an ATT_MTU of 185") else { return }
    guard let link = client.link else { throw t.inconclusive("\(client.name) has no link") }
    client.ask(.exchangeMTU(link.id, 185))
    try t.preamble { try t.expect("185 is agreed on") { client.link?.attMTU == 185 } }
  }
}

extension BabBed {
  /// No value that the implementation handed to its platform is longer than the link's ATT_MTU − 3 at that moment, or
  /// than 512 octets.
  func requireFit(clause: String? = nil) throws {
    if let value = overlongValue {
      throw failed(
        "every value fits the ATT_MTU", "\(value.octets) octets with an ATT_MTU of \(value.attMTU)",
        record: value.record, clause: clause)
    }
    passed("every value fits the ATT_MTU")
  }

  /// The first value of the implementation's own that does not fit: the platform sends less of it, or nothing.
  var overlongValue: (octets: Int, attMTU: Int, record: Int)? {
    var known: [LinkID: Int] = [:]
    var inputs = iut.inputs[...]
    for entry in iut.effects {
      while let input = inputs.first, input.record < entry.record {
        if case .attMTU(let link, let attMTU) = input.input { known[link] = attMTU }
        inputs.removeFirst()
      }
      guard let (link, octets) = entry.effect.sentValue, !assumption.made(octets),
        octets.count > min((known[link] ?? 23) - 3, 512)
      else { continue }
      return (octets.count, known[link] ?? 23, entry.record)
    }
    return nil
  }
}

extension LowerTester {
  /// An implementation that has sent no value has broken no rule about values.
  func requireValues() throws {
    if values.isEmpty {
      throw bed.blocked("\(name) is sent values", cause: missing(.handshake))
    }
  }

  /// What came on its only link is whole packets, so many at least.
  func requireWhole(atLeast count: Int) throws {
    try requireValues()
    let sent = SentPackets(values)
    try bed.require("\(name) has whole packets", actual: sent.problem ?? "", sent.problem == nil)
    try bed.require("each is exactly a packet", actual: sent.textProblem ?? "", sent.textProblem == nil)
    try needPackets(sent, atLeast: count)
  }

  /// How packets are cut shows only where some came.
  func needPackets(_ sent: SentPackets, atLeast count: Int) throws {
    try bed.need(
      "\(name) is sent \(count) or more whole packets", actual: "\(sent.packets.count) came", cause: firstMissing,
      sent.packets.count >= count)
  }

  /// The first packet of joining that the implementation has not sent itself.
  private var firstMissing: Cause? {
    let due: [PacketType] = self is HostTester ? [.handshake, .clientJoin] : [.handshake, .lobbyUpdate]
    let sent = heard.filter { !$0.isAssumed }.compactMap(\.type)
    let type = due.first { !sent.contains($0) && bed.has($0) }
    return type.map { lacking($0) }
  }
}
