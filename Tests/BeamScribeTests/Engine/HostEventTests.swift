import AppSeam
import BeamScribe
import BluetoothWire
import Expectations
import SimKernel
import Testing

/// What a host does when its event starts, changes and ends.
@Suite("A host's event")
struct HostEventTests {
  private static let type = "_beamscribe._tcp"
  private static let advertisement = AppEffect.advertise(
    AdvertisementRequest(localName: "Keynote ", serviceUUIDs: [.beamScribe]))

  private func incoming(_ number: Int) -> NetworkInput {
    .incoming(ConnectionID(number), .infrastructure, peer: "guest-\(number)")
  }

  @Test("Listener and advertising start with the event, and end with it")
  func start() {
    let host = DeviceBed.launched(.beamHost)
    equal(host.reports, [.state("IDLE")])
    expect(host.network.isEmpty)
    let effects = host.feed(.startEvent(name: "Keynote 2026"))
    let keepAlive = KeepAliveRequest(idle: .seconds(5), interval: .seconds(5), count: 3)
    equal(
      effects.network,
      [
        .listen(ListenRequest(type: Self.type, name: "Keynote 2026", peerToPeer: true, keepAlive: keepAlive))
      ])
    expect(effects.contains(Self.advertisement))
    equal(effects.reports, [.state("HOSTING"), .eventNamed("Keynote 2026")])
    expect(host.feed(.startEvent(name: "Again")).isEmpty)
    let end = host.feed(.endEvent)
    equal(end.network, [.stopListening(type: Self.type)])
    expect(end.contains(.stopAdvertising))
    equal(host.states, ["IDLE", "HOSTING", "IDLE"])
  }

  @Test(
    "Names are cut between characters",
    arguments: [
      ("Talk", "Talk"), ("Keynote 2026", "Keynote "), ("ééééééé", "éééé"), ("aéééé", "aééé"), ("日本語日本語", "日本"),
      ("😀😀😀", "😀😀"),
    ])
  func advertisedNames(_ name: String, _ advertised: String) {
    let host = DeviceBed.launched(.beamHost)
    let effects = host.feed(.startEvent(name: name))
    expect(
      effects.contains(.advertise(AdvertisementRequest(localName: advertised, serviceUUIDs: [.beamScribe]))))
  }

  @Test("A name of more than 63 octets is cut at a character")
  func longName() {
    let host = DeviceBed.launched(.beamHost)
    host.feed(.startEvent(name: String(repeating: "é", count: 40)))
    guard case .listen(let request)? = host.network.first else { return expect(false, "it does not listen") }
    equal(request.name, String(repeating: "é", count: 31))
  }

  @Test("A host that was renamed goes on under the new name")
  func renamed() {
    let host = DeviceBed.launched(.beamHost)
    host.feed(.startEvent(name: "Talk"))
    let effects = host.feed(.listenerReady(type: Self.type, name: "Talk (2)", port: 1))
    equal(effects.reports, [.eventNamed("Talk (2)")])
    expect(
      effects.contains(.advertise(AdvertisementRequest(localName: "Talk (2)", serviceUUIDs: [.beamScribe]))))
    host.feed(.listenerFailed(type: Self.type, .noPath))
    expect(host.run(to: at(0, 999)).isEmpty)
    guard case .listen(let request)? = host.run(to: at(1)).network.first else {
      return expect(false, "it does not listen again")
    }
    equal(request.name, "Talk (2)")
  }

  @Test("In front again a host listens at once if its listener was reclaimed")
  func reclaimedListener() {
    let host = HostStreamTests.hosting()
    host.feed(.background(true))
    host.feed(.listenerFailed(type: Self.type, .reclaimed))
    equal(host.feed(.background(false)).network.count, 1)
    expect(host.run(for: .seconds(5)).isEmpty)
    let later = HostStreamTests.hosting()
    later.feed(.background(true))
    later.feed(.background(false))
    equal(later.feed(.listenerFailed(type: Self.type, .reclaimed)).network.count, 1)
  }

  @Test("Advertising stops with the first stream and begins again after the last")
  func advertising() {
    let host = HostStreamTests.hosting()
    expect(host.feed(incoming(1)).contains(.stopAdvertising))
    expect(!host.feed(incoming(3)).contains(.stopAdvertising))
    expect(!host.feed(.ended(ConnectionID(1))).contains(Self.advertisement))
    expect(host.feed(.ended(ConnectionID(3))).contains(Self.advertisement))
  }

  @Test("With free seats advertised it stops with the seventh guest and begins again with the sixth")
  func freeSeats() {
    let host = HostStreamTests.hosting { $0.settings.advertisesFreeSeats = true }
    for number in 0..<6 { expect(!host.feed(incoming(2 * number + 1)).contains(.stopAdvertising)) }
    host.feed(.incoming(ConnectionID(21), .peerToPeer, peer: "guest-1"))
    expect(host.feed(incoming(13)).contains(.stopAdvertising))
    expect(host.feed(.ended(ConnectionID(13))).contains(Self.advertisement))
  }

