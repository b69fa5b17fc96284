import AppSeam
import BeamScribe
import BluetoothWire
import Expectations
import SimKernel
import Testing

/// How a guest finds an event, and what it does when it loses it.
@Suite("A guest on its way")
struct GuestJoinTests {
  static let type = "_beamscribe._tcp"
  static let stream = ConnectionID(2)
  static let scan = AppEffect.scan(services: [.beamScribe])

  static func found(_ number: Int, _ name: String = "Keynote 2026") -> NetworkInput {
    .found(EndpointID(number), type: type, name: name, interfaces: [.infrastructure])
  }

  /// A guest with a stream that is ready at 0 s.
  static func connected(_ adjust: (inout BeamConfiguration) -> Void = { _ in }) -> DeviceBed {
    let guest = DeviceBed.launched(.beamGuest, adjust: adjust)
    guest.feed(.join)
    guest.feed(found(1))
    guest.feed(.ready(stream, .infrastructure))
    return guest
  }

  static func frame(_ packet: BeamPacket) -> [UInt8] { Frame(body: packet.encoded()).encoded(.length) }

  static func history(_ texts: [String]) -> [UInt8] {
    let chunks = texts.enumerated().map { BeamPacket.Chunk(sequence: $0.offset + 1, text: $0.element) }
    return frame(.fullHistory(.init(chunks: chunks, upToSequence: chunks.count)))
  }

  /// The instants at which it asked for connections.
  private func attempts(_ guest: DeviceBed) -> [SimInstant] {
    guest.log.compactMap { entry in
      if case .network(.connect) = entry.effect { return entry.at }
      return nil
    }
  }

  private func sighting(_ name: String?, _ services: [BluetoothUUID] = [.beamScribe]) -> AppInput {
    .discovered(
      Advertisement(
        address: BluetoothAddress(kind: .random, bits: 1), localName: name, serviceUUIDs: services, rssi: -50))
  }

  @Test("It browses and scans as soon as its person joins, connects to what is found, and stops to scan")
  func join() throws {
    let guest = DeviceBed.launched(.beamGuest)
    expect(guest.log.isEmpty)
    let effects = guest.feed(.join)
    equal(effects.network, [.browse(type: Self.type, peerToPeer: true)])
    expect(effects.contains(Self.scan))
    let connect = try required(guest.feed(Self.found(1)).network.first)
    let keepAlive = KeepAliveRequest(idle: .seconds(5), interval: .seconds(5), count: 3)
    let request = ConnectRequest(
      endpoint: EndpointID(1), interfaces: [.infrastructure, .peerToPeer], keepAlive: keepAlive)
    equal(connect, .connect(Self.stream, request))
    expect(guest.feed(Self.found(2, "Other")).isEmpty)
    expect(guest.feed(.changed(EndpointID(1), interfaces: [.infrastructure, .peerToPeer])).isEmpty)
    expect(guest.feed(.ready(Self.stream, .infrastructure)).contains(.stopScanning))
    guest.feed(.received(Self.stream, octets: Self.history([])))
    equal(guest.states, ["LOOKING", "CONNECTING", "CONNECTED", "SHOWING"])
    expect(!guest.network.contains { if case .send = $0 { true } else { false } })
  }

  @Test("Told a name it joins that event only")
  func wanted() {
    let guest = DeviceBed.launched(.beamGuest)
    guest.feed(.joinEvent(name: "Name"))
    for (number, name) in ["Name (2)", "Nam", "name", "Other"].enumerated() {
      expect(guest.feed(Self.found(number, name)).isEmpty)
    }
    equal(guest.feed(Self.found(9, "Name")).network.count, 1)
  }

