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
      .packets(
        prefix + "clock-adds-two", role, clause: "BAB 5.6.1", "adds two to its own entry for each packet",
        outgoing: { m, _, packet in [.packet(packet.counting(m) { $0 * 2 })] }),
      .packets(
        prefix + "clock-never-merges", role, clause: "BAB 5.6.2", "knows no counts but its own",
        outgoing: { m, _, packet in
          var packet = packet
          let own = packet.vectorClock[m.configuration.peerID]
          packet.vectorClock = VectorClock([m.configuration.peerID: own])
          return [.packet(packet)]
        }),
      .packets(
        prefix + "clock-adds-on-receipt", role, clause: "BAB 5.6.2",
        "adds one to its own entry for each packet it receives",
        outgoing: { m, _, packet in [.packet(packet.counting(m) { $0 + Int64(m.count) })] },
        incoming: { m, _, packet in
          m.count += 1
          return [packet]
        }),
      .packets(
        prefix + "clock-takes-the-newest", role, clause: "BAB 4.21",
        "takes the newest count of every peer, larger or not",
        outgoing: { m, _, packet in
          var packet = packet
          for id in packet.vectorClock.timestamps.keys where id != m.configuration.peerID {
            if let newest = m.noted(id) { packet.vectorClock.timestamps[id] = newest }
          }
          return [.packet(packet)]
        },
        incoming: { m, _, packet in
          for entry in packet.vectorClock.timestamps.entries { m.note(entry.key, entry.value) }
          return [packet]
        }),
      .packets(
        prefix + "own-count-set-back", role, clause: "BAB 5.6.3", "believes a peer that counts fewer of its packets",
        outgoing: { m, _, packet in [.packet(packet.counting(m) { max(0, $0 - Int64(m.count)) })] },
        incoming: { m, _, packet in
          if let claimed = packet.vectorClock.timestamps[m.configuration.peerID] {
            m.count = Int(max(0, m.clock[m.configuration.peerID] - claimed))
          }
          return [packet]
        }),
      .packets(
        prefix + "takes-late-packets", role, clause: "BAB 5.6.4", "takes a packet that is older than the one before",
        incoming: { m, link, packet in
          let key = "\(link.rawValue)"
          var packet = packet
          let newest = max(m.noted(key) ?? 0, packet.vectorClock[packet.senderID])
          m.note(key, newest)
          if packet.vectorClock.timestamps[packet.senderID] != nil {
            packet.vectorClock.timestamps[packet.senderID] = newest
          }
          return [packet]
        }),
      .packets(
        prefix + "refuses-equal-counts", role, clause: "BAB 5.6.4",
        "ignores a packet whose count is that of the one before",
        incoming: { m, link, packet in
          let key = "\(link.rawValue)"
          let count = packet.vectorClock[packet.senderID]
          defer { m.note(key, count) }
          return count > 0 && m.noted(key) == count ? [] : [packet]
        }),
      .packets(
        prefix + "unlisted-sender-passes", role, clause: "BAB 4.22",
        "takes a packet whose clock does not list its sender",
        incoming: { m, link, packet in
          let key = "\(link.rawValue)"
          var packet = packet
          if packet.vectorClock.timestamps[packet.senderID] == nil {
            packet.vectorClock.timestamps[packet.senderID] = m.noted(key) ?? 0
          }
          m.note(key, max(m.noted(key) ?? 0, packet.vectorClock[packet.senderID]))
          return [packet]
        }),
      .packets(
        prefix + "merges-strangers", role, clause: "BAB 5.6.5", "takes over counts of peers it does not know",
        outgoing: { m, _, packet in
          var packet = packet
          for id in m.memory where packet.vectorClock.timestamps[id] == nil { packet.vectorClock.timestamps[id] = 1 }
          return [.packet(packet)]
        },
        incoming: { m, _, packet in
          m.memory += packet.vectorClock.timestamps.keys.filter { !m.memory.contains($0) }
          return [packet]
        }),
    ]
  }

  private static let syncHostClocks: [Mutant] = [
    .packets(
      "clock-counts-links", .host, clause: "BAB 4.20", "counts a packet once for each link it goes to",
      outgoing: { m, _, packet in
        let count = packet.vectorClock[m.configuration.peerID]
        if m.noted("count") == count { m.count += 1 }
        m.note("count", count)
        return [.packet(packet.counting(m) { $0 + Int64(m.count) })]
      }),
    .packets(
      "clock-anew-each-session", .host, clause: "BAB 5.6.3", "starts its clock over when it hosts again",
      outgoing: { m, _, packet in [.packet(packet.counting(m) { $0 - Int64(m.count) })] },
      observing: { m, input in if input == .user(.leave) { m.count = Int(m.clock[m.configuration.peerID]) } }),
    .packets(
      "unlisted-sender-refused", .host, clause: "BAB 4.22", "takes only packets whose clock lists their sender",
      incoming: { _, _, packet in packet.vectorClock.timestamps[packet.senderID] == nil ? [] : [packet] }),
    .packets(
      "counts-held-over-links", .host, clause: "BAB 5.6.4", "holds a peer's counts against it on a new link",
      incoming: { m, _, packet in
        let newest = m.noted(packet.senderID) ?? 0
        let count = packet.vectorClock[packet.senderID]
        m.note(packet.senderID, max(newest, count))
        return count < newest && count > 0 ? [] : [packet]
      }),
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
