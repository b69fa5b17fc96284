import AppSeam
import BeamScribe
import Expectations
import SimKernel
import Testing

/// Streams of a host that listens.
@Suite("A host's streams")
struct HostStreamTests {
  static let first = ConnectionID(1)

  static func hosting(_ adjust: (inout BeamConfiguration) -> Void = { _ in }) -> DeviceBed {
    let host = DeviceBed.launched(.beamHost, adjust: adjust)
    host.feed(.startEvent(name: ""))
    host.feed(.listenerReady(type: "_beamscribe._tcp", name: "Keynote 2026", port: 5_000))
    return host
  }

  private func incoming(_ number: Int, _ peer: String? = nil, _ interface: NetworkInterface = .infrastructure)
    -> NetworkInput
  {
    .incoming(ConnectionID(number), interface, peer: peer ?? "guest-\(number)")
  }

  @Test("The gate opens after 4 s, and the history has what was spoken before")
  func gate() throws {
    let host = Self.hosting()
    host.feed(incoming(1))
    host.feed(.speakFinal("One."))
    host.feed(.speakPartial("Tw"))
    host.feed(.batteryLow)
    host.run(to: at(3, 999))
    expect(host.taken.isEmpty)
    host.run(to: at(4))
    expect(host.reports.contains(.gateOpened(Self.first, peer: "guest-1")))
    let history = BeamPacket.fullHistory(.init(chunks: [.init(sequence: 1, text: "One.")], upToSequence: 1))
    try equal(host.packets(Self.first), [history, .alert(.batteryLow)])
    host.feed(.speakFinal("Two."))
    try equal(
      host.packets(Self.first).last,
      .liveChunk(.init(isFinal: true, sentMilliseconds: 1_700_000_004_000, sequence: 2, text: "Two.")))
  }

  @Test("Without finals the history is empty, and the first packet")
  func emptyHistory() throws {
    let host = Self.hosting()
    host.feed(incoming(1))
    host.run(to: at(4))
    try equal(host.packets(Self.first), [.fullHistory(.init(chunks: [], upToSequence: 0))])
  }

  @Test("A stream that is not viable is gated until it is viable")
  func viability() throws {
    let host = Self.hosting()
    host.feed(incoming(1))
    host.run(to: at(3))
    host.feed(.viable(Self.first, false))
    host.run(to: at(6))
    expect(host.taken.isEmpty)
    host.feed(.viable(Self.first, true))
    try equal(host.packets(Self.first).count, 1)
  }

  @Test("A stream that is not viable for 10 s is given up, and not before")
  func longDeath() {
    let host = Self.hosting()
    host.feed(incoming(1))
    host.feed(.viable(Self.first, false))
    expect(!host.run(to: at(9, 999)).network.contains(.cancel(Self.first)))
    expect(host.run(to: at(10)).network.contains(.cancel(Self.first)))
  }

  @Test("A stream that its guest ended within 5 s is unstable, and counted once", arguments: [4_999, 5_000])
  func unstable(_ milliseconds: Int64) {
    let host = Self.hosting()
    host.feed(incoming(1, "g"))
    host.run(to: at(0, milliseconds))
    host.feed(.ended(Self.first))
    let counts = host.reports.filter { if case .unstable = $0 { true } else { false } }
    equal(counts, (milliseconds < 5_000 ? [.unstable(peer: "g", count: 1)] : []))
    equal(host.network.last, .cancel(Self.first))
  }

  @Test("Streams that the host ended are not counted, and an unstable guest is taken again")
  func ownEndings() {
    let host = Self.hosting()
    for number in 0..<5 {
      host.feed(incoming(2 * number + 1, "g"))
      host.feed(.failed(ConnectionID(2 * number + 1), .reset))
    }
    expect(host.reports.contains(.unstable(peer: "g", count: 5)))
    host.feed(incoming(11, "g"))
    host.feed(incoming(13, "g"))
    expect(host.reports.contains(.refused(ConnectionID(11), reason: "superseded")))
    host.feed(.received(ConnectionID(13), octets: [0]))
    expect(!host.reports.contains(.unstable(peer: "g", count: 6)))
  }

  @Test("An eighth guest is refused without a packet, a second stream of a guest is not")
  func capacity() throws {
    let host = Self.hosting()
    for number in 0..<7 { host.feed(incoming(2 * number + 1)) }
    host.feed(incoming(15, "guest-1", .peerToPeer))
    expect(!host.reports.contains { if case .refused = $0 { true } else { false } })
    let effects = host.feed(incoming(17))
    equal(effects.reports, [.refused(ConnectionID(17), reason: "full")])
    equal(effects.network, [.cancel(ConnectionID(17))])
    host.feed(.failed(ConnectionID(5), .reset))
    expect(host.feed(incoming(19)).reports.contains(.guests(count: 7, open: 0)))
    host.run(to: at(4))
    equal(host.reports.last(where: { if case .guests = $0 { true } else { false } }), .guests(count: 7, open: 7))
  }

  @Test("The older of two streams on one interface is superseded")
  func superseded() {
    let host = Self.hosting()
    host.feed(incoming(1, "g"))
    let effects = host.feed(incoming(3, "g"))
    expect(effects.reports.contains(.refused(Self.first, reason: "superseded")))
    expect(effects.network.contains(.cancel(Self.first)))
  }

