import AppSeam
import BabSim
import Conformance
import SimKernel

/// Defects of how a client follows its host's state.
extension Mutants {
  static let syncClient: [Mutant] = [
    .packets(
      "clock-anew-each-link", .client, "BAB 5.6.3", "starts its clock over on every link",
      outgoing: { m, packet in [packet.counting(m) { $0 - Int64(m.count) }] },
      observing: { m, input in if case .connected = input { m.count = Int(m.clock[m.configuration.peerID]) } }),
    .hears("lobby-lags", .client, "BAB 5.2.5", "does not look at a lobby that comes within 50 ms of another") {
      m, packet in
      guard packet.payload.type == .lobbyUpdate else { return [packet] }
      let last = m.noted("lobby")
      m.note("lobby", m.now.nanoseconds)
      return last.map { m.now.nanoseconds - $0 < 50_000_000 } ?? false ? [] : [packet]
    },
    .packets(
      "takes-the-snapshots-id", .client, "BAB 5.7.6", "calls itself as a snapshot's sender does",
      misspeaking: { m, packet in
        if let id = m.memory.first {
          packet.senderID = id
          packet.vectorClock.increment(id)
        }
      },
      whenHearing: { m, packet in
        if case .fullStateSnapshot(let state) = packet.payload { m.memory = [state.localPeerID] }
      }),
    .whenHearing("takes-the-snapshots-mode", .client, "BAB 5.7.6", "becomes a host when a snapshot says HOST") {
      m, packet in
      if case .fullStateSnapshot(let state) = packet.payload, state.mode == .host {
        let dialect = m.configuration.dialect
        let name = dialect.advertisedName(peerID: m.configuration.peerID, displayName: m.configuration.displayName)
        m.ask(.publish(dialect.serviceDefinition))
        m.ask(.advertise(AdvertisementRequest(localName: name, serviceUUIDs: [dialect.service])))
      }
    },
    .whenHearing("empty-history-replaces", .client, "BAB 5.7.6", "forgets its lines when a snapshot has none") {
      m, packet in
      if case .fullStateSnapshot(let state) = packet.payload, state.committedHistory.isEmpty {
        m.ask(.report(.historyReplaced([])))
      }
    },
    .packets(
      "empty-roles-replace", .client, "BAB 5.7.6", "forgets its role when a snapshot has none",
      unsaid: { m, packet in m.count > 0 && packet.payload.type == .playerReady },
      whenHearing: { m, packet in
        if case .fullStateSnapshot(let state) = packet.payload, state.roles.isEmpty { m.count = 1 }
      }),
    .whenHearing("empty-ranking-replaces", .client, "BAB 5.7.6", "shows no ranking after a snapshot without one") {
      m, packet in
      if case .fullStateSnapshot(let state) = packet.payload, state.sessionLeaderboard == nil {
        m.ask(.report(.leaderboard([])))
      }
    },
    .mishears("own-history-wins", .client, "BAB 5.6.6", "keeps its own history whatever a snapshot says") {
      $0.snapshot?.committedHistory = []
    },
    .mishears("snapshot-line-shown", .client, "BAB 5.4.4", "shows the pending line of a snapshot to whoever is there") {
      m, packet in
      guard case .fullStateSnapshot(var state) = packet.payload else { return }
      state.pendingLine?.assignedToPlayerID = m.configuration.peerID
      packet.payload = .fullStateSnapshot(state)
    },
  ]
}
