import AppSeam
import BabSim
import Conformance

/// Defects of clocks, of what a newcomer is told, and of snapshots.
extension Mutants {
  static let sync: [Mutant] =
    clocks(.host) + syncHostClocks + syncHostState + clocks(.client, "client-") + syncClient

  /// What either side can count wrong; a client's defects are told by the prefix.
  private static func clocks(_ role: AppRole, _ prefix: String = "") -> [Mutant] {
    [
      .says(prefix + "clock-adds-two", role, "BAB 5.6.1", "adds two to its own entry for each packet") { m, packet in
        [packet.counting(m) { $0 * 2 }]
      },
      .misspeaks(prefix + "clock-never-merges", role, "BAB 5.6.2", "knows no counts but its own") { m, packet in
        let own = packet.vectorClock[m.configuration.peerID]
        packet.vectorClock = VectorClock([m.configuration.peerID: own])
      },
      .packets(
        prefix + "clock-adds-on-receipt", role, "BAB 5.6.2", "adds one to its own entry for each packet it receives",
        outgoing: { m, packet in [packet.counting(m) { $0 + Int64(m.count) }] },
        whenHearing: { m, packet in m.count += 1 }),
      .packets(
        prefix + "clock-takes-the-newest", role, "BAB 4.21", "takes the newest count of every peer, larger or not",
        misspeaking: { m, packet in
          for id in packet.vectorClock.timestamps.keys where id != m.configuration.peerID {
            if let newest = m.noted(id) { packet.vectorClock.timestamps[id] = newest }
          }
        },
        whenHearing: { m, packet in
          for entry in packet.vectorClock.timestamps.entries { m.note(entry.key, entry.value) }
        }),
      .packets(
        prefix + "own-count-set-back", role, "BAB 5.6.3", "believes a peer that counts fewer of its packets",
        outgoing: { m, packet in [packet.counting(m) { max(0, $0 - Int64(m.count)) }] },
        whenHearing: { m, packet in
          if let claimed = packet.vectorClock.timestamps[m.configuration.peerID] {
            m.count = Int(max(0, m.clock[m.configuration.peerID] - claimed))
          }
        }),
      .mishears(prefix + "takes-late-packets", role, "BAB 5.6.4", "takes a packet that is older than the one before") {
        m, packet in
        let key = "\(m.link.rawValue)"
        let newest = max(m.noted(key) ?? 0, packet.vectorClock[packet.senderID])
        m.note(key, newest)
        if packet.vectorClock.timestamps[packet.senderID] != nil {
          packet.vectorClock.timestamps[packet.senderID] = newest
        }
      },
      .hears(
        prefix + "refuses-equal-counts", role, "BAB 5.6.4", "ignores a packet whose count is that of the one before"
      ) { m, packet in
        let key = "\(m.link.rawValue)"
        let count = packet.vectorClock[packet.senderID]
        defer { m.note(key, count) }
        return count > 0 && m.noted(key) == count ? [] : [packet]
      },
      .mishears(
        prefix + "unlisted-sender-passes", role, "BAB 4.22", "takes a packet whose clock does not list its sender"
      ) { m, packet in
        let key = "\(m.link.rawValue)"
        if packet.vectorClock.timestamps[packet.senderID] == nil {
          packet.vectorClock.timestamps[packet.senderID] = m.noted(key) ?? 0
        }
        m.note(key, max(m.noted(key) ?? 0, packet.vectorClock[packet.senderID]))
      },
      .packets(
        prefix + "merges-strangers", role, "BAB 5.6.5", "takes over counts of peers it does not know",
        misspeaking: { m, packet in
          for id in m.memory where packet.vectorClock.timestamps[id] == nil { packet.vectorClock.timestamps[id] = 1 }
        },
        whenHearing: { m, packet in m.memory += packet.vectorClock.timestamps.keys.filter { !m.memory.contains($0) } }),
    ]
  }

  private static let syncHostClocks: [Mutant] = [
    .says("clock-counts-links", .host, "BAB 4.20", "counts a packet once for each link it goes to") { m, packet in
      let count = packet.vectorClock[m.configuration.peerID]
      if m.noted("count") == count { m.count += 1 }
      m.note("count", count)
      return [packet.counting(m) { $0 + Int64(m.count) }]
    },
    .packets(
      "clock-anew-each-session", .host, "BAB 5.6.3", "starts its clock over when it hosts again",
      outgoing: { m, packet in [packet.counting(m) { $0 - Int64(m.count) }] },
      observing: { m, input in if input == .user(.leave) { m.count = Int(m.clock[m.configuration.peerID]) } }),
    .unheard("unlisted-sender-refused", .host, "BAB 4.22", "takes only packets whose clock lists their sender") {
      _, packet in
      packet.vectorClock.timestamps[packet.senderID] == nil
    },
    .hears("counts-held-over-links", .host, "BAB 5.6.4", "holds a peer's counts against it on a new link") {
      m, packet in
      let newest = m.noted(packet.senderID) ?? 0
      let count = packet.vectorClock[packet.senderID]
      m.note(packet.senderID, max(newest, count))
      return count < newest && count > 0 ? [] : [packet]
    },
  ]
}

extension BabPacket {
  /// The same packet with another count of the app's own.
  func counting(_ mutant: PacketMutant, _ change: (Int64) -> Int64) -> BabPacket {
    var packet = self
    let id = mutant.configuration.peerID
    packet.vectorClock.timestamps[id] = change(packet.vectorClock[id])
    return packet
  }
}
