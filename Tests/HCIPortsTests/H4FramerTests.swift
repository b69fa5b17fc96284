import Expectations
import SimKernel
import Testing

@testable import HCIPorts

@Suite("The H4 framer")
struct H4FramerTests {
  /// What a stream says, cut at the given places.
  private func pieces(
    _ octets: [UInt8], from sender: H4Framer.Sender, limit: Int = 4_096, cuts: [Int] = []
  ) -> [H4Framer.Piece] {
    var framer = H4Framer(sender: sender, limit: limit)
    var pieces: [H4Framer.Piece] = []
    var start = 0
    for end in cuts + [octets.count] {
      framer.feed(Array(octets[start..<end])) { pieces.append($0) }
      expect(framer.waiting <= octets.count)
      start = end
    }
    return pieces
  }

  /// The first octets of an Android phone's HCI snoop log (capture 04 of the shared captures).
  static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
  static let resetComplete: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
  static let readBufferSize: [UInt8] = [0x01, 0x05, 0x10, 0x00]
  /// ATT_READ_BY_TYPE_REQ for the Database Hash on an Android phone (capture 29).
  static let acl: [UInt8] = [
    0x02, 0x41, 0x00, 0x0B, 0x00, 0x07, 0x00, 0x04, 0x00, 0x08, 0x01, 0x00, 0xFF, 0xFF, 0x3A, 0x2B,
  ]
  static let sco: [UInt8] = [0x03, 0x01, 0x00, 0x03, 0xAA, 0xBB, 0xCC]
  static let iso: [UInt8] = [0x05, 0x60, 0x20, 0x04, 0x00, 0x01, 0x00, 0x00, 0x00]

  @Test(
    "Streams of other stacks fall apart into the packets that were logged", .enabled(if: ForeignStream.areAvailable),
    arguments: ["04", "10", "15", "25", "29", "34"], [true, false])
  func foreignStreams(capture: String, fromController: Bool) throws {
    let packets = try ForeignStream.packets(capture, fromController: fromController)
    expect(!packets.isEmpty)
    let stream = packets.flatMap { $0 }
    for size in [1, 7, 1_024, stream.count] {
      let cuts = Array(stride(from: size, to: stream.count, by: size))
      let sender: H4Framer.Sender = fromController ? .controller : .host
      equal(pieces(stream, from: sender, cuts: cuts), packets.map { .packet($0) })
    }
  }

  @Test("Hosts' packets come out whole")
  func host() {
    let stream = [H4FramerTests.reset, H4FramerTests.acl, H4FramerTests.sco, H4FramerTests.iso, H4FramerTests.reset]
    equal(pieces(stream.flatMap { $0 }, from: .host), stream.map { .packet($0) })
  }

  @Test("Controllers' packets come out whole")
  func controller() {
    let stream = [H4FramerTests.resetComplete, H4FramerTests.acl, H4FramerTests.sco, H4FramerTests.iso]
    equal(pieces(stream.flatMap { $0 }, from: .controller), stream.map { .packet($0) })
  }

  @Test("Every split of a stream gives the same packets")
  func splits() {
    let garbage: [UInt8] = [0x04, 0x01, 0x03, 0x01, 0x03, 0x0C]
    let stream =
      H4FramerTests.reset + H4FramerTests.acl + H4FramerTests.iso + garbage + H4FramerTests.reset + H4FramerTests.sco
    let whole = pieces(stream, from: .host)
    equal(whole.count, 7)
    for first in 0...stream.count {
      for second in first...stream.count {
        equal(pieces(stream, from: .host, cuts: [first, second]), whole)
      }
    }
    equal(pieces(stream, from: .host, cuts: Array(1..<stream.count)), whole)
  }

  @Test("A host's unknown indicator is loss of step until HCI_Reset")
  func hostOutOfStep() {
    let stream = [0x77, 0x01, 0x03, 0x01] + H4FramerTests.reset + H4FramerTests.readBufferSize
    equal(
      pieces(stream, from: .host),
      [
        .outOfStep([0x77]), .inStep(skipped: 4), .packet(H4FramerTests.reset), .packet(H4FramerTests.readBufferSize),
      ])
  }

