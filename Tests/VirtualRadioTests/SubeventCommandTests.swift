import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Vol 4, Part E, 7.8.61 [v2], 7.8.125 … 7.8.127.
@Suite("Commands of periodic advertising with responses")
struct SubeventCommandTests {
  private static func parameters(
    _ timing: HCI.SubeventTiming, slots: UInt8, from: UInt16 = 80, to: UInt16 = 80, set: UInt8 = 0
  ) -> HCI.PeriodicCommand {
    .leSetPeriodicAdvertisingParametersV2(
      .init(set: set, intervalMinimum: from, intervalMaximum: to), .init(timing: timing, slots: slots))
  }

  @Test("Subevents and slots must fit into what they are in")
  func ranges() {
    let bench = RadioBench(RadioBench.radios(1) { radio, _ in radio.supportsPeriodicResponses = true })
    bench.advertise(0, ExtendedAdvertising())
    func set(
      _ count: UInt8, _ interval: UInt8, _ delay: UInt8, _ spacing: UInt8, _ slots: UInt8, from: UInt16 = 80,
      to: UInt16 = 80
    ) -> HCI.ErrorCode? {
      bench.answer(
        0,
        Self.parameters(
          .init(count: count, interval: interval, slotDelay: delay, slotSpacing: spacing), slots: slots, from: from,
          to: to))
    }
    equal(set(5, 16, 4, 8, 15), .success)
    equal(set(5, 17, 4, 8, 15), .invalidParameters)
    equal(set(129, 6, 0, 0, 0, from: 800, to: 800), .invalidParameters)
    equal(set(128, 6, 0, 0, 0, from: 800, to: 800), .success)
    equal(set(1, 5, 1, 8, 1), .invalidParameters)
    equal(set(1, 16, 0, 8, 1), .invalidParameters)
    equal(set(1, 16, 16, 8, 1), .invalidParameters)
    equal(set(1, 255, 255, 8, 1, from: 255, to: 255), .invalidParameters)
    equal(set(1, 16, 4, 1, 2), .invalidParameters)
    // 12 units of 1.25 ms are 120 of 0.125 ms.
    equal(set(1, 16, 4, 8, 15), .success)
    equal(set(1, 16, 4, 8, 16), .invalidParameters)
    // What does not count is not looked at.
    equal(set(0, 1, 255, 1, 255), .success)
    equal(set(5, 16, 255, 1, 0), .success)
    equal(set(5, 16, 4, 0, 1), .success)
    // The interval becomes long enough where the host allows it.
    equal(set(5, 16, 4, 8, 3, from: 6, to: 100), .success)
    equal(bench.world.radios[0].advertisers[0].train?.interval, .milliseconds(100))
    equal(bench.answer(0, Self.parameters(SubeventRoom.timing, slots: 3, set: 1)), .unknownAdvertisingIdentifier)
    equal(bench.answer(0, .leSetPeriodicAdvertisingData(0, .complete, [1])), .commandDisallowed)
    equal(bench.answer(0, .leSetPeriodicAdvertisingEnable(.on, 0)), .success)
    equal(set(5, 16, 4, 8, 15), .commandDisallowed)
  }

  @Test("Both commands of an advertiser name its set in their answers, and those of a scanner its train")
  func answers() {
    let room = SubeventRoom()
    room.begin()
    func newest(_ device: Int) -> [UInt8] {
      guard case .commandComplete(_, _, let parameters)? = room.bench.events[device].last?.event else { return [] }
      return parameters
    }
    room.bench.periodic(0, .leSetPeriodicAdvertisingSubeventData(7, [.init(subevent: 0, data: [])]))
    equal(newest(0), [7])
    room.bench.periodic(1, .leSetPeriodicSyncSubevent(.init(handle: 0x0123, subevents: [0])))
    equal(newest(1), [0x23, 0x01])
    room.bench.periodic(
      1,
      .leSetPeriodicAdvertisingResponseData(
        .init(handle: 0x0456, requestEvent: 0, requestSubevent: 0, subevent: 0, slot: 0, data: [])))
    equal(newest(1), [0x56, 0x04])
  }

