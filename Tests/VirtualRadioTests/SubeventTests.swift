import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Vol 6, Part B, 4.4.2.12, 4.4.3.6; Vol 4, Part E, 7.8.61 [v2], 7.8.125 … 7.8.127, 7.7.65.14 [v2], 7.7.65.15 [v2],
/// 7.7.65.36, 7.7.65.37. Device 0 has a train with subevents.
@Suite("Periodic advertising with responses")
struct SubeventTests {
  @Test("Scanners in three slots are all heard, each with its data, and ACAD tells them where")
  func threeSlots() throws {
    let room = SubeventRoom(4)
    room.answer = { device, report in
      report.subevent == 1 ? (1, UInt8(device - 1), [3, 0xFF, UInt8(device), UInt8(report.eventCounter & 0xFF)]) : nil
    }
    room.begin()
    let (sync, timing) = try required(room.synchronised(2))
    expect(timing == SubeventRoom.timing && sync.interval == 80)
    for device in 1...3 { equal(room.choose(device, [1]), .success) }
    room.bench.run(for: .milliseconds(200))
    room.forget()
    room.bench.run(for: .seconds(2))
    let reports = room.heard.filter { $0.subevent == 1 }
    expect(reports.count >= 19 && reports.allSatisfy { $0.transmitStatus == 0 && $0.responses.count == 3 })
    for report in reports {
      for (index, response) in report.responses.enumerated() {
        expect(response.slot == UInt8(index) && response.status == .complete && response.rssi != 127)
        equal(Array(response.data.prefix(3)), [3, 0xFF, UInt8(index + 1)])
      }
    }
    // In the other subevents nobody answers.
    let others = room.heard.filter { $0.subevent != 1 }
    expect(others.count >= 76 && others.flatMap(\.responses).allSatisfy { $0.status == .missed && $0.data.isEmpty })
    expect(room.answerStatuses.allSatisfy { $0 == .success })
    let heard = room.reports(3)
    expect(heard.count >= 19 && heard.allSatisfy { $0.subevent == 1 && $0.report.data == [2, 1, 1] })
    equal(Set(heard.map(\.eventCounter)).count, heard.count)
  }

  @Test("Subevents and responses are at the times of their fields, on one channel, with access addresses of their own")
  func times() throws {
    for (ppm, phy) in [(0, .le1M), (100, .le2M), (-50, .leCoded)] as [(Int, HCI.AdvertisingPHY)] {
      let timing = HCI.SubeventTiming(count: 3, interval: 40, slotDelay: 16, slotSpacing: 80)
      let room = SubeventRoom(2, timing: timing, period: 160, phy: phy) { radio, index in
        if index == 0 { (radio.clockPartsPerMillion, radio.claimedClockAccuracy) = (ppm, 100) }
      }
      room.answer = { _, report in (report.subevent, 2, [report.subevent]) }
      room.begin()
      let announced = try required(
        room.bench.sent(.auxAdvInd).compactMap { LL.ResponseTiming(controllerData: $0.pdu.controllerData) }.first)
      equal(announced.subevents, timing)
      let info = try required(room.bench.sent(.auxAdvInd).compactMap(\.pdu.syncInfo).first)
      room.choose(1, [0, 2])
      room.bench.run(for: .seconds(1))
      room.forget()
      room.bench.run(for: .seconds(4))
      let sent = room.bench.sent(.auxSyncSubeventInd)
      let responses = room.bench.sent(.auxSyncSubeventRsp)
      expect(sent.count >= 59 && sent.allSatisfy { $0.air.accessAddress == info.accessAddress })
      expect(responses.count >= 38 && responses.allSatisfy { $0.air.accessAddress == announced.accessAddress })
      expect((sent + responses).allSatisfy { $0.air.crcInit == info.crcInit })
      for (before, after) in zip(sent, sent.dropFirst()) where before.pdu.data.last != 2 {
        let span = SimDuration.milliseconds(50)
        equal(after.air.start - before.air.start, span + .nanoseconds(span.nanoseconds / 1_000 * Int64(ppm) / 1_000))
      }
      // The first one may answer what came before all this.
      for response in responses.dropFirst() {
        let asked = try required(sent.last { $0.air.start < response.air.start })
        expect(asked.air.rfChannel == response.air.rfChannel && asked.pdu.data.last == response.pdu.data.first)
        // The scanner's clock is right, and it was right when AUX_SYNC_SUBEVENT_IND began.
        equal(response.air.start - asked.air.start, .milliseconds(40))
        equal(response.air.fate, .received)
      }
      let counters = room.reports(1)
      for report in counters {
        let channel = LL.ChannelSelection2.channel(
          eventCounter: report.eventCounter ^ UInt16(report.subevent), accessAddress: info.accessAddress, map: .all)
        expect(sent.contains { $0.air.rfChannel == LL.rfChannel(dataChannelIndex: channel) })
      }
    }
  }