  @Test("A sighting primes for 10 s, and again after 10 s, and only for the name that was told")
  func priming() {
    let guest = DeviceBed.launched(.beamGuest)
    guest.feed(.join)
    expect(guest.feed(sighting("x", [])).isEmpty)
    equal(guest.feed(sighting("Anything")).network, [.prime(.seconds(10))])
    guest.run(to: at(9, 999))
    expect(guest.feed(sighting("Anything")).isEmpty)
    guest.run(to: at(10))
    equal(guest.feed(sighting(nil)).network, [.prime(.seconds(10))])
    let named = DeviceBed.launched(.beamGuest)
    named.feed(.joinEvent(name: "Keynote 2026"))
    expect(named.feed(sighting("Keynote")).isEmpty)
    equal(named.feed(sighting("Keynote ")).network.count, 1)
    named.feed(.leave)
    expect(named.feed(sighting("Keynote ")).isEmpty)
  }

  @Test("Bluetooth off and on while it looks: it scans again")
  func bluetooth() {
    let guest = DeviceBed.launched(.beamGuest)
    guest.feed(.join)
    expect(guest.feed(.radioPower(false)).isEmpty)
    equal(guest.feed(.radioPower(true)), [Self.scan])
  }

  @Test("Attempts come 1, 2 and 4 s after what they follow, then it looks again and says once that the host is gone")
  func retries() {
    let guest = Self.connected()
    guest.run(to: at(10))
    guest.feed(.received(Self.stream, octets: Self.history([])))
    let loss = guest.feed(.failed(Self.stream, .timedOut))
    expect(loss.contains(Self.scan))
    equal(loss.reports, [.state("LOST")])
    for (number, wait) in [1, 2, 4].enumerated() {
      guest.run(for: .seconds(Int64(wait)))
      guest.feed(.failed(ConnectionID(4 + 2 * number), .refused))
    }
    equal(attempts(guest), [at(0), at(11), at(13), at(17)])
    equal(
      guest.reports.suffix(3), [.state("LOST"), .alertShown("hostDisconnected", isOwn: true), .state("LOOKING")])
    equal(guest.network.suffix(2), [.stopBrowsing(type: Self.type), .browse(type: Self.type, peerToPeer: true)])
    guest.run(for: .seconds(60))
    equal(attempts(guest).count, 4)
    guest.feed(Self.found(2))
    equal(attempts(guest).last, at(77))
    guest.feed(.failed(ConnectionID(10), .refused))
    guest.run(for: .seconds(1))
    equal(attempts(guest).last, at(78))
    for wait in [2, 4, 0] {
      guest.feed(.failed(ConnectionID(guest.network.compactMap(\.connected).last!), .refused))
      guest.run(for: .seconds(Int64(wait)))
    }
    equal(guest.reports.count { $0 == .alertShown("hostDisconnected", isOwn: true) }, 1)
    // The end of another event is news.
    guest.feed(Self.found(3, "Keynote 2027"))
    for wait in [1, 2, 4, 0] {
      guest.feed(.failed(ConnectionID(guest.network.compactMap(\.connected).last!), .refused))
      guest.run(for: .seconds(Int64(wait)))
    }
    equal(guest.reports.count { $0 == .alertShown("hostDisconnected", isOwn: true) }, 2)
  }

  @Test("A stream that is lost within the gate goes on with 2 s and 4 s; after a history it is 1 s again")
  func retriesWithinGate() {
    let guest = Self.connected()
    guest.feed(.failed(Self.stream, .reset))
    guest.run(to: at(1))
    guest.feed(.ready(ConnectionID(4), .infrastructure))
    guest.run(to: at(3))
    guest.feed(.failed(ConnectionID(4), .reset))
    guest.run(to: at(5))
    guest.feed(.ready(ConnectionID(6), .infrastructure))
    guest.feed(.received(ConnectionID(6), octets: Self.history([])))
    guest.feed(.ended(ConnectionID(6)))
    guest.run(to: at(6))
    equal(attempts(guest), [at(0), at(1), at(5), at(6)])
  }

  @Test("An attempt without an answer is cancelled after 10 s and counts as failed")
  func attemptTime() {
    let guest = DeviceBed.launched(.beamGuest)
    guest.feed(.join)
    guest.feed(Self.found(1))
    guest.feed(.waiting(Self.stream, .noPath))
    expect(guest.run(to: at(9, 999)).isEmpty)
    let effects = guest.run(to: at(10))
    equal(effects.network, [.cancel(Self.stream)])
    equal(effects.reports, [.state("LOST")])
    guest.run(to: at(11))
    equal(attempts(guest), [at(0), at(11)])
  }

