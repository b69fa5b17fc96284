import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Vol 6, Part B, 2.4.2.42, 5.1.13; Vol 4, Part E, 7.7.65.24 [v2]. Device 0 has a train with subevents, device 1 a link
/// with device 2, which never scans.
@Suite("Sync transfer of trains with subevents")
struct SubeventTransferTests {
  private func room(
    own: Bool = false, _ change: (inout RadioConfiguration, Int) -> Void = { _, _ in }
  ) throws -> (room: SubeventRoom, central: HCI.ConnectionHandle, peripheral: HCI.ConnectionHandle) {
    let room = SubeventRoom(3) { radio, index in
      radio.supportsSyncTransfer = true
      change(&radio, index)
    }
    let sender = own ? 0 : 1
    let bench = room.bench
    bench.advertise(2, ExtendedAdvertising(properties: .connectable))
    bench.initiate(sender, to: 2, phys: .le1M)
    bench.run(until: .zero + .seconds(10)) { !bench.connections(of: 2).isEmpty }
    let central = try required(bench.connections(of: sender).last).handle
    let peripheral = try required(bench.connections(of: 2).last).handle
    room.begin([1])
    bench.command(sender, .leReadRemoteFeatures(central))
    bench.run(for: .seconds(1))
    equal(
      bench.answer(2, .leSetPeriodicAdvertisingSyncTransferParameters(peripheral, .init(mode: 2, timeout: 200))),
      .success)
    return (room, central, peripheral)
  }

  private func received(_ room: SubeventRoom) -> (HCI.SyncTransferReceived, HCI.SubeventTiming)? {
    for (_, event) in room.bench.events[2] {
      if case .periodic(.lePeriodicAdvertisingSyncTransferReceivedV2(let event, let timing)) = event {
        return (event, timing)
      }
    }
    return nil
  }

  @Test("A peer that is told of a train answers in its slots, whoever tells it", arguments: [false, true])
  func transfers(own: Bool) throws {
    let (room, central, peripheral) = try room(own: own)
    room.bench.air.removeAll()
    let command: HCI.PeriodicCommand =
      own
      ? .lePeriodicAdvertisingSetInfoTransfer(central, serviceData: 0x1234, 0)
      : .lePeriodicAdvertisingSyncTransfer(central, serviceData: 0x1234, try required(room.handle(1)))
    equal(room.bench.answer(own ? 0 : 1, command), .success)
    room.bench.run(for: .seconds(1))
    let told = try required(
      room.bench.air.map(\.pdu).first {
        $0[0] & 3 == 3 && $0.count > 2 && $0[2] == LL.ControlOpcode.periodicSyncWRInd
      })
    equal(told.count, 2 + 1 + 42)
    let (event, timing) = try required(received(room))
    expect(event.connection == peripheral && event.serviceData == 0x1234 && event.sync.status == .success)
    expect(timing == SubeventRoom.timing && event.sync.interval == 80)
    room.answer = { device, report in device == 2 ? (report.subevent, 1, [0x77]) : nil }
    equal(
      room.bench.answer(2, .leSetPeriodicSyncSubevent(.init(handle: event.sync.handle, subevents: [3]))), .success)
    room.bench.run(for: .milliseconds(200))
    room.forget()
    room.bench.run(for: .seconds(2))
    // The link is in the way at times.
    expect(room.reports(2).allSatisfy { $0.subevent == 3 } && room.whole.count >= 10)
    expect(room.whole.allSatisfy { $0 == [0x77] })
  }

  @Test("A peer without responses is not told of such a train, and is told of ordinary ones")
  func refused() throws {
    let (room, central, _) = try room { radio, index in radio.supportsPeriodicResponses = index != 2 }
    let handle = try required(room.handle(1))
    equal(
      room.bench.answer(1, .lePeriodicAdvertisingSyncTransfer(central, serviceData: 0, handle)),
      .unsupportedRemoteFeature)
    room.bench.train(1, data: [5])
    equal(room.bench.answer(1, .lePeriodicAdvertisingSetInfoTransfer(central, serviceData: 0, 0)), .success)
    room.bench.run(for: .seconds(2))
    expect(received(room) == nil && room.bench.wholePeriodic(2).contains([5]))
  }
}
