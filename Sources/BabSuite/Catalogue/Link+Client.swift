import AppSeam
import BabSim
import Bench
import BluetoothWire
import Conformance
import Platform
import SimKernel
import VirtualRadio

/// LINK, client: loss and return (BAB 5.7).
extension Catalog {
  static let linkClient: [TestPurpose] = [
    .client(
      "BAB/CLIENT/LINK/BV-01-C", ["BAB 5.7.7"],
      "A client that loses its link looks for the same host and comes back.",
      initial: "The client is seated.",
      expects: ["a new connection, HANDSHAKE and CLIENT_JOIN with the same id"], needs: [.reconnect]
    ) { t, host in
      try t.preamble { try host.seatIUT() }
      host.forget()
      host.suffers(.vanish, "vanishes for 6 s")
      try t.pause(.seconds(6))
      host.suffers(.appear, "is there again")
      try host.expect(.clientJoin, "has the same id", within: .seconds(20)) { $0.senderID == t.iut.peerID }
    },
    .client(
      "BAB/CLIENT/LINK/BV-02-C", ["BAB 5.7.7"], "A client shows that it has lost its link, and that it is back.",
      initial: "The client is seated; the host vanishes for 8 s.",
      expects: ["RECONNECTING from the loss on, CONNECTED when it has its seat again"], needs: [.reconnect, .screen]
    ) { t, host in
      try t.preamble { _ = try t.lose(host) }
      try t.expect("the IUT shows RECONNECTING", within: .seconds(1), actual: { t.iut.linkState ?? "nothing" }) {
        t.iut.linkState == "RECONNECTING"
      }
      try t.pause(.seconds(4))
      host.suffers(.appear, "is there again")
      try t.expect("the IUT shows CONNECTED", within: .seconds(10), actual: { t.iut.linkState ?? "nothing" }) {
        t.iut.linkState == "CONNECTED"
      }
    },
    comesBack("BV-03-C", "that its host has ended cleanly", reason: .remoteUserTerminatedConnection) { _, host in
      host.disconnect()
    },
    comesBack("BV-04-C", "that its own platform has ended", reason: .connectionTerminatedByLocalHost) { t, _ in
      t.iut.suffers(.disconnect(nil), "its platform ends the link")
    },
    comesBack("BV-05-C", "that its host's power-off has ended", reason: .remoteDeviceTerminatedDueToPowerOff) {
      t, host in
      host.suffers(.radioOff, "its Bluetooth is switched off")
      try t.pause(.seconds(2))
      host.suffers(.radioOn, "its Bluetooth is on again")
      try t.pause(.milliseconds(100))
      host.host()
    },
    .client(
      "BAB/CLIENT/LINK/BV-06-C", ["BAB 8.1", "BAB 5.7.7", "BAB 5.7.8"],
      "A client gives up 30 s after the loss, and not before.",
      initial: "The client is seated; the host has vanished.",
      expects: ["RECONNECTING after 29.9 s", "DISCONNECTED and the end of the session after 30.1 s"],
      needs: [.reconnect, .screen]
    ) { t, host in
      let lost = try t.preamble { try t.lose(host) }
      try t.pause(until: lost + .milliseconds(29_900))
      try t.require(
        "the IUT shows RECONNECTING 29.9 s after the loss, and no end", clause: "BAB 5.7.7",
        actual: "it shows \(t.iut.linkState ?? "nothing"), ended: \(t.iut.ending ?? "no")",
        t.iut.linkState == "RECONNECTING" && t.iut.ending == nil)
      try t.pause(until: lost + .milliseconds(30_100))
      try t.require(
        "the IUT shows DISCONNECTED and the end of the session 30.1 s after the loss", clause: "BAB 5.7.8",
        actual: "it shows \(t.iut.linkState ?? "nothing"), ended: \(t.iut.ending ?? "no")",
        t.iut.linkState == "DISCONNECTED" && t.iut.ending != nil)
    },
    .client(
      "BAB/CLIENT/LINK/BV-07-C", ["BAB 5.7.7", "BAB 8.1"], "A host that is there again 28 s after the loss is found.",
      initial: "The client is seated; the host has vanished.", expects: ["a connection within 1.9 s, and CLIENT_JOIN"],
      needs: [.reconnect]
    ) { t, host in
      try t.preamble {
        let lost = try t.lose(host)
        host.forget()
        try t.pause(until: lost + .seconds(28))
      }
      host.suffers(.appear, "is there again")
      try host.expect(.clientJoin, "is the IUT's", within: .milliseconds(1_900)) { $0.senderID == t.iut.peerID }
    },
    .client(
      "BAB/CLIENT/LINK/BV-08-C", ["BAB 5.7.8", "BAB 8.1"], "A client whose window is over leaves nothing behind.",
      initial: "The client is seated; the host vanished, and is there again 30.1 s after the loss.",
      expects: ["no scan, no connection attempt and no timer, and no connection for 20 s"], needs: [.reconnect]
    ) { t, host in
      try t.preamble {
        let lost = try t.lose(host)
        try t.pause(until: lost + .milliseconds(30_100))
      }
      try t.requireNothingLeft()
      host.suffers(.appear, "is there again")
      try t.never("the IUT connects", for: .seconds(20)) { host.isConnected }
    },
    .client(
      "BAB/CLIENT/LINK/BV-09-C", ["BAB 5.7.8"], "A connection attempt that runs when the window is over is given up.",
      initial: "The client is seated; the host vanished, advertised once 25 s after the loss, and has vanished again.",
      expects: ["no connection attempt, scan or timer 30.1 s after the loss"], needs: [.reconnect]
    ) { t, host in
      try t.preamble {
        let lost = try t.lose(host)
        try t.pause(until: lost + .seconds(25))
        host.suffers(.appear, "is there again")
        try t.expect("the IUT asks for a connection") { !t.iut.openAttempts.isEmpty }
        host.suffers(.vanish, "vanishes before it can be connected to")
        try t.pause(until: lost + .milliseconds(29_900))
        try t.expect("the attempt still runs", within: .zero) { !t.iut.openAttempts.isEmpty }
        try t.pause(until: lost + .milliseconds(30_100))
      }
      try t.requireNothingLeft()
    },
    TestPurpose(
      "BAB/CLIENT/LINK/BV-10-C", ["BAB 5.7.7"], "A client finds its host by its local name at a new address.",
      initial: "The client is seated; its host vanishes, and advertises the same name with another address.",
      expects: ["CLIENT_JOIN on a link to the new address"], needs: [.reconnect], dialects: [.sdk, .app], testers: 2,
      arrange: { Catalog.namesFirst(&$0) }
    ) { t in
      let (old, new) = (t.hosts[0], t.hosts[1])
      let lost = try t.preamble {
        let lost = try t.lose(old)
        new.advertisedName = old.advertisedName
        new.peerID = old.peerID
        try t.pause(.seconds(1))
        return lost
      }
      new.host()
      // The whole window is its own: it may try the old address first (BAB 8.5).
      try new.expect(.clientJoin, "is the IUT's", within: lost + .seconds(30) - t.now) { $0.senderID == t.iut.peerID }
    },
    TestPurpose(
      "BAB/CLIENT/LINK/BV-11-C", ["BAB 5.7.7"], "A client that looks for its host joins no other one.",
      initial: "The client is seated; its host vanishes, and another host advertises.",
      expects: ["no connection to the other host for 15 s", "a connection to the old one when it is there again"],
      needs: [.reconnect], dialects: [.sdk, .app], testers: 2, arrange: { Catalog.namesFirst(&$0) }
    ) { t in
      let (own, other) = (t.hosts[0], t.hosts[1])
      try t.preamble {
        _ = try t.lose(own)
        own.forget()
      }
      other.host()
      try t.never("the IUT connects to the other host", for: .seconds(15)) { !other.links.isEmpty }
      own.suffers(.appear, "is there again")
      try own.expect(.clientJoin, within: .seconds(10))
    },
    .client(
      "BAB/CLIENT/LINK/BV-12-C", ["BAB 5.8.3"],
      "A client in phase FINISHED that loses its link does not look for the host.",
      initial: "The client was sent the final snapshot; its host ends the link and goes on advertising.",
      expects: ["no scan, no connection attempt and no link for 10 s"]
    ) { t, host in
      try t.preamble {
        try t.seat(host)
        host.tellStart()
        var state = SessionState()
        state.mode = .host
        state.localPeerID = host.peerID
        state.currentPhase = .finished
        host.send(.fullStateSnapshot(state), note: "\(host.name) sends the final snapshot")
        try host.flush(thenPause: .milliseconds(500))
        host.disconnect()
        _ = try t.ending(after: 0)
        try t.pause(.milliseconds(100))
      }
      try t.requireNoSearch(clause: "BAB 5.8.3")
      try t.never("the IUT looks for a host", for: .seconds(10)) { t.iut.isLooking || host.isConnected }
    },
    .client(
      "BAB/CLIENT/LINK/BV-13-C", ["BAB 5.7.9"],
      "A client that is sent a snapshot before its seat shows that it has resumed.",
      initial: "The client is seated in a game and loses its link.",
      expects: ["after HANDSHAKE, FULL_STATE_SNAPSHOT and LOBBY_UPDATE it shows that it has resumed"],
      needs: [.reconnect, .screen]
    ) { t, host in
      try t.preamble {
        try t.seat(host)
        host.tellStart()
        try host.flush()
        host.answersByItself = false
        host.forget()
        host.disconnect()
        try host.expect(.clientJoin, within: .seconds(10))
      }
      host.send(.handshake(host.participant))
      var state = SessionState()
      state.mode = .host
      state.localPeerID = host.peerID
      state.currentPhase = .active
      host.send(.fullStateSnapshot(state))
      host.tellLobby()
      try t.expect("the IUT shows that it has resumed") { t.iut.hasResumed }
    },
    .client(
      "BAB/CLIENT/LINK/BV-14-C", ["BAB 5.7.12"], "A client whose adapter was off goes on looking for its host.",
      initial: "The client is seated; its Bluetooth is switched off for 5 s.",
      expects: ["CLIENT_JOIN on a new link when it is on again"], needs: [.reconnect]
    ) { t, host in
      try t.preamble { try t.seat(host) }
      t.iut.suffers(.radioOff, "Bluetooth is switched off")
      try t.pause(.seconds(5))
      try t.require("the link has ended", actual: "it is up", !host.isConnected)
      host.forget()
      t.iut.suffers(.radioOn, "Bluetooth is on again")
      try host.expect(.clientJoin, "is the IUT's", within: .seconds(15)) { $0.senderID == t.iut.peerID }
    },
    .client(
      "BAB/CLIENT/LINK/BV-15-C", ["BAB 5.7.7"], "A client whose link fails ten times comes back ten times.",
      initial: "The client is seated.", expects: ["CLIENT_JOIN on a new link, ten times"], needs: [.reconnect]
    ) { t, host in
      try t.preamble { try t.seat(host) }
      for round in 0..<10 {
        try t.pause(.seconds(1))
        host.forget()
        host.disconnect()
        try t.preamble { _ = try t.ending(after: round) }
        try host.expect(.clientJoin, within: .seconds(15))
        try t.preamble { try host.flush() }
      }
    },
    .client(
      "BAB/CLIENT/LINK/BI-01-C", ["BAB 8.7"],
      "A connection that fails to be established is tried again after a back-off.",
      initial: "The host falls silent whenever the client connects, and advertises again 1 s later.",
      expects: ["each time 0.1 s to 1.7 s until the next scan or connection attempt"]
    ) { t, host in
      host.hostAndBeJoined()
      for round in 0..<5 {
        let failed = try t.preamble {
          try t.expect("the IUT is connected", within: .seconds(15)) { t.iut.connections > round }
          host.suffers(.vanish, "falls silent")
          let instant = try t.ending(after: round)
          let reason = t.iut.endings[round].reason
          try t.expect("the connection failed to be established", within: .zero) { reason.rawValue == 0x3E }
          return instant
        }
        host.suffers(.appear, "is there again")
        try t.expect("the IUT scans or connects again", within: .milliseconds(1_750)) {
          t.iut.attempt(after: failed) != nil
        }
        let gap = (t.iut.attempt(after: failed) ?? failed) - failed
        try t.require(
          "0.1 s to 1.7 s have passed", actual: BabBed.text(gap),
          gap >= .milliseconds(100) && gap <= .milliseconds(1_700))
      }
    },
  ]