  @Test("An event that is gone is not tried again; one that is found when a retry is due is tried once")
  func goneAndFound() {
    let guest = Self.connected()
    guest.feed(.failed(Self.stream, .reset))
    let effects = guest.feed(.lost(EndpointID(1)))
    equal(effects.reports, [.state("LOOKING")])
    guest.run(to: at(20))
    equal(attempts(guest).count, 1)
    guest.feed(Self.found(2))
    guest.feed(.failed(ConnectionID(4), .refused))
    guest.run(to: at(20, 999))
    guest.feed(Self.found(3))
    guest.run(to: at(30, 998))
    equal(attempts(guest), [at(0), at(20), at(20, 999)])
  }

  @Test("A host that registered again while the stream was up is found under its new number")
  func foundAgain() {
    let guest = Self.connected()
    guest.feed(.lost(EndpointID(1)))
    guest.feed(Self.found(5))
    guest.feed(.failed(Self.stream, .reset))
    guest.run(to: at(1))
    guard case .connect(_, let request)? = guest.network.last else { return expect(false, "it does not connect") }
    equal(request.endpoint, EndpointID(5))
  }

  @Test("After the end it keeps the text, does not retry, and joins when the event is found again")
  func end() {
    let guest = Self.connected()
    guest.feed(.received(Self.stream, octets: Self.history(["One."]) + Self.frame(.alert(.hostDisconnected))))
    equal(guest.states.last, "ENDED")
    expect(guest.log.contains { $0.effect == Self.scan })
    guest.feed(.lost(EndpointID(1)))
    guest.run(to: at(60))
    equal(attempts(guest).count, 1)
    guest.feed(Self.found(2))
    equal(attempts(guest).count, 2)
    guest.feed(.ready(ConnectionID(4), .infrastructure))
    guest.feed(.received(ConnectionID(4), octets: Self.history(["One.", "Two."])))
    expect(!guest.reports.contains(.transcriptCleared))
    equal(guest.reports.count { $0 == .finalShown(sequence: 1, text: "One.") }, 1)
  }

  @Test("After the end it joins no other event, and browses from the start when it hears the host")
  func afterTheEnd() {
    let guest = Self.connected()
    guest.feed(.received(Self.stream, octets: Self.history(["One."]) + Self.frame(.alert(.hostDisconnected))))
    expect(guest.feed(Self.found(2, "Other")).isEmpty)
    expect(guest.feed(sighting("Other")).isEmpty)
    let browsing: [NetworkEffect] = [
      .prime(.seconds(10)), .stopBrowsing(type: Self.type), .browse(type: Self.type, peerToPeer: true),
    ]
    equal(guest.feed(sighting("Keynote ")).network, browsing)
    expect(guest.feed(sighting("Keynote ")).isEmpty)
    equal(guest.states.last, "ENDED")
    equal(guest.feed(Self.found(3)).network.compactMap(\.connected), [4])
  }

  @Test("Leaving ends everything")
  func leave() {
    let guest = Self.connected()
    let effects = guest.feed(.leave)
    equal(effects.network, [.cancel(Self.stream), .stopBrowsing(type: Self.type)])
    expect(guest.feed(Self.found(2)).isEmpty)
    expect(guest.timers.isEmpty)
    let waiting = Self.connected()
    waiting.feed(.failed(Self.stream, .reset))
    expect(waiting.feed(.leave).contains(.stopScanning))
    expect(waiting.run(to: at(60)).isEmpty)
  }

  @Test("In front again it tries at once, and retries begin with 1 s")
  func front() {
    let guest = Self.connected()
    guest.feed(.failed(Self.stream, .reset))
    guest.run(to: at(1))
    guest.feed(.failed(ConnectionID(4), .refused))
    guest.feed(.background(true))
    guest.run(to: at(2))
    guest.feed(.background(false))
    guest.feed(.failed(ConnectionID(6), .refused))
    guest.run(to: at(3))
    equal(attempts(guest), [at(0), at(1), at(2), at(3)])
  }