  @Test("Two in one slot are not heard, and one of them is when the other is silent")
  func collision() throws {
    for both in [true, false] {
      let room = SubeventRoom(3)
      room.answer = { device, report in both || device == 1 ? (report.subevent, 1, [UInt8(device)]) : nil }
      room.begin()
      for device in 1...2 { room.choose(device, [0]) }
      room.bench.run(for: .milliseconds(200))
      room.forget()
      let collisions = room.bench.world.collisions
      room.bench.run(for: .seconds(2))
      let slot = room.heard.filter { $0.subevent == 0 }.flatMap(\.responses).filter { $0.slot == 1 }
      expect(slot.count >= 19 && slot.allSatisfy { $0.status == (both ? .missed : .complete) })
      equal(room.bench.world.collisions > collisions, both)
      equal(room.bench.sent(.auxSyncSubeventRsp).allSatisfy { $0.air.fate == .received }, !both)
    }
  }

  @Test("What is lost is told to both hosts, as often as the room loses")
  func loss() {
    var environment = RadioEnvironment.lossless
    environment.packetLoss = .partsPerMillion(200_000)
    let room = SubeventRoom(2, environment: environment)
    room.answer = { _, report in (report.subevent, 0, [7]) }
    room.begin()
    room.choose(1, [2])
    room.bench.run(for: .milliseconds(200))
    room.forget()
    room.bench.run(for: .seconds(60))
    let reports = room.reports(1)
    let missed = reports.count { $0.report.status == .missed && $0.report.data.isEmpty && $0.subevent == 2 }
    expect((599...601).contains(reports.count) && (80...160).contains(missed))
    // Every event is told of once.
    for (before, after) in zip(reports, reports.dropFirst()) { equal(after.eventCounter, before.eventCounter &+ 1) }
    let slot = room.heard.filter { $0.subevent == 2 }.flatMap(\.responses).filter { $0.slot == 0 }
    let heard = slot.count { $0.status == .complete }
    expect((599...601).contains(slot.count) && heard < reports.count - missed && heard > 320)
  }

  @Test("Clocks that keep to what they claim cost no response, whatever the skip")
  func drift() {
    for (own, other, skip) in [(500, -500, 0), (-500, 500, 0), (100, -100, 3)] as [(Int, Int, UInt16)] {
      let timing = HCI.SubeventTiming(count: 2, interval: 200, slotDelay: 100, slotSpacing: 100)
      let room = SubeventRoom(2, timing: timing, slots: 8, period: 400) { radio, index in
        radio.clockPartsPerMillion = index == 0 ? own : other
        radio.claimedClockAccuracy = max(own, -own)
      }
      room.give = { HCI.SubeventData(subevent: $0, firstSlot: 0, slots: 8, data: [$0]) }
      room.answer = { _, report in (report.subevent, 7, [9]) }
      room.begin(skip: skip)
      room.choose(1, [1])
      room.bench.run(for: .seconds(3))
      room.forget()
      room.bench.run(for: .seconds(20))
      let heard = room.reports(1).count { $0.report.status == .complete }
      expect(heard >= 40 / (Int(skip) + 1) - 1, "\(heard)")
      expect(abs(room.whole.count - heard) <= 1)
      expect(room.reports(1).allSatisfy { $0.report.status == .complete })
    }
  }

