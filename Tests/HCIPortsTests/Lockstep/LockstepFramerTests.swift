import Expectations
import SimKernel
import Testing

@testable import HCIPorts

@Suite("The stream of a host in lockstep")
struct LockstepFramerTests {
  private let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]

  private func pieces(_ octets: [UInt8], cut: Int, limit: Int = 4_096) -> [LockstepFramer.Piece] {
    var framer = LockstepFramer(limit: limit)
    var pieces: [LockstepFramer.Piece] = []
    for start in stride(from: 0, to: octets.count, by: cut) {
      framer.feed(Array(octets[start..<min(octets.count, start + cut)])) { pieces.append($0) }
    }
    return pieces
  }

  /// Octets as the table of ADR 0042 has them.
  private let stream: [UInt8] =
    [0x54, 0x01, 0x05, 0x01, 0x07, 0, 0, 0] + [0x01, 0x03, 0x0C, 0x00] + [0x02, 0x40, 0x00, 0x01, 0x00, 0x09]
    + [0x54, 0x02, 0x00] + [0x54, 0x02, 0x08, 0x00, 0xCA, 0x9A, 0x3B, 0, 0, 0, 0]

  @Test("Packets and messages keep their order, however they are cut")
  func mixed() {
    let expected: [LockstepFramer.Piece] = [
      .message(.hello(version: 1, group: 7)), .packet(reset), .packet([0x02, 0x40, 0x00, 0x01, 0x00, 0x09]),
      .message(.wait(until: nil)), .message(.wait(until: .zero + .seconds(1))),
    ]
    for cut in 1...stream.count { equal(pieces(stream, cut: cut), expected) }
  }

  @Test("Every prefix gives the first pieces, and every flipped bit some pieces")
  func damaged() {
    let whole = pieces(stream, cut: stream.count)
    for count in 0..<stream.count {
      let part = pieces(Array(stream.prefix(count)), cut: 5)
      equal(part, Array(whole.prefix(part.count)))
    }
    for bit in 0..<stream.count * 8 {
      var octets = stream
      octets[bit / 8] ^= 1 << (bit % 8)
      equal(pieces(octets, cut: 1), pieces(octets, cut: octets.count))
    }
  }

  @Test(
    "What is neither a packet nor a message of a host is refused once, and nothing is read after it",
    arguments: [[0x00], [0x04], [0x54, 0x82, 0x00], [0x54, 0x02, 0x01, 0x00], [0x54, 0x01, 0x00], [0xFF]] as [[UInt8]])
  func refused(octets: [UInt8]) {
    equal(pieces(reset + octets + reset, cut: 1), [.packet(reset), .refused(octets)])
  }

  @Test("A packet beyond the limit is refused with its header")
  func limit() {
    equal(pieces([0x02, 0, 0, 0x10, 0x00] + reset, cut: 64, limit: 20), [.refused([0x02, 0, 0, 0x10, 0x00])])
  }

  @Test("An instant that no room reaches counts as none")
  func farInstant() {
    let octets = [0x54, 0x02, 0x08] + [UInt8](repeating: 0xFF, count: 8)
    equal(pieces(octets, cut: 4), [.message(.wait(until: nil))])
  }
}
