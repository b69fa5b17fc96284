import Expectations
import SimKernel
import Testing

@testable import HCIPorts

/// ADR 0045: `41 | code: 1 | length: 2 | parameters`.
@Suite("The stream of a program for the air")
struct AirFramerTests {
  private let forget: [UInt8] = [0x41, 0x04, 0x02, 0x00, 0x07, 0x00]
  private let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]

  private func pieces(_ octets: [UInt8], _ sender: H4Framer.Sender = .linkLayer, cut: Int = 1) -> [H4Framer.Piece] {
    var framer = H4Framer(sender: sender, limit: 4_096)
    var pieces: [H4Framer.Piece] = []
    for start in stride(from: 0, to: octets.count, by: cut) {
      framer.feed(Array(octets[start..<min(octets.count, start + cut)])) { pieces.append($0) }
    }
    return pieces
  }

  @Test("Messages are cut out of it, however it comes", arguments: [1, 3, 5, 12])
  func messages(cut: Int) {
    equal(pieces(forget + forget, cut: cut), [.packet(forget), .packet(forget)])
  }

  @Test("A packet of HCI is none of its messages, nothing after it is read, and hosts have no such message")
  func strangers() {
    equal(pieces(forget + reset + forget, cut: 16), [.packet(forget), .outOfStep([0x01])])
    equal(pieces([0x41, 0x02, 0xFF, 0xFF]), [.outOfStep([0x41, 0x02, 0xFF, 0xFF])])
    equal(pieces(forget, .host), [.outOfStep([0x41])])
  }

  @Test("Messages about time stand between them")
  func lockstep() {
    var framer = LockstepFramer(sender: .linkLayer)
    var pieces: [LockstepFramer.Piece] = []
    framer.feed(LockstepMessage.hello(version: 1, group: 2).encoded + forget + LockstepMessage.wait(until: nil).encoded)
    {
      pieces.append($0)
    }
    equal(pieces, [.message(.hello(version: 1, group: 2)), .packet(forget), .message(.wait(until: nil))])
  }

  @Test("Programs come to sockets, and their ports say so")
  func addresses() throws {
    let unix = PortConfiguration(device: 0, name: "air-1", partner: .linkLayer, address: .unix(path: "/tmp/air"))
    try unix.validate()
    equal(unix.text(of: unix.address), "air:unix:/tmp/air")
    #expect(throws: PortError.self) {
      try PortConfiguration(device: 0, name: "air-1", partner: .linkLayer, address: .pty(path: nil)).validate()
    }
  }
}