  @Test("Responses that are longer than an event of HCI come whole, with their power")
  func long() throws {
    let timing = HCI.SubeventTiming(count: 1, interval: 80, slotDelay: 40, slotSpacing: 40)
    let room = SubeventRoom(2, timing: timing, slots: 4)
    let data = [UInt8](repeating: 0x5A, count: 247)
    room.give = { HCI.SubeventData(subevent: $0, firstSlot: 1, slots: 3, data: [UInt8](repeating: 3, count: 249)) }
    room.answer = { _, _ in (0, 2, data) }
    room.begin()
    room.choose(1, [0], power: true)
    room.bench.run(for: .milliseconds(300))
    room.forget()
    room.bench.run(for: .seconds(1))
    expect(room.reports(1).count >= 18 && room.heard.count >= 20)
    let responses = room.heard.flatMap(\.responses)
    expect(room.heard.allSatisfy { $0.responses.reduce(0) { $0 + 6 + $1.data.count } <= 250 })
    let slot = responses.filter { $0.slot == 2 }
    let first = try required(slot.firstIndex { $0.status == .incomplete })
    expect(slot[first].data.count == 244 && slot[first].txPower == 0)
    expect(slot[first + 1].status == .complete && slot[first].data + slot[first + 1].data == data)
    expect(responses.contains { $0.slot == 1 } && !responses.contains { $0.slot == 0 })
    // 249 octets come in two reports as well.
    expect(room.reports(1).contains { $0.report.status == .incomplete && $0.report.data.count == 244 })
  }

  @Test("A host is asked for each subevent once before it is sent, and what it does not give is sent empty")
  func requests() {
    let timing = HCI.SubeventTiming(count: 20, interval: 6)
    let room = SubeventRoom(2, timing: timing, slots: 0, period: 200)
    room.give = { $0 % 2 == 0 ? HCI.SubeventData(subevent: $0, data: [$0, 1, 2]) : nil }
    room.begin()
    room.choose(1, Array(0..<20))
    room.forget()
    room.bench.run(for: .seconds(5))
    expect(room.requests.count >= 398 && room.requests.allSatisfy { $0.count == 1 })
    for (before, after) in zip(room.requests, room.requests.dropFirst()) {
      equal(after.first, before.first == 19 ? 0 : before.first + 1)
    }
    let reports = room.reports(1)
    expect(reports.count >= 390 && reports.allSatisfy { $0.report.status == .complete })
    for report in reports { equal(report.report.data, report.subevent % 2 == 0 ? [report.subevent, 1, 2] : []) }
    expect(room.heard.isEmpty)
  }

  @Test("Two plays are one, and other seeds are others")
  func determinism() {
    func play(_ seed: UInt64) -> (TraceDigest, [HCI.SubeventResponses]) {
      var environment = RadioEnvironment.lossless
      environment.packetLoss = .partsPerMillion(100_000)
      let room = SubeventRoom(5, environment: environment, seed: seed, wantsAir: false)
      room.answer = { device, report in (report.subevent, UInt8(device) % 3, [UInt8(device)]) }
      room.begin()
      for device in 1...4 { room.choose(device, [UInt8(device % 3), 4]) }
      room.bench.run(for: .seconds(10))
      return (room.bench.world.digest, room.heard)
    }
    let (one, again, other) = (play(3), play(3), play(4))
    expect(one == again && one.0 != other.0 && one.1.contains { $0.responses.contains { $0.status == .complete } })
  }

  @Test("A link beside a train with subevents is skipped and stepped alike")
  func equalsStepping() {
    func play(_ steps: Bool) -> (TraceDigest, String, Int) {
      let room = SubeventRoom(3, steps: steps, wantsAir: false)
      room.answer = { device, report in (report.subevent, UInt8(device - 1), [UInt8(device)]) }
      room.begin()
      for device in 1...2 { room.choose(device, [0, 3]) }
      room.bench.advertise(2, ExtendedAdvertising(properties: .connectable))
      room.bench.initiate(1, to: 2, phys: .le1M)
      room.bench.run(for: .seconds(8))
      room.bench.world.settle()
      var seen = ""
      for device in 0..<3 { for (at, event) in room.bench.events[device] { seen += "\(device) \(at) \(event)\n" } }
      return (room.bench.world.digest, seen, room.bench.world.statistics.skippedConnectionEvents)
    }
    let (stepped, skipped) = (play(true), play(false))
    expect(stepped.0 == skipped.0 && stepped.1 == skipped.1)
    expect(stepped.2 == 0 && skipped.2 > 10)
  }
}
