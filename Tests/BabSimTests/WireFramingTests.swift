import BabFuzzing
import BabSim
import Expectations
import SimKernel
import Testing

@Suite("Framing")
struct WireFramingTests {
  /// Written by hand from the layout in the design's fragment header.
  @Test("A packet that fits one fragment still carries the header; the packet ID is big-endian and wraps")
  func layout() throws {
    var fragmenter = Fragmenter(nextPacketID: 0x01FF)
    try equal(fragmenter.fragments(of: [0x7B, 0x7D], attMTU: 185), [[0x01, 0xFF, 0x00, 0x01, 0x7B, 0x7D]])
    try equal(fragmenter.fragments(of: [], attMTU: 23), [[0x02, 0x00, 0x00, 0x01]])
    try equal(
      fragmenter.fragments(of: [1, 2, 3], attMTU: 8),
      [
        [0x02, 0x01, 0x00, 0x03, 1], [0x02, 0x01, 0x01, 0x03, 2], [0x02, 0x01, 0x02, 0x03, 3],
      ])
    fragmenter = Fragmenter(nextPacketID: 0xFFFF)
    try equal(fragmenter.fragments(of: [9], attMTU: 23), [[0xFF, 0xFF, 0x00, 0x01, 9]])
    equal(fragmenter.nextPacketID, 0)
  }

  @Test(
    "Every value fits ATT_MTU − 3 and 512, and all but the last are full",
    arguments: [8, 23, 24, 100, 185, 247, 517])
  func fits(_ attMTU: Int) throws {
    var fragmenter = Fragmenter()
    let body = min(attMTU - 7, 508)
    for length in [1, body - 1, body, body + 1, 2 * body, 2 * body + 1, 255 * body] where length >= 0 {
      let packet = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let values = try fragmenter.fragments(of: packet, attMTU: attMTU)
      equal(values.count, fragmenter.fragmentCount(of: length, attMTU: attMTU))
      expect(values.allSatisfy { $0.count <= body + 4 })
      expect(values.dropLast().allSatisfy { $0.count == body + 4 })
      equal(values.flatMap { $0.dropFirst(4) }, packet)
    }
  }

  @Test("More than 255 fragments, or no room for a body, are refused and use up no packet ID")
  func refusals() {
    var fragmenter = Fragmenter()
    let packet = [UInt8](repeating: 0, count: 16 * 255 + 1)
    #expect(throws: FragmentationError.tooManyFragments(256)) { try fragmenter.fragments(of: packet, attMTU: 23) }
    #expect(throws: FragmentationError.attMTUTooSmall(7)) { try fragmenter.fragments(of: [1], attMTU: 7) }
    #expect(throws: FragmentationError.attMTUTooSmall(-1)) { try fragmenter.fragments(of: [1], attMTU: -1) }
    equal(fragmenter.nextPacketID, 0)
    expect(fragmenter.fragmentCount(of: packet.count, attMTU: 23) == nil)
  }

  @Test("Raw framing cuts every 182 octets without a header; the faulty one makes values of 185")
  func contradictions() throws {
    let packet = [UInt8](repeating: 0x20, count: 400)
    var raw = Fragmenter(framing: .raw)
    try equal(raw.fragments(of: packet, attMTU: 23).map(\.count), [182, 182, 36])
    var overlong = Fragmenter(framing: .framedOverlong)
    try equal(overlong.fragments(of: packet, attMTU: 185).map(\.count), [185, 185, 42])
    var receiver = Reassembler(framing: .raw)
    equal(receiver.receive([1, 2], at: .zero).packet, [1, 2])
  }
}

@Suite("Reassembly")
struct WireReassemblerTests {
  typealias Drop = Reassembler.Drop

  func value(_ id: UInt16, _ index: UInt8, _ count: UInt8, _ body: [UInt8] = [0xAA]) -> [UInt8] {
    [UInt8(id >> 8), UInt8(id & 0xFF), index, count] + body
  }

  func at(_ milliseconds: Int64) -> SimInstant { .zero + .milliseconds(milliseconds) }

  @Test("Fragments in any order, of several packets at once, make their packets")
  func anyOrder() {
    var receiver = Reassembler()
    expect(receiver.receive(value(1, 2, 3, [3]), at: at(0)).packet == nil)
    expect(receiver.receive(value(2, 1, 2, [9]), at: at(0)).packet == nil)
    expect(receiver.receive(value(1, 0, 3, [1]), at: at(0)).packet == nil)
    equal(receiver.heldOctets, 3)
    equal(receiver.receive(value(2, 0, 2, [8, 8]), at: at(1)).packet, [8, 8, 9])
    let last = receiver.receive(value(1, 1, 3, [2]), at: at(1))
    expect(last.packet == [1, 2, 3] && last.packetID == 1 && last.fragments == 3 && last.drops.isEmpty)
    expect(receiver.partialCount == 0 && receiver.heldOctets == 0 && receiver.nextDeadline == nil)
  }

