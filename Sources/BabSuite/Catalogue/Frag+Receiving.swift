import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// FRAG, either role: what a receiver makes of fragments (BAB 3.9 to 3.14 and 3.16).
extension Catalog {
  /// A purpose about the receiver; host and client differ only in the packet that is cut.
  static func receiving(
    _ role: AppRole, _ number: String, _ clauses: [String], _ purpose: String, expects expected: String,
    needs: [ICS.Item] = [], seeds: [UInt64] = [1], testers: Int = 1,
    arrange: @escaping @Sendable (inout Stage) -> Void = { _ in },
    procedure: @escaping @Sendable (BabBed) throws -> Void
  ) -> TestPurpose {
    let isHost = role == .host
    return TestPurpose(
      "BAB/\(isHost ? "HOST" : "CLIENT")/FRAG/\(number)-C", clauses, purpose,
      initial: isHost ? "client-1 has subscribed and has no seat." : "The client is seated.", expects: [expected],
      needs: (isHost ? [] : [.screen]) + needs, seeds: seeds, testers: testers, arrange: arrange, procedure: procedure)
  }

  /// As `receiving`, with a packet whose arrival shows.
  static func probing(
    _ role: AppRole, _ number: String, _ clauses: [String], _ purpose: String, expects expected: String,
    needs: [ICS.Item] = [], seeds: [UInt64] = [1], arrange: @escaping @Sendable (inout Stage) -> Void = { _ in },
    procedure: @escaping @Sendable (FragProbe) throws -> Void
  ) -> TestPurpose {
    receiving(
      role, number, clauses, purpose, expects: expected, needs: needs, seeds: seeds, arrange: arrange,
      procedure: { try procedure(FragProbe($0)) })
  }

  static func fragOrder(_ role: AppRole) -> [TestPurpose] {
    [
      probing(
        role, "BV-11", ["BAB 3.9"], "The fragments of a packet in their order make the packet.",
        expects: "the packet is taken"
      ) { probe in
        try probe.deliver(probe.cut(into: 5, id: probe.takeID()), "the packet in 5 fragments")
        try probe.expectTaken()
      },
      probing(
        role, "BV-12", ["BAB 3.9"], "The fragments of a packet make the packet when the last one comes first.",
        expects: "the packet is taken"
      ) { probe in
        try probe.deliver(probe.cut(into: 5, id: probe.takeID()).reversed(), "5 fragments, the last one first")
        try probe.expectTaken()
      },
      probing(
        role, "BV-13", ["BAB 3.9"], "The fragments of a packet make the packet in any order.",
        expects: "the packet is taken", seeds: [1, 2, 3]
      ) { probe in
        var stream = probe.bed.stream("order")
        var values = probe.cut(into: 8, id: probe.takeID())
        var drawn: [[UInt8]] = []
        while !values.isEmpty { drawn.append(values.remove(at: Int(stream.within(0...Int64(values.count - 1))))) }
        try probe.deliver(drawn, "fragments \(drawn.map { Int($0[2]) }) of 8")
        try probe.expectTaken()
      },
      receiving(
        role, "BV-14", ["BAB 3.9"], "The fragments of two packets may come mixed.",
        expects: "both packets are taken"
      ) { t in
        let probe = try FragProbe(t, greets: false)
        let (first, other) = mixedTexts(t, probe)
        let one = FragProbe.cut(first, into: 3, id: probe.takeID())
        let two = FragProbe.cut(other, into: 3, id: probe.takeID())
        try probe.deliver([one[0], two[0], one[1], two[1], one[2], two[2]], "two packets of 3 fragments in turn")
        if probe.asksForSeat { try probe.tester.expect(.handshake) }
        try probe.expectTaken()
      },
      probing(
        role, "BV-15", ["BAB 3.5"], "A packet may have 255 fragments.", expects: "the packet is taken",
        arrange: { $0.hurry() }
      ) { probe in
        probe.makeText(padding: 255)
        try probe.deliver(probe.cut(into: 255, id: probe.takeID()), "the packet in 255 fragments")
        try probe.expectTaken()
      },
      receiving(
        role, "BV-16", ["BAB 3.7"], "packetID 0 follows 65 535.", expects: "both packets are taken"
      ) { t in
        let probe = try FragProbe(t, greets: false)
        let (first, other) = mixedTexts(t, probe)
        probe.tester.link?.nextPacketID = 65_535
        try probe.deliver(FragProbe.cut(first, into: 2, id: probe.takeID()), "a packet with packetID 65 535")
        try probe.deliver(FragProbe.cut(other, into: 2, id: probe.takeID()), "a packet with packetID 0")
        if probe.asksForSeat { try probe.tester.expect(.handshake) }
        try probe.expectTaken()
      },
    ]
  }

