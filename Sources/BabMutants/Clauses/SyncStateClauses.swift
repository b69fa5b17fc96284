import AppSeam
import BabSim
import Conformance
import SimKernel

/// Defects of what newcomers and returning players are told.
extension Mutants {
  static let syncHostState: [Mutant] = [
    .packets(
      "newcomer-not-told-roles", .host, clause: "BAB 5.1.12", "tells of a role once, and nobody who comes later",
      outgoing: { m, _, packet in
        guard case .roleAssigned(let player, let role) = packet.payload else { return [.packet(packet)] }
        return m.isRepeat("role \(player) \(role)", packet) ? [] : [.packet(packet)]
      }),
    .packets(
      "newcomer-not-told-readiness", .host, clause: "BAB 5.1.12", "tells of readiness once, and nobody who comes later",
      outgoing: { m, _, packet in
        guard case .playerReady(let player, true) = packet.payload else { return [.packet(packet)] }
        return m.isRepeat("ready \(player)", packet) ? [] : [.packet(packet)]
      }),
    .packets(
      "roles-before-lobby", .host, clause: "BAB 5.1.12", "tells a newcomer the roles before the lobby",
      outgoing: { m, link, packet in
        switch packet.payload {
        case .handshake:
          return [.packet(packet)]
            + m.memory.map { .packet(m.packet(.roleAssigned(playerID: $0.word(0), roleID: $0.word(1)))) }
        case .roleAssigned(let player, let role):
          m.memory.removeAll { $0.hasPrefix(player + " ") }
          m.memory.append(player + " " + role)
        default: break
        }
        return [.packet(packet)]
      }),
    .packets(
      "snapshot-after-lobby", .host, clause: "BAB 5.7.4", "sends the snapshot after the lobby",
      outgoing: { m, link, packet in
        let key = "snapshot \(link.rawValue) "
        switch packet.payload {
        case .fullStateSnapshot(let state) where state.currentPhase != .finished:
          m.memory.append(key + String(decoding: packet.encoded(), as: UTF8.self))
          return []
        case .lobbyUpdate:
          let held = m.memory.filter { $0.hasPrefix(key) }
          m.memory.removeAll { $0.hasPrefix(key) }
          return [.packet(packet)] + held.map { .text(Array($0.dropFirst(key.count).utf8)) }
        default: return [.packet(packet)]
        }
      }),
    .packets(
      "no-snapshot-in-lobby", .host, clause: "BAB 5.7.4", "sends a snapshot only while a game is on",
      outgoing: { _, _, packet in
        guard case .fullStateSnapshot(let state) = packet.payload else { return [.packet(packet)] }
        return [.active, .voting, .finished].contains(state.currentPhase) ? [.packet(packet)] : []
      }),
    .packets(
      "snapshot-leaks-pending-line", .host, clause: "BAB 5.7.10", "has the pending line's texts in every snapshot",
      outgoing: { m, _, packet in
        var packet = packet
        switch packet.payload {
        case .turnAdvanced(_, let line?) where !line.textNative.isEmpty: m.memory = [line.id, line.textNative]
        case .fullStateSnapshot(var state) where state.pendingLine?.id == m.memory.first && m.memory.count == 2:
          state.pendingLine?.textNative = m.memory[1]
          packet.payload = .fullStateSnapshot(state)
        default: break
        }
        return [.packet(packet)]
      }),
    .packets(
      "lobby-burst-lost", .host, clause: "BAB 5.2.5", "tells a client the lobby once in 20 ms, and nothing afterwards",
      outgoing: { m, link, packet in
        guard packet.payload.type == .lobbyUpdate else { return [.packet(packet)] }
        let key = "\(link.rawValue)"
        if let last = m.noted(key), m.now.nanoseconds - last < 20_000_000 { return [] }
        m.note(key, m.now.nanoseconds)
        return [.packet(packet)]
      }),
    Mutant(
      "snapshot-never-shortened", .host, clause: "BAB 5.7.5", "sends the whole state, however many fragments it takes",
      wrapped: { engine, configuration in
        PacketMutant(
          wrapping: BelievesLargeATTMTU(wrapping: engine), role: .host, configuration: configuration)
      }),
    .packets(
      "history-not-sent-after", .host, clause: "BAB 5.7.5",
      "leaves the history out of a large snapshot, and that is it",
      outgoing: { m, _, packet in
        guard case .dialogLineAdded(let line) = packet.payload else { return [.packet(packet)] }
        return m.isRepeat(line.id, packet) ? [] : [.packet(packet)]
      }),
    .packets(
      "history-sent-backwards", .host, clause: "BAB 5.7.5", "sends the lines after a large snapshot newest first",
      outgoing: { m, _, packet in
        guard case .dialogLineAdded(var line) = packet.payload else { return [.packet(packet)] }
        guard m.isRepeat(line.id, packet) else {
          m.memory.append("line " + String(decoding: packet.encoded(), as: UTF8.self))
          return [.packet(packet)]
        }
        // The n-th line after the snapshot is the n-th newest.
        let lines = m.memory.filter { $0.hasPrefix("line ") }
        guard let index = lines.firstIndex(where: { $0.contains("\"id\":\"\(line.id)\"") }),
          let other = try? BabPacket(decoding: Array(lines[lines.count - 1 - index].dropFirst(5).utf8)),
          case .dialogLineAdded(let swapped) = other.payload
        else { return [.packet(packet)] }
        line = swapped
        var packet = packet
        packet.payload = .dialogLineAdded(line)
        return [.packet(packet)]
      }),
    .packets(
      "ranking-not-sent-after", .host, clause: "BAB 5.7.5", "leaves the ranking out of a bare snapshot, and that is it",
      outgoing: { m, link, packet in
        let key = "\(link.rawValue)"
        switch packet.payload {
        case .fullStateSnapshot(let state):
          m.note(key, state.sessionLeaderboard == nil ? 1 : 0)
          return [.packet(packet)]
        case .leaderboardUpdate where m.noted(key) == 1:
          m.note(key, 0)
          return []
        default: return [.packet(packet)]
        }
      }),
    .packets(
      "wall-time-in-seconds", .host, clause: "BAB 8.11", "writes seconds where milliseconds are due",
      outgoing: { _, _, packet in
        var packet = packet
        if case .leaderboardUpdate(var board) = packet.payload {
          board.updatedAt /= 1_000
          packet.payload = .leaderboardUpdate(board)
        }
        return [.packet(packet)]
      }),
  ]
}

extension PacketMutant {
  /// Whether something was said before in another packet; it is noted either way. Copies of one packet to several links
  /// have the same count.
  func isRepeat(_ what: String, _ packet: BabPacket) -> Bool {
    let count = packet.vectorClock[configuration.peerID]
    guard let first = noted("said " + what) else {
      note("said " + what, count)
      return false
    }
    return first != count
  }
}

extension String {
  /// One of the words that spaces divide.
  func word(_ index: Int) -> String { split(separator: " ").map(String.init)[index] }
}

/// Thinks that every link agreed on a large ATT_MTU.
final class BelievesLargeATTMTU: MutantEngine {
  override func rewrite(_ input: AppInput) -> [AppInput] {
    guard case .attMTU(let link, _) = input else { return [input] }
    return [.attMTU(link, 517)]
  }
}
