import AppSeam
import BabOracles
import BabSim
import Bench
import BluetoothWire
import Conformance
import Platform
import SimKernel
import VirtualRadio

/// LINK, host: lost links, who is remembered for how long, and return (BAB 5.7).
extension Catalog {
  static let linkHost: [TestPurpose] = linkHostLoss + linkHostReturn

  private static let linkHostLoss: [TestPurpose] = [
    loss(
      "BV-01-C", "ends its link cleanly", reason: .remoteUserTerminatedConnection
    ) { _, client in client.disconnect() },
    loss("BV-02-C", "vanishes without a word", reason: .connectionTimeout) { _, client in
      client.suffers(.vanish, "vanishes")
    },
    loss(
      "BV-03-C", "is cut off by the host's own platform", reason: .connectionTerminatedByLocalHost
    ) { t, client in t.iut.suffers(.disconnect(client.index), "its platform ends the link with \(client.name)") },
    loss(
      "BV-04-C", "has its radio switched off", reason: .remoteDeviceTerminatedDueToPowerOff
    ) { _, client in client.suffers(.radioOff, "its Bluetooth is switched off") },
    TestPurpose(
      "BAB/HOST/LINK/BV-05-C", ["BAB 5.7.12"], "A host whose adapter was off publishes and advertises again.",
      initial: "Two clients are seated; the host's Bluetooth is switched off for 2 s.",
      expects: ["client-2 finds the host, its service, and gets a seat in a lobby of two"], testers: 2
    ) { t in
      let client = t.clients[1]
      try t.preamble { try t.seatClients(2, scenario: nil) }
      t.iut.suffers(.radioOff, "Bluetooth is switched off")
      try t.pause(.seconds(2))
      for client in t.clients {
        try t.require("\(client.name)'s link has ended", actual: "it is up", !client.isConnected)
      }
      t.iut.suffers(.radioOn, "Bluetooth is on again")
      try t.pause(.seconds(1))
      try client.join()
      try client.need(.lobbyUpdate)
      try t.require(
        "client-1 is not in the lobby", clause: "BAB 5.7.1", actual: "the lobby is \(client.lobbyIDs)",
        client.lobbyIDs == [t.iut.peerID, client.peerID])
    },
    TestPurpose(
      "BAB/HOST/LINK/BV-06-C", ["BAB 5.7.3"], "A host advertises in a game while it remembers somebody, and no longer.",
      initial: "A game is on with two clients, and the host does not advertise.",
      expects: ["it advertises once client-1 has lost its link", "it does not 46 s after that"], needs: [.reconnect],
      testers: 2
    ) { t in
      try t.preamble {
        try t.playPlainly(with: 2)
        try t.expect("the host does not advertise") { t.iut.advertisement == nil }
      }
      let lost = try t.preamble { try t.lose(t.clients[0]) }
      try t.expect("the host advertises", within: .seconds(1)) { t.iut.advertisement != nil }
      try t.pause(until: lost + .milliseconds(44_800))
      try t.require("the host advertises 44.8 s after the loss", t.iut.advertisement != nil)
      try t.pause(until: lost + .seconds(46))
      try t.require(
        "the host does not advertise 46 s after the loss", clause: "BAB 5.2.9", actual: "it does",
        t.iut.advertisement == nil)
    },
    TestPurpose(
      "BAB/HOST/LINK/BV-07-C", ["BAB 5.7.11"], "A peer that comes on a new link from its old address takes its place.",
      initial: "client-1 and client-2 are seated; client-1's phone restarts, and its old link has not timed out.",
      expects: ["client-1 is seated on the new link, once, and the old one is ended"], seeds: [1, 2, 3, 4], testers: 2,
      arrange: { stage in
        for index in stage.testers.indices { stage.testers[index].phone.connection.initial.supervisionTimeout = 3_000 }
      }
    ) { t, first, second in
      try t.preamble {
        try t.seatClients(2, scenario: nil)
        try t.crash(first)
        try t.expect("the host has not noticed") { t.iut.endings.isEmpty }
      }
      let old = t.iut.links.first
      second.forget()
      try t.comeBack(first)
      guard t.ics.claims(.endsLinks) else { return try t.expectOnce(first, toldTo: second) }
      try t.expect("the host ends the old link", within: .seconds(2)) {
        t.iut.endings.contains { $0.link == old }
          || t.iut.effects.contains { $0.effect == old.map(AppEffect.disconnect) }
      }
      try t.expectOnce(first, toldTo: second)
    },
    TestPurpose(
      "BAB/HOST/LINK/BV-08-C", ["BAB 5.7.4"], "A player whose link fails ten times is taken back ten times.",
      initial: "A game is on with two clients.",
      expects: ["each time a snapshot, and a lobby with both clients in the old order"], needs: [.reconnect],
      testers: 2
    ) { t, client in
      try t.preamble { try t.playPlainly(with: 2) }
      for _ in 0..<10 {
        try t.preamble { try t.lose(client) }
        client.forget()
        client.begin()
        try client.expect(.fullStateSnapshot, within: .seconds(10))
        try client.expectLobby("lists everybody in the old order") { lobby in
          lobby.playerIDs == [t.iut.peerID] + t.clients.map(\.peerID)
        }
      }
    },
  ]