  /// The hosts' names are in their advertising data, so that whoever finds one knows its name.
  private static func namesFirst(_ stage: inout Stage) {
    for index in stage.testers.indices { stage.testers[index].phone.advertising.namePlacement = .advertisingDataFirst }
  }

  /// The link ends for a reason while the client is seated; it must come back.
  private static func comesBack(
    _ number: String, _ what: String, reason: HCI.ErrorCode,
    _ action: @escaping @Sendable (BabBed, HostTester) throws -> Void
  ) -> TestPurpose {
    let code = "0x" + String(reason.rawValue, radix: 16)
    return TestPurpose(
      "BAB/CLIENT/LINK/\(number)", ["BAB 5.7.7"], "A client looks for its host after a link \(what) (\(code)) too.",
      initial: "The client is seated.", expects: ["HANDSHAKE and CLIENT_JOIN on a new link"], needs: [.reconnect]
    ) { t in
      let host = t.hosts[0]
      try t.preamble {
        try t.seat(host)
        try t.pause(.seconds(1))
      }
      host.forget()
      try action(t, host)
      try t.preamble {
        _ = try t.ending(after: 0)
        let actual = t.iut.endings[0].reason
        try t.expect("the reason is \(code)", within: .zero) { actual == reason }
      }
      try host.expect(.handshake, "is the IUT's", within: .seconds(15)) { $0.senderID == t.iut.peerID }
      try host.expect(.clientJoin)
    }
  }
}

extension BabBed {
  /// No scan, connection attempt or timer of the implementation is left.
  func requireNothingLeft() throws {
    try requireNoSearch()
    let timers = iut.openTimers
    try require("the IUT has no timer", actual: "it has \(timers.map(\.rawValue))", timers.isEmpty)
  }

  /// The implementation looks for no host; what it waits for otherwise says nothing.
  func requireNoSearch(clause: String? = nil) throws {
    try require("the IUT does not scan", clause: clause, actual: "it does", !iut.isScanning)
    let attempts = iut.openAttempts
    try require(
      "the IUT waits for no connection", clause: clause,
      actual: "it does: " + ShownText.list(attempts.map(\.description)), attempts.isEmpty)
  }
}

extension UpperTester {
  /// How many connections its platform has told.
  var connections: Int { inputs.count { if case .connected = $0.input { true } else { false } } }

  /// When it first asked to scan or to be connected after an instant.
  func attempt(after instant: SimInstant) -> SimInstant? {
    effects.first { entry in
      guard entry.instant >= instant else { return false }
      switch entry.effect {
      case .scan, .connect: return true
      default: return false
      }
    }?.instant
  }
}
