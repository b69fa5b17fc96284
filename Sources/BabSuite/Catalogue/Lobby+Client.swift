import AppSeam
import BabOracles
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// LOBBY, client: joining, leaving and the lobby it shows (BAB 1.3, 5.1.5, 5.1.13 to 5.1.15, 5.2.2, 5.2.5, 8.8, 8.10).
extension Catalog {
  static let lobbyClient: [TestPurpose] = [
    .client(
      "BAB/CLIENT/LOBBY/BV-01-C", ["BAB 5.1.5"],
      "A client's first packet on a link is HANDSHAKE, its second CLIENT_JOIN, both with its own id.",
      initial: "The host advertises.",
      expects: ["HANDSHAKE of the client, not as a host; then CLIENT_JOIN of the client; nothing between"]
    ) { t, host in
      try t.preamble {
        host.hostAndBeJoined()
        try t.expect("the IUT connects and subscribes", within: .seconds(10)) { host.link?.isSubscribed ?? false }
      }
      try t.expect("two packets come", cause: { host.missingStep }) { host.heard.count >= 2 }
      let (first, second) = (host.heard[0], host.heard[1])
      try t.require(
        "the first packet is HANDSHAKE of \(t.iut.peerID), isHost false", record: first.record,
        actual: String(decoding: first.octets.prefix(300), as: UTF8.self), isOwnHandshake(first.packet, t.iut.peerID))
      try t.require(
        "the second packet is CLIENT_JOIN of \(t.iut.peerID)", record: second.record,
        actual: String(decoding: second.octets.prefix(300), as: UTF8.self), isOwnJoin(second.packet, t.iut.peerID))
    },
    .client(
      "BAB/CLIENT/LOBBY/BV-02-C", ["BAB 5.1.13"],
      "A client shows CONNECTING until the first LOBBY_UPDATE lists it, and CONNECTED then.",
      initial: "The client has sent CLIENT_JOIN; the host has answered the HANDSHAKE and tells no lobby yet.",
      expects: ["CONNECTING for 3 s without a LOBBY_UPDATE; CONNECTED with one that lists it"], needs: [.screen]
    ) { t, host in
      try t.preamble { try t.leaveIUTUnseated() }
      try t.never(
        "the IUT shows another state than CONNECTING", for: .seconds(3), actual: { "\(t.iut.linkState ?? "none")" }
      ) { t.iut.linkState.map { $0 != "CONNECTING" } ?? false }
      host.lobby.connectedPlayers.append(LobbyProfile(playerID: t.iut.peerID, displayName: "iut"))
      host.tellLobby()
      try t.expect("the IUT shows CONNECTED", actual: { "\(t.iut.linkState ?? "none")" }) {
        t.iut.linkState == "CONNECTED"
      }
    },
    TestPurpose(
      "BAB/CLIENT/LOBBY/BV-03-C", ["BAB 5.1.13"],
      "A client is not CONNECTED by a LOBBY_UPDATE that does not list it.",
      initial: "The client has sent CLIENT_JOIN; the host has answered the HANDSHAKE.",
      expects: ["CONNECTING after a LOBBY_UPDATE with the host only, CONNECTED after one that lists it"],
      needs: [.screen]
    ) { t in
      try t.preamble { try t.leaveIUTUnseated() }
      t.hosts[0].tellLobby()
      try t.never(
        "the IUT shows another state than CONNECTING", for: .seconds(3), actual: { "\(t.iut.linkState ?? "none")" }
      ) { t.iut.linkState.map { $0 != "CONNECTING" } ?? false }
      t.hosts[0].lobby.connectedPlayers.append(LobbyProfile(playerID: t.iut.peerID, displayName: "iut"))
      t.hosts[0].tellLobby()
      try t.expect("the IUT shows CONNECTED", actual: { "\(t.iut.linkState ?? "none")" }) {
        t.iut.linkState == "CONNECTED"
      }
    },
    .client(
      "BAB/CLIENT/LOBBY/BV-04-C", ["BAB 5.1.14"],
      "A client that leaves ends its link, without a packet, and does not come back.",
      initial: "The client is seated; the host advertises.",
      expects: ["its link is ended cleanly; no packet comes, and no connection for 35 s"]
    ) { t, host in
      try t.preamble {
        try t.seatWith()
        host.advertiseAgain()
      }
      let links = host.links.count
      t.iut.user(.leave)
      try host.expectDisconnected(reasons: [.remoteUserTerminatedConnection])
      try t.never("the IUT sends a packet or connects again", for: .seconds(35)) {
        !host.news.isEmpty || host.links.count > links
      }
    },
    .client(
      "BAB/CLIENT/LOBBY/BV-05-C", ["BAB 5.1.14"],
      "A client can leave before it has a seat.",
      initial: "The client has sent CLIENT_JOIN and is not listed; the host advertises.",
      expects: ["its link is ended cleanly; no connection for 35 s"]
    ) { t, host in
      try t.preamble {
        try t.leaveIUTUnseated()
        host.advertiseAgain()
      }
      let links = host.links.count
      t.iut.user(.leave)
      try host.expectDisconnected(reasons: [.remoteUserTerminatedConnection])
      try t.never("the IUT connects again", for: .seconds(35)) { host.links.count > links }
    },
    .client(
      "BAB/CLIENT/LOBBY/BV-06-C", ["BAB 5.2.5", "BAB 1.3"],
      "A client shows the lobby as the host tells it, after every change.",
      initial: "The client is seated.",
      expects: ["scenario, difficulty and players, in the host's order, of each of three LOBBY_UPDATEs"],
      needs: [.screen]
    ) { t, host in
      try t.preamble { try t.seatWith() }
      let iut = LobbyProfile(playerID: t.iut.peerID, displayName: "iut")
      let first = LobbyProfile(playerID: host.peerID, displayName: host.displayName)
      let others = ["peer-z", "peer-a"].map { LobbyProfile(playerID: $0, displayName: $0) }
      let lobbies = [
        LobbyState(selectedScenarioID: "the-heist", difficultyLevel: "normal", connectedPlayers: [first, iut]),
        LobbyState(
          selectedScenarioID: "the-heist", difficultyLevel: "hard", connectedPlayers: [first, others[0], iut]),
        LobbyState(
          selectedScenarioID: "first-date", difficultyLevel: "easy", connectedPlayers: [first] + others + [iut]),
      ]
      for lobby in lobbies {
        host.lobby = lobby
        host.tellLobby()
        let view = lobby.view
        try t.expect(
          "the IUT shows \(view.scenarioID), \(view.difficulty), \(view.players)", actual: { t.iut.lobbyInWords }
        ) { t.iut.lobby == view }
      }
    },
    .client(
      "BAB/CLIENT/LOBBY/BV-07-C", ["BAB 8.8"],
      "A client goes on without HEARTBEATs, and sends none unless one is configured.",
      initial: "The client is seated; no heartbeat is configured, and the host sends nothing.",
      expects: ["for two minutes its link is not ended and no HEARTBEAT comes"]
    ) { t, host in
      try t.preamble { try t.seatWith() }
      try t.never("the IUT ends its link or sends HEARTBEAT", for: .seconds(120)) {
        !host.isConnected || !host.news(.heartbeat).isEmpty
      }
    },
    .client(
      "BAB/CLIENT/LOBBY/BV-08-C", ["BAB 8.8"],
      "A client sends HEARTBEATs as configured.",
      initial: "A heartbeat of 2 s is configured; the client is seated.",
      expects: ["in 20 s the host is sent 9 to 11 of them"], needs: [.heartbeat],
      arrange: { $0.scenario.game.heartbeat = .seconds(2) }
    ) { t, host in
      try t.preamble { try t.seatWith() }
      try t.pause(.seconds(20))
      let count = host.news(.heartbeat).count
      try t.require("the host was sent 9 to 11 HEARTBEATs", actual: "\(count)", (9...11).contains(count))
    },
    .client(
      "BAB/CLIENT/LOBBY/BI-01-C", ["BAB 5.1.15", "BAB 8.10"],
      "A client that is refused three times before it has a seat ends the session.",
      initial: "The host ends every link cleanly as soon as CLIENT_JOIN has come, and advertises again.",
      expects: ["the client comes three times, and no more for two minutes"]
    ) { t, host in
      host.answersByItself = false
      host.hostAndBeJoined()
      for time in 1...3 { try t.refuseIUT(time) }
      try t.never("the IUT connects for the fourth time", for: .seconds(120)) { host.links.count > 3 }
    },
    .client(
      "BAB/CLIENT/LOBBY/BI-02-C", ["BAB 5.1.15"],
      "A client shows the end of the session once it has been refused three times.",
      initial: "The host ends every link cleanly as soon as CLIENT_JOIN has come, and advertises again.",
      expects: ["no end after the second refusal; the end and DISCONNECTED after the third"], needs: [.screen]
    ) { t, host in
      host.answersByItself = false
      host.hostAndBeJoined()
      for time in 1...2 { try t.refuseIUT(time) }
      try t.require("the session is not over", actual: t.iut.ending ?? "", t.iut.ending == nil)
      try t.refuseIUT(3)
      try t.expect("the IUT shows the end of the session") { t.iut.ending != nil }
      try t.expect("the IUT shows DISCONNECTED", actual: { t.iut.linkState ?? "none" }) {
        t.iut.linkState == "DISCONNECTED"
      }
    },
    .client(
      "BAB/CLIENT/LOBBY/BI-03-C", ["BAB 5.1.15", "BAB 8.10"],
      "A client that is refused twice comes again, and takes the seat it is then given.",
      initial: "The host ends two links cleanly as soon as CLIENT_JOIN has come; the third time it is kind.",
      expects: ["the client's third link stays, and it has its seat"]
    ) { t, host in
      host.answersByItself = false
      host.hostAndBeJoined()
      for time in 1...2 { try t.refuseIUT(time) }
      host.answersByItself = true
      host.forget()
      try host.expect(.clientJoin, within: .seconds(20))
      try host.expectConnected(for: .seconds(20))
    },
    .client(
      "BAB/CLIENT/LOBBY/BI-04-C", ["BAB 5.2.2"],
      "A client's user cannot change scenario or difficulty.",
      initial: "The client is seated; the scenario is coffee-shop, the difficulty normal.",
      expects: ["its user's wish sends no LOBBY_UPDATE, and changes nothing that it shows"], needs: [.screen]
    ) { t, host in
      try t.preamble {
        try t.seatWith()
        try t.expect("the IUT shows coffee-shop") { t.iut.lobby?.scenarioID == "coffee-shop" }
      }
      try t.ignores {
        t.iut.user(.setLobbyScenario("the-heist"))
        t.iut.user(.setLobbyDifficulty("hard"))
        try host.expectNone(of: [.lobbyUpdate])
      }
      host.lobby.difficultyLevel = "easy"
      host.tellLobby()
      try t.expect("the IUT shows easy, as the host says", clause: "BAB 5.2.5") { t.iut.lobby?.difficulty == "easy" }
    },
  ]