  /// Two packets that a receiver takes one after the other; the second one is the probe's.
  private static func mixedTexts(_ t: BabBed, _ probe: FragProbe) -> (first: [UInt8], second: [UInt8]) {
    var first = probe.text
    if let client = probe.tester as? ClientTester {
      first = client.packet(probe.asksForSeat ? client.greeting : .heartbeat).encoded()
    }
    probe.makeText()
    return (first, probe.text)
  }

  static func fragRepeats(_ role: AppRole) -> [TestPurpose] {
    [
      probing(
        role, "BV-17", ["BAB 3.13"], "A fragment that comes twice is taken once, and its packet goes on.",
        expects: "the packet is taken"
      ) { probe in
        let values = probe.cut(into: 3, id: probe.takeID())
        try probe.deliver(
          [values[0], values[0], values[1], values[0], values[1], values[2]], "fragments 0 0 1 0 1 2 of 3")
        try probe.expectTaken()
      },
      probing(
        role, "BI-01", ["BAB 3.13"], "A fragment that comes twice does not stand for another one.",
        expects: "the packet is taken with its last fragment, and not before"
      ) { probe in
        let values = probe.cut(into: 2, id: probe.takeID())
        try probe.deliver([values[0], values[0]], "fragment 0 of 2 twice")
        try probe.expectNotTaken()
        try probe.deliver([values[1]], "fragment 1")
        try probe.expectTaken()
      },
    ]
  }

  static func fragTimes(_ role: AppRole) -> [TestPurpose] {
    [
      probing(
        role, "BV-18", ["BAB 3.14"], "A packet may make progress as slowly as every 4.9 s.",
        expects: "the packet is taken"
      ) { probe in
        let values = probe.cut(into: 3, id: probe.takeID())
        try probe.deliver([values[0]], "fragment 0 of 3")
        for index in 1...2 {
          try probe.pause(untilAfterNewest: .milliseconds(4_880))
          try probe.deliver([values[index]], "fragment \(index)")
        }
        try probe.expectTaken()
      },
      probing(
        role, "BI-02", ["BAB 3.14"], "A packet without a new fragment for 5 s is dropped.",
        expects: "what comes 5.1 s after the last fragment does not make the packet; the next packet is taken"
      ) { probe in
        let values = probe.cut(into: 3, id: probe.takeID())
        try probe.deliver(Array(values[0...1]), "fragments 0 and 1 of 3")
        try probe.pause(untilAfterNewest: .milliseconds(5_050))
        try probe.deliver([values[2]], "fragment 2")
        try probe.expectDropped()
      },
      probing(
        role, "BI-03", ["BAB 3.13", "BAB 3.14"], "A repeated fragment is no progress.",
        expects: "the packet is dropped 5 s after its newest new fragment"
      ) { probe in
        let values = probe.cut(into: 2, id: probe.takeID())
        try probe.deliver([values[0]], "fragment 0 of 2")
        let start = probe.newestArrival
        try probe.pause(untilAfterNewest: .seconds(3))
        try probe.deliver([values[0]], "fragment 0 again")
        try probe.bed.pause(start + .milliseconds(5_050) - probe.bed.now)
        try probe.deliver([values[1]], "fragment 1, 5 s after the first one")
        try probe.expectDropped()
      },
      probing(
        role, "BI-04", ["BAB 3.14"], "A packet is dropped at its deadline, and that is reported then.",
        expects: "no report at 4.9 s, one at 5.1 s", needs: [.refusals]
      ) { probe in
        let values = probe.cut(into: 2, id: probe.takeID())
        try probe.deliver([values[0]], "fragment 0 of 2")
        let count = probe.bed.iut.refusals.count
        let wait = probe.newestArrival + .milliseconds(4_900) - probe.bed.now
        try probe.bed.never("the IUT reports a refusal", for: wait) {
          probe.bed.iut.refusals.count > count
        }
        try probe.expectRefusal("the packet that made no progress", within: .milliseconds(200), after: count)
      },
      probing(
        role, "BI-05", ["BAB 3.16"], "When a link ends, its partial packets are dropped.",
        expects: "the rest of a packet on a new link does not make the packet",
        needs: role == .client ? [.reconnect] : []
      ) { probe in
        probe.makeTextAhead()
        let values = probe.cut(into: 2, id: 0x1234)
        try probe.deliver([values[0]], "fragment 0 of 2")
        try probe.bed.preamble {
          probe.tester.disconnect()
          try probe.bed.expect("the link has ended") { !probe.tester.isConnected && probe.bed.iut.links.isEmpty }
          probe.tester.forget()
          if let client = probe.tester as? ClientTester {
            try client.join(upTo: .subscribed)
            try probe.greet()
          } else {
            (probe.tester as? HostTester)?.lobby.difficultyLevel = "normal"
            try probe.tester.expect(.clientJoin, within: .seconds(10))
            try probe.bed.pause(.milliseconds(200))
          }
          probe.begin()
        }
        try probe.deliver([values[1]], "fragment 1 on the new link")
        try probe.expectDropped()
      },
    ]
  }
}
