import AppSeam
import BabSim
import Conformance
import SimKernel

/// Defects of how a client follows its host's state.
extension Mutants {
  static let syncClient: [Mutant] = [
    .packets(
      "clock-anew-each-link", .client, clause: "BAB 5.6.3", "starts its clock over on every link",
      outgoing: { m, _, packet in [.packet(packet.counting(m) { $0 - Int64(m.count) })] },
      observing: { m, input in if case .connected = input { m.count = Int(m.clock[m.configuration.peerID]) } }),
    .packets(
      "lobby-lags", .client, clause: "BAB 5.2.5", "does not look at a lobby that comes within 50 ms of another",
      incoming: { m, _, packet in
        guard packet.payload.type == .lobbyUpdate else { return [packet] }
        let last = m.noted("lobby")
        m.note("lobby", m.now.nanoseconds)
        return last.map { m.now.nanoseconds - $0 < 50_000_000 } ?? false ? [] : [packet]
      }),
    .packets(
      "takes-the-snapshots-id", .client, clause: "BAB 5.7.6", "calls itself as a snapshot's sender does",
      outgoing: { m, _, packet in
        var packet = packet
        if let id = m.memory.first {
          packet.senderID = id
          packet.vectorClock.increment(id)
        }
        return [.packet(packet)]
      },
      incoming: { m, _, packet in
        if case .fullStateSnapshot(let state) = packet.payload { m.memory = [state.localPeerID] }
        return [packet]
      }),
    .packets(
      "takes-the-snapshots-mode", .client, clause: "BAB 5.7.6", "becomes a host when a snapshot says HOST",
      incoming: { m, _, packet in
        if case .fullStateSnapshot(let state) = packet.payload, state.mode == .host {
          let dialect = m.configuration.dialect
          let name = dialect.advertisedName(peerID: m.configuration.peerID, displayName: m.configuration.displayName)
          m.ask(.publish(dialect.serviceDefinition))
          m.ask(.advertise(AdvertisementRequest(localName: name, serviceUUIDs: [dialect.service])))
        }
        return [packet]
      }),
    .packets(
      "empty-history-replaces", .client, clause: "BAB 5.7.6", "forgets its lines when a snapshot has none",
      incoming: { m, _, packet in
        if case .fullStateSnapshot(let state) = packet.payload, state.committedHistory.isEmpty {
          m.ask(.report(.historyReplaced([])))
        }
        return [packet]
      }),
    .packets(
      "empty-roles-replace", .client, clause: "BAB 5.7.6", "forgets its role when a snapshot has none",
      outgoing: { m, _, packet in m.count > 0 && packet.payload.type == .playerReady ? [] : [.packet(packet)] },
      incoming: { m, _, packet in
        if case .fullStateSnapshot(let state) = packet.payload, state.roles.isEmpty { m.count = 1 }
        return [packet]
      }),
    .packets(
      "empty-ranking-replaces", .client, clause: "BAB 5.7.6", "shows no ranking after a snapshot without one",
      incoming: { m, _, packet in
        if case .fullStateSnapshot(let state) = packet.payload, state.sessionLeaderboard == nil {
          m.ask(.report(.leaderboard([])))
        }
        return [packet]
      }),
    .packets(
      "own-history-wins", .client, clause: "BAB 5.6.6", "keeps its own history whatever a snapshot says",
      incoming: { _, _, packet in
        guard case .fullStateSnapshot(var state) = packet.payload else { return [packet] }
        state.committedHistory = []
        var packet = packet
        packet.payload = .fullStateSnapshot(state)
        return [packet]
      }),
    .packets(
      "snapshot-line-shown", .client, clause: "BAB 5.4.4", "shows the pending line of a snapshot to whoever is there",
      incoming: { m, _, packet in
        guard case .fullStateSnapshot(var state) = packet.payload else { return [packet] }
        state.pendingLine?.assignedToPlayerID = m.configuration.peerID
        var packet = packet
        packet.payload = .fullStateSnapshot(state)
        return [packet]
      }),
  ]
}
