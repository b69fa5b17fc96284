import AppSeam
import BabOracles
import BabSim
import Conformance
import Judging
import SimKernel

/// Sessions in which much is said, for purposes that judge how it is written (BAB 4.A).
extension BabBed {
  typealias Talk = (BabBed) throws -> Void

  /// Every text the lower testers put together, packets or not, in order of arrival.
  var texts: [Heard] {
    let all = clients.flatMap(\.heard) + hosts.flatMap(\.heard)
    let texts = all.enumerated().filter { $0.element.packet != nil || $0.element.isUnreadable }
    return texts.sorted { ($0.element.record, $0.offset) < ($1.element.record, $1.offset) }.map(\.element)
  }

  /// Lets a session run and judges every text in it, also when what is written made the session stop halfway.
  ///
  /// - Parameter clauses: those that are judged; nil for all of section 4.A.
  /// - Parameter types: kinds of which at least one must come; only they are judged. None: all texts, of any kind.
  func judgeForm(_ clauses: [String]?, of types: [PacketType] = [], after talk: Talk) throws {
    let stop = try listen(talk)
    let what = types.isEmpty ? "every packet" : "every " + types.map(\.rawValue).joined(separator: ", ")
    let form = what + " is written as " + (clauses.map { $0.joined(separator: ", ") } ?? "BAB 4.1 to 4.16") + " asks"
    for type in types { uses(type) }
    for item in texts where !item.isAssumed {
      let type = WireForm.type(of: item.octets)
      guard types.isEmpty || type.map(types.contains) ?? false else { continue }
      for fault in WireForm.faults(item.octets) where clauses?.contains(fault.clause) ?? true {
        throw failed(form, "\(fault.what), in \(BabBed.excerpt(item))", record: item.record, clause: fault.clause)
      }
    }
    if let stop { throw stop }
    let judged = texts.filter { !$0.isAssumed }.compactMap { WireForm.type(of: $0.octets) }
    for type in types where !judged.contains(type) {
      throw blocked("\(type.rawValue) comes", cause: testers.first?.lacking(type))
    }
    try need("a packet to judge", actual: "none came", cause: testers.first?.missing(.handshake), !judged.isEmpty)
    passed(form)
  }

  /// Runs a session as an initial condition; what stopped it is handed back, for a judgement that comes first.
  func listen(_ talk: Talk) throws -> TestStop? {
    do {
      try preamble { try talk(self) }
      return nil
    } catch let stop as TestStop where stop.verdict == .inconclusive {
      return stop
    }
  }

  static func excerpt(_ item: Heard) -> String { String(decoding: item.octets.prefix(600), as: UTF8.self) }

  /// Characters that writers get wrong: quotes, controls, a slash, U+007F, line separators, beyond U+FFFF, and a letter
  /// that is not composed.
  static let oddText = "Zoë \"Q\" \\ / \u{8}\t\n\u{C}\r\u{1}\u{1F}\u{7F}\u{2028}😀e\u{301}"
}

extension Heard {
  /// A whole text came, and it is no packet.
  var isUnreadable: Bool { problem?.hasPrefix("not a packet") ?? false }
}

/// What is said with a host under test.
extension BabBed {
  /// Two clients join, the second with an odd name; scenario and difficulty change.
  static func hostLobbyTalk(_ t: BabBed) throws {
    let (first, second) = (t.clients[0], t.clients[1])
    t.iut.user(.startHosting)
    try first.join()
    t.iut.user(.setLobbyScenario("coffee-shop"))
    t.iut.user(.setLobbyDifficulty("hard"))
    guard t.has(.lobbyUpdate) else { return try second.join() }
    try first.expectLobby("has the difficulty hard") { lobby in
      lobby.difficultyLevel == "hard"
    }
    try second.join(upTo: .greeted)
    second.send(.clientJoin(LobbyProfile(playerID: second.peerID, displayName: oddText)))
    try t.expect("the lobby lists all three") { first.lobbyIDs.count == 3 && second.lobbyIDs.count == 3 }
  }

  /// A game with roles, the host's turn.
  static func hostGameTalk(_ t: BabBed) throws { try hostGameTalk(t, before: {}) }

  /// - Parameter before: what is done before client-1 joins.
  static func hostGameTalk(_ t: BabBed, before: () throws -> Void) throws {
    let client = t.clients[0]
    t.iut.user(.startHosting)
    try before()
    try client.join()
    t.iut.user(.setLobbyScenario("coffee-shop"))
    if t.has(.lobbyUpdate) {
      try client.expectLobby("names the scenario") { lobby in
        lobby.selectedScenarioID == "coffee-shop"
      }
    }
    client.askForRole("customer")
    try client.expect(.roleAssigned)
    t.iut.user(.requestRole("barista"))
    client.setReady()
    t.iut.user(.setReady(true))
    try t.expectTold("both are ready", by: [.playerReady]) { client.news(.playerReady).count >= 2 }
    t.iut.user(.startMultiplayerGame)
    try client.expect(.gameStarted)
    try t.expectTold("it is the host's turn", by: [.turnAdvanced]) { client.turn?.player == t.iut.peerID }
  }

