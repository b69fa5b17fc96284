import AppSeam
import BabOracles
import BabSim
import Conformance

/// The forms that defects of turns come in.
extension Mutants {
  /// A defect in every TURN_ADVANCED of a host.
  static func announcing(
    _ name: String, _ clause: String, _ summary: String,
    _ change: @escaping @Sendable (PacketMutant, inout String, inout DialogLine) -> Void
  ) -> Mutant {
    .packets(
      name, .host, clause, summary, whenSaying: { m, packet in m.noteFirstClient(packet) },
      misspeaking: { m, packet in packet.changeTurn { change(m, &$0, &$1) } })
  }

  /// A defect in the turn that is given because a player has left.
  static func afterLeaver(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (PacketMutant, inout String, inout DialogLine) -> Void
  ) -> Mutant {
    .packets(
      name, .host, "BAB 5.4.8", summary, whenSaying: { m, packet in m.noteFirstClient(packet) },
      misspeaking: { m, packet in
        if m.isLeaversTurn(packet) { packet.changeTurn { change(m, &$0, &$1) } } else { m.noteLast(packet) }
      })
  }

  /// What any client says about the pending line counts as said by its player.
  static func forAnybody(_ name: String, _ clause: String, _ summary: String, _ types: [PacketType]) -> Mutant {
    .packets(
      name, .host, clause, summary,
      whenSaying: { m, packet in m.noteTurn(packet) },
      incoming: { m, packet in
        guard types.contains(packet.payload.type), let reader = m.recall("reader"),
          packet.senderID != reader, packet.endedLineID == nil || packet.endedLineID == m.recall("line")
        else {
          m.noteSender(packet)
          return [packet]
        }
        m.hearFromReader { $0.saying(packet.payload) }
        if reader == m.configuration.peerID { m.readAsUser(packet.payload) }
        return []
      })
  }

  /// A host that never sends packets of a type.
  static func silent(_ name: String, _ type: PacketType, _ summary: String) -> Mutant {
    .unsaid(name, .host, "BAB 5.4.6", summary, type)
  }

  /// Two of the packets that end a line change places.
  static func swapping(_ name: String, _ first: PacketType, _ second: PacketType, _ summary: String) -> Mutant {
    .says(name, .host, "BAB 5.4.6", summary) { m, packet in
      let (held, reading) = ("held on \(m.link.rawValue)", "reading on \(m.link.rawValue)")
      let type = packet.payload.type
      // Turns are also given when no line has ended.
      if type == .dialogLineAdded { m.remember(reading, "yes") }
      if type == first, m.recall(reading) != nil {
        m.remember(held, String(decoding: packet.encoded(), as: UTF8.self))
        return []
      }
      guard let text = m.recall(held), let earlier = try? BabPacket(decoding: Array(text.utf8)) else { return [packet] }
      m.forget(held)
      m.forget(reading)
      guard type == second else { return [earlier, packet] }
      return [earlier.saying(packet.payload), packet.saying(earlier.payload)]
    }
  }

  /// A defect in every committed line that a host sends.
  static func committing(_ name: String, _ summary: String, _ change: @escaping @Sendable (inout DialogLine) -> Void)
    -> Mutant
  {
    .misspeaks(name, .host, "BAB 5.4.6", summary) { packet in
      guard var line = packet.addedLine else { return }
      change(&line)
      packet.addedLine = line
    }
  }

  // MARK: Line ids

  /// The n of the reference's `line-n`.
  static func number(of lineID: String) -> Int { lineID.split(separator: "-").last.flatMap { Int($0) } ?? 0 }

  /// The packet with other line ids; what the newest is in truth is kept for the way back.
  static func renamed(_ packet: BabPacket, _ mutant: PacketMutant, _ name: (Int) -> String) -> BabPacket {
    func other(_ lineID: String) -> String { name(number(of: lineID)) }
    switch packet.payload {
    case .turnAdvanced(let player, var line?):
      mutant.remember("newest", "\(number(of: line.id))")
      line.id = other(line.id)
      mutant.remember("told", line.id)
      return packet.saying(.turnAdvanced(nextPlayerID: player, pendingLine: line))
    case .dialogLineAdded(var line):
      line.id = other(line.id)
      return packet.saying(.dialogLineAdded(line))
    case .lineCompleted(let lineID, let result):
      return packet.saying(.lineCompleted(lineID: other(lineID), result: result))
    case .lineSkipped(let lineID): return packet.saying(.lineSkipped(lineID: other(lineID)))
    default: return packet
    }
  }

  /// A client's completion or skip with the true id of the pending line.
  static func namedBack(_ packet: BabPacket, _ mutant: PacketMutant) -> BabPacket {
    guard packet.endedLineID == mutant.recall("told"), let newest = mutant.recall("newest") else { return packet }
    switch packet.payload {
    case .lineCompleted(_, let result): return packet.saying(.lineCompleted(lineID: "line-" + newest, result: result))
    case .lineSkipped: return packet.saying(.lineSkipped(lineID: "line-" + newest))
    default: return packet
    }
  }
}

extension PacketMutant {
  /// Notes whose turn a packet tells.
  func noteTurn(_ packet: BabPacket) {
    guard let turn = packet.advancedTurn, let line = turn.line else { return }
    remember("reader", turn.player)
    remember("line", line.id)
  }

  /// Notes who speaks on a link.
  func noteSender(_ packet: BabPacket) {
    remember("link of " + packet.senderID, "\(link.rawValue)")
    remember("clock of " + packet.senderID, String(decoding: packet.encoded(), as: UTF8.self))
  }

  /// Notes the first client of the lobby.
  func noteFirstClient(_ packet: BabPacket) {
    if let lobby = packet.lobby, lobby.connectedPlayers.count > 1 {
      remember("first client", lobby.connectedPlayers[1].playerID)
    }
  }

  /// Lets the inner engine hear something from the player whose turn it is.
  func hearFromReader(_ say: (BabPacket) -> BabPacket) {
    guard let reader = recall("reader"), let link = recall("link of " + reader).flatMap({ Int($0) }),
      let text = recall("clock of " + reader), let earlier = try? BabPacket(decoding: Array(text.utf8))
    else { return }
    hear(say(earlier), on: LinkID(link))
  }

  /// The host's own player does what a client asked for.
  func readAsUser(_ payload: PacketPayload) {
    switch payload {
    case .lineCompleted(_, let result):
      act(
        .completeLine(
          accuracyPermille: result.accuracyPermille, errorCount: Int(result.errorCount),
          durationMilliseconds: Int(result.duration)))
    case .lineSkipped: act(.skipLine)
    case .generateRequest(let prompt): act(.generate(prompt: prompt))
    default: break
    }
  }

  /// Notes whether a packet is a LOBBY_UPDATE: the next turn on this link is then a leaver's.
  func noteLast(_ packet: BabPacket) { remember("last on \(link.rawValue)", packet.payload.type.rawValue) }

  func isLeaversTurn(_ packet: BabPacket) -> Bool {
    packet.advancedTurn != nil && recall("last on \(link.rawValue)") == PacketType.lobbyUpdate.rawValue
  }
}

extension BabPacket {
  /// Changes whose turn TURN_ADVANCED tells, and the line.
  mutating func changeTurn(_ change: (inout String, inout DialogLine) -> Void) {
    guard case .turnAdvanced(var player, var line?) = payload else { return }
    change(&player, &line)
    payload = .turnAdvanced(nextPlayerID: player, pendingLine: line)
  }
}