  private static func isOwnHandshake(_ packet: BabPacket?, _ id: String) -> Bool {
    guard let packet, case .handshake(let participant) = packet.payload else { return false }
    return packet.senderID == id && participant.id == id && !participant.isHost
  }

  private static func isOwnJoin(_ packet: BabPacket?, _ id: String) -> Bool {
    guard let packet, case .clientJoin(let profile) = packet.payload else { return false }
    return packet.senderID == id && profile.playerID == id
  }
}

extension HostTester {
  /// Asks its platform once more to advertise, as a host must after every connection.
  fileprivate func advertiseAgain() {
    ask(.advertise(AdvertisementRequest(localName: advertisedName, serviceUUIDs: advertisedUUIDs)))
  }
}

extension BabBed {
  /// The client under test has shaken hands with the host, who has not told it any lobby.
  fileprivate func leaveIUTUnseated() throws {
    let host = hosts[0]
    host.answersByItself = false
    host.host()
    iut.user(.joinHost)
    try host.expect(.clientJoin, within: .seconds(10))
    host.send(.handshake(host.participant))
    try settleAfresh()
  }

  /// The client under test has come for the n-th time and is sent away before it has a seat.
  fileprivate func refuseIUT(_ time: Int) throws {
    let host = hosts[0]
    try expect(
      "the IUT asks for a seat, time \(time)", within: .seconds(20), cause: { host.missingAtAll(.clientJoin) }
    ) {
      host.links.count == time && host.heard.filter { $0.type == .clientJoin }.count == time
    }
    host.disconnect()
    try expect("its link is ended", within: .seconds(2)) { !host.isConnected }
    host.advertiseAgain()
  }
}
