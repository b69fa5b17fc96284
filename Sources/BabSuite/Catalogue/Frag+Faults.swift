import AppSeam
import BabSim
import Conformance
import SimKernel

/// FRAG, either role: fragments that contradict each other, and too many of them (BAB 3.10 to 3.12, 3.15, 3.18, 3.19).
extension Catalog {
  static func fragContradictions(_ role: AppRole) -> [TestPurpose] {
    [
      probing(
        role, "BI-06", ["BAB 3.10"], "Values of fewer than four octets leave a partial packet as it is.",
        expects: "the packet goes on and is taken"
      ) { probe in
        let id = probe.takeID()
        let values = probe.cut(into: 2, id: id)
        try probe.deliver([values[0]], "fragment 0 of 2")
        try probe.deliver([[], [0], [UInt8(id >> 8), UInt8(id & 0xFF), 1]], "values of 0, 1 and 3 octets")
        try probe.expectNothingShown()
        try probe.deliver([values[1]], "fragment 1")
        try probe.expectTaken()
      },
      probing(
        role, "BI-07", ["BAB 3.11"], "A fragmentCount of 0 drops the partial packet of that packetID.",
        expects: "what was missing does not make the packet; the next packet is taken"
      ) { probe in
        let id = probe.takeID()
        let values = probe.cut(into: 2, id: id)
        try probe.deliver(
          [values[0], FragProbe.value(id, 1, 0, [1, 2, 3]), values[1]], "fragment 0, count 0, fragment 1")
        try probe.expectDropped()
      },
      probing(
        role, "BI-08", ["BAB 3.11"], "A fragmentIndex that is not below its count drops the partial packet.",
        expects: "what was missing does not make the packet; the next packet is taken"
      ) { probe in
        for index in [2, 255] {
          let id = probe.takeID()
          let values = probe.cut(into: 2, id: id)
          try probe.deliver(
            [values[0], FragProbe.value(id, index, 2, [1, 2, 3]), values[1]], "fragments 0, \(index) and 1 of 2")
          try probe.expectNotTaken()
        }
        try probe.expectServesOn()
      },
      probing(
        role, "BI-09", ["BAB 3.12"], "A fragmentCount that differs from the first one drops the packet.",
        expects: "what was missing does not make the packet; the next packet is taken"
      ) { probe in
        let id = probe.takeID()
        let values = probe.cut(into: 2, id: id)
        try probe.deliver(
          [values[0], FragProbe.value(id, 1, 3, [1, 2, 3]), values[1]], "fragment 0 of 2, 1 of 3, 1 of 2")
        try probe.expectDropped()
      },
      probing(
        role, "BI-10", ["BAB 3.12"], "A repeated index with other octets drops the packet, whichever were right.",
        expects: "what was missing does not make the packet; the next packet is taken"
      ) { probe in
        for isFirstRight in [true, false] {
          let id = probe.takeID()
          let values = probe.cut(into: 2, id: id)
          var wrong = values[0]
          wrong[wrong.count / 2] ^= 1
          try probe.deliver(
            (isFirstRight ? [values[0], wrong] : [wrong, values[0]]) + [values[1]],
            "fragment 0 of 2, fragment 0 with another octet, fragment 1")
          try probe.expectNotTaken()
        }
        try probe.expectServesOn()
      },
      probing(
        role, "BI-11", ["BAB 3.18"], "A later fragment of a dropped packet's ID begins a new partial packet.",
        expects: "the fragments that come after the drop make the packet"
      ) { probe in
        let id = probe.takeID()
        let values = probe.cut(into: 3, id: id)
        try probe.deliver([values[0], FragProbe.value(id, 3, 3, [1])], "fragment 0 of 3, then index 3")
        try probe.expectNothingShown()
        try probe.deliver([values[1], values[2], values[0]], "fragments 1, 2 and 0 of the same packetID")
        try probe.expectTaken()
      },
      probing(
        role, "BI-12", ["BAB 3.19"], "No sequence of values makes a receiver stop.",
        expects: "after 300 drawn values a packet is taken", seeds: [1, 2, 3], arrange: { $0.hurry() }
      ) { probe in
        var stream = probe.bed.stream("values")
        let values = (0..<300).map { _ in
          (0..<Int(stream.within(0...12))).map { _ in UInt8(truncatingIfNeeded: stream.within(0...7)) }
        }
        try probe.deliver(values, "300 drawn values")
        // What happens to be partial has the time to expire.
        try probe.pause(untilAfterNewest: .milliseconds(5_100))
        try probe.expectDropped()
      },
    ]
  }

  // MARK: Limits

