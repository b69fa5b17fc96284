import BluetoothWire
import Expectations
import Testing

@Suite("Signals and K-frames of LE credit based channels (Core v5.4, Vol 3, Part A, 3.4.3, 4.6, 4.7, 4.22 to 4.24)")
struct L2CAPChannelTests {
  private static func channel(_ number: UInt16) -> L2CAP.ChannelID { L2CAP.ChannelID(rawValue: number) }

  /// Octets made by Bumble 0.0.236 (`bumble.l2cap`), the L2CAP header included.
  static let bumble: [(hex: String, signal: L2CAP.Signal)] = [
    (
      "0e000500 14030a00 8100 4200 0008 f700 0a00",
      .creditBasedConnectionRequest(
        identifier: 3, .init(spsm: 0x81, source: channel(0x42), mtu: 2048, mps: 247, initialCredits: 10))
    ),
    (
      "0e000500 15030a00 7f00 0002 fdff ffff 0000",
      .creditBasedConnectionResponse(
        identifier: 3,
        .init(destination: channel(0x7F), mtu: 512, mps: 65_533, initialCredits: 65_535, result: .success))
    ),
    (
      "0e000500 15030a00 0000 0000 0000 0000 0800",
      .creditBasedConnectionResponse(identifier: 3, .init(.insufficientEncryption))
    ),
    ("08000500 16090400 4200 2c01", .flowControlCredit(identifier: 9, channel: channel(0x42), credits: 300)),
    (
      "08000500 06ff0400 4000 5100",
      .disconnectionRequest(identifier: 255, destination: channel(0x40), source: channel(0x51))
    ),
    (
      "08000500 07ff0400 4000 5100",
      .disconnectionResponse(identifier: 255, destination: channel(0x40), source: channel(0x51))
    ),
  ]

  @Test("Octets of Bumble decode to the fields it was given, and encode back", arguments: bumble.indices)
  func bumbleOctets(index: Int) throws {
    let (hex, signal) = Self.bumble[index]
    let frame = try L2CAP.Frame(decoding: [UInt8].hex(hex))
    equal(frame.channel, .signalling)
    try equal(L2CAP.Signal(decoding: frame.payload), signal)
    equal(signal.octets, frame.payload)
    equal(signal.identifier, frame.payload[1])
  }

  /// What BlueZ's `l2cap-tester` sends to the Linux kernel, and what it expects of it: the data of the commands, here
  /// with code 0x14 or 0x15, identifier 1 and the length.
  @Test("Octets that BlueZ tests the Linux kernel with")
  func linuxOctets() throws {
    try equal(
      L2CAP.Signal(decoding: [UInt8].hex("14010a00 8000 4100 2000 2000 0500")),
      .creditBasedConnectionRequest(
        identifier: 1,
        .init(spsm: 0x80, source: Self.channel(0x41), mtu: 32, mps: 32, initialCredits: 5)))
    try equal(
      L2CAP.Signal(decoding: [UInt8].hex("15010a00 4000 a002 bc00 0400 0000")),
      .creditBasedConnectionResponse(
        identifier: 1,
        .init(destination: Self.channel(0x40), mtu: 672, mps: 188, initialCredits: 4, result: .success)))
    equal(
      L2CAP.Signal.creditBasedConnectionResponse(identifier: 1, .init(.invalidSourceCID)).octets,
      [UInt8].hex("15010a00 0000 0000 0000 0000 0900"))
  }

  @Test("A length that the code does not have is refused", arguments: bumble.indices)
  func lengths(index: Int) throws {
    let octets = Array([UInt8].hex(Self.bumble[index].hex)[4...])
    for count in 0..<octets.count {
      #expect(throws: WireError.self) { try L2CAP.Signal(decoding: Array(octets[..<count])) }
      guard count >= 4 else { continue }
      var shorter = Array(octets[..<count])
      shorter[2] = UInt8(count - 4)
      #expect(throws: WireError(.truncated, at: count)) { try L2CAP.Signal(decoding: shorter) }
    }
    var longer = octets + [0]
    longer[2] += 1
    #expect(throws: WireError(.trailingOctets, at: octets.count)) { try L2CAP.Signal(decoding: longer) }
  }

