import AppSeam
import BabOracles
import BabSim
import Conformance

/// The forms that defects of turns come in.
extension Mutants {
  /// A defect in every TURN_ADVANCED of a host.
  static func announcing(
    _ name: String, clause: String, _ summary: String,
    _ change: @escaping @Sendable (PacketMutant, LinkID, inout String, inout DialogLine) -> Void
  ) -> Mutant {
    .packets(
      name, .host, clause: clause, summary,
      outgoing: { mutant, link, packet in
        if case .lobbyUpdate(let lobby) = packet.payload, lobby.connectedPlayers.count > 1 {
          mutant.remember("first client", lobby.connectedPlayers[1].playerID)
        }
        guard case .turnAdvanced(var player, var line?) = packet.payload else { return [.packet(packet)] }
        change(mutant, link, &player, &line)
        return [.packet(packet.saying(.turnAdvanced(nextPlayerID: player, pendingLine: line)))]
      })
  }

  /// A defect in the turn that is given because a player has left.
  static func afterLeaver(
    _ name: String, _ summary: String,
    _ change: @escaping @Sendable (PacketMutant, inout String, inout DialogLine) -> Void
  ) -> Mutant {
    .packets(
      name, .host, clause: "BAB 5.4.8", summary,
      outgoing: { mutant, link, packet in
        if case .lobbyUpdate(let lobby) = packet.payload, lobby.connectedPlayers.count > 1 {
          mutant.remember("first client", lobby.connectedPlayers[1].playerID)
        }
        guard case .turnAdvanced(var player, var line?) = packet.payload, mutant.isAfterLobby(link) else {
          return mutant.passed(link, packet)
        }
        change(mutant, &player, &line)
        return [.packet(packet.saying(.turnAdvanced(nextPlayerID: player, pendingLine: line)))]
      })
  }

  /// What any client says about the pending line counts as said by its player.
  static func forAnybody(_ name: String, clause: String, _ summary: String, _ types: [PacketType]) -> Mutant {
    .packets(
      name, .host, clause: clause, summary,
      outgoing: { mutant, link, packet in mutant.noting(link, packet) },
      incoming: { mutant, link, packet in
        guard types.contains(packet.payload.type), let reader = mutant.recall("reader"),
          packet.senderID != reader, packet.endedLineID == nil || packet.endedLineID == mutant.recall("line")
        else { return mutant.knowing(link, packet) }
        mutant.hearFromReader { $0.saying(packet.payload) }
        if reader == mutant.configuration.peerID { mutant.readAsUser(packet.payload) }
        return []
      })
  }

  /// A host that never sends packets of a type.
  static func silent(_ name: String, _ type: PacketType, _ summary: String) -> Mutant {
    .packets(
      name, .host, clause: "BAB 5.4.6", summary,
      outgoing: { _, _, packet in packet.payload.type == type ? [] : [.packet(packet)] })
  }

  /// Two of the packets that end a line change places.
  static func swapping(_ name: String, _ first: PacketType, _ second: PacketType, _ summary: String) -> Mutant {
    .packets(
      name, .host, clause: "BAB 5.4.6", summary,
      outgoing: { mutant, link, packet in
        let (held, reading) = ("held on \(link.rawValue)", "reading on \(link.rawValue)")
        let type = packet.payload.type
        // Turns are also given when no line has ended.
        if type == .dialogLineAdded { mutant.remember(reading, "yes") }
        if type == first, mutant.recall(reading) != nil {
          mutant.remember(held, String(decoding: packet.encoded(), as: UTF8.self))
          return []
        }
        guard let text = mutant.recall(held), let earlier = try? BabPacket(decoding: Array(text.utf8)) else {
          return [.packet(packet)]
        }
        mutant.forget(held)
        mutant.forget(reading)
        guard type == second else { return [.packet(earlier), .packet(packet)] }
        return [.packet(earlier.saying(packet.payload)), .packet(packet.saying(earlier.payload))]
      })
  }

  /// A defect in every committed line that a host sends.
  static func committing(_ name: String, _ summary: String, _ change: @escaping @Sendable (inout DialogLine) -> Void)
    -> Mutant
  {
    .packets(
      name, .host, clause: "BAB 5.4.6", summary,
      outgoing: { _, _, packet in
        guard var line = packet.addedLine else { return [.packet(packet)] }
        change(&line)
        return [.packet(packet.saying(.dialogLineAdded(line)))]
      })
  }

  /// A defect in the snapshot that ends a game; false drops it.
  static func final(
    _ name: String, clause: String = "BAB 5.8.2", _ summary: String,
    _ change: @escaping @Sendable (PacketMutant, LinkID, inout SessionState) -> Bool
  ) -> Mutant {
    .packets(
      name, .host, clause: clause, summary,
      outgoing: { mutant, link, packet in
        guard case .fullStateSnapshot(var state) = packet.payload, state.currentPhase == .finished else {
          return [.packet(packet)]
        }
        return change(mutant, link, &state) ? [.packet(packet.saying(.fullStateSnapshot(state)))] : []
      })
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
  /// Passes a packet, and notes whose turn it tells.
  func noting(_ link: LinkID, _ packet: BabPacket) -> [Speech] {
    if let turn = packet.advancedTurn, let line = turn.line {
      remember("reader", turn.player)
      remember("line", line.id)
    }
    return [.packet(packet)]
  }

  /// Passes a packet, and notes who speaks on its link.
  func knowing(_ link: LinkID, _ packet: BabPacket) -> [BabPacket] {
    remember("link of " + packet.senderID, "\(link.rawValue)")
    remember("clock of " + packet.senderID, String(decoding: packet.encoded(), as: UTF8.self))
    return [packet]
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

  /// Passes a packet, and notes whether it is a LOBBY_UPDATE: the next turn on this link is then a leaver's.
  func passed(_ link: LinkID, _ packet: BabPacket) -> [Speech] {
    remember("last on \(link.rawValue)", packet.payload.type.rawValue)
    return [.packet(packet)]
  }

  func isAfterLobby(_ link: LinkID) -> Bool { recall("last on \(link.rawValue)") == PacketType.lobbyUpdate.rawValue }
}