  @Test("An advertiser's host gives data of subevents that exist, when they are asked for, as long as they fit")
  func data() throws {
    let timing = HCI.SubeventTiming(count: 20, interval: 6, slotDelay: 2, slotSpacing: 4)
    let room = SubeventRoom(1, timing: timing, slots: 10, period: 200)
    room.give = { _ in nil }
    func put(_ list: [HCI.SubeventData], set: UInt8 = 0) -> HCI.ErrorCode? {
      room.bench.answer(0, .leSetPeriodicAdvertisingSubeventData(set, list))
    }
    func one(_ subevent: UInt8, _ first: UInt8 = 0, _ slots: UInt8 = 0, _ count: Int = 1) -> [HCI.SubeventData] {
      [.init(subevent: subevent, firstSlot: first, slots: slots, data: [UInt8](repeating: 1, count: count))]
    }
    equal(put(one(0), set: 3), .unknownAdvertisingIdentifier)
    equal(put([]), .invalidParameters)
    equal(put((0..<16).map { HCI.SubeventData(subevent: $0, data: []) }), .invalidParameters)
    equal(put(one(0)), .tooEarly)
    equal(room.bench.answer(0, .leSetPeriodicAdvertisingEnable(.on, 0)), .success)
    equal(put(one(20)), .invalidParameters)
    equal(put(one(0, 8, 3)), .invalidParameters)
    equal(put(one(0) + one(0)), .invalidParameters)
    // Eight are asked for at a time.
    equal(put(one(7)), .success)
    equal(put(one(8)), .tooEarly)
    // 2.5 ms less T_IFS have time for 280 octets of 8 µs; 7.5 ms have it for all.
    equal(put(one(1, 0, 1, 249)), .success)
    equal(put(one(1)), .success)
    room.bench.run(for: .milliseconds(250 + 10))
    let next = try required(room.bench.world.radios[0].advertisers[0].train?.plan).subevent
    let plan = try required(room.bench.world.radios[0].advertisers[0].train?.plan)
    equal(put(one(plan.subevent(19, after: next))), .tooLate)
    equal(put(one(plan.subevent(8, after: next))), .tooEarly)
    equal(put(one(plan.subevent(7, after: next))), .success)
    room.bench.periodic(0, .leSetPeriodicAdvertisingEnable([], 0))
    room.bench.periodic(0, .leSetPeriodicAdvertisingParameters(.init(set: 0, intervalMinimum: 80, intervalMaximum: 80)))
    equal(put(one(0)), .commandDisallowed)
    // A short subevent on LE Coded has no time for much.
    let slow = SubeventRoom(1, timing: timing, slots: 10, period: 200, phy: .leCoded)
    slow.give = { _ in nil }
    equal(slow.bench.answer(0, .leSetPeriodicAdvertisingEnable(.on, 0)), .success)
    equal(slow.bench.answer(0, .leSetPeriodicAdvertisingSubeventData(0, one(0, 0, 0, 200))), .packetTooLong)
    equal(slow.bench.answer(0, .leSetPeriodicAdvertisingSubeventData(0, one(0, 0, 0, 50))), .success)
    equal(slow.bench.answer(0, .leSetPeriodicAdvertisingSubeventData(0, one(0, 0, 1, 50))), .packetTooLong)
  }

  @Test("Data that come while their subevent is on the air are too late, and change nothing of it")
  func dataOnAir() throws {
    let room = SubeventRoom(1, timing: .init(count: 1, interval: 80, slotDelay: 4, slotSpacing: 8))
    var asked = 0
    room.give = {
      asked += 1
      return HCI.SubeventData(subevent: $0, firstSlot: 1, slots: 2, data: [UInt8](repeating: UInt8(asked), count: 200))
    }
    equal(room.bench.answer(0, .leSetPeriodicAdvertisingEnable(.on, 0)), .success)
    let start = try required(room.bench.world.radios[0].advertisers[0].train).nextStart
    func put(_ data: [UInt8]) -> HCI.ErrorCode? {
      room.bench.answer(
        0, .leSetPeriodicAdvertisingSubeventData(0, [.init(subevent: 0, firstSlot: 0, slots: 3, data: data)]))
    }
    room.bench.run(until: start + .microseconds(500))
    equal(put([9]), .tooLate)
    room.bench.run(until: start + .milliseconds(50))
    equal(room.heard.map(\.responses.count), [2])
    equal(room.bench.sent(.auxSyncSubeventInd).map(\.pdu.data), [[UInt8](repeating: 1, count: 200)])
    // What was given before is replaced.
    equal(put([7]), .success)
    room.bench.run(until: start + .milliseconds(150))
    equal(room.bench.sent(.auxSyncSubeventInd).last?.pdu.data, [7])
    equal(room.heard.map(\.responses.count), [2, 3])
  }