  @Test("A value shorter than its header is reported and changes nothing", arguments: 0..<4)
  func tooShort(_ length: Int) {
    var receiver = Reassembler()
    _ = receiver.receive(value(1, 0, 2), at: at(0))
    let reception = receiver.receive([UInt8](repeating: 0, count: length), at: at(0))
    equal(reception.drops, [Drop(reason: .tooShort, packetID: nil, fragments: 0)])
    equal(receiver.partialCount, 1)
  }

  @Test("Count 0, an index not below the count, another count, and a repeat with other octets drop the packet")
  func contradictions() {
    let cases: [([UInt8], Drop.Reason)] = [
      (value(1, 0, 0), .countZero), (value(1, 2, 2), .indexOutOfRange), (value(1, 255, 254), .indexOutOfRange),
      (value(1, 1, 3), .countChanged), (value(1, 0, 2, [0xAB]), .conflictingRepeat),
      (value(1, 0, 2, []), .conflictingRepeat),
    ]
    for (bad, reason) in cases {
      var receiver = Reassembler()
      _ = receiver.receive(value(1, 0, 2), at: at(0))
      _ = receiver.receive(value(2, 0, 2), at: at(0))
      let reception = receiver.receive(bad, at: at(1))
      equal(reception.drops, [Drop(reason: reason, packetID: 1, fragments: 1)])
      expect(reception.packet == nil)
      expect(receiver.partialCount == 1 && receiver.heldOctets == 1)
      // The other packet is untouched, and the dropped one does not complete from what is left of it.
      expect(receiver.receive(value(1, 1, 2), at: at(2)).packet == nil)
      equal(receiver.receive(value(2, 1, 2), at: at(2)).packet, [0xAA, 0xAA])
    }
  }

  @Test("An identical repeat is ignored, and is no progress")
  func repeats() {
    var receiver = Reassembler()
    _ = receiver.receive(value(1, 0, 2), at: at(0))
    let again = receiver.receive(value(1, 0, 2), at: at(4_000))
    expect(again.isRepeat && again.drops.isEmpty && again.packet == nil)
    equal(receiver.nextDeadline, at(5_000))
  }

  @Test("A repeat of a completed packet is ignored for 5 s; the same ID with other octets is a new packet")
  func completedRepeats() {
    var receiver = Reassembler()
    equal(receiver.receive(value(7, 0, 1, [1]), at: at(0)).packet, [1])
    expect(receiver.receive(value(7, 0, 1, [1]), at: at(4_999)).isRepeat)
    equal(receiver.receive(value(7, 0, 1, [2]), at: at(4_999)).packet, [2])
    equal(receiver.receive(value(7, 0, 1, [1]), at: at(5_000)).packet, [1])
    _ = receiver.receive(value(8, 0, 2, [1]), at: at(6_000))
    equal(receiver.receive(value(8, 1, 2, [2]), at: at(6_000)).packet, [1, 2])
    expect(receiver.receive(value(8, 1, 2, [2]), at: at(6_001)).isRepeat)
    equal(receiver.partialCount, 0)
    for id in 100..<UInt16(100 + Reassembler.memory) { _ = receiver.receive(value(id, 0, 1), at: at(6_002)) }
    equal(receiver.receive(value(8, 1, 2, [2]), at: at(6_003)).isRepeat, false)
  }

  @Test("Without progress for 5 s a partial packet is dropped, at the deadline and not before")
  func expiry() {
    var receiver = Reassembler()
    _ = receiver.receive(value(1, 0, 3), at: at(0))
    _ = receiver.receive(value(2, 0, 3), at: at(1_000))
    _ = receiver.receive(value(1, 1, 3), at: at(3_000))
    equal(receiver.nextDeadline, at(6_000))
    expect(receiver.expire(at: at(5_999)).isEmpty)
    equal(receiver.expire(at: at(6_000)), [Drop(reason: .expired, packetID: 2, fragments: 1)])
    equal(receiver.nextDeadline, at(8_000))
    let late = receiver.receive(value(1, 2, 3), at: at(8_000))
    expect(late.packet == nil && late.drops == [Drop(reason: .expired, packetID: 1, fragments: 2)])
    equal(receiver.partialCount, 1)
  }

