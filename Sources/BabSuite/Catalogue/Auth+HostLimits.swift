import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// AUTH, host: what is reported, and what a peer that does not keep up costs (BAB 7, 7.13, 8.9).
extension Catalog {
  static let authHostLimits: [TestPurpose] = [
    reported("BI-23-C", "BAB 7.1", "A host-only packet from a client") { client in
      client.send(client.bed.has(.startGame) ? .startGame : .gameStarted)
    },
    reported("BI-24-C", "BAB 7.2", "A packet in another's name") { $0.send(.heartbeat, as: "peer-nobody") },
    reported("BI-25-C", "BAB 7.4", "A second HANDSHAKE with another id") {
      $0.send(.handshake(Participant(id: "peer-other", name: "other")), as: "peer-other")
    },
    reported("BI-26-C", "BAB 7.6", "A packet before HANDSHAKE", upTo: .subscribed) { $0.askForSeat() },
    reported("BI-27-C", "BAB 7.7", "Acting for another", upTo: .greeted) {
      $0.send(.clientJoin(LobbyProfile(playerID: "peer-friend", displayName: "friend")))
    },
    reported("BI-28-C", "BAB 7.10", "A HANDSHAKE that claims to be the host", upTo: .subscribed) {
      $0.send(.handshake(Participant(id: $0.peerID, name: $0.name, isHost: true)))
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-29-C", ["BAB 7.9"], "The id of a peer on another link is reported as a violation.",
      initial: "client-1 is seated, client-2 has subscribed.", expects: ["a violation"], needs: [.refusals], testers: 2
    ) { t, first, second in
      try t.preamble { try t.seat(first, andBring: second, upTo: .subscribed) }
      let before = t.iut.violations.count
      second.peerID = first.peerID
      try t.ignores {
        second.greet()
        try t.expect("a violation is reported") { t.iut.violations.count > before }
      }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-30-C", ["BAB 7.3", "BAB 7.11"],
      "Another's line, and an impossible result, are reported as violations.",
      initial: "A game with client-1 is on; it is the host's turn.", expects: ["a violation each"],
      needs: [.roles, .turns, .refusals]
    ) { t, client in
      try t.preamble { try BabBed.hostGameTalk(t) }
      let before = t.iut.violations.count
      try t.ignores {
        client.complete(client.turn?.line?.id ?? "")
        try t.expect("a violation is reported", clause: "BAB 7.3") { t.iut.violations.count > before }
      }
      try t.preamble { try hostReads(t) }
      let reported = t.iut.violations.count
      try t.ignores(clause: "BAB 7.11") {
        client.complete(client.turn?.line?.id ?? "", accuracy: 2)
        try t.expect("another violation is reported", clause: "BAB 7.11") { t.iut.violations.count > reported }
      }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-31-C", ["BAB 7.13"], "What is not a packet is reported as refused.",
      initial: "client-1 is seated.", expects: ["a refusal"], needs: [.refusals]
    ) { t, client in
      try t.preamble { try seatEverybody(t) }
      let before = t.iut.refusals.count
      try t.ignores {
        client.transmit(Array("{\"type\":\"HEARTBEAT\",".utf8), note: "client-1 sends half a packet")
        try t.expect("a refusal is reported") { t.iut.refusals.count > before }
      }
    },
    TestPurpose(
      "BAB/HOST/AUTH/BI-32-C", ["BAB 8.9"],
      "A link for which more than 4 096 packets wait is ended, and not before.",
      initial: "client-1 is seated and has not subscribed, so everything waits; the host has a role.",
      expects: ["the link is up when 4 000 packets wait", "it is ended when more than 4 096 do"],
      needs: [.roles, .endsLinks],
      testers: 2
    ) { t, first, second in
      try t.preamble {
        t.iut.user(.startHosting)
        try second.join()
        first.subscribesTo = []
        try first.join(upTo: .greeted)
        first.askForSeat()
        try second.expect(.lobbyUpdate, "lists client-1") { $0.lists(first.peerID) }
        t.iut.user(.setLobbyScenario("coffee-shop"))
        t.iut.user(.requestRole("barista"))
        try second.expect(.roleAssigned)
        second.disconnect()
        try t.pause(.seconds(1))
      }
      func toggle(_ count: Int) {
        guard t.gives("the host's user is ready and not ready, \(count) times in all") else { return }
        for number in 1...count { t.world.act(.setReady(number % 2 == 1), device: t.iut.index) }
      }
      toggle(4_000)
      try first.expectConnected()
      toggle(200)
      try first.expectDisconnected()
    },
  ]

  /// What a client does is reported as a violation.
  private static func reported(
    _ number: String, _ clause: String, _ what: String, upTo stage: ClientTester.Stage = .joined,
    _ offend: @escaping @Sendable (ClientTester) -> Void
  ) -> TestPurpose {
    TestPurpose(
      "BAB/HOST/AUTH/" + number, [clause], what + " is reported as a violation.", initial: "client-1 is \(stage).",
      expects: ["a violation"], needs: [.refusals]
    ) { t, client in
      try t.preamble {
        t.iut.user(.startHosting)
        try client.join(upTo: stage)
        try client.flush(thenPause: .milliseconds(500))
      }
      let before = t.iut.violations.count
      try t.ignores {
        offend(client)
        try t.expect("a violation is reported") { t.iut.violations.count > before }
      }
    }
  }
}
