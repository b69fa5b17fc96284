import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// GATT, host: the profile, subscriptions, what is notified and read, and writes (BAB 2.1, 2.6, 2.9, 5.9.4, 5.9.7,
/// 5.9.8).
extension Catalog {
  static let gattHost: [TestPurpose] = gattHostProfile + gattHostSubscriptions + gattHostReads + gattHostWrites

  private static let gattHostProfile: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/GATT/BV-01-C", ["BAB 2.1"],
      "A host publishes the service of its dialect with exactly its characteristics and their properties.",
      initial: "client-1 is connected.",
      expects: ["discovery finds exactly the characteristics and properties of the dialect"]
    ) { t, client in
      t.iut.user(.startHosting)
      try t.preamble { try client.join(upTo: .attMTU) }
      try client.join(upTo: .discovered)
      let found = client.found ?? []
      let wanted = t.dialect.serviceDefinition.characteristics
      try t.require(
        "the service has \(wanted.count) characteristics with the dialect's properties",
        actual: "found: "
          + found.map { "\($0.uuid) 0x" + String($0.properties.rawValue, radix: 16) }.joined(separator: ", "),
        found.count == wanted.count && Set(found) == Set(wanted))
    },
    TestPurpose(
      "BAB/HOST/GATT/BV-02-C", ["BAB 2.1"],
      "A host publishes no service of another dialect.",
      initial: "client-1 is connected and has discovered the dialect's service.",
      expects: ["discovery of the other dialects' services finds nothing"]
    ) { t, client in
      t.iut.user(.startHosting)
      try t.preamble { try client.join(upTo: .discovered) }
      for other in Dialect.all where other.service != t.dialect.service {
        guard client.gives("discovers the service of \(other.name)") else { continue }
        guard let link = client.link else { throw t.inconclusive("the link has ended") }
        let before = client.told.count
        client.ask(.discover(link.id, service: other.service))
        var found: [ServiceDefinition.Characteristic]?
        try t.preamble {
          try t.expect("discovery ends") {
            for entry in client.told[before...] {
              if case .servicesDiscovered(_, other.service, let list) = entry.input { found = list }
            }
            return found != nil
          }
        }
        try t.require("there is no such service", found?.isEmpty ?? false)
      }
    },
    TestPurpose(
      "BAB/HOST/GATT/BV-03-C", ["BAB 2.1"],
      "Every characteristic that notifies can be subscribed to.",
      initial: "client-1 has discovered the service.",
      expects: ["each subscription is confirmed"]
    ) { t in
      t.iut.user(.startHosting)
      try t.preamble { try t.clients[0].join(upTo: .discovered) }
      t.clients[0].begin(upTo: .subscribed)
      try t.clients[0].reach(.subscribed)
    },
    TestPurpose(
      "BAB/HOST/GATT/BV-04-C", ["BAB 2.1"],
      "A host takes packets that are written without response.",
      initial: "client-1 writes without response.",
      expects: ["client-1 is given a seat"], dialects: [.guide, .sdk]
    ) { t in
      t.iut.user(.startHosting)
      t.clients[0].writesWithResponse = false
      try t.preamble { try t.clients[0].join(upTo: .subscribed) }
      t.clients[0].greet()
      t.clients[0].askForSeat()
      try t.clients[0].expect(.lobbyUpdate)
    },
  ]

  private static let gattHostSubscriptions: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/GATT/BV-05-C", ["BAB 5.9.4"],
      "A host notifies nothing before the subscription; what it has to say waits.",
      initial: "client-1 has discovered the service and not subscribed.",
      expects: ["nothing is notified after HANDSHAKE; the answer comes with the subscription"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .discovered) }
      client.greet()
      try t.never("the IUT notifies", for: .seconds(3)) { t.iut.asked { $0.isNotification } != nil }
      client.begin(upTo: .subscribed)
      try client.expect(.handshake)
    },
    TestPurpose(
      "BAB/HOST/GATT/BV-06-C", ["BAB 5.9.4"],
      "A host notifies nothing once the subscription has ended; what it has to say waits.",
      initial: "client-1 is seated, and ends its subscription.",
      expects: ["nothing is notified; the newest lobby comes with the next subscription"]
    ) { t, client in
      try t.preamble {
        t.iut.user(.startHosting)
        try client.join()
        try t.pause(.seconds(1))
      }
      try subscribe(t, client, false)
      let start = t.newestRecord
      t.iut.user(.setLobbyDifficulty("hard"))
      try t.never("the IUT notifies", for: .seconds(3)) { t.iut.asked(after: start) { $0.isNotification } != nil }
      client.forget()
      try subscribe(t, client, true)
      try client.expect(.lobbyUpdate, "has difficulty hard") {
        if case .lobbyUpdate(let lobby) = $0.payload { lobby.difficultyLevel == "hard" } else { false }
      }
    },
    TestPurpose(
      "BAB/HOST/GATT/BV-07-C", ["BAB 2.6"],
      "A host's packets go through the state characteristic.",
      initial: "client-1 has subscribed to every characteristic that notifies.",
      expects: ["every value comes from the state characteristic"], dialects: [.sdk, .app]
    ) { t, client in
      t.iut.user(.startHosting)
      try t.preamble {
        try client.join(upTo: .greeted)
        client.askForSeat()
        try t.pause(.seconds(2))
        t.iut.user(.setLobbyDifficulty("easy"))
        try t.pause(.seconds(1))
      }
      try client.requireValues()
      let other = client.values.first { $0.characteristic != t.dialect.state.uuid }
      try t.require(
        "values came, all from the state characteristic", record: other?.record,
        actual: other.map { "one from \($0.characteristic)" } ?? "none came", other == nil && !client.values.isEmpty)
    },
  ]

  /// Switches the subscription to the state characteristic.
  private static func subscribe(_ t: BabBed, _ client: ClientTester, _ isOn: Bool) throws {
    guard client.gives(isOn ? "subscribes again" : "ends its subscription") else { return }
    let state = t.dialect.state.uuid
    client.switchNotifications(isOn)
    try t.preamble {
      try t.expect("the IUT knows") {
        t.iut.lastTold { if case .subscribed(_, state, isOn) = $0 { true } else { false } } ?? -1
          > t.iut.lastTold { if case .subscribed(_, state, !isOn) = $0 { true } else { false } } ?? -1
      }
    }
  }

  // MARK: Reads

  private static let gattHostReads: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/GATT/BV-08-C", ["BAB 2.9"],
      "The value of the state characteristic is the newest LOBBY_UPDATE without a fragment header.",
      initial: "client-1 is seated.",
      expects: ["a packet whose lobby is the newest one, before and after a change"], dialects: [.app]
    ) { t, client in
      try t.preamble {
        t.iut.user(.startHosting)
        try client.join()
      }
      for level in ["normal", "hard", "easy"] {
        if level != "normal" {
          client.forget()
          t.iut.user(.setLobbyDifficulty(level))
          try t.preamble { try client.expect(.lobbyUpdate) }
        }
        let octets = try client.read(t.dialect.state.uuid) ?? []
        let packet = try? BabPacket(decoding: octets)
        try t.require(
          "the value is the newest LOBBY_UPDATE", actual: "read: " + String(decoding: octets, as: UTF8.self),
          packet.map { $0.payload == client.lobby.map { .lobbyUpdate($0) } } ?? false)
      }
    },
    TestPurpose(
      "BAB/HOST/GATT/BV-09-C", ["BAB 2.9"],
      "A lobby of more than 512 octets leaves the value of the state characteristic as it was.",
      initial: "client-1 is seated; client-2 has a name of 600 characters.",
      expects: ["the value is the same before and after client-2 is seated, and another one after it has left"],
      dialects: [.app], testers: 2
    ) { t, client, other in
      try t.preamble {
        try t.seat(client, andBring: other, upTo: .subscribed)
        other.greet()
      }
      let before = try client.read(t.dialect.state.uuid)
      client.forget()
      other.send(
        .clientJoin(LobbyProfile(playerID: other.peerID, displayName: String(repeating: "x", count: 600))))
      try t.preamble { try client.expect(.lobbyUpdate) }
      let during = try client.read(t.dialect.state.uuid)
      try t.require("the value is as it was", during != nil && during == before)
      client.forget()
      t.iut.user(.setLobbyDifficulty("hard"))
      other.disconnect()
      try t.preamble {
        try client.expect(.lobbyUpdate) {
          if case .lobbyUpdate(let lobby) = $0.payload { lobby.connectedPlayers.count == 2 } else { false }
        }
      }
      let after = try client.read(t.dialect.state.uuid)
      try t.require("the value is another one", after != nil && after != before)
    },
  ]
}

extension AppEffect {
  /// Whether it asks to notify.
  fileprivate var isNotification: Bool { if case .notify = self { true } else { false } }
}
