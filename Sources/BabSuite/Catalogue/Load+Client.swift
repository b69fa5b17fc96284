import AppSeam
import BabOracles
import BabSim
import Bench
import BluetoothWire
import Conformance
import Platform
import SimKernel
import VirtualRadio

/// LOAD, client: back-pressure, order, refused writes, a room with losses (BAB 5.9, 8.9).
extension Catalog {
  static let loadClient: [TestPurpose] = [
    .client(
      "BAB/CLIENT/LOAD/BV-01-C", ["BAB 5.9.1"], "No packet begins before its predecessor is complete.",
      initial: "A host advertises; the ATT_MTU is 23.",
      expects: ["the fragments of HANDSHAKE, then those of CLIENT_JOIN"], arrange: { $0.setATTMTU(23) }
    ) { t, host in
      host.hostAndBeJoined()
      try host.expect(.clientJoin, within: .seconds(30))
      let mixed = LowerTester.mixedPacket(host.values.map(\.octets))
      try t.require(
        "the fragments come packet by packet", actual: "packet \(mixed ?? 0) is not complete yet", mixed == nil)
      let types = host.packetsOnLink.map(\.payload.type)
      try t.require(
        "HANDSHAKE comes before CLIENT_JOIN", actual: "in this order: \(types.map(\.rawValue))",
        types.first == .handshake)
    },
    TestPurpose(
      "BAB/CLIENT/LOAD/BV-02-C", ["BAB 5.9.1"], "Packets that wait for a slow link leave in their order.",
      initial: "The client is seated on a slow link.", expects: ["all of 20 ROLE_ASSIGNED in order"], needs: [.roles],
      arrange: { stage in slowLinks(&stage) }
    ) { t in
      try t.preamble { try t.seatWith() }
      t.toggleRole(20)
      try t.hosts[0].expectRoles(20, within: .seconds(60))
    },
    .client(
      "BAB/CLIENT/LOAD/BV-03-C", ["BAB 5.9.3"],
      "The client reports a packet as sent when all its values are acknowledged.",
      initial: "A host advertises; the ATT_MTU is 23.",
      expects: ["no report of HANDSHAKE and CLIENT_JOIN before the last of their writes is answered"],
      needs: [.screen], arrange: { $0.setATTMTU(23) }
    ) { t, host in
      try t.preamble { try t.seat(host) }
      let claims = t.iut.babReports.count { if case .packetSent = $0.report { true } else { false } }
      if claims == 0 { throw t.blocked("packets are reported as sent", cause: nil) }
      let early = t.iut.earlyClaims
      try t.require("no packet is reported before its time", actual: "\(early) were", early == 0)
    },
    .client(
      "BAB/CLIENT/LOAD/BV-04-C", ["BAB 5.9.5"], "What waited for a link goes with it.",
      initial: "The client is seated on a slow link, and 160 packets wait; its host ends the link.",
      expects: ["on the new link HANDSHAKE, CLIENT_JOIN, and none of the old packets"], needs: [.roles, .reconnect],
      arrange: { stage in slowLinks(&stage) }
    ) { t, host in
      try t.preamble {
        try t.seatWith()
        t.toggleRole(160)
        try host.expect(.roleAssigned)
        try t.pause(.seconds(2))
        host.disconnect()
        _ = try t.ending(after: 0)
        try t.expect("not all have come", within: .zero) { host.news(.roleAssigned).count < 120 }
        host.forget()
        try host.expect(.clientJoin, within: .seconds(20))
      }
      try t.pause(.seconds(5))
      let types = host.packetsOnLink.map(\.payload.type)
      try t.require(
        "HANDSHAKE and CLIENT_JOIN come, and nothing of what waited", actual: "came: \(types.map(\.rawValue))",
        types.prefix(2) == [.handshake, .clientJoin] && !types.contains(.roleAssigned))
    },
    .client(
      "BAB/CLIENT/LOAD/BV-05-C", ["BAB 5.2.5"], "A client in a convention hall shows what its host said last.",
      initial: "The client is seated, in a hall with its losses.",
      expects: ["difficulty and roster of the last of 50 LOBBY_UPDATEs"], needs: [.screen], seeds: [1, 2],
      arrange: { stage in
        stage.scenario.radio = .conventionHall
        stage.scenario.radioPreset = "convention-hall"
      }
    ) { t, host in
      try t.preamble {
        try host.seatIUT(within: .seconds(60))
        try t.settleAfresh(.seconds(2))
      }
      for number in 1...50 {
        host.lobby.difficultyLevel = ["easy", "normal", "hard"][number % 3]
        if number % 10 == 0 {
          host.lobby.connectedPlayers.append(LobbyProfile(playerID: "friend-\(number)", displayName: "Friend"))
        }
        host.send(.lobbyUpdate(host.lobby))
      }
      let players = host.lobby.playerIDs
      try t.expect(
        "the IUT shows hard and \(players)", within: .seconds(30),
        actual: { "\(t.iut.lobby?.difficulty ?? "none"), \(t.iut.lobby?.players ?? [])" }
      ) {
        t.iut.lobby?.difficulty == host.lobby.difficultyLevel && t.iut.lobby?.players == players
      }
    },
    .client(
      "BAB/CLIENT/LOAD/BI-01-C", ["BAB 5.9.2"], "Write commands that the platform refuses are sent again.",
      initial: "A host whose command characteristic takes write commands only; an ATT_MTU of 23, a slow link, and a "
        + "platform that takes one value at a time.",
      expects: ["HANDSHAKE and CLIENT_JOIN, whole and in order"],
      arrange: { stage in
        slowLinks(&stage)
        stage.setATTMTU(23)
        stage.iut.phone.buffers.writeCommandQueue = 1
        stage.iut.phone.buffers.aclCount = 2
      }
    ) { t, host in
      for index in host.service.characteristics.indices
      where host.service.characteristics[index].uuid == t.dialect.command.uuid {
        host.service.characteristics[index].properties = .writeWithoutResponse
      }
      host.hostAndBeJoined()
      try host.expect(.handshake, within: .seconds(40))
      try host.expect(.clientJoin, within: .seconds(40))
      try t.preamble {
        try t.expect("the IUT's platform has refused values", within: .zero) { t.iut.refusedValues > 0 }
      }
    },
    .client(
      "BAB/CLIENT/LOAD/BI-02-C", ["BAB 5.9.6"],
      "A client whose write is answered with an error ends the link and comes back.",
      initial: "A host advertises that answers every write with an error.",
      expects: ["the link is ended", "HANDSHAKE and CLIENT_JOIN on a new link, now that writes are taken"]
    ) { t, host in
      try t.preamble {
        host.host()
        host.refusesWrites(true)
        t.iut.user(.joinHost)
        try t.expect("the IUT's write is answered with an error", within: .seconds(15)) { t.iut.hasFailedWrite }
      }
      try t.expect("the IUT ends the link") { t.iut.hasEndedLink && !host.isConnected }
      host.refusesWrites(false)
      try host.expect(.handshake, within: .seconds(15))
      try host.expect(.clientJoin)
    },
    .client(
      "BAB/CLIENT/LOAD/BI-03-C", ["BAB 5.9.6", "BAB 5.7.7"],
      "A seated client whose write is answered with an error comes back too.",
      initial: "The client is seated, and its host answers the next write with an error.",
      expects: ["the link is ended", "HANDSHAKE and CLIENT_JOIN on a new link, now that writes are taken"],
      needs: [.roles, .reconnect]
    ) { t, host in
      try t.preamble { try t.seatWith() }
      try host.expectRoleNews()
      host.refusesWrites(true)
      t.iut.user(.requestRole("customer"))
      try host.expectDisconnected()
      host.refusesWrites(false)
      try host.expect(.handshake, within: .seconds(15))
      try host.expect(.clientJoin)
    },
    TestPurpose(
      "BAB/CLIENT/LOAD/BI-04-C", ["BAB 8.9"], "A link for which more than 4 096 packets wait is ended.",
      initial: "The client is seated; its host has fallen silent, and the link would time out after 32 s.",
      expects: ["the link is not ended with 4 000 packets", "it is with 4 200"], needs: [.roles],
      arrange: { $0.iut.phone.connection.initial.supervisionTimeout = 3_200 }
    ) { t in
      try t.preamble {
        try t.seatWith()
        try t.hosts[0].expectRoleNews()
        t.hosts[0].suffers(.vanish, "falls silent")
      }
      t.toggleRole(4_000)
      try t.never("the IUT ends the link", for: .seconds(1)) { t.iut.hasEndedLink }
      t.toggleRole(200)
      try t.expect("the IUT ends the link", within: .seconds(1)) { t.iut.hasEndedLink }
    },
  ]
}

extension UpperTester {
  /// A write of it was answered with an error.
  var hasFailedWrite: Bool {
    inputs.contains { if case .writeCompleted(_, _, .some) = $0.input { true } else { false } }
  }
}
