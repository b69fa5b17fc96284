import AppSeam
import BabSim
import Conformance
import SimKernel

/// AUTH, client: whom a client believes, and what it says of itself (BAB 7.5, 7.12, 1.2, 5.1.5, 8.9, 8.12).
extension Catalog {
  static let authClient: [TestPurpose] = authClientSelf + authClientHost + authClientReports + authClientLimits

  private static let authClientSelf: [TestPurpose] = [
    .client(
      "BAB/CLIENT/AUTH/BV-01-C", ["BAB 5.1.5", "BAB 1.5"],
      "A client's first packet on a link is HANDSHAKE, its second CLIENT_JOIN, both with its own id.",
      initial: "A host advertises.", expects: ["HANDSHAKE, isHost false, then CLIENT_JOIN, all ids the client's"]
    ) { t, host in
      host.hostAndBeJoined()
      try t.expect("two packets come", within: .seconds(10), cause: { host.missingStep }) { host.heard.count >= 2 }
      let id = t.iut.peerID
      let (first, second) = (host.heard[0], host.heard[1])
      var isFirstRight = false
      if case .handshake(let participant)? = first.packet?.payload {
        isFirstRight = participant.id == id && !participant.isHost && first.packet?.senderID == id
      }
      try t.require("the first is HANDSHAKE of its own id", actual: BabBed.excerpt(first), isFirstRight)
      var isSecondRight = false
      if case .clientJoin(let profile)? = second.packet?.payload {
        isSecondRight = profile.playerID == id && second.packet?.senderID == id
      }
      try t.require("the second is CLIENT_JOIN of its own id", actual: BabBed.excerpt(second), isSecondRight)
    },
    TestPurpose(
      "BAB/CLIENT/AUTH/BV-02-C", ["BAB 1.2", "BAB 1.1"],
      "A client neither advertises nor publishes, and has one link.",
      initial: "Two hosts advertise.", expects: ["one link, to one of the hosts, and no advertising"], testers: 2
    ) { t in
      try t.preamble {
        for host in t.hosts { host.host() }
        t.iut.user(.joinHost)
        try t.expect("a host has been asked for a seat", within: .seconds(10)) {
          t.hosts.contains { $0.hasSeated }
        }
      }
      try t.never("the client publishes, advertises, or has two links", for: .seconds(10)) {
        t.hosts.allSatisfy(\.isConnected)
          || t.iut.effects.contains {
            switch $0.effect {
            case .publish, .advertise, .notify: true
            default: false
            }
          }
      }
    },
  ]

  private static let authClientHost: [TestPurpose] = [
    ignored("BI-01-C", ["BAB 7.5"], "A LOBBY_UPDATE of another sender") { t, host in
      host.send(.lobbyUpdate(LobbyState(difficultyLevel: "hard")), as: "peer-other")
      host.send(.lobbyUpdate(LobbyState(difficultyLevel: "hard")), as: t.iut.peerID)
    },
    ignored("BI-02-C", ["BAB 7.5"], "The start of a game by another sender") { _, host in
      host.send(.startGame, as: "peer-other")
      host.send(.gameStarted, as: "peer-other")
    },
    ignored("BI-03-C", ["BAB 7.5"], "A snapshot of another sender") { _, host in
      var state = SessionState()
      state.currentPhase = .active
      state.committedHistory = [host.line("line-9", for: "peer-other", visibility: .committed)]
      host.send(.fullStateSnapshot(state), as: "peer-other")
    },
    ignored("BI-04-C", ["BAB 7.5"], "A HANDSHAKE of another who claims to be the host, and what it then says") {
      _, host in
      host.send(.handshake(Participant(id: "peer-other", name: "other", isHost: true)), as: "peer-other")
      host.send(.lobbyUpdate(LobbyState(difficultyLevel: "hard")), as: "peer-other")
    },
    ignored("BI-05-C", ["BAB 7.5"], "A HANDSHAKE that is not the host's") { _, host in
      host.send(.handshake(Participant(id: host.peerID, name: "not a host")))
      host.send(.handshake(Participant(id: "peer-other", name: "other", isHost: true)))
    },
    ignored("BI-06-C", ["BAB 7.12"], "CLIENT_JOIN") { _, host in
      host.send(.clientJoin(LobbyProfile(playerID: "peer-third", displayName: "third")))
    },
    ignored("BI-07-C", ["BAB 7.12"], "GENERATE_REQUEST") { _, host in host.send(.generateRequest(prompt: "a line")) },
  ]

  private static let authClientReports: [TestPurpose] = [
    reported("BI-08-C", "BAB 7.5", "A packet of another sender") { $0.send(.heartbeat, as: "peer-other") },
    reported("BI-09-C", "BAB 7.5", "A HANDSHAKE that is not the host's") {
      $0.send(.handshake(Participant(id: $0.peerID, name: "not a host")))
    },
    reported("BI-10-C", "BAB 7.12", "CLIENT_JOIN") {
      $0.send(.clientJoin(LobbyProfile(playerID: "peer-third", displayName: "third")))
    },
    reported("BI-11-C", "BAB 7.12", "GENERATE_REQUEST") { $0.send(.generateRequest(prompt: "a line")) },
    TestPurpose(
      "BAB/CLIENT/AUTH/BI-12-C", ["BAB 7.13"], "What is not a packet is reported as refused.",
      initial: "The client is seated.", expects: ["a refusal"], needs: [.refusals]
    ) { t in
      try t.preamble { try t.seat(t.hosts[0]) }
      let before = t.iut.refusals.count
      try t.ignores {
        t.hosts[0].transmit(Array("{\"type\":\"HEARTBEAT\",".utf8), note: "the host sends half a packet")
        try t.expect("a refusal is reported") { t.iut.refusals.count > before }
      }
    },
  ]