  @Test("A scanner's host answers what was heard, before its slot begins, and what fits into it")
  func responses() throws {
    let room = SubeventRoom(2)
    room.begin()
    func respond(
      _ request: (UInt16, UInt8), to subevent: UInt8, slot: UInt8 = 0, _ count: Int = 1,
      handle: HCI.SyncHandle? = nil
    ) -> HCI.ErrorCode? {
      let answer = HCI.SubeventAnswer(
        handle: handle ?? room.handle(1) ?? 0, requestEvent: request.0, requestSubevent: request.1, subevent: subevent,
        slot: slot, data: [UInt8](repeating: 1, count: count))
      return room.bench.answer(1, .leSetPeriodicAdvertisingResponseData(answer))
    }
    room.choose(1, [1])
    room.forget()
    room.bench.run(until: .distantFuture) { !room.reports(1).isEmpty }
    let event = try required(room.reports(1).last).eventCounter
    equal(respond((event, 1), to: 1, handle: 0x0E00), .unknownAdvertisingIdentifier)
    equal(respond((event, 1), to: 5), .invalidParameters)
    equal(respond((event, 5), to: 1), .invalidParameters)
    // Ten slots of a millisecond would end with the subevent.
    equal(respond((event, 1), to: 1, slot: 10), .invalidParameters)
    // 850 µs have time for 96 octets and what is around them.
    equal(respond((event, 1), to: 1, 95), .success)
    equal(respond((event, 1), to: 1, 96), .packetTooLong)
    equal(respond((event, 2), to: 2), .tooEarly)
    equal(respond((event &+ 1, 0), to: 0), .tooEarly)
    equal(respond((event &- 1, 1), to: 1), .tooLate)
    // In the event that was, and in the next one.
    equal(respond((event &- 1, 1), to: 0, slot: 1), .tooLate)
    equal(respond((event, 1), to: 0, slot: 2), .success)
    for slot in UInt8(0)..<7 {
      equal(respond((event, 1), to: 2, slot: slot), slot < 6 ? .success : .memoryCapacityExceeded)
    }
    // The same slot has its newest data.
    equal(respond((event, 1), to: 2, slot: 0), .success)
    room.bench.run(for: .milliseconds(6))
    equal(respond((event, 1), to: 1), .tooLate)
    equal(respond((event, 1), to: 3), .success)
    room.bench.run(for: .milliseconds(100))
    equal(room.bench.sent(.auxSyncSubeventRsp).count, 9)
    // The advertiser listens to three slots.
    equal(room.whole.count, 6)
  }

  @Test("A response beyond its time, or after the train is given up, is not sent")
  func tooLate() throws {
    let room = SubeventRoom(2)
    room.begin()
    room.choose(1, [0])
    room.bench.run(for: .milliseconds(300))
    room.forget()
    room.answer = { _, report in (0, 0, [1]) }
    room.bench.run(until: .distantFuture) { !room.reports(1).isEmpty }
    equal(room.answerStatuses, [.success])
    equal(room.bench.world.responses.count, 1)
    let handle = try required(room.handle(1))
    equal(room.bench.answer(1, .lePeriodicAdvertisingTerminateSync(handle)), .success)
    room.bench.run(for: .milliseconds(300))
    expect(room.bench.sent(.auxSyncSubeventRsp).isEmpty && room.bench.world.responses.isEmpty)
  }

