import BluetoothWire
import Expectations
import LinkCrypto
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Connected isochronous streams (Vol 6, Part B, 4.5.13, 4.5.14, 5.1.15, 5.1.16; Vol 4, Part E, 7.8.97 … 7.8.116).
@Suite("Connected isochronous streams")
struct StreamTests {
  private static let central = StreamRoom.central

  @Test("Hosts of both ends learn the same of a stream, and SDUs go both ways in their order")
  func bothWays() throws {
    var room = try StreamRoom()
    try room.open()
    let (ours, theirs) = (try required(room.established(0).first), try required(room.established(1).first))
    var other = theirs
    other.handle = ours.handle
    equal(other, ours)
    expect(ours.status == .success && ours.interval == 16 && ours.subevents == 3)
    // 108 octets with a MIC on LE 2M: (11 + 104) * 4 µs; T_IFS between both PDUs, and T_MSS after them.
    let exchange = UInt32(2 * 115 * 4 + 150)
    equal(ours.groupSyncDelay, 2 * (exchange + 150) + exchange)
    equal(ours.streamSyncDelay, ours.groupSyncDelay)
    equal(ours.centralLatency, ours.groupSyncDelay)
    let stream = room.streams[0]
    room.stream(0, stream.central, count: 20)
    room.stream(1, stream.peripheral, count: 20)
    room.bench.run(for: .milliseconds(100))
    let all = (0..<20).map { StreamRoom.sdu($0) }
    equal(room.whole(1), all)
    equal(room.whole(0), all)
    equal(room.completed(0, stream.central), 20)
    equal(room.completed(1, stream.peripheral), 20)
    expect(room.bench.isochronous.allSatisfy { $0.allSatisfy { $0.data.head?.status == 0 } })
  }

  @Test("The peripheral's host may refuse, and hosts that do not say that they have streams are not asked")
  func refused() throws {
    let room = try StreamRoom()
    let handle = try required(try room.configure().first)
    room.bench.onMessage = { [unowned bench = room.bench] device, message in
      if case .event(.stream(.leCISRequest(_, let stream, _, _))) = message {
        bench.world.controllers[device].submit(.stream(.leRejectCISRequest(stream, reason: .init(0x0D))))
      }
    }
    equal(room.answer(0, .leCreateCIS([.init(stream: handle, link: room.links[0].central)])), [0])
    room.bench.run(for: .seconds(1))
    equal(room.established(0).map(\.status), [HCI.ErrorCode(0x0D)])
    expect(room.established(1).isEmpty)
    // The stream may be made again.
    room.accept()
    equal(room.answer(0, .leCreateCIS([.init(stream: handle, link: room.links[0].central)])), [0])
    room.bench.run(for: .seconds(1))
    equal(room.established(0).map(\.status), [HCI.ErrorCode(0x0D), .success])
    let silent = try StreamRoom { radio, index in radio.supportsStreams = index == 0 }
    let other = try required(try silent.configure().first)
    equal(silent.answer(0, .leCreateCIS([.init(stream: other, link: silent.links[0].central)])), [0x1A])
  }

  @Test("A stream ends alone at both hosts, is made again with its handle, and ends before its link")
  func ends() throws {
    var room = try StreamRoom()
    try room.open()
    let stream = room.streams[0]
    equal(room.answer(0, .leRemoveCIG(1)), [0x0C, 1])
    room.bench.command(0, .disconnect(stream.central, reason: .remoteUserTerminatedConnection))
    room.bench.run(for: .seconds(1))
    equal(room.bench.disconnections(of: 0).map(\.handle), [stream.central])
    equal(room.bench.disconnections(of: 0).map(\.reason), [.connectionTerminatedByLocalHost])
    equal(room.bench.disconnections(of: 1).map(\.reason), [.remoteUserTerminatedConnection])
    // A group that had streams keeps its parameters.
    equal(room.answer(0, .leSetCIGParametersTest(StreamRoom.group())).first, 0x0C)
    equal(room.answer(0, .leCreateCIS([.init(stream: stream.central, link: room.links[0].central)])), [0])
    room.bench.run(for: .seconds(1))
    equal(room.established(0).map(\.handle), [stream.central, stream.central])
    room.bench.command(0, .disconnect(room.links[0].central, reason: .remoteUserTerminatedConnection))
    room.bench.run(for: .seconds(1))
    equal(room.bench.disconnections(of: 0).map(\.handle), [stream.central, stream.central, room.links[0].central])
    equal(room.bench.disconnections(of: 1).count, 3)
    equal(room.answer(0, .leRemoveCIG(1)), [0, 1])
    equal(room.answer(0, .leRemoveCIG(1)), [0x02, 1])
  }