  @Test("A guest that has found nobody rests")
  func rest() {
    let guest = DeviceBed.launched(.beamGuest)
    guest.feed(.join)
    expect(guest.timers.isEmpty)
  }

  @Test("Not viable for 9 s the stream stays, for 10 s it is lost")
  func viability() {
    let guest = Self.connected()
    guest.feed(.viable(Self.stream, false))
    guest.run(to: at(9))
    guest.feed(.viable(Self.stream, true))
    expect(guest.run(to: at(20)).isEmpty)
    guest.feed(.viable(Self.stream, false))
    equal(guest.run(to: at(30)).network, [.cancel(Self.stream)])
    equal(guest.states.last, "LOST")
  }

  @Test("A better path brings a second stream over infrastructure, and the old one ends with its history")
  func betterPath() {
    let guest = DeviceBed.launched(.beamGuest)
    guest.feed(.join)
    guest.feed(Self.found(1))
    guest.feed(.ready(Self.stream, .peerToPeer))
    guest.feed(.received(Self.stream, octets: Self.history(["One."])))
    guest.feed(.betterPath(Self.stream, true))
    guest.feed(.betterPath(Self.stream, true))
    guard case .connect(let second, let request)? = guest.network.last else {
      return expect(false, "it does not connect")
    }
    equal(request.interfaces, [.infrastructure])
    guest.feed(.ready(second, .infrastructure))
    let two = BeamPacket.liveChunk(.init(isFinal: true, sequence: 2, text: "Two."))
    guest.feed(.received(Self.stream, octets: Self.frame(two)))
    // The history is older than what the first stream brought meanwhile.
    let effects = guest.feed(.received(second, octets: Self.history(["One."])))
    equal(effects.network, [.cancel(Self.stream)])
    guest.feed(.received(second, octets: Self.frame(two)))
    equal(guest.reports.count { $0 == .finalShown(sequence: 2, text: "Two.") }, 1)
    expect(!guest.reports.contains(.transcriptCleared))
    equal(guest.states, ["LOOKING", "CONNECTING", "CONNECTED", "SHOWING"])
  }

  @Test("A second stream that fails leaves the first as it is")
  func secondFails() {
    let guest = DeviceBed.launched(.beamGuest)
    guest.feed(.join)
    guest.feed(Self.found(1))
    guest.feed(.ready(Self.stream, .peerToPeer))
    guest.feed(.betterPath(Self.stream, true))
    expect(guest.feed(.failed(ConnectionID(4), .timedOut)).reports.isEmpty)
    expect(guest.timers.isEmpty)
    guest.feed(.betterPath(Self.stream, true))
    equal(guest.network.compactMap(\.connected), [2, 4, 6])
  }

  @Test("When the first stream is lost before the second is ready, both are")
  func firstLostWhileSecondConnects() {
    let guest = DeviceBed.launched(.beamGuest)
    guest.feed(.join)
    guest.feed(Self.found(1))
    guest.feed(.ready(Self.stream, .peerToPeer))
    guest.feed(.betterPath(Self.stream, true))
    equal(guest.feed(.failed(Self.stream, .reset)).network.first, .cancel(ConnectionID(4)))
    equal(guest.states.last, "LOST")
    guest.run(to: at(1))
    equal(guest.network.compactMap(\.connected), [2, 4, 6])
  }

  @Test("A guest that stops to read says so for each stream")
  func reading() {
    let guest = DeviceBed.launched(.beamGuest)
    guest.feed(.join)
    guest.feed(.stopReading)
    guest.feed(Self.found(1))
    equal(guest.feed(.ready(Self.stream, .infrastructure)).network, [.read(Self.stream, false)])
    equal(guest.feed(.readAgain).network, [.read(Self.stream, true)])
  }
}

extension NetworkEffect {
  /// The number of a connection that is asked for.
  var connected: Int? {
    if case .connect(let id, _) = self { return id.rawValue }
    return nil
  }
}