  @Test("The seventeenth partial packet pushes out the oldest; the end of the link drops all")
  func partialLimit() {
    var receiver = Reassembler()
    for id in 0..<16 { expect(receiver.receive(value(UInt16(id), 0, 2), at: at(0)).drops.isEmpty) }
    let reception = receiver.receive(value(16, 0, 2), at: at(0))
    equal(reception.drops, [Drop(reason: .tooManyPartials, packetID: 0, fragments: 1)])
    equal(receiver.partialCount, 16)
    let drops = receiver.disconnect()
    equal(drops.map(\.packetID), (1...16).map { UInt16($0) })
    expect(drops.allSatisfy { $0.reason == .disconnected })
    expect(receiver.partialCount == 0 && receiver.heldOctets == 0)
  }

  @Test("More than 256 KiB of partial packets push out the oldest, even the one that grows")
  func octetLimit() {
    var receiver = Reassembler()
    let body = [UInt8](repeating: 0x20, count: 65_536)
    for id in 0..<4 { expect(receiver.receive(value(UInt16(id), 0, 9, body), at: at(0)).drops.isEmpty) }
    equal(receiver.heldOctets, Reassembler.octetLimit)
    let reception = receiver.receive(value(4, 0, 9, [1]), at: at(0))
    equal(reception.drops, [Drop(reason: .tooManyOctets, packetID: 0, fragments: 1)])
    var alone = Reassembler()
    for index in 0..<4 { _ = alone.receive(value(1, UInt8(index), 9, body), at: at(0)) }
    equal(
      alone.receive(value(1, 4, 9, body), at: at(0)).drops,
      [
        Drop(reason: .tooManyOctets, packetID: 1, fragments: 5)
      ])
    equal(alone.heldOctets, 0)
  }

  @Test("100 000 random fragments never push the reassembler beyond its bounds")
  func bounds() {
    var generator = PacketGenerator(seed: 11)
    var receiver = Reassembler()
    var now = SimInstant.zero
    var completed = 0
    var dropped: Set<Drop.Reason> = []
    let large = [UInt8](repeating: 0x55, count: 40_000)
    for _ in 0..<100_000 {
      now = now + .milliseconds(Int64(generator.below(generator.below(10) == 0 ? 2_000 : 40)))
      // Mostly honest fragments of 64 packets, so that partial packets pile up; some contradict them.
      let id = UInt16(generator.below(64))
      let isHonest = generator.below(20) > 0
      let count = isHonest ? UInt8(id % 4 + 1) * 2 : UInt8(generator.below(9))
      let index = isHonest ? UInt8(generator.below(Int(count))) : UInt8(generator.below(9))
      var fragment = value(id, index, count, [isHonest ? index : UInt8(generator.below(256))])
      if id % 8 == 7 { fragment += large }
      if generator.below(100) == 0 { fragment = generator.octets(generator.below(8)) }
      let reception = receiver.receive(fragment, at: now)
      if let packet = reception.packet {
        completed += 1
        expect(packet.count <= WireLimits.packetOctets)
      }
      for drop in reception.drops { dropped.insert(drop.reason) }
      guard receiver.partialCount <= Reassembler.partialLimit, receiver.heldOctets <= Reassembler.octetLimit,
        receiver.partialCount > 0 || (receiver.heldOctets == 0 && receiver.nextDeadline == nil)
      else { return expect(false, "bounds exceeded: \(receiver.partialCount) partials, \(receiver.heldOctets) octets") }
      if let deadline = receiver.nextDeadline, deadline <= now {
        return expect(false, "a partial packet outlived its deadline")
      }
    }
    expect(completed > 1_000)
    equal(Set(Drop.Reason.allCases).subtracting(dropped), [.disconnected])
  }

  @Test("Packets of every size survive fragments that are shuffled and repeated", arguments: [23, 185, 517])
  func endToEnd(_ attMTU: Int) throws {
    var generator = PacketGenerator(seed: 13)
    var fragmenter = Fragmenter(nextPacketID: 65_500)
    var receiver = Reassembler()
    for round in 0..<60 {
      let packet = generator.octets(generator.below(250 * (attMTU - 7)))
      var values = try fragmenter.fragments(of: packet, attMTU: attMTU)
      for index in values.indices.dropLast() { values.swapAt(index, index + generator.below(values.count - index)) }
      var delivered: [[UInt8]] = []
      for value in values {
        for _ in 0...generator.below(2) {
          let reception = receiver.receive(value, at: at(Int64(round)))
          expect(reception.drops.isEmpty)
          if let packet = reception.packet { delivered.append(packet) }
        }
      }
      equal(delivered, [packet])
    }
  }
}