  @Test("An event from a host, and a command from a controller, are loss of step")
  func wrongWay() {
    let event: [UInt8] = [0x04, 0x13, 0x05, 0x01, 0x40, 0x00, 0x01, 0x00]
    equal(pieces(event, from: .host), [.outOfStep([0x04])])
    equal(pieces(H4FramerTests.readBufferSize, from: .controller), [.outOfStep([0x01])])
  }

  @Test("A controller is in step after the answer to HCI_Reset, whatever its status")
  func controllerOutOfStep() {
    let answer: [UInt8] = [0x04, 0x0E, 0x04, 0x05, 0x03, 0x0C, 0x0C]
    let stream = [0x00, 0x04, 0x0E] + answer + H4FramerTests.acl
    equal(
      pieces(stream, from: .controller), [.outOfStep([0x00]), .inStep(skipped: 3), .packet(H4FramerTests.acl)])
  }

  @Test("A length beyond the limit is loss of step, and the search begins within the header")
  func oversize() {
    let header: [UInt8] = [0x02, 0x40, 0x00, 0xFC, 0x0F]
    equal(pieces(header, from: .host, limit: 4_096), [.outOfStep(header)])
    equal(pieces([0x02, 0x40, 0x00, 0xFB, 0x0F], from: .host, limit: 4_096), [])
    let overlapping: [UInt8] = [0x02, 0x40, 0x01, 0x03, 0x0C, 0x00]
    equal(
      pieces(overlapping, from: .host, limit: 300),
      [
        .outOfStep([0x02, 0x40, 0x01, 0x03, 0x0C]), .inStep(skipped: 2), .packet(H4FramerTests.reset),
      ])
  }

  @Test("Reserved bits of an ISO length do not count")
  func isoLength() {
    let packet: [UInt8] = [0x05, 0x60, 0x20, 0x01, 0xC0, 0x99]
    equal(pieces(packet, from: .host), [.packet(packet)])
    let longest: [UInt8] = [0x05, 0x60, 0x20, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0x3FFF)
    equal(pieces(longest + packet, from: .controller, limit: 0x8000), [.packet(longest), .packet(packet)])
  }

  @Test("A half packet waits")
  func half() {
    var framer = H4Framer(sender: .host)
    for octet in H4FramerTests.acl.dropLast() { framer.feed([octet]) { _ in Issue.record("nothing is whole yet") } }
    equal(framer.waiting, H4FramerTests.acl.count - 1)
    var packets: [H4Framer.Piece] = []
    framer.feed([H4FramerTests.acl.last!]) { packets.append($0) }
    equal(packets, [.packet(H4FramerTests.acl)])
    equal(framer.waiting, 0)
  }

  @Test("Any octets in any pieces: bounded, and the same as at once")
  func anything() {
    var random = RandomStream(seed: 4, component: "framer", purpose: "octets")
    let limit = 64
    // Few values, so that indicators, short lengths and resets are frequent.
    let values: [UInt8] = [0, 1, 2, 3, 4, 5, 0x0C, 0x0E, 0xFF]
    for round in 0..<100_000 {
      let count = Int(random.below(24))
      let octets = (0..<count).map { _ in values[Int(random.below(9))] }
      let sender: H4Framer.Sender = round % 2 == 0 ? .host : .controller
      var whole = H4Framer(sender: sender, limit: limit)
      var inPieces = H4Framer(sender: sender, limit: limit)
      var expected: [H4Framer.Piece] = []
      var got: [H4Framer.Piece] = []
      whole.feed(octets) { expected.append($0) }
      var rest = octets[...]
      while !rest.isEmpty {
        let part = rest.prefix(Int(random.below(5)) + 1)
        inPieces.feed(Array(part)) { got.append($0) }
        rest = rest.dropFirst(part.count)
      }
      guard got == expected, whole.waiting == inPieces.waiting else {
        return expect(false, "round \(round): \(octets) gives \(got), not \(expected)")
      }
      var seen = whole.waiting
      for piece in got {
        switch piece {
        case .packet(let packet):
          seen += packet.count
          if packet.count > limit { Issue.record("round \(round): a packet of \(packet.count) octets") }
        case .inStep(let skipped): seen += skipped + (sender == .controller ? 7 : 0)
        case .outOfStep: break
        }
      }
      guard seen == octets.count else {
        return expect(false, "round \(round): \(octets): \(seen) octets of \(octets.count) are accounted for")
      }
    }
  }
}