  @Test("An SDU in several PDUs, several SDUs in an event, interleaved streams to two peripherals, LE 1M and Coded")
  func shapes() throws {
    var several = try StreamRoom()
    var entry = StreamRoom.entry(subevents: 4, octets: 100, burst: 4, back: 2)
    entry.centralPDU = 50
    try several.open(StreamRoom.group([entry], sduInterval: 10_000))
    several.stream(0, several.streams[0].central, count: 10, every: .milliseconds(10))
    several.stream(1, several.streams[0].peripheral, count: 10, every: .milliseconds(10))
    several.bench.run(for: .milliseconds(100))
    equal(several.whole(1), (0..<10).map { StreamRoom.sdu($0) })
    equal(several.whole(0), (0..<10).map { StreamRoom.sdu($0) })
    for (packing, phy): (UInt8, HCI.PHYMask) in [(0, .le1M), (1, .le1M), (1, .leCoded)] {
      var two = try StreamRoom(peripherals: 2, interval: 80) { radio, _ in radio.supportsCoded = true }
      let octets = phy == .leCoded ? 20 : 100
      let entries = (0...1).map { StreamRoom.entry(UInt8($0), subevents: 2, octets: UInt16(octets), phy: phy) }
      try two.open(StreamRoom.group(entries, packing: packing))
      for number in 0..<10 {
        for (place, stream) in two.streams.enumerated() {
          two.send(0, stream.central, StreamRoom.sdu(number + place, octets))
        }
        two.bench.run(for: .milliseconds(20))
      }
      two.bench.run(for: .milliseconds(100))
      for device in 1...2 { equal(two.whole(device), (0..<10).map { StreamRoom.sdu($0 + device - 1, octets) }) }
    }
  }

  @Test("Framed SDUs whose interval is not that of the stream arrive in order")
  func framed() throws {
    var room = try StreamRoom()
    let entry = StreamRoom.entry(subevents: 6, octets: 120, burst: 3, back: 3)
    try room.open(StreamRoom.group([entry], framing: 1, sduInterval: 9_970))
    room.stream(0, room.streams[0].central, count: 30, octets: 97, every: .microseconds(9_970))
    room.bench.run(for: .milliseconds(100))
    equal(room.whole(1), (0..<30).map { StreamRoom.sdu($0, 97) })
    equal(room.bench.isochronous[1].map { $0.data.head?.sequenceNumber }, (0..<30).map { UInt16($0) })
  }

  @Test("With losses what was not flushed arrives again, and what was flushed is told to be lost, never cut or doubled")
  func losses() throws {
    var environment = RadioEnvironment.lossless
    environment.packetLoss = Ratio(30, 100)
    var room = try StreamRoom(environment: environment, seed: 7)
    try room.open(StreamRoom.group([StreamRoom.entry(subevents: 2)]))
    room.stream(0, room.streams[0].central, count: 300)
    room.bench.run(for: .milliseconds(200))
    let whole = room.whole(1)
    let lost = room.bench.isochronous[1].filter { $0.data.head?.status == 2 }
    expect(whole.count > 200 && whole.count < 300 && !lost.isEmpty)
    expect(lost.allSatisfy { $0.data.octets.isEmpty })
    // Each SDU that came is the one of its number, and none came twice.
    let numbers = room.bench.isochronous[1].compactMap { $0.data.head?.sequenceNumber }
    equal(numbers, numbers.sorted())
    equal(Set(numbers).count, numbers.count)
    equal(Set(whole).count, Set((0..<300).map { StreamRoom.sdu($0) }).intersection(whole).count)
    equal(room.completed(0, room.streams[0].central), 300)
    let quality = room.answer(0, .leReadISOLinkQuality(room.streams[0].central))
    expect(quality.count == 31 && quality[7] > 0 && quality[15] > 0)
  }

