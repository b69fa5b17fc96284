import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// Defects of what newcomers and returning players are told.
extension Mutants {
  static let syncHostState: [Mutant] = [
    .says("newcomer-not-told-roles", .host, "BAB 5.1.12", "tells of a role once, and nobody who comes later") {
      m, packet in
      guard case .roleAssigned(let player, let role) = packet.payload else { return [packet] }
      return m.isRepeat("role \(player) \(role)", packet) ? [] : [packet]
    },
    .says("newcomer-not-told-readiness", .host, "BAB 5.1.12", "tells of readiness once, and nobody who comes later") {
      m, packet in
      guard case .playerReady(let player, true) = packet.payload else { return [packet] }
      return m.isRepeat("ready \(player)", packet) ? [] : [packet]
    },
    .says("roles-before-lobby", .host, "BAB 5.1.12", "tells a newcomer the roles before the lobby") { m, packet in
      switch packet.payload {
      case .handshake:
        return [packet]
          + m.memory.map { m.packet(.roleAssigned(playerID: $0.word(0), roleID: $0.word(1))) }
      case .roleAssigned(let player, let role):
        m.memory.removeAll { $0.hasPrefix(player + " ") }
        m.memory.append(player + " " + role)
      default: break
      }
      return [packet]
    },
    .says("snapshot-after-lobby", .host, "BAB 5.7.4", "sends the snapshot after the lobby") { m, packet in
      let key = "snapshot \(m.link.rawValue) "
      switch packet.payload {
      case .fullStateSnapshot(let state) where state.currentPhase != .finished:
        m.memory.append(key + String(decoding: packet.encoded(), as: UTF8.self))
        return []
      case .lobbyUpdate:
        let held = m.memory.filter { $0.hasPrefix(key) }
        m.memory.removeAll { $0.hasPrefix(key) }
        return [packet] + held.map { RawText(Array($0.dropFirst(key.count).utf8)) }
      default: return [packet]
      }
    },
    .says("no-snapshot-in-lobby", .host, "BAB 5.7.4", "sends a snapshot only while a game is on") { _, packet in
      guard case .fullStateSnapshot(let state) = packet.payload else { return [packet] }
      return [.active, .voting, .finished].contains(state.currentPhase) ? [packet] : []
    },
    .misspeaks("snapshot-leaks-pending-line", .host, "BAB 5.7.10", "has the pending line's texts in every snapshot") {
      m, packet in
      if let line = packet.advancedTurn?.line, !line.textNative.isEmpty { m.memory = [line.id, line.textNative] }
      guard let id = packet.snapshot?.pendingLine?.id, id == m.memory.first else { return }
      packet.snapshot?.pendingLine?.textNative = m.memory[1]
    },
    .says("lobby-burst-lost", .host, "BAB 5.2.5", "tells a client the lobby once in 20 ms, and nothing afterwards") {
      m, packet in
      guard packet.payload.type == .lobbyUpdate else { return [packet] }
      let key = "\(m.link.rawValue)"
      if let last = m.noted(key), m.now.nanoseconds - last < 20_000_000 { return [] }
      m.note(key, m.now.nanoseconds)
      return [packet]
    },
    Mutant(
      "snapshot-never-shortened", .host, clause: "BAB 5.7.5", "sends the whole state, however many fragments it takes",
      wrapped: { engine, configuration in
        PacketMutant(
          wrapping: BelievesLargeATTMTU(wrapping: engine), role: .host, configuration: configuration)
      }),
    .says("history-not-sent-after", .host, "BAB 5.7.5", "leaves the history out of a large snapshot, and that is it") {
      m, packet in
      guard case .dialogLineAdded(let line) = packet.payload else { return [packet] }
      return m.isRepeat(line.id, packet) ? [] : [packet]
    },
    .misspeaks("history-sent-backwards", .host, "BAB 5.7.5", "sends the lines after a large snapshot newest first") {
      m, packet in
      guard case .dialogLineAdded(var line) = packet.payload else { return }
      guard m.isRepeat(line.id, packet) else {
        return m.memory.append("line " + String(decoding: packet.encoded(), as: UTF8.self))
      }
      // The n-th line after the snapshot is the n-th newest.
      let lines = m.memory.filter { $0.hasPrefix("line ") }
      guard let index = lines.firstIndex(where: { $0.contains("\"id\":\"\(line.id)\"") }),
        let other = try? BabPacket(decoding: Array(lines[lines.count - 1 - index].dropFirst(5).utf8)),
        case .dialogLineAdded(let swapped) = other.payload
      else { return }
      line = swapped
      packet.payload = .dialogLineAdded(line)
    },
    .says("ranking-not-sent-after", .host, "BAB 5.7.5", "leaves the ranking out of a bare snapshot, and that is it") {
      m, packet in
      let key = "\(m.link.rawValue)"
      switch packet.payload {
      case .fullStateSnapshot(let state):
        m.note(key, state.sessionLeaderboard == nil ? 1 : 0)
        return [packet]
      case .leaderboardUpdate where m.noted(key) == 1:
        m.note(key, 0)
        return []
      default: return [packet]
      }
    },
    .misspeaks("wall-time-in-seconds", .host, "BAB 8.11", "writes seconds where milliseconds are due") {
      $0.board?.updatedAt /= 1_000
    },
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