  @Test("A scanner's host chooses subevents that exist, of a train that has them")
  func choices() throws {
    let room = SubeventRoom(3, timing: .init(count: 5, interval: 12), slots: 0)
    room.begin([1])
    let handle = try required(room.handle(1))
    equal(room.choose(1, []), .invalidParameters)
    equal(room.choose(1, [5]), .invalidParameters)
    equal(room.choose(1, [1, 1]), .invalidParameters)
    equal(
      room.bench.answer(1, .leSetPeriodicSyncSubevent(.init(handle: handle + 1, subevents: [1]))),
      .unknownAdvertisingIdentifier)
    equal(room.choose(1, [4, 1]), .success)
    room.forget()
    room.bench.run(for: .milliseconds(500))
    let heard = room.reports(1).map(\.subevent)
    expect(heard.count == 10 && Set(heard) == [1, 4] && zip(heard, heard.dropFirst()).allSatisfy { $0 != $1 })
    // Without slots nothing is answered.
    equal(
      room.bench.answer(
        1,
        .leSetPeriodicAdvertisingResponseData(
          .init(handle: handle, requestEvent: 0, requestSubevent: 0, subevent: 0, slot: 0, data: []))),
      .commandDisallowed)
    // An ordinary train has no subevents; its reports have the counter of its events.
    room.bench.train(2, data: [7])
    room.bench.follow(1, RadioBench.syncCreation(2, timeout: 1_000))
    room.bench.run(for: .seconds(2))
    let (sync, timing) = try required(room.synchronised(1))
    expect(timing == .init() && sync.address == HCI.PeerAddress(RadioBench.address(2)))
    equal(
      room.bench.answer(1, .leSetPeriodicSyncSubevent(.init(handle: sync.handle, subevents: [0]))), .commandDisallowed)
    let reports = room.reports(1).filter { $0.report.handle == sync.handle }
    expect(reports.count > 10 && reports.allSatisfy { $0.subevent == 0 && $0.report.data == [7] })
    // The radio that scans may miss one.
    expect(zip(reports, reports.dropFirst()).allSatisfy { $0.eventCounter < $1.eventCounter })
    expect((try required(reports.last)).eventCounter - reports[0].eventCounter < reports.count + 3)
  }

  @Test("Hosts that mask version 2, and controllers without subevents, get version 1 of the first subevent")
  func versions() throws {
    let room = SubeventRoom(3) { radio, index in radio.supportsPeriodicResponses = index != 2 }
    room.bench.command(1, .leSetEventMask(~(1 << 0x23 | 1 << 0x24 | 1 << 0x25)))
    room.bench.periodic(0, .leSetPeriodicAdvertisingEnable(.on, 0))
    for device in 1...2 { room.bench.follow(device) }
    room.bench.run(for: .seconds(3))
    for device in 1...2 {
      let sync = try required(room.bench.established(device).first)
      expect(sync.status == .success && room.synchronised(device) == nil && room.reports(device).isEmpty)
      let reports = room.bench.periodicReports(device)
      expect(reports.count > 15 && reports.allSatisfy { $0.data == [2, 1, 0] && $0.status == .complete })
    }
    equal(
      room.bench.answer(2, .leSetPeriodicSyncSubevent(.init(handle: 0, subevents: [0]))), .unknownCommand)
    equal(room.bench.answer(2, Self.parameters(SubeventRoom.timing, slots: 3)), .unknownCommand)
  }

  @Test("An advertiser that has no time for a subevent says so")
  func busy() throws {
    // The link goes by the clock of device 2, so it is in the way of subevents at times.
    let room = SubeventRoom(3) { radio, index in
      if index == 2 { (radio.clockPartsPerMillion, radio.claimedClockAccuracy) = (200, 250) }
    }
    room.begin([1])
    room.choose(1, [0, 1, 2, 3, 4])
    room.bench.advertise(0, set: 1, ExtendedAdvertising(properties: .connectable))
    room.bench.initiate(2, to: 0, phys: .le1M)
    room.bench.run(for: .seconds(1))
    equal(room.bench.connections(of: 0).count, 1)
    room.forget()
    room.bench.run(for: .seconds(40))
    let (unsent, missed) = (
      room.heard.filter { $0.transmitStatus == 1 }, room.reports(1).filter { $0.report.status == .missed }
    )
    expect((1..<200).contains(unsent.count) && unsent.allSatisfy { $0.responses.isEmpty })
    // A scanner that listens for nothing is told so; its own radio was never needed for anything else.
    expect(abs(missed.count - unsent.count) <= 1)
    let sent = room.bench.sent(.auxSyncSubeventInd).count
    expect(abs(room.heard.count - sent - unsent.count) <= 1)
    expect((1_999...2_001).contains(room.heard.count))
  }
}