  @Test("A flush timeout of more events loses less")
  func flushTimeout() throws {
    func arrived(flush: UInt8) throws -> Int {
      var environment = RadioEnvironment.lossless
      environment.packetLoss = Ratio(30, 100)
      var room = try StreamRoom(environment: environment, seed: 3)
      try room.open(StreamRoom.group([StreamRoom.entry(subevents: 2)], flush: flush))
      room.stream(0, room.streams[0].central, count: 200)
      room.bench.run(for: .seconds(1))
      return room.whole(1).count
    }
    let (one, three) = (try arrived(flush: 1), try arrived(flush: 3))
    expect(one < 198 && three > one, "\(one) and \(three)")
  }

  @Test("Streams of an encrypted link are encrypted, each payload with its number and the stream's own vector")
  func encrypted() throws {
    var room = try StreamRoom(wantsAir: true)
    let key = [UInt8](1...16)
    room.bench.onMessage = { [unowned bench = room.bench] device, message in
      if case .event(.encryption(.leLongTermKeyRequest(let handle, _, _))) = message {
        bench.world.controllers[device].submit(.security(.leLongTermKeyRequestReply(handle, longTermKey: key)))
      }
    }
    room.bench.command(
      0,
      .security(
        .leEnableEncryption(room.links[0].central, random: 0, diversifier: 0, longTermKey: key)))
    room.bench.run(for: .seconds(1))
    let changes = room.bench.events[0].compactMap {
      if case .encryption(.encryptionChange(_, let status, let isOn)) = $0.event {
        "\(status.rawValue) \(isOn)"
      } else {
        nil
      }
    }
    equal(changes, ["0 1"])
    try room.open()
    room.bench.events[0].removeAll()
    room.bench.command(
      0,
      .security(
        .leEnableEncryption(room.links[0].central, random: 0, diversifier: 0, longTermKey: key)))
    equal(room.bench.events[0].map(\.event), [.commandStatus(.leEnableEncryption, status: .commandDisallowed)])
    room.bench.air.removeAll()
    room.stream(0, room.streams[0].central, count: 5)
    room.bench.run(for: .milliseconds(50))
    equal(room.whole(1), (0..<5).map { StreamRoom.sdu($0) })
    let sent = room.bench.air.filter { $0.pdu.count == 2 + 100 + 4 && $0.transmitter == 0 }
    equal(sent.count, 5)
    equal(Set(sent.map(\.accessAddress)).count, 1)
    expect(sent.allSatisfy { pdu in !(0..<5).contains { Array(pdu.pdu[2..<102]) == StreamRoom.sdu($0) } })
  }

  /// Octets by the AES-CCM of Python's `cryptography`, from the nonce of Vol 6, Part E, 2.1.
  @Test("A stream's cipher has the link's key, the access address in its vector, and the payload number as counter")
  func cipher() throws {
    let key = [UInt8](hexadecimalDigits: "99ad1b5226a37e3e058e3b8e27c2c666")!
    let iv = [UInt8](hexadecimalDigits: "24abdcbabebaafde")!
    func stream(_ sender: HCI.Role) -> LinkCipher {
      LinkCipher(key: key, iv: iv, sender: sender, packetCounter: 99).ofStream(accessAddress: 0x8E89_BED1)
    }
    equal(
      String(hexadecimal: stream(.central).seal([UInt8](0..<10), llid: 0, counter: 7)), "5d0ea73cd733464699596b3de52a")
    let sealed = stream(.peripheral).seal([0xC0, 0xFF, 0xEE], llid: 2, counter: 1 << 33)
    equal(String(hexadecimal: sealed), "cb99748600d1bc")
    equal(stream(.peripheral).open(sealed, llid: 2, counter: 1 << 33), [0xC0, 0xFF, 0xEE])
    expect(stream(.peripheral).open(sealed, llid: 2, counter: 1) == nil)
  }

