package import BabSim
package import SimKernel

/// Draws packets of every kind from a seed.
package struct PacketGenerator {
  private var stream: RandomStream

  package init(seed: UInt64) { stream = RandomStream(seed: seed, component: "test/wire", purpose: "packets") }

  package init(_ stream: RandomStream) { self.stream = stream }

  package mutating func below(_ bound: Int) -> Int { Int(stream.below(UInt64(bound))) }
  package mutating func octets(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
  }
  package mutating func flag() -> Bool { below(2) == 0 }
  package mutating func int64() -> Int64 {
    switch below(4) {
    case 0: Int64(below(10))
    case 1: Int64(bitPattern: stream.next())
    case 2: [Int64.min, Int64.max, 0, -1, 10, 99, 100, 999_999_999_999_999_999, 1_000_000_000_000_000_000][below(9)]
    default: Int64(below(2_000_000_000)) * 1_000
    }
  }
  package mutating func int32() -> Int32 { flag() ? Int32(below(100)) : Int32(truncatingIfNeeded: int64()) }
  package mutating func float() -> Float {
    if flag() { return Accuracy.float(permille: below(1_001)) }
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: stream.next()))
    return value.isFinite ? value : 0
  }
  package mutating func text() -> String {
    let alphabet: [Unicode.Scalar] = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\r", "\t", "\u{0}", "\u{8}", "\u{C}", "\u{1F}", "\u{7F}", "é", "ñ",
      "\u{2028}", "\u{FFFD}", "😀", "\u{10FFFF}", "\u{301}", "{", "}", ",", ":", "n", "u", "l", "'",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<below(24) { text.append(alphabet[below(alphabet.count)]) }
    return String(text)
  }
  package mutating func optional<Value>(_ draw: (inout Self) -> Value) -> Value? { flag() ? draw(&self) : nil }
  package mutating func list<Value>(_ draw: (inout Self) -> Value) -> [Value] {
    (0..<below(4)).map { _ in draw(&self) }
  }
  package mutating func map<Value>(_ draw: (inout Self) -> Value) -> OrderedMap<Value> {
    OrderedMap((0..<below(4)).map { index in ("\(index)" + text(), draw(&self)) })
  }
  package mutating func value(_ depth: Int = 0) -> JSONValue {
    switch below(depth > 3 ? 3 : 5) {
    case 0: .null
    case 1: .literal(["true", "false", "0", "-1.50", "1e400", "12345678901234567890"][below(6)])
    case 2: .string(text())
    case 3: .array(list { $0.value(depth + 1) })
    default: .object(map { $0.value(depth + 1) })
    }
  }

  package mutating func role() -> Role { Role(id: text(), name: text(), description: text()) }
  package mutating func participant() -> Participant {
    Participant(id: text(), name: text(), role: optional { $0.role() }, isHost: flag())
  }
  package mutating func result() -> PronunciationResult {
    PronunciationResult(
      errorCount: int32(), accuracy: float(),
      wordErrors: list {
        WordError(
          word: $0.text(), position: $0.int32(), expected: $0.optional { $0.text() }, heard: $0.optional { $0.text() })
      }, skipped: flag(), duration: int64())
  }
  package mutating func line() -> DialogLine {
    DialogLine(
      id: text(), speakerID: text(), roleName: text(), textNative: text(), textTranslated: text(), timestamp: int64(),
      assignedToPlayerID: text(), visibility: flag() ? .isPrivate : .committed,
      pronunciationResult: optional { $0.result() })
  }
  package mutating func ranking() -> Ranking {
    Ranking(
      rank: int32(), playerID: text(), displayName: text(), score: int32(), highlight: optional { $0.text() })
  }
  package mutating func leaderboard() -> Leaderboard {
    Leaderboard(rankings: list { $0.ranking() }, updatedAt: int64())
  }
  package mutating func profile() -> LobbyProfile { LobbyProfile(playerID: text(), displayName: text()) }
  package mutating func clock() -> VectorClock { VectorClock(map { $0.int64() }) }
  package mutating func one<Value: CaseIterable>(of type: Value.Type) -> Value {
    let all = Array(Value.allCases)
    return all[below(all.count)]
  }

  package mutating func state() -> SessionState {
    var state = SessionState()
    state.mode = one(of: SessionMode.self)
    state.connectionStatus = one(of: ConnectionStatus.self)
    state.peers = list { $0.participant() }
    state.localPeerID = text()
    state.scenario = optional {
      GameScenario(id: $0.text(), name: $0.text(), description: $0.text(), availableRoles: $0.list { $0.role() })
    }
    state.roles = map { $0.role() }
    state.dialogHistory = list { $0.line() }
    state.currentPhase = one(of: GamePhase.self)
    state.pendingVote = optional {
      PendingVote(proposerID: $0.text(), action: $0.one(of: VoteAction.self), requiredVotes: $0.int32())
    }
    state.voteResults = map { $0.flag() }
    state.vectorClock = clock()
    state.lastSyncTimestamp = int64()
    state.playerContexts = map { $0.value() }
    state.activePlotTwist = .object(map { $0.value() })
    state.recentFeedback = list { $0.value() }
    state.sessionStats = .array(list { $0.value() })
    state.lobbyPlayers = list {
      LobbyPlayer(
        peerID: $0.text(), displayName: $0.text(), assignedRole: $0.optional { $0.role() }, isReady: $0.flag(),
        connectionQuality: $0.one(of: ConnectionQuality.self))
    }
    state.isAdvertising = flag()
    state.connectedPeers = list {
      ConnectedPeer(peerID: $0.text(), displayName: $0.text(), isHost: $0.flag(), lastSeen: $0.int64())
    }
    state.currentTurnPlayerID = optional { $0.text() }
    state.pendingLine = optional { $0.line() }
    state.committedHistory = list { $0.line() }
    state.playerStats = map {
      PlayerStats(
        playerID: $0.text(), linesCompleted: $0.int32(), totalErrors: $0.int32(), perfectLines: $0.int32(),
        averageAccuracy: $0.float(), currentStreak: $0.int32(), xpEarned: $0.int32())
    }
    state.sessionLeaderboard = optional { $0.leaderboard() }
    state.sessionSummary = optional { $0.summary() }
    return state
  }

  package mutating func summary() -> SessionSummary {
    SessionSummary(
      scenarioName: text(), durationMilliseconds: int64(), totalLines: int32(), playerRankings: list { $0.ranking() },
      xpEarned: map { $0.int32() },
      achievementsUnlocked: list {
        Achievement(
          id: $0.text(), name: $0.text(), description: $0.text(), iconName: $0.optional { $0.text() },
          unlockedAt: $0.int64())
      }, vocabularyLearned: list { $0.value() }, overallAccuracy: float())
  }

  package mutating func payload(_ type: PacketType) -> PacketPayload {
    switch type {
    case .handshake: .handshake(participant())
    case .heartbeat: .heartbeat
    case .generateRequest: .generateRequest(prompt: text())
    case .dialogLineAdded: .dialogLineAdded(line())
    case .voteRequest: .voteRequest(proposerID: text(), action: one(of: VoteAction.self))
    case .voteCast: .voteCast(voterID: text(), vote: flag())
    case .fullStateSnapshot: .fullStateSnapshot(state())
    case .navigationSync: .navigationSync(screenName: text())
    case .lineCompleted: .lineCompleted(lineID: text(), result: result())
    case .lineSkipped: .lineSkipped(lineID: text())
    case .roleAssigned: .roleAssigned(playerID: text(), roleID: text())
    case .playerReady: .playerReady(playerID: text(), isReady: flag())
    case .gameStarted: .gameStarted
    case .turnAdvanced: .turnAdvanced(nextPlayerID: text(), pendingLine: optional { $0.line() })
    case .leaderboardUpdate: .leaderboardUpdate(leaderboard())
    case .lobbyUpdate:
      .lobbyUpdate(
        LobbyState(selectedScenarioID: text(), difficultyLevel: text(), connectedPlayers: list { $0.profile() }))
    case .clientJoin: .clientJoin(profile())
    case .startGame: .startGame
    }
  }

  package mutating func packet(_ type: PacketType) -> BabPacket {
    BabPacket(type: one(of: PacketType.self), senderID: text(), vectorClock: clock(), payload: payload(type))
  }
}