  static func fragLimits(_ role: AppRole) -> [TestPurpose] {
    [
      probing(
        role, "BV-19", ["BAB 3.15"], "A receiver holds sixteen partial packets.",
        expects: "the first of sixteen is taken when its rest comes"
      ) { probe in
        let values = probe.cut(into: 2, id: probe.takeID())
        try probe.deliver([values[0]] + junk(15, probe), "fragment 0 of 2, and first fragments of 15 other packets")
        try probe.deliver([values[1]], "fragment 1")
        try probe.expectTaken()
      },
      probing(
        role, "BI-13", ["BAB 3.15"], "Beyond sixteen partial packets the one begun first is dropped.",
        expects: "the first of seventeen is not taken when its rest comes; the next packet is taken"
      ) { probe in
        let values = probe.cut(into: 2, id: probe.takeID())
        try probe.deliver([values[0]] + junk(16, probe), "fragment 0 of 2, and first fragments of 16 other packets")
        try probe.deliver([values[1]], "fragment 1")
        try probe.expectDropped()
      },
      probing(
        role, "BI-14", ["BAB 3.15"], "Beyond sixteen partial packets the newest one is kept.",
        expects: "the last of seventeen is taken when its rest comes"
      ) { probe in
        let others = junk(16, probe)
        let values = probe.cut(into: 2, id: probe.takeID())
        try probe.deliver(others + [values[0]], "first fragments of 16 other packets, and fragment 0 of 2")
        try probe.expectNothingShown()
        try probe.deliver([values[1]], "fragment 1")
        try probe.expectTaken()
      },
      receiving(
        role, "BV-20", ["BAB 3.15"], "A receiver holds 250 000 octets of partial packets.",
        expects: "the packet begun first is taken when its rest comes", arrange: wide
      ) { t in try fill(t, octets: 250_000) { try $0.expectTaken() } },
      receiving(
        role, "BI-15", ["BAB 3.15"], "Beyond 262 144 octets of partial packets the one begun first is dropped.",
        expects: "the packet begun first is not taken when its rest comes; the next packet is taken",
        arrange: wide
      ) { t in
        try fill(t, octets: 263_000) { probe in
          try probe.expectDropped()
        }
      },
    ]
  }

  @Sendable private static func wide(_ stage: inout Stage) {
    stage.setATTMTU(517)
    stage.hurry()
  }

  /// First fragments of packets that never come.
  private static func junk(_ count: Int, _ probe: FragProbe) -> [[UInt8]] {
    (0..<count).map { _ in FragProbe.value(probe.takeID(), 0, 2, [0x7B]) }
  }

  /// Begins the packet, lets others grow until so many octets are held, and ends the packet; each makes progress.
  private static func fill(_ t: BabBed, octets: Int, judge: (FragProbe) throws -> Void) throws {
    let probe = try FragProbe(t, attMTU: 517)
    try t.preamble { try t.require("the ATT_MTU is 517", probe.tester.link?.attMTU == 517) }
    let body = [UInt8](repeating: 0x20, count: 508)
    let others = (0..<3).map { _ in probe.takeID() }
    let values = probe.cut(into: 60, id: probe.takeID())
    try probe.deliver([values[0]], "fragment 0 of 60")
    var next = 1
    let count = (octets + body.count - 1) / body.count
    for batch in 0..<(count + 14) / 15 {
      let grown = (15 * batch..<min(15 * batch + 15, count)).map {
        FragProbe.value(others[$0 % 3], $0 / 3, 255, body)
      }
      try probe.deliver(grown + [values[next]], "\(grown.count) fragments of three other packets, and fragment \(next)")
      next += 1
    }
    try probe.deliver(Array(values[next...]), "the other fragments")
    try judge(probe)
  }

  // MARK: Reports

  static func fragReports(_ role: AppRole) -> [TestPurpose] {
    [
      reported(role, "BI-16", "BAB 3.10", "a value that is too short") { _, probe in [[1, 2, 3]] },
      reported(role, "BI-17", "BAB 3.11", "a fragmentCount of 0") { id, _ in [FragProbe.value(id, 0, 0, [1])] },
      reported(role, "BI-18", "BAB 3.11", "a fragmentIndex that is not below its count") { id, _ in
        [FragProbe.value(id, 2, 2, [1])]
      },
      reported(role, "BI-19", "BAB 3.12", "a fragmentCount that changes") { id, probe in
        [probe.cut(into: 2, id: id)[0], FragProbe.value(id, 1, 3, [1])]
      },
      reported(role, "BI-20", "BAB 3.12", "a repeated fragment with other octets") { id, probe in
        [probe.cut(into: 2, id: id)[0], FragProbe.value(id, 0, 2, [1])]
      },
      reported(role, "BI-21", "BAB 3.15", "the packet that is dropped for the seventeenth") { id, probe in
        [probe.cut(into: 2, id: id)[0]] + junk(16, probe)
      },
    ]
  }

  /// A purpose about a report: the last of the values must lead to one.
  private static func reported(
    _ role: AppRole, _ number: String, _ clause: String, _ what: String,
    values: @escaping @Sendable (UInt16, FragProbe) -> [[UInt8]]
  ) -> TestPurpose {
    probing(
      role, number, [clause], "A receiver reports \(what).", expects: "a refusal is reported", needs: [.refusals]
    ) { probe in
      let list = values(probe.takeID(), probe)
      if list.count > 1 { try probe.deliver(Array(list.dropLast()), "what comes before") }
      let count = probe.bed.iut.refusals.count
      try probe.deliver([list[list.count - 1]], what)
      try probe.expectRefusal(what, after: count)
    }
  }
}