  /// A client's link ends; the others must be told at once.
  private static func loss(
    _ number: String, _ what: String, reason: HCI.ErrorCode,
    _ action: @escaping @Sendable (BabBed, ClientTester) -> Void
  ) -> TestPurpose {
    let code = "0x" + String(reason.rawValue, radix: 16)
    return TestPurpose(
      "BAB/HOST/LINK/\(number)", ["BAB 5.7.1"], "A client that \(what) (\(code)) is out of the roster at once.",
      initial: "client-1 and client-2 are seated.",
      expects: ["LOBBY_UPDATE without client-1 within 1 s of the link's end"],
      testers: 2
    ) { t in
      let (first, second) = (t.clients[0], t.clients[1])
      try t.preamble { try t.seatClients(2, scenario: nil) }
      action(t, first)
      try t.preamble {
        _ = try t.ending(after: 0)
        try t.expect(
          "the reason is \(code)", actual: { "it is \(String(t.iut.endings[0].reason.rawValue, radix: 16))" }
        ) {
          t.iut.endings[0].reason == reason
        }
      }
      try second.expectLobby("lists the host and client-2", within: .seconds(1)) { lobby in
        lobby.playerIDs == [t.iut.peerID, second.peerID]
      }
    }
  }
}

extension BabBed {
  /// A phone restarts, and nobody is told.
  fileprivate func crash(_ client: ClientTester) throws {
    client.suffers(.vanish, "its Bluetooth crashes without a word")
    client.suffers(.radioOff, "its stack goes down")
    try expect("\(client.name) has no link") { !client.isConnected }
    client.suffers(.radioOn, "its stack comes up")
    client.suffers(.appear, "its radio is back")
  }

  /// Joins on a new link while an old one, which nobody serves, is still up. Where the events of both coincide, the
  /// host's radio gives every one to the old link, which has missed more (Docs/Fidelity.md): that is no fault of the
  /// app, so a link on which not even the ATT_MTU is answered is made again, at another time.
  fileprivate func comeBack(_ client: ClientTester) throws {
    for _ in 0..<5 {
      client.begin()
      if try wait(.seconds(2), until: { client.stage >= .attMTU }) { return try client.reach(.joined) }
      if client.stage == .connected { try crash(client) }
    }
    try client.reach(.joined)
  }

  /// The lobby that a client is told lists another one once, in its old place.
  fileprivate func expectOnce(_ first: ClientTester, toldTo second: ClientTester) throws {
    try expect("\(second.name)'s lobby lists \(first.name) once", actual: { "\(second.lobbyIDs)" }) {
      second.lobbyIDs == [iut.peerID, first.peerID, second.peerID]
    }
  }
}