  @Test("When Bluetooth comes back it is advertised again, and without it the event works")
  func bluetooth() throws {
    let host = DeviceBed.launched(.beamHost)
    host.feed(.radioPower(false))
    let effects = host.feed(.startEvent(name: ""))
    equal(effects.network.count, 1)
    host.feed(incoming(1))
    host.run(to: at(4))
    try equal(host.packets(ConnectionID(1)).count, 1)
    expect(host.feed(.radioPower(true)).isEmpty)
    host.feed(.ended(ConnectionID(1)))
    equal(host.log.last?.effect, Self.advertisement)
    host.feed(.radioPower(false))
    equal(host.feed(.radioPower(true)), [Self.advertisement])
  }

  @Test("A host publishes nothing over BLE, and advertises again when somebody connected")
  func connected() {
    let host = HostStreamTests.hosting()
    equal(host.feed(.connected(LinkID(0), peer: BluetoothAddress(kind: .random, bits: 1))), [Self.advertisement])
    expect(!host.log.contains { if case .publish = $0.effect { true } else { false } })
  }

  @Test("The end is the last packet on open streams, gated ones get none, and both are finished")
  func end() throws {
    let host = HostStreamTests.hosting()
    host.feed(incoming(1))
    host.run(to: at(4))
    host.feed(incoming(3))
    let effects = host.feed(.endEvent)
    try equal(host.packets(ConnectionID(1)).last, .alert(.hostDisconnected))
    expect(host.taken[ConnectionID(3)] == nil)
    expect(effects.network.contains(.finish(ConnectionID(1))))
    expect(effects.network.contains(.finish(ConnectionID(3))))
    host.feed(.ended(ConnectionID(3)))
    expect(!host.run(to: at(8, 999)).network.contains(.cancel(ConnectionID(1))))
    equal(host.run(to: at(9)).network, [.cancel(ConnectionID(1))])
    expect(host.timers.isEmpty)
  }

  @Test("A stream that has no room is finished when everything was taken")
  func endWithoutRoom() throws {
    let host = HostStreamTests.hosting()
    host.feed(incoming(1))
    host.run(to: at(4))
    host.full = [ConnectionID(1)]
    host.feed(.speakFinal("Last."))
    expect(!host.feed(.endEvent).network.contains(.finish(ConnectionID(1))))
    host.full = []
    equal(host.feed(.room(ConnectionID(1))).network.last, .finish(ConnectionID(1)))
    try equal(host.packets(ConnectionID(1)).suffix(1), [.alert(.hostDisconnected)])
  }

  @Test("What an event that is over still owes is its own, though another one has begun")
  func nextEvent() throws {
    let host = HostStreamTests.hosting { $0.pageOctets = 100 }
    for number in 0..<9 { host.feed(.speakFinal("final \(number)")) }
    host.full = [ConnectionID(1)]
    host.feed(incoming(1))
    host.run(to: at(4))
    host.feed(.endEvent)
    host.feed(.startEvent(name: "Next"))
    host.full = []
    host.feed(.room(ConnectionID(1)))
    let packets = try host.packets(ConnectionID(1))
    let chunks = packets.flatMap { packet -> [BeamPacket.Chunk] in
      if case .fullHistory(let history) = packet { return history.chunks }
      return []
    }
    equal(chunks.map(\.text), (0..<9).map { "final \($0)" })
    equal(packets.last, .alert(.hostDisconnected))
  }

  @Test("A low battery is told once each time")
  func battery() throws {
    let host = HostStreamTests.hosting()
    host.feed(incoming(1))
    host.run(to: at(4))
    for action in [BeamAction.batteryLow, .batteryLow, .batteryOK, .batteryLow] { host.feed(action) }
    try equal(host.packets(ConnectionID(1)).dropFirst(), [.alert(.batteryLow), .alert(.batteryLow)])
  }

  @Test("Relaunched with its transcript it tells those who were there, once, and no newcomer")
  func resumed() throws {
    let host = HostStreamTests.hosting()
    host.feed(incoming(1))
    host.run(to: at(4))
    host.feed(.speakFinal("One."))
    let again = DeviceBed.launched(.beamHost, kept: host.kept)
    equal(again.states, ["IDLE", "HOSTING"])
    again.feed(incoming(1))
    again.feed(incoming(3))
    again.run(to: at(4))
    let history = BeamPacket.fullHistory(.init(chunks: [.init(sequence: 1, text: "One.")], upToSequence: 1))
    try equal(again.packets(ConnectionID(1)), [history, .alert(.sessionResumed)])
    try equal(again.packets(ConnectionID(3)), [history])
    again.feed(.ended(ConnectionID(1)))
    again.feed(.incoming(ConnectionID(5), .infrastructure, peer: "guest-1"))
    again.run(to: at(8))
    try equal(again.packets(ConnectionID(5)), [history])
    again.feed(.endEvent)
    equal(DeviceBed.launched(.beamHost, kept: again.kept).states, ["IDLE"])
  }

