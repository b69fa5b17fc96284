import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// GATT, client: subscriptions, how it writes, where it listens (BAB 2.6, 2.8, 5.1.4, 5.9.6).
extension Catalog {
  static let gattClient: [TestPurpose] = [
    .client(
      "BAB/CLIENT/GATT/BV-01-C", ["BAB 5.1.4"],
      "A client subscribes to every characteristic that notifies before its first packet.",
      initial: "host-1 hosts.",
      expects: ["the subscription to each comes before the first value"]
    ) { t, host in
      try t.preamble { host.host() }
      t.iut.user(.joinHost)
      try t.preamble {
        try t.expect("the IUT writes", within: .seconds(10), cause: { host.missing(.handshake) }) {
          !host.values.isEmpty
        }
      }
      let first = host.values.first?.record ?? -1
      for characteristic in t.dialect.notifying {
        let subscribed = host.told.first {
          if case .subscribed(_, characteristic.uuid, true) = $0.input { true } else { false }
        }
        try t.require(
          "the subscription to \(characteristic.uuid) comes before the first value", record: subscribed?.record,
          actual: subscribed == nil ? "there is none" : "it came later", subscribed?.record ?? .max < first)
      }
    },
    TestPurpose(
      "BAB/CLIENT/GATT/BV-02-C", ["BAB 2.8"],
      "A client writes with response where the command characteristic has that property.",
      initial: "host-1 hosts.",
      expects: ["every value is written with response"]
    ) { t in
      t.hosts[0].host()
      t.iut.user(.joinHost)
      try t.preamble { try t.hosts[0].expect(.clientJoin, within: .seconds(10)) }
      let command = t.iut.asked { if case .writeWithoutResponse = $0 { true } else { false } }
      let request = t.iut.asked { if case .write = $0 { true } else { false } }
      try t.require(
        "values are written with response, and none without", record: command, command == nil && request != nil)
    },
    .client(
      "BAB/CLIENT/GATT/BV-03-C", ["BAB 2.8"],
      "A client writes without response where the command characteristic has only that property.",
      initial: "host-1's command characteristic has write without response only.",
      expects: ["HANDSHAKE and CLIENT_JOIN come"]
    ) { t, host in
      for index in host.service.characteristics.indices
      where host.service.characteristics[index].uuid == t.dialect.command.uuid {
        host.service.characteristics[index].properties = [.writeWithoutResponse]
      }
      host.hostAndBeJoined()
      try host.expect(.handshake, within: .seconds(10))
      try host.expect(.clientJoin)
    },
    .client(
      "BAB/CLIENT/GATT/BV-04-C", ["BAB 2.6"],
      "A client takes packets from each characteristic that notifies.",
      initial: "The client is seated.",
      expects: ["a LOBBY_UPDATE from each shows"], needs: [.screen], dialects: [.sdk, .app]
    ) { t, host in
      try t.preamble {
        try host.seatIUT()
        try t.expect("the IUT shows its seat") { t.iut.lobby?.players.contains(t.iut.peerID) ?? false }
      }
      for characteristic in t.dialect.notifying {
        host.notifies = characteristic.uuid
        host.tellChange()
        try host.expectChangeShown(", which came from \(characteristic.uuid)")
      }
    },
    .client(
      "BAB/CLIENT/GATT/BV-05-C", ["BAB 2.6"],
      "A client's packets go through the command characteristic.",
      initial: "host-1 hosts; another of its characteristics can be written too.",
      expects: ["every value comes to the command characteristic"], dialects: [.app]
    ) { t, host in
      host.hostAndBeJoined()
      try t.preamble { try t.expect("the IUT writes", within: .seconds(10)) { !host.values.isEmpty } }
      try t.pause(.seconds(2))
      let other = host.values.first { $0.characteristic != t.dialect.command.uuid }
      try t.require(
        "all values come to the command characteristic", record: other?.record,
        actual: other.map { "one came to \($0.characteristic)" } ?? "", other == nil)
    },
    .client(
      "BAB/CLIENT/GATT/BI-01-C", ["BAB 5.9.6"],
      "A client whose write is answered with an error ends the link and comes back.",
      initial: "host-1 refuses what is written to the command characteristic.",
      expects: ["the client ends the link; it comes back, and joins when the host refuses no more"]
    ) { t, host in
      host.host()
      host.refusesWrites(true)
      t.iut.user(.joinHost)
      try t.preamble {
        try t.expect("the IUT writes", within: .seconds(10), cause: { host.missing(.handshake) }) {
          t.iut.effects.contains { $0.effect.sentValue.map { !t.assumption.made($0.octets) } ?? false }
        }
      }
      try host.expectDisconnected(within: .seconds(10), reasons: [.remoteUserTerminatedConnection])
      host.refusesWrites(false)
      try host.expect(.clientJoin, within: .seconds(20))
    },
  ]
}
