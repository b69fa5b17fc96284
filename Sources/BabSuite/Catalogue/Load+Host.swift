import AppSeam
import BabSim
import Bench
import BluetoothWire
import Conformance
import Platform
import SimKernel
import VirtualRadio

/// LOAD, host: back-pressure, order, full lobbies under loss, peers that do not keep up (BAB 5.9, 8.9).
extension Catalog {
  static let loadHost: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/LOAD/BV-01-C", ["BAB 5.9.2"], "Values that the platform refuses are sent again: no packet is lost.",
      initial: "client-1 is seated on a slow link; the host's platform takes few values at a time.",
      expects: ["all of 40 ROLE_ASSIGNED, whole and in order"], needs: [.roles],
      arrange: { stage in
        slowLinks(&stage)
        stage.iut.phone.buffers.notificationQueue = 6
        stage.iut.phone.buffers.aclCount = 2
      }
    ) { t in
      try t.preamble { try t.seatClients(1, within: .seconds(20), settling: .seconds(3)) }
      t.toggleRole(40)
      try t.clients[0].expectRoles(40, within: .seconds(60))
      try t.preamble {
        try t.expect("the IUT's platform has refused values", within: .zero) { t.iut.refusedValues > 0 }
      }
    },
    TestPurpose(
      "BAB/HOST/LOAD/BV-02-C", ["BAB 5.9.1"], "No packet begins before its predecessor on the link is complete.",
      initial: "Two clients are seated; the ATT_MTU is 23.",
      expects: ["the fragments of 10 ROLE_ASSIGNED packet by packet, in the order of their counts"], needs: [.roles],
      testers: 2, arrange: { $0.setATTMTU(23) }
    ) { t in
      try t.preamble { try t.seatClients(2, within: .seconds(20), settling: .seconds(3)) }
      let before = t.clients.map(\.values.count)
      t.toggleRole(10)
      for client in t.clients { try client.expectRoles(10, within: .seconds(60)) }
      for (client, first) in zip(t.clients, before) {
        let mixed = LowerTester.mixedPacket(client.values[first...].map(\.octets))
        try t.require(
          "\(client.name)'s fragments come packet by packet", actual: "packet \(mixed ?? 0) is not complete yet",
          mixed == nil)
      }
    },
    TestPurpose(
      "BAB/HOST/LOAD/BV-03-C", ["BAB 5.9.3"], "The host reports a packet as sent when all its values were taken.",
      initial: "At an ATT_MTU of 23 client-1 is seated; the host's platform takes one value at a time.",
      expects: ["no report before the platform has accepted the last value"], needs: [.roles, .screen],
      arrange: { stage in
        stage.setATTMTU(23)
        stage.iut.phone.buffers.notificationQueue = 1
        stage.iut.phone.buffers.aclCount = 2
      }
    ) { t in
      try t.preamble { try t.seatClients(1, within: .seconds(60), settling: .seconds(3)) }
      t.toggleRole(4)
      try t.preamble { try t.clients[0].expectRoles(4, within: .seconds(60)) }
      let early = t.iut.earlyClaims
      try t.require("no packet is reported before its time", actual: "\(early) were", early == 0)
    },
    TestPurpose(
      "BAB/HOST/LOAD/BV-04-C", ["BAB 5.9.5"], "What waited for a link goes with it.",
      initial: "client-1 is seated on a slow link, and 400 packets wait for it; it loses the link and comes back.",
      expects: ["HANDSHAKE first on the new link, and none of the old packets"], needs: [.roles],
      arrange: { stage in slowLinks(&stage) }
    ) { t, client in
      try t.preamble {
        try t.seatClients(1, within: .seconds(20), settling: .seconds(3))
        t.toggleRole(400)
        try client.expect(.roleAssigned)
        try t.pause(.seconds(1))
        try t.lose(client)
        try t.expect("not all have come", within: .zero) { client.news(.roleAssigned).count < 360 }
      }
      client.forget()
      try t.preamble { try client.join() }
      try t.pause(.seconds(5))
      let types = client.packetsOnLink.map(\.payload.type)
      try t.require(
        "the first packet is HANDSHAKE", actual: types.first?.rawValue ?? "none came", types.first == .handshake)
      // A newcomer is told the role that the host's player has now (5.1.12).
      let roles = types.count { $0 == .roleAssigned }
      try t.require("none of the old packets comes", actual: "\(roles) ROLE_ASSIGNED", roles <= 2)
    },
    crowd("BV-05-C", "a living room", .livingRoom, preset: "living-room"),
    crowd("BV-06-C", "a convention hall", .conventionHall, preset: "convention-hall"),
    TestPurpose(
      "BAB/HOST/LOAD/BV-07-C", ["BAB 5.2.4"], "A client that has fallen silent does not keep the others waiting.",
      initial: "Two clients are seated; client-1 has vanished, and its link has not timed out.",
      expects: ["client-2 is sent LOBBY_UPDATE within 1 s"], testers: 2,
      arrange: { stage in
        stage.iut.phone.buffers.notificationQueue = 1
        stage.iut.phone.buffers.aclCount = 4
        for index in stage.testers.indices { stage.testers[index].phone.connection.initial.supervisionTimeout = 2_000 }
      }
    ) { t in
      try t.preamble {
        try t.seatClients(2, scenario: nil)
        t.clients[0].suffers(.vanish, "vanishes")
        for _ in 0..<5 {
          t.iut.user(.setLobbyDifficulty("easy"))
          t.iut.user(.setLobbyDifficulty("normal"))
        }
        try t.settleAfresh(.seconds(5))
      }
      t.iut.user(.setLobbyDifficulty("hard"))
      try t.clients[1].expectLobby("says hard", within: .seconds(1)) { lobby in
        lobby.difficultyLevel == "hard"
      }
      try t.preamble { try t.expect("client-1's link has not timed out", within: .zero) { t.iut.endings.isEmpty } }
    },
    TestPurpose(
      "BAB/HOST/LOAD/BI-01-C", ["BAB 5.9.4"], "Nothing is notified to a client that has not subscribed; it waits.",
      initial: "client-1 is connected and has not subscribed.",
      expects: ["no notification after HANDSHAKE and CLIENT_JOIN", "HANDSHAKE and LOBBY_UPDATE once it has subscribed"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .discovered) }
      client.greet()
      client.askForSeat()
      try client.flush()
      try t.never("the IUT notifies", for: .seconds(3)) { t.iut.notifications > 0 }
      try t.preamble { try client.join(upTo: .subscribed) }
      try client.expect(.handshake)
      try client.expect(.lobbyUpdate)
    },
    TestPurpose(
      "BAB/HOST/LOAD/BI-02-C", ["BAB 5.9.4"], "Nothing is notified to a client that has unsubscribed; it waits.",
      initial: "client-1 is seated, and has switched notifications off.",
      expects: ["no notification when the lobby changes", "LOBBY_UPDATE once it has subscribed again"]
    ) { t, client in
      let before = try t.preamble {
        try t.seatClients(1, scenario: nil)
        if client.gives("switches notifications off") { client.switchNotifications(false) }
        try t.pause(.milliseconds(500))
        return t.iut.notifications
      }
      t.iut.user(.setLobbyDifficulty("hard"))
      try t.never("the IUT notifies", for: .seconds(3)) { t.iut.notifications > before }
      if client.gives("switches notifications on") { client.switchNotifications(true) }
      try client.expect(.lobbyUpdate)
    },
    TestPurpose(
      "BAB/HOST/LOAD/BI-03-C", ["BAB 8.9"], "A link for which more than 4 096 packets wait is ended.",
      initial: "client-1 is seated, and has fallen silent; its link would time out after 32 s.",
      expects: ["the link is not ended with 4 000 packets", "it is with 4 200"], needs: [.roles, .endsLinks],
      arrange: { stage in
        for index in stage.testers.indices { stage.testers[index].phone.connection.initial.supervisionTimeout = 3_200 }
      }
    ) { t in
      try t.preamble {
        try t.seatClients(1, within: .seconds(20), settling: .seconds(3))
        try t.clients[0].expectRoleNews()
        t.clients[0].suffers(.vanish, "falls silent")
      }
      t.toggleRole(4_000)
      try t.never("the IUT ends the link", for: .seconds(1)) { t.iut.hasEndedLink }
      t.toggleRole(200)
      try t.expect("the IUT ends the link", within: .seconds(1)) { t.iut.hasEndedLink }
    },
  ]

  /// Links with an anchor point every 300 ms.
  static func slowLinks(_ stage: inout Stage) {
    for index in stage.scenario.devices.indices {
      stage.scenario.devices[index].phone.connection.initial = HCI.ConnectionParameters(
        intervalMinimum: 240, intervalMaximum: 240, supervisionTimeout: 600)
    }
  }

  /// As many clients as the dialect seats, in a room with losses; a burst of changes must reach all of them.
  private static func crowd(
    _ number: String, _ room: String, _ radio: RadioEnvironment, preset: String
  ) -> TestPurpose {
    TestPurpose(
      "BAB/HOST/LOAD/\(number)", ["BAB 5.2.5", "BAB 5.9.1"], "A full lobby in \(room) comes to the same state.",
      initial: "All seats are taken, in \(room) with its losses.",
      expects: ["20 s after a burst of changes every client's newest LOBBY_UPDATE is the host's lobby"], seeds: [1, 2],
      testers: 7,
      arrange: { stage in
        stage.scenario.radio = radio
        stage.scenario.radioPreset = preset
        // Lost links are not what this is about.
        for index in stage.testers.indices { stage.testers[index].phone.connection.initial.supervisionTimeout = 2_000 }
      }
    ) { t in
      let clients = Array(t.clients.prefix(t.dialect.capacity - 1))
      try t.preamble {
        t.iut.user(.startHosting)
        for client in clients { try t.insist(on: client) }
        try t.settleAfresh(.seconds(2))
      }
      for scenario in ["coffee-shop", "the-heist", "first-date"] {
        t.iut.user(.setLobbyScenario(scenario))
        for level in ["easy", "hard"] { t.iut.user(.setLobbyDifficulty(level)) }
      }
      let players = [t.iut.peerID] + clients.map(\.peerID)
      for client in clients {
        try t.expect(
          "\(client.name) has first-date, hard and everybody", within: .seconds(20),
          actual: { client.lobby.debugText }
        ) {
          client.lobby?.selectedScenarioID == "first-date" && client.lobby?.difficultyLevel == "hard"
            && client.lobbyIDs == players
        }
      }
    }
  }
}