  // MARK: K-frames

  /// Two SDUs of Bumble 0.0.236 (`LeCreditBasedChannel`) with an MPS of 23: octets 0 … 49, then `AB`.
  static let frames = [
    "1700 4200 3200" + hex(0...20), "1700 4200" + hex(21...43), "0600 4200" + hex(44...49), "0300 4200 0100 ab",
  ].map { [UInt8].hex($0) }

  private static func hex(_ numbers: ClosedRange<UInt8>) -> String {
    numbers.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test("Bumble's K-frames are its SDUs, and its SDUs are these K-frames")
  func bumbleFrames() {
    var assembly = L2CAP.SDUAssembly(mtu: 50, mps: 23)
    equal(Self.frames.map { assembly.receive($0) }, [.nothing, .nothing, .sdu(Array(0...49)), .sdu([0xAB])])
    var segments = L2CAP.Segments(of: Array(0...49), mps: 23)
    var frames: [[UInt8]] = []
    while let frame = segments.nextFrame(on: Self.channel(0x42)) { frames.append(frame) }
    equal(frames, Array(Self.frames[..<3]))
    expect(segments.isAtEnd)
    equal(segments.taken, 50)
  }

  @Test("Every length of an SDU comes out as it went in", arguments: [23, 24, 64])
  func lengthsOfSDUs(mps: Int) {
    var assembly = L2CAP.SDUAssembly(mtu: 200, mps: mps)
    for length in 0...200 {
      let sdu = (0..<length).map { UInt8($0) }
      var segments = L2CAP.Segments(of: sdu, mps: mps)
      var outcomes: [L2CAP.SDUAssembly.Outcome] = []
      while let frame = segments.nextFrame(on: Self.channel(0x40)) {
        expect(frame.count <= mps + L2CAP.headerLength)
        outcomes.append(assembly.receive(frame))
      }
      equal(outcomes.last, .sdu(sdu))
      equal(outcomes.count, max(1, (length + 2 + mps - 1) / mps))
      expect(outcomes.dropLast().allSatisfy { $0 == .nothing })
    }
  }

  @Test("What breaks the limits of a channel is named")
  func violations() {
    func outcome(_ payloads: [UInt8]...) -> L2CAP.SDUAssembly.Outcome? {
      var assembly = L2CAP.SDUAssembly(mtu: 30, mps: 23)
      return payloads.map { assembly.receive($0, from: 0) }.last
    }
    equal(outcome([UInt8](repeating: 0, count: 24)), .violation(.payloadExceedsMPS(24)))
    equal(outcome([]), .violation(.noSDULength))
    equal(outcome([1]), .violation(.noSDULength))
    equal(outcome([31, 0]), .violation(.sduExceedsMTU(31)))
    equal(outcome([2, 0, 1, 2, 3]), .violation(.segmentsExceedSDULength(1)))
    equal(outcome([3, 0, 1, 2], [3, 4]), .violation(.segmentsExceedSDULength(1)))
    equal(outcome([0, 0]), .sdu([]))
    equal(outcome([2, 0], [], [7, 8]), .sdu([7, 8]))
  }

  @Test("Random payloads never trap, and no SDU is longer than the MTU", arguments: 1...4)
  func hostile(seed: UInt64) {
    var stream = HostileStream(state: seed)
    var sdus = 0
    for _ in 0..<2_000 {
      var assembly = L2CAP.SDUAssembly(mtu: 40, mps: 23)
      for _ in 0..<8 {
        var octets = stream.octets(upTo: 25)
        if octets.count >= 2, stream.next() % 4 != 0 { (octets[0], octets[1]) = (octets[0] % 48, 0) }
        guard case .sdu(let sdu) = assembly.receive(octets, from: 0) else { continue }
        expect(sdu.count <= 40)
        sdus += 1
      }
    }
    expect(sdus > 100)
  }
}
