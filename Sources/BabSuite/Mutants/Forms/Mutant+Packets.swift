import AppSeam
import BabSim
import Conformance

/// Rows of the tables of mutants: defects in what is said or heard, packet by packet (`PacketMutant`). Each has a name,
/// the role, the clause it breaks, what it does in words, and what it does.
extension Mutant {
  typealias Noting = @Sendable (PacketMutant, BabPacket) -> Void
  typealias Choosing = @Sendable (PacketMutant, BabPacket) -> Bool
  typealias Changing = @Sendable (PacketMutant, inout BabPacket) -> Void

  /// A defect that needs more than one of the forms below.
  ///
  /// - Parameters:
  ///   - oracle: that must fail it in a whole game; nil where only test purposes do.
  ///   - whenSaying: what the mutant notes or does as well, before a packet is sent.
  ///   - unsaid: which packets are not sent.
  ///   - misspeaking: what is changed in packets that are sent.
  ///   - outgoing: what is sent in place of a packet.
  ///   - whenHearing: what the mutant notes or does as well, before the inner engine gets a packet.
  ///   - unheard: which packets the inner engine does not get.
  ///   - mishearing: what is changed in packets for the inner engine.
  ///   - incoming: what the inner engine gets in place of a packet.
  static func packets(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, failedBy oracle: String? = nil,
    whenSaying: @escaping Noting = { _, _ in }, unsaid: @escaping Choosing = { _, _ in false },
    misspeaking: @escaping Changing = { _, _ in },
    outgoing: @escaping PacketMutant.Outgoing = { _, packet in [packet] },
    whenHearing: @escaping Noting = { _, _ in }, unheard: @escaping Choosing = { _, _ in false },
    mishearing: @escaping Changing = { _, _ in },
    incoming: @escaping PacketMutant.Incoming = { _, packet in [packet] },
    observing: @escaping PacketMutant.Observing = { _, _ in },
    showing: @escaping PacketMutant.Showing = { _, report in [report] },
    reading: @escaping PacketMutant.Reading = { _, text in text }
  ) -> Mutant {
    Mutant(
      name, role, clause: clause, failedBy: oracle, summary,
      wrapped: { engine, configuration in
        PacketMutant(
          wrapping: engine, role: role, configuration: configuration,
          outgoing: { m, packet in
            whenSaying(m, packet)
            return unsaid(m, packet) ? [] : outgoing(m, packet.changed { misspeaking(m, &$0) })
          },
          incoming: { m, packet in
            whenHearing(m, packet)
            return unheard(m, packet) ? [] : incoming(m, packet.changed { mishearing(m, &$0) })
          },
          observing: observing, showing: showing, reading: reading)
      })
  }

  // MARK: What is said

  /// Sends something else in place of packets.
  static func says(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, _ outgoing: @escaping PacketMutant.Outgoing
  ) -> Mutant {
    packets(name, role, clause, summary, outgoing: outgoing)
  }

  /// Never sends certain packets.
  static func unsaid(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, where isUnsaid: @escaping Choosing
  ) -> Mutant {
    packets(name, role, clause, summary, unsaid: isUnsaid)
  }

  /// Never sends packets of these types.
  static func unsaid(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, _ types: PacketType...
  ) -> Mutant {
    packets(name, role, clause, summary, unsaid: { _, packet in types.contains(packet.type) })
  }

  /// A host that does not tell certain peers of a player's wish: of all, or only that player.
  ///
  /// - Parameter isUntold: whether a peer is not told, given whether it is the player.
  static func untold(
    _ name: String, _ clause: String, _ summary: String, _ type: PacketType,
    _ isUntold: @escaping @Sendable (_ isPlayer: Bool) -> Bool
  ) -> Mutant {
    packets(
      name, .host, clause, summary,
      unsaid: { m, packet in
        guard packet.type == type, let player = packet.playerNamed else { return false }
        return isUntold(m.memory.contains("\(m.link.rawValue) \(player)"))
      },
      whenHearing: { m, packet in m.memory.append("\(m.link.rawValue) \(packet.senderID)") })
  }

  /// Sends packets with something changed in them.
  static func misspeaks(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, _ change: @escaping Changing
  ) -> Mutant {
    packets(name, role, clause, summary, misspeaking: change)
  }

  /// As above, for a change that depends on the packet alone.
  static func misspeaks(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    _ change: @escaping @Sendable (inout BabPacket) -> Void
  ) -> Mutant {
    packets(name, role, clause, summary, misspeaking: { change(&$1) })
  }

  /// Does something else as well when it sends a packet.
  static func whenSaying(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, _ act: @escaping Noting
  ) -> Mutant {
    packets(name, role, clause, summary, whenSaying: act)
  }

