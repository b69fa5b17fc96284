import Expectations
import Testing

@testable import ProtocolFiles

@Suite("Framing of protocol files")
struct FileFramingTests {
  private static let fragments = FramingForm.fragments([
    .init(meaning: .id, integer: IntegerForm(octets: 2, isBigEndian: true)),
    .init(meaning: .index, integer: IntegerForm(octets: 1)), .init(meaning: .count, integer: IntegerForm(octets: 1)),
  ])
  static let all: [FramingForm] = [
    .lines, .length(IntegerForm(octets: 2, isBigEndian: true)), fragments,
    .fragments([.init(meaning: .more, integer: IntegerForm(octets: 1))]),
    .fragments([.init(meaning: .size, integer: IntegerForm(octets: 2))]),
  ]

  private func packets(_ outcomes: [FileAssembler.Outcome]) -> [[UInt8]] {
    outcomes.compactMap { if case .packet(let octets, _) = $0 { octets } else { nil } }
  }

  @Test("What is cut is put together again, at any ATT_MTU", arguments: all)
  func roundTrip(framing: FramingForm) throws {
    for attMTU in [23, 50, 185, 517] {
      var cutter = FileCutter(framing)
      var assembler = FileAssembler(framing)
      for length in [1, 15, 16, 17, 100, 400] {
        let packet = (0..<length).map { UInt8(0x20 + $0 % 90) }
        let values = try cutter.values(of: packet, attMTU: attMTU)
        expect(values.allSatisfy { $0.count <= attMTU - 3 })
        equal(packets(values.flatMap { assembler.receive($0) }), [packet])
        expect(!assembler.isMidPacket)
      }
    }
  }

  @Test("A packet says its own length; what is between packets is ignored, and what does not fit is dropped")
  func ownLength() throws {
    let framing = FramingForm.inside(
      .init(integer: IntegerForm(octets: 1), place: 3, extra: 7, start: [0xDD]))
    // Public documents of JBD battery monitors: a question for what is in general.
    let question: [UInt8] = [0xDD, 0xA5, 3, 0, 0xFF, 0xFD, 0x77]
    var assembler = FileAssembler(framing)
    equal(packets(assembler.receive([0xFF, 0xAA, 0x15] + question + [0xDD, 0xA5])), [question])
    equal(packets(assembler.receive(Array(question.dropFirst(2)) + [0x00])), [question])
    expect(!assembler.isMidPacket)
    var cutter = FileCutter(framing)
    try equal(cutter.values(of: question, attMTU: 8), [Array(question[..<5]), Array(question[5...])])
    #expect(throws: PacketRefusal.self) { try cutter.values(of: question + [0], attMTU: 23) }
    #expect(throws: PacketRefusal.self) { try cutter.values(of: Array(question[..<3]), attMTU: 23) }
    var long = FileAssembler(.inside(.init(integer: IntegerForm(octets: 4), place: 0, extra: 0, start: [])))
    equal(long.receive([0xFF, 0xFF, 0xFF, 0x7F]), [.dropped("a length of 2147483647 octets")])
    equal(long.receive([1, 0, 0, 0]), [.dropped("a length of 1 octet")])
  }

  /// The header of Bab (BAB 3.1), octets of its vectors.
  @Test("The fragments of Bab are one of these framings")
  func bab() {
    var assembler = FileAssembler(Self.fragments)
    equal(packets(assembler.receive([0, 5, 1, 2, 0x7D])), [])
    equal(packets(assembler.receive([0, 5, 0, 2, 0x7B])), [[0x7B, 0x7D]])
  }

  @Test("No values make an assembler keep more than its limit", arguments: all)
  func bounded(framing: FramingForm) {
    var assembler = FileAssembler(framing)
    for number in 0..<20_000 {
      let head = [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF), 1, 9]
      _ = assembler.receive(head + [UInt8](repeating: 0x41, count: 200))
      expect(assembler.waitingOctets <= (FileAssembler.packetLimit + 1) * FileAssembler.waitingLimit)
    }
  }
}