  @Test("One octet of a guest ends its stream and no other")
  func unexpectedData() throws {
    let host = Self.hosting()
    host.feed(incoming(1))
    host.feed(incoming(3))
    host.run(to: at(4))
    let effects = host.feed(.received(Self.first, octets: [7]))
    equal(effects.reports.first, .refused(Self.first, reason: "unexpectedData"))
    equal(effects.network, [.cancel(Self.first)])
    host.feed(.speakFinal("On."))
    try equal(host.packets(Self.first).count, 1)
    try equal(host.packets(ConnectionID(3)).count, 2)
  }

  @Test("10 000 streams that come and go within the gate leave nothing")
  func manyStreams() {
    let host = Self.hosting()
    for number in 0..<10_000 {
      host.feed(incoming(2 * number + 1, "guest-\(number % 3)"))
      host.run(for: .milliseconds(10))
      host.feed(.failed(ConnectionID(2 * number + 1), .reset))
    }
    expect(host.timers.isEmpty)
    expect(host.run(for: .seconds(3_600)).isEmpty)
  }

  @Test("Each stream has a gate of its own")
  func ownGates() throws {
    let host = Self.hosting()
    host.feed(incoming(1, "g"))
    host.run(to: at(3, 900))
    host.feed(.failed(Self.first, .reset))
    host.feed(incoming(3, "g"))
    host.run(to: at(7, 899))
    expect(host.taken.isEmpty)
    host.run(to: at(7, 900))
    try equal(host.packets(ConnectionID(3)).count, 1)
  }

  @Test("What the platform does not take waits, partials are replaced, and everything comes whole and once")
  func room() throws {
    let host = Self.hosting { $0.sendOctets = 10 }
    host.feed(incoming(1))
    host.full = [Self.first]
    host.run(to: at(4))
    host.feed(.speakPartial("a"))
    host.feed(.speakPartial("ab"))
    host.feed(.speakFinal("abc"))
    host.feed(.speakPartial("d"))
    host.feed(.speakPartial("de"))
    host.full = []
    host.run(to: at(5))
    host.feed(.room(Self.first))
    let texts = try host.packets(Self.first).map { packet -> String in
      switch packet {
      case .fullHistory(let history): "history \(history.upToSequence)"
      case .liveChunk(let chunk): "\(chunk.sequence) \(chunk.text) \(chunk.sentMilliseconds ?? 0)"
      case .alert(let alert): alert.rawValue
      }
    }
    equal(texts, ["history 0", "1 abc 1700000005000", "2 de 1700000005000"])
  }

  @Test("A guest that does not read is refused when what waits is 30 s old, and others get everything at once")
  func slow() throws {
    let host = Self.hosting()
    host.feed(incoming(1))
    host.feed(incoming(3))
    host.run(to: at(5))
    host.full = [Self.first]
    host.feed(.speakFinal("One."))
    host.run(to: at(20))
    host.feed(.speakFinal("Two."))
    try equal(host.packets(ConnectionID(3)).count, 3)
    expect(!host.run(to: at(34, 999)).network.contains(.cancel(Self.first)))
    equal(host.run(to: at(35)).reports.first, .refused(Self.first, reason: "slow"))
  }

  @Test("A guest for which too many octets wait is refused, and not before")
  func slowOctets() {
    let host = Self.hosting { $0.slowOctets = 1_000 }
    host.feed(incoming(1))
    host.run(to: at(4))
    host.full = [Self.first]
    // A frame of 101 octets with its time.
    let text = String(repeating: "x", count: 12)
    for _ in 0..<9 { expect(!host.feed(.speakFinal(text)).network.contains(.cancel(Self.first))) }
    expect(host.feed(.speakFinal(text)).reports.contains(.refused(Self.first, reason: "slow")))
  }

  @Test("A long history goes out in pages that are as full as can be")
  func pages() throws {
    let host = Self.hosting { $0.pageOctets = 200 }
    for _ in 0..<20 { host.feed(.speakFinal("abcdef")) }
    host.feed(incoming(1))
    host.run(to: at(4))
    var next = 1
    let packets = try host.packets(Self.first)
    expect(packets.count > 3)
    for packet in packets {
      guard case .fullHistory(var history) = packet else {
        Issue.record("no history")
        continue
      }
      equal(history.upToSequence, 20)
      equal(history.chunks.first?.sequence, next)
      expect(packet.encoded().count <= 200)
      next += history.chunks.count
      history.chunks.append(.init(sequence: next, text: "abcdef"))
      if next <= 20 { expect(BeamPacket.fullHistory(history).encoded().count > 200) }
    }
    equal(next, 21)
  }

  @Test("A history of more than what may wait is no reason to refuse a guest that reads")
  func longHistory() throws {
    let host = Self.hosting { $0.pageOctets = 10_000 }
    let text = String(repeating: "x", count: 8_192)
    for _ in 0..<600 { host.feed(.speakFinal(text)) }
    host.feed(incoming(1))
    host.run(to: at(4))
    host.feed(.speakFinal("end"))
    try equal(host.packets(Self.first).count, 601)
    expect(!host.reports.contains { if case .refused = $0 { true } else { false } })
  }
}