  // MARK: What is heard

  /// Hears something else in place of packets.
  static func hears(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, _ incoming: @escaping PacketMutant.Incoming
  ) -> Mutant {
    packets(name, role, clause, summary, incoming: incoming)
  }

  /// Ignores certain packets.
  static func unheard(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, where isUnheard: @escaping Choosing
  ) -> Mutant {
    packets(name, role, clause, summary, unheard: isUnheard)
  }

  /// Ignores packets of these types.
  static func unheard(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, _ types: PacketType...
  ) -> Mutant {
    packets(name, role, clause, summary, unheard: { _, packet in types.contains(packet.type) })
  }

  /// Hears packets with something changed in them.
  static func mishears(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, _ change: @escaping Changing
  ) -> Mutant {
    packets(name, role, clause, summary, mishearing: change)
  }

  /// As above, for a change that depends on the packet alone.
  static func mishears(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String,
    _ change: @escaping @Sendable (inout BabPacket) -> Void
  ) -> Mutant {
    packets(name, role, clause, summary, mishearing: { change(&$1) })
  }

  /// Does something else as well when it hears a packet.
  static func whenHearing(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, _ act: @escaping Noting
  ) -> Mutant {
    packets(name, role, clause, summary, whenHearing: act)
  }

  /// Tells everybody what it hears in certain packets, and handles them as it should as well.
  static func echoes(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, where isEchoed: @escaping Choosing
  ) -> Mutant {
    packets(
      name, role, clause, summary,
      whenHearing: { m, packet in if isEchoed(m, packet) { m.sayToAll(packet.payload) } })
  }
}

extension BabPacket {
  /// The packet with another payload; its envelope names that one's type.
  func saying(_ payload: PacketPayload) -> BabPacket {
    BabPacket(senderID: senderID, vectorClock: vectorClock, payload: payload)
  }

  /// The packet with a change; an envelope that named the payload's type names that of the new payload.
  func changed(_ change: (inout BabPacket) -> Void) -> BabPacket {
    var changed = self
    change(&changed)
    if isConsistent, changed.payload != payload { changed.type = changed.payload.type }
    return changed
  }
}

extension Comparable {
  /// Takes the nearest value of a range.
  mutating func hold(to range: ClosedRange<Self>) { self = max(range.lowerBound, min(range.upperBound, self)) }
}

/// What packets carry, to be changed in place; nil in a packet of another type.
extension BabPacket {
  /// Who gets a role, is ready, proposes or votes.
  var playerNamed: String? {
    switch payload {
    case .roleAssigned(let player, _), .playerReady(let player, _), .voteRequest(let player, _),
      .voteCast(let player, _):
      player
    default: nil
    }
  }

  /// The participant of HANDSHAKE.
  var handshake: Participant? {
    get { if case .handshake(let participant) = payload { participant } else { nil } }
    set { if let newValue { payload = .handshake(newValue) } }
  }

  /// The profile of CLIENT_JOIN.
  var join: LobbyProfile? {
    get { if case .clientJoin(let profile) = payload { profile } else { nil } }
    set { if let newValue { payload = .clientJoin(newValue) } }
  }

  /// The lobby of LOBBY_UPDATE.
  var lobby: LobbyState? {
    get { if case .lobbyUpdate(let lobby) = payload { lobby } else { nil } }
    set { if let newValue { payload = .lobbyUpdate(newValue) } }
  }

  /// The ranking of LEADERBOARD_UPDATE.
  var board: Leaderboard? {
    get { if case .leaderboardUpdate(let board) = payload { board } else { nil } }
    set { if let newValue { payload = .leaderboardUpdate(newValue) } }
  }

  /// The state of FULL_STATE_SNAPSHOT.
  var snapshot: SessionState? {
    get { if case .fullStateSnapshot(let state) = payload { state } else { nil } }
    set { if let newValue { payload = .fullStateSnapshot(newValue) } }
  }

  /// The summary of FULL_STATE_SNAPSHOT.
  var summary: SessionSummary? {
    get { snapshot?.sessionSummary }
    set { snapshot?.sessionSummary = newValue }
  }

  /// The state of a FULL_STATE_SNAPSHOT that ends a game.
  var finalSnapshot: SessionState? {
    get { snapshot.flatMap { $0.currentPhase == .finished ? $0 : nil } }
    set { snapshot = newValue }
  }

  /// The result of LINE_COMPLETED.
  var result: PronunciationResult? {
    get { if case .lineCompleted(_, let result) = payload { result } else { nil } }
    set {
      guard let newValue, case .lineCompleted(let id, _) = payload else { return }
      payload = .lineCompleted(lineID: id, result: newValue)
    }
  }
}