  @Test("A transcript that is too long is not kept, and no older one is either")
  func tooLong() {
    let host = HostStreamTests.hosting { $0.keepOctets = 100 }
    host.feed(.speakFinal("One."))
    equal(KeptSession(decoding: host.kept)?.finals, ["One."])
    host.feed(.speakFinal(String(repeating: "x", count: 100)))
    equal(host.kept, [])
    host.feed(.speakFinal("Three."))
    equal(host.kept, [])
    host.feed(.endEvent)
    host.feed(.startEvent(name: "Next"))
    equal(KeptSession(decoding: host.kept)?.name, "Next")
  }

  @Test("What is kept piece by piece is what a whole session would be, whatever happens", arguments: 1...20)
  func keptPieceByPiece(seed: UInt64) throws {
    var random = RandomStream(seed: seed, component: "kept", purpose: "test")
    let limit = Int(random.within(150...1_500))
    var host = DeviceBed.launched(.beamHost) { $0.keepOctets = limit }
    var finals: [String] = []
    var isTooLong = false
    host.feed(.startEvent(name: "Keynote 2026"))
    for step in 0..<60 {
      switch random.below(8) {
      case 0:
        host.feed(.endEvent)
        host.feed(.startEvent(name: "Event \(step)"))
        (finals, isTooLong) = ([], false)
      case 1: host.feed(incoming(step * 2 + 1))
      case 2: host.run(to: host.now + .seconds(5))
      case 3: host.feed(random.below(2) == 0 ? .batteryLow : .batteryOK)
      case 4 where !isTooLong && !host.kept.isEmpty:
        host = DeviceBed.launched(.beamHost, kept: host.kept) { $0.keepOctets = limit }
      default:
        let text = String(repeating: "é", count: Int(random.within(1...40)))
        host.feed(.speakFinal(text))
        finals.append(text)
      }
      isTooLong = isTooLong || host.kept.isEmpty
      if isTooLong { continue }
      let session = try required(KeptSession(decoding: host.kept))
      expect(session.finals == finals && session.encoded() == host.kept && host.kept.count <= limit)
    }
  }

  @Test("A host that lost all streams while it was suspended tells those who come back")
  func suspended() throws {
    let host = HostStreamTests.hosting()
    host.feed(incoming(1))
    host.feed(incoming(3))
    host.run(to: at(4))
    host.feed(.background(true))
    host.run(to: at(100))
    host.feed(.background(false))
    host.feed(.failed(ConnectionID(1), .reclaimed))
    expect(!host.reports.contains(.alertRaised("sessionResumed")))
    host.feed(.failed(ConnectionID(3), .reclaimed))
    expect(host.reports.contains(.alertRaised("sessionResumed")))
    host.feed(.incoming(ConnectionID(5), .infrastructure, peer: "guest-3"))
    host.run(to: at(104))
    try equal(host.packets(ConnectionID(5)).last, .alert(.sessionResumed))
  }

  @Test("A long final becomes several, a long partial is shortened, an empty text is none")
  func longTexts() {
    let host = HostStreamTests.hosting()
    host.feed(.speakFinal(""))
    host.feed(.speakFinal(String(repeating: "é", count: 10_000)))
    host.feed(.speakPartial("a" + String(repeating: "é", count: 10_000)))
    let octets = host.reports.compactMap { report -> Int? in
      switch report {
      case .finalShown(_, let text), .partialShown(_, let text): text.utf8.count
      default: nil
      }
    }
    equal(octets, [8_192, 8_192, 3_616, 8_191])
  }

  @Test("Without the setting chunks have no time, and a clock that is ahead is seen in them")
  func times() throws {
    let host = HostStreamTests.hosting { $0.settings.writesSentTimestamp = false }
    host.feed(incoming(1))
    host.run(to: at(4))
    host.feed(.speakFinal("One."))
    try equal(host.packets(ConnectionID(1)).last, .liveChunk(.init(isFinal: true, sequence: 1, text: "One.")))
    let ahead = HostStreamTests.hosting { $0.clockOffsetMilliseconds = 86_400_000 }
    ahead.feed(incoming(1))
    ahead.run(to: at(4, 5))
    ahead.feed(.speakFinal("One."))
    try equal(
      ahead.packets(ConnectionID(1)).last,
      .liveChunk(.init(isFinal: true, sentMilliseconds: 1_700_086_404_005, sequence: 1, text: "One.")))
  }
}