  @Test("The same room again is the same, and skipping, observing and running ahead change nothing")
  func modes() throws {
    func play(seed: UInt64, steps: Bool = false, wantsAir: Bool = false, ahead: Bool = false) throws -> TraceDigest {
      var environment = RadioEnvironment.lossless
      environment.packetLoss = Ratio(20, 100)
      var room = try StreamRoom(
        peripherals: 3, environment: environment, seed: seed, interval: 24, wantsAir: wantsAir, steps: steps
      ) { radio, index in radio.clockPartsPerMillion = index * 7 - 10 }
      room.bench.runsAhead = ahead
      // The third link has no stream, and is skipped where links may be.
      try room.open(StreamRoom.group((0..<2).map { StreamRoom.entry(UInt8($0)) }, packing: 1))
      room.stream(0, room.streams[0].central, count: 30)
      room.bench.command(0, .disconnect(room.streams[1].central, reason: .remoteUserTerminatedConnection))
      room.bench.run(for: .seconds(5))
      room.bench.world.settle()
      return room.bench.world.digest
    }
    for seed: UInt64 in 1...4 {
      let once = try play(seed: seed)
      equal(try play(seed: seed), once)
      equal(try play(seed: seed, steps: true), once)
      equal(try play(seed: seed, wantsAir: true), once)
      equal(try play(seed: seed, ahead: true), once)
    }
  }

  @Test("A peripheral that is gone ends stream and link, the stream first")
  func vanishes() throws {
    var room = try StreamRoom()
    try room.open()
    room.bench.world.setRadio(1, isOn: false)
    room.bench.run(for: .seconds(6))
    equal(room.bench.disconnections(of: 0).map(\.handle), [room.streams[0].central, room.links[0].central])
    equal(Set(room.bench.disconnections(of: 0).map(\.reason)), [.connectionTimeout])
  }

  @Test("A link that is lost while streams are made ends each of them once, and the others are made", arguments: 0...3)
  func lostWhileMade(moment: Int) throws {
    let room = try StreamRoom(peripherals: 2)
    let handles = try room.configure(
      StreamRoom.group((0..<5).map { StreamRoom.entry(UInt8($0), subevents: 1, octets: 20) }))
    room.accept()
    let pairs = handles.enumerated().map {
      HCI.StreamPair(stream: $0.element, link: room.links[$0.offset < 4 ? 0 : 1].central)
    }
    equal(room.answer(0, .leCreateCIS(pairs)), [0])
    // Before LL_CIS_REQ is out, before LL_CIS_IND is acknowledged, before the first event, with one stream.
    room.bench.run(for: .milliseconds([10, 180, 300, 700][moment]))
    room.bench.command(0, .disconnect(room.links[0].central, reason: .remoteUserTerminatedConnection))
    room.bench.run(for: .seconds(5))
    equal(room.established(0).map(\.handle), handles)
    equal(room.established(0).last?.status, .success)
    expect(room.established(0).dropLast().last?.status != .success)
    equal(room.answer(0, .leCreateCIS([])), [0x12])
    equal(room.answer(0, .leCreateCIS([.init(stream: handles[0], link: room.links[1].central)])), [0])
    room.bench.run(for: .seconds(3))
    equal(room.established(0).last?.status, .success)
  }

  @Test("The test mode counts what it sends", arguments: [UInt8(0), 1, 2], [UInt8(0), 1])
  func testMode(payload: UInt8, framing: UInt8) throws {
    var room = try StreamRoom()
    try room.open(StreamRoom.group([StreamRoom.entry(subevents: 2, octets: 110)], framing: framing), paths: false)
    let stream = room.streams[0]
    equal(room.answer(0, .leISOReadTestCounters(stream.central)).first, 0x0C)
    // In framed PDUs a maximal SDU of the direction does not fit with its head, and goes into two.
    equal(room.answer(1, .leISOReceiveTest(stream.peripheral, payload: payload)).first, 0)
    equal(room.answer(0, .leISOTransmitTest(stream.central, payload: payload)).first, 0)
    room.bench.run(for: .seconds(1))
    let counters = room.answer(1, .leISOReadTestCounters(stream.peripheral))
    expect(counters[3] >= (framing == 1 && payload == 2 ? 20 : 45))
    equal(Array(counters[4...]), [0, 0, 0] + [0, 0, 0, 0] + [0, 0, 0, 0])
    equal(Array(room.answer(1, .leISOTestEnd(stream.peripheral)).prefix(4)), counters.prefix(4).map { $0 })
    equal(room.answer(1, .leISOTestEnd(stream.peripheral)).first, 0x0C)
  }
}
