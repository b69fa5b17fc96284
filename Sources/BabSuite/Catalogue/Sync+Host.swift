import AppSeam
import BabSim
import Conformance
import SimKernel

/// SYNC, host: vector clocks, what a newcomer is told, snapshots, convergence (BAB 5.6, 5.7).
extension Catalog {
  static let syncHost: [TestPurpose] = syncHostClocks + syncHostState

  private static let syncHostClocks: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/SYNC/BV-01-C", ["BAB 5.6.1", "BAB 4.20"], "The host adds one to its own entry for each packet.",
      initial: "client-1 is seated, and nobody else.", expects: ["the host's count grows by one from packet to packet"]
    ) { t, client in
      try t.preamble { try t.seatClients(1, scenario: nil) }
      var counts = client.heard.suffix(1).compactMap { $0.packet?.vectorClock[t.iut.peerID] }
      for level in ["hard", "easy", "normal"] {
        let packets = try t.changeDifficulty(level, toldTo: [client])
        counts += packets.map { $0.vectorClock[t.iut.peerID] }
        try t.pause(.milliseconds(300))
      }
      try t.require(
        "each packet has one more than the one before", actual: "the counts are \(counts)",
        zip(counts, counts.dropFirst()).allSatisfy { $1 == $0 + 1 })
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-02-C", ["BAB 5.6.1"], "A packet to several links is one packet of the host's clock.",
      initial: "Three clients are seated.", expects: ["the same LOBBY_UPDATE with the same count at each client"],
      testers: 3
    ) { t in
      try t.preamble { try t.seatClients(3, scenario: nil) }
      let counts = try t.changeDifficulty("hard", toldTo: t.clients).map { $0.vectorClock[t.iut.peerID] }
      try t.require(
        "all three copies have the same count", actual: "the counts are \(counts)",
        counts.allSatisfy { $0 == counts[0] })
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-03-C", ["BAB 5.6.2", "BAB 4.21"], "The host takes over a client's larger count of itself.",
      initial: "client-1 is seated.", expects: ["the host's next packet has the client's count, 50"]
    ) { t, client in
      try t.preamble { try t.seatClients(1, scenario: nil) }
      client.send(.heartbeat, clock: [(client.peerID, 50)])
      try client.flush(thenPause: .milliseconds(200))
      let packet = try t.changeDifficulty("hard", toldTo: [client])[0]
      let count = packet.vectorClock[client.peerID]
      try t.require("the host counts 50 packets of client-1", actual: "it counts \(count)", count == 50)
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-04-C", ["BAB 5.6.2"], "Receiving a packet adds nothing to the host's own entry.",
      initial: "client-1 is seated.", expects: ["five packets from the client later, the host's count is one more"]
    ) { t, client in
      try t.preamble { try t.seatClients(1, scenario: nil) }
      let before = try t.preamble { try t.changeDifficulty("easy", toldTo: [client])[0].vectorClock[t.iut.peerID] }
      for _ in 0..<5 { client.send(.heartbeat) }
      try client.flush(thenPause: .milliseconds(200))
      let after = try t.changeDifficulty("hard", toldTo: [client])[0].vectorClock[t.iut.peerID]
      try t.require("the host's count is \(before + 1)", actual: "it is \(after)", after == before + 1)
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-05-C", ["BAB 5.6.2", "BAB 5.6.3"],
      "A smaller count of somebody else leaves the host's as it was.",
      initial: "client-1 and client-2 are seated; the host counts 80 packets of client-1.",
      expects: ["client-2 says 3 for client-1, and the host still says 80"], testers: 2
    ) { t, first, second in
      try t.preamble {
        try t.seatClients(2, scenario: nil)
        first.send(.heartbeat, clock: [(first.peerID, 80)])
        try first.flush()
      }
      second.send(.heartbeat, clock: [(first.peerID, 3), (second.peerID, 60)])
      try second.flush(thenPause: .milliseconds(200))
      let count = try t.changeDifficulty("hard", toldTo: [second])[0].vectorClock[first.peerID]
      try t.require("the host counts 80 packets of client-1", actual: "it counts \(count)", count == 80)
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-06-C", ["BAB 5.6.4"], "A packet whose count equals that of the packet before is taken.",
      initial: "client-1 has subscribed.", expects: ["HANDSHAKE and CLIENT_JOIN, both with count 10, give it a seat"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .subscribed) }
      client.send(client.greeting, clock: [(client.peerID, 10)])
      client.send(client.request, clock: [(client.peerID, 10)])
      try client.expect(.lobbyUpdate)
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-07-C", ["BAB 4.22", "BAB 5.6.4"],
      "A sender that is not in its own clock counts 0, which is no reason to refuse it.",
      initial: "client-1 has subscribed.", expects: ["HANDSHAKE and CLIENT_JOIN with empty clocks give it a seat"]
    ) { t, client in
      try t.preamble { try t.bring(client, upTo: .subscribed) }
      client.send(client.greeting, clock: [], note: "with an empty clock")
      client.send(client.request, clock: [], note: "with an empty clock")
      try client.expect(.lobbyUpdate)
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-08-C", ["BAB 5.6.4"], "A count is held against packets of the same link only.",
      initial: "client-1 was seated with counts above 100, and its app has been restarted.",
      expects: ["its counts begin at 1 again on the new link, and it gets a seat"]
    ) { t, client in
      try t.preamble {
        try t.seatClients(1, scenario: nil)
        client.send(.heartbeat, clock: [(client.peerID, 100)])
        try client.flush()
        try t.lose(client)
        try client.join(upTo: .subscribed)
      }
      client.send(client.greeting, clock: [(client.peerID, 1)])
      client.send(client.request, clock: [(client.peerID, 2)])
      try client.expect(.lobbyUpdate)
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-09-C", ["BAB 5.6.3"], "The host's count goes on when its user hosts again.",
      initial: "client-1 was seated, the host left and hosts again, client-1 is seated again.",
      expects: ["the new session's first count is larger than the last one of the old session"]
    ) { t, client in
      let before = try t.preamble {
        try t.seatClients(1, scenario: nil)
        let count = try t.changeDifficulty("hard", toldTo: [client])[0].vectorClock[t.iut.peerID]
        try t.hostLeaves()
        try t.pause(.seconds(1))
        t.iut.user(.startHosting)
        try client.join()
        return count
      }
      let after = client.packetsOnLink.first?.vectorClock[t.iut.peerID] ?? 0
      try t.require("the count is larger than \(before)", actual: "it is \(after)", after > before)
    },
    TestPurpose(
      "BAB/HOST/SYNC/BI-01-C", ["BAB 5.6.3"],
      "A client that says less of the host than the host knows sets nothing back.",
      initial: "client-1 is seated.", expects: ["the host's count grows on after a packet that says 0 for it"]
    ) { t, client in
      try t.preamble { try t.seatClients(1, scenario: nil) }
      let before = try t.preamble { try t.changeDifficulty("easy", toldTo: [client])[0].vectorClock[t.iut.peerID] }
      client.send(.heartbeat, clock: [(t.iut.peerID, 0), (client.peerID, 60)])
      try client.flush(thenPause: .milliseconds(200))
      let after = try t.changeDifficulty("hard", toldTo: [client])[0].vectorClock[t.iut.peerID]
      try t.require("the host's count is larger than \(before)", actual: "it is \(after)", after > before)
    },
    TestPurpose(
      "BAB/HOST/SYNC/BI-02-C", ["BAB 5.6.4"], "A packet whose count is smaller than an earlier one's is ignored.",
      initial: "client-1 has sent HANDSHAKE with count 10.",
      expects: ["no seat for a CLIENT_JOIN with count 9", "the next one, with count 11, gets it"]
    ) { t, client in
      try t.preamble { try t.greetAtCount10(client) }
      try t.ignores {
        client.send(client.request, clock: [(client.peerID, 9)])
        try client.expectNone(of: [.lobbyUpdate])
      }
      client.send(client.request, clock: [(client.peerID, 11)])
      try client.expect(.lobbyUpdate)
    },
    TestPurpose(
      "BAB/HOST/SYNC/BI-03-C", ["BAB 4.22", "BAB 5.6.4"],
      "A packet whose clock does not list its sender counts 0, and comes too late.",
      initial: "client-1 has sent HANDSHAKE with count 10.",
      expects: ["no seat for a CLIENT_JOIN with an empty clock"]
    ) { t, client in
      try t.preamble { try t.greetAtCount10(client) }
      try t.ignores {
        client.send(client.request, clock: [], note: "with an empty clock")
        try client.expectNone(of: [.lobbyUpdate])
      }
    },
    TestPurpose(
      "BAB/HOST/SYNC/BI-04-C", ["BAB 5.6.5"], "The host takes over no counts of peers it does not know.",
      initial: "client-1 is seated.", expects: ["none of 100 strangers is in the host's next clock"]
    ) { t, client in
      try t.preamble { try t.seatClients(1, scenario: nil) }
      let strangers = (1...100).map { ("stranger-\($0)", Int64($0)) }
      client.send(.heartbeat, clock: [(client.peerID, 50)] + strangers, note: "with 100 strangers in its clock")
      try client.flush(thenPause: .milliseconds(500))
      let clock = try t.changeDifficulty("hard", toldTo: [client])[0].vectorClock
      let merged = clock.timestamps.keys.filter { $0.hasPrefix("stranger") }
      try t.require("no stranger is in the host's clock", actual: "\(merged.count) are", merged.isEmpty)
    },
  ]
}

extension BabBed {
  /// The implementation hosts, and has answered a client's HANDSHAKE with the count 10.
  fileprivate func greetAtCount10(_ client: ClientTester) throws {
    try bring(client, upTo: .subscribed)
    client.send(client.greeting, clock: [(client.peerID, 10)])
    try client.expect(.handshake)
  }
}