  /// The host reads a line, the client reads one, the host skips one.
  static func hostLineTalk(_ t: BabBed) throws {
    try hostGameTalk(t)
    let client = t.clients[0]
    t.iut.user(.completeLine(accuracyPermille: 850, errorCount: 2, durationMilliseconds: 2_345))
    try t.expectTold("it is the client's turn", by: [.turnAdvanced]) { client.turn?.player == client.peerID }
    guard let line = client.turn?.line else { throw t.inconclusive("the client's turn has no line") }
    let errors = [
      WordError(word: "tea", position: 0, expected: "tea", heard: nil),
      WordError(word: BabBed.oddText, position: 12, expected: nil, heard: "th\u{E9}"),
    ]
    let result = PronunciationResult(
      errorCount: 2, accuracy: 1 / 3, wordErrors: errors, skipped: false, duration: 1_234)
    client.send(.lineCompleted(lineID: line.id, result: result))
    try t.expectTold("it is the host's turn", by: [.turnAdvanced]) { client.turn?.player == t.iut.peerID }
    t.iut.user(.skipLine)
    try t.expectTold("it is the client's turn", by: [.turnAdvanced]) { client.turn?.player == client.peerID }
  }

  /// As `hostLineTalk`, then the game is ended.
  static func hostEndTalk(_ t: BabBed) throws {
    try hostLineTalk(t)
    t.iut.user(.endGame)
    try t.clients[0].expect(.fullStateSnapshot)
  }

  /// A vote to change the scene that passes.
  static func hostVoteTalk(_ t: BabBed) throws {
    try hostGameTalk(t)
    let client = t.clients[0]
    client.send(.voteRequest(proposerID: client.peerID, action: .changeScene))
    try client.expect(.voteRequest)
    t.iut.user(.castVote(true))
    try client.expect(.voteCast)
    try client.expect(.navigationSync)
  }

  /// A client leaves in the middle of a game and comes back.
  static func hostReturnTalk(_ t: BabBed) throws {
    try hostLineTalk(t)
    let client = t.clients[0]
    client.disconnect()
    try t.expect("the link is down") { !client.isConnected }
    try t.pause(.seconds(1))
    try client.join()
    try client.expect(.fullStateSnapshot)
  }
}

/// What is said with a client under test.
extension BabBed {
  /// The client has its seat, and knows the scenario.
  static func clientLobbyTalk(_ t: BabBed) throws {
    let host = t.hosts[0]
    host.lobby.selectedScenarioID = "coffee-shop"
    try host.seatIUT()
    try t.pause(.milliseconds(500))
  }

  /// It asks for a role and is ready.
  static func clientRoleTalk(_ t: BabBed) throws {
    try clientLobbyTalk(t)
    let host = t.hosts[0]
    t.iut.user(.requestRole("customer"))
    try host.expect(.roleAssigned)
    host.send(.roleAssigned(playerID: t.iut.peerID, roleID: "customer"))
    host.send(.roleAssigned(playerID: host.peerID, roleID: "barista"))
    try t.pause(.milliseconds(500))
    t.iut.user(.setReady(true))
    try host.expect(.playerReady)
    host.send(.playerReady(playerID: t.iut.peerID, isReady: true))
    host.send(.playerReady(playerID: host.peerID, isReady: true))
  }

  /// A game is on, and it is the client's turn.
  static func clientGameTalk(_ t: BabBed) throws {
    try clientRoleTalk(t)
    let host = t.hosts[0]
    host.send(.gameStarted)
    host.send(.turnAdvanced(nextPlayerID: t.iut.peerID, pendingLine: host.line("line-1", for: t.iut.peerID)))
    try t.pause(.milliseconds(500))
  }

  /// It reads two lines, and skips one.
  static func clientLineTalk(_ t: BabBed) throws {
    try clientGameTalk(t)
    let host = t.hosts[0]
    t.iut.user(.completeLine(accuracyPermille: 850, errorCount: 2, durationMilliseconds: 2_345))
    try host.expect(.lineCompleted)
    host.forget()
    host.send(.turnAdvanced(nextPlayerID: t.iut.peerID, pendingLine: host.line("line-2", for: t.iut.peerID)))
    try t.pause(.milliseconds(500))
    t.iut.user(.completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 1_000))
    try host.expect(.lineCompleted)
    host.send(.turnAdvanced(nextPlayerID: t.iut.peerID, pendingLine: host.line("line-3", for: t.iut.peerID)))
    try t.pause(.milliseconds(500))
    t.iut.user(.skipLine)
    try host.expect(.lineSkipped)
  }

  /// It proposes a vote, and votes in another.
  static func clientVoteTalk(_ t: BabBed) throws {
    try clientGameTalk(t)
    let host = t.hosts[0]
    t.iut.user(.proposeVote("CHANGE_SCENE"))
    try host.expect(.voteRequest)
    host.send(.voteRequest(proposerID: host.peerID, action: .skipLine))
    try t.pause(.milliseconds(500))
    t.iut.user(.castVote(true))
    try host.expect(.voteCast)
  }
}
