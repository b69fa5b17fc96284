import BluetoothWire
import Expectations
import Testing

@Suite("L2CAP frames and LE signalling (Core v5.4, Vol 3, Part A, 3.1 and 4)")
struct L2CAPTests {
  /// Octets made by Bumble 0.0.236 (`bumble.l2cap`), the L2CAP header included.
  static let golden: [(hex: String, signal: L2CAP.Signal)] = [
    ("06000500 010702000000", .commandReject(identifier: 7, reason: .commandNotUnderstood, data: [])),
    (
      "0c000500 120108001800280004009001",
      .connectionParameterUpdateRequest(
        identifier: 1,
        .init(intervalMinimum: 24, intervalMaximum: 40, peripheralLatency: 4, supervisionTimeout: 400))
    ),
    ("06000500 130102000100", .connectionParameterUpdateResponse(identifier: 1, result: 1)),
  ]

  @Test("Octets of another stack decode to the fields it was given, and encode back", arguments: golden.indices)
  func goldenOctets(index: Int) throws {
    let (hex, signal) = Self.golden[index]
    let frame = try L2CAP.Frame(decoding: [UInt8].hex(hex))
    equal(frame.channel, .signalling)
    try equal(L2CAP.Signal(decoding: frame.payload), signal)
    try equal(L2CAP.Signal(decoding: [UInt8].hex(hex), from: 4), signal)
    equal(signal.octets, frame.payload)
    equal(frame.octets, [UInt8].hex(hex))
    equal(signal.identifier, frame.payload[1])
  }

  @Test("A command of unknown code keeps its octets")
  func unknownCommand() throws {
    let octets = [UInt8].hex("17 02 0a00 80004000170017000a00")
    let signal = try L2CAP.Signal(decoding: octets)
    equal(signal, .other(code: 0x17, identifier: 2, data: Array(octets[4...])))
    equal(signal.octets, octets)
  }

  @Test(
    "Frames whose length is not that of their payload are refused",
    arguments: [
      ("", WireError.Reason.truncated, 0), ("0100 04", .truncated, 3), ("0200 0400 1e", .truncated, 5),
      ("0000 0400 1e", .trailingOctets, 4),
    ])
  func frameRefusals(hex: String, reason: WireError.Reason, offset: Int) {
    #expect(throws: WireError(reason, at: offset)) { try L2CAP.Frame(decoding: [UInt8].hex(hex)) }
  }

  @Test(
    "Commands with a wrong length or identifier 0 are refused",
    arguments: [
      ("12 01 0800 1800", WireError.Reason.truncated, 6), ("12 01 0700 18002800040090", .truncated, 11),
      ("13 01 0300 010000", .trailingOctets, 6), ("13 00 0200 0100", .valueOutOfRange, 1),
      ("13 01 0200 0100 00", .trailingOctets, 6), ("01 01", .truncated, 2),
    ])
  func signalRefusals(hex: String, reason: WireError.Reason, offset: Int) {
    #expect(throws: WireError(reason, at: offset)) { try L2CAP.Signal(decoding: [UInt8].hex(hex)) }
  }

  @Test("No random string traps; what decodes encodes back to the same octets")
  func hostileOctets() {
    var stream = HostileStream(state: 2)
    var decoded = 0
    for _ in 0..<20_000 {
      var octets = stream.octets(upTo: 16)
      if octets.count > 3, stream.next() % 2 == 0 {
        octets[2] = UInt8(octets.count - 4)
        octets[3] = 0
      }
      if let frame = try? L2CAP.Frame(decoding: octets) {
        equal(frame.octets, octets)
        decoded += 1
      }
      if let signal = try? L2CAP.Signal(decoding: octets) {
        equal(signal.octets, octets)
        decoded += 1
      }
    }
    expect(decoded > 1_000)
  }
}