  private static let authClientLimits: [TestPurpose] = [
    .client(
      "BAB/CLIENT/AUTH/BV-03-C", ["BAB 8.12"],
      "A client keeps 64 private lines that are not yet committed.",
      initial: "A game is on; 64 private lines of the host have been announced.",
      expects: ["the oldest is committed with its text when the host says it was read"], needs: [.turns, .screen]
    ) { t, host in
      try announce(64, t)
      host.send(.lineCompleted(lineID: "line-1", result: read))
      try t.expect("line-1 is in the history, with its text") { hasCommitted("line-1", t) }
    },
    .client(
      "BAB/CLIENT/AUTH/BI-13-C", ["BAB 8.12"],
      "A client keeps no more than 64 private lines that are not yet committed.",
      initial: "A game is on; 65 private lines of the host have been announced.",
      expects: ["the second is committed with its text", "the first is not, or without its text"],
      needs: [.turns, .screen]
    ) { t, host in
      try announce(65, t)
      host.send(.lineCompleted(lineID: "line-1", result: read))
      host.send(.lineCompleted(lineID: "line-2", result: read))
      try t.expect("line-2 is in the history, with its text") { hasCommitted("line-2", t) }
      try t.require("line-1 is not there with its text", !hasCommitted("line-1", t))
    },
    .client(
      "BAB/CLIENT/AUTH/BI-14-C", ["BAB 8.9"],
      "A link for which more than 4 096 packets wait is ended, and not before.",
      initial: "A game is on; it is the client's turn.",
      expects: ["the link is up when 4 000 packets wait", "it is ended when more than 4 096 do"],
      needs: [.roles, .turns, .generate]
    ) { t, host in
      try t.preamble { try BabBed.clientGameTalk(t) }
      func ask(_ count: Int) {
        guard t.gives("the client's user asks for another line, \(count) times") else { return }
        for _ in 1...count { t.world.act(.generate(prompt: "another"), device: t.iut.index) }
      }
      // Who sends none has none that wait.
      ask(1)
      try t.preamble { try host.expect(.generateRequest) }
      ask(4_000)
      try host.expectConnected()
      ask(200)
      try host.expectDisconnected()
    },
  ]

  private static let read = PronunciationResult(
    errorCount: 0, accuracy: 1, wordErrors: [], skipped: false, duration: 1_000)

  /// A game is on, and private lines of the host have come with their texts.
  private static func announce(_ count: Int, _ t: BabBed) throws {
    let host = t.hosts[0]
    try t.preamble {
      host.lobby.selectedScenarioID = "coffee-shop"
      try t.seat(t.hosts[0])
      host.send(.gameStarted)
      for number in 1...count {
        host.send(.dialogLineAdded(host.line("line-\(number)", for: host.peerID, text: "Text \(number)")))
      }
      try host.flush(within: .seconds(60))
      try t.pause(.seconds(1))
    }
  }

  private static func hasCommitted(_ id: String, _ t: BabBed) -> Bool {
    t.iut.seeks("committed")
    return t.iut.babReports.contains {
      if case .committed(_, id, let text) = $0.report { text == "Text " + id.dropFirst(5) } else { false }
    }
  }

  /// What must be without any effect: nothing is sent, nothing that is shown changes, and the host is still heard.
  private static func ignored(
    _ number: String, _ clauses: [String], _ what: String,
    _ offend: @escaping @Sendable (BabBed, HostTester) -> Void
  ) -> TestPurpose {
    .client(
      "BAB/CLIENT/AUTH/" + number, clauses, what + " is ignored.", initial: "The client is seated.",
      expects: ["nothing is sent, nothing that is shown changes", "the host's next LOBBY_UPDATE is shown"],
      needs: [.screen]
    ) { t, host in
      try t.preamble { try t.seat(t.hosts[0]) }
      host.forget()
      try t.ignores {
        offend(t, host)
        try host.flush()
        try t.never("the client sends anything") { host.news.contains { $0.type != .heartbeat } }
      }
      host.tellChange()
      try host.expectChangeShown()
    }
  }

  private static func reported(
    _ number: String, _ clause: String, _ what: String, _ offend: @escaping @Sendable (HostTester) -> Void
  ) -> TestPurpose {
    TestPurpose(
      "BAB/CLIENT/AUTH/" + number, [clause], what + " is reported as a violation.", initial: "The client is seated.",
      expects: ["a violation"], needs: [.refusals]
    ) { t in
      try t.preamble { try t.seat(t.hosts[0]) }
      let before = t.iut.violations.count
      try t.ignores {
        offend(t.hosts[0])
        try t.expect("a violation is reported") { t.iut.violations.count > before }
      }
    }
  }
}
