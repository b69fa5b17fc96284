import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Vol 6, Part B, 5.1.13; Vol 4, Part E, 7.8.89 … 7.8.92, 7.7.65.24. Device 0 has a train, device 1 a link with
/// device 2, which never scans.
@Suite("Periodic advertising sync transfer")
struct SyncTransferTests {
  private struct Room {
    var bench: RadioBench
    var central: HCI.ConnectionHandle = 0
    var peripheral: HCI.ConnectionHandle = 0
    var sync: HCI.SyncHandle = 0

    /// What device 2 is told of trains.
    var received: [HCI.SyncTransferReceived] {
      bench.events[2].compactMap {
        if case .periodic(.lePeriodicAdvertisingSyncTransferReceived(let event)) = $0.event { event } else { nil }
      }
    }

    func want(_ mode: UInt8, skip: UInt16 = 0, timeout: UInt16 = 200) -> HCI.ErrorCode? {
      bench.answer(
        2,
        .leSetPeriodicAdvertisingSyncTransferParameters(peripheral, .init(mode: mode, skip: skip, timeout: timeout)))
    }

    func transfer(_ service: UInt16 = 0x1234) -> HCI.ErrorCode? {
      bench.answer(1, .lePeriodicAdvertisingSyncTransfer(central, serviceData: service, sync))
    }
  }

  private func room(
    interval: UInt16 = 80, data: [UInt8] = [7], environment: RadioEnvironment = .lossless, seed: UInt64 = 1,
    steps: Bool = false, wantsAir: Bool = false, _ change: (inout RadioConfiguration, Int) -> Void = { _, _ in }
  ) throws -> Room {
    let radios = RadioBench.radios(3) { radio, index in
      radio.supportsSyncTransfer = true
      change(&radio, index)
    }
    var room = Room(
      bench: RadioBench(radios, environment: environment, seed: seed, wantsAir: wantsAir, stepsIdleEvents: steps))
    let bench = room.bench
    bench.advertise(2, ExtendedAdvertising(properties: .connectable))
    bench.initiate(1, to: 2, phys: .le1M)
    bench.run(until: .zero + .seconds(10)) { !bench.connections(of: 2).isEmpty }
    room.central = try required(bench.connections(of: 1).last).handle
    room.peripheral = try required(bench.connections(of: 2).last).handle
    bench.train(0, interval: interval, data: data)
    bench.follow(1, RadioBench.syncCreation(timeout: 1_000))
    bench.run(until: .zero + .seconds(20)) { !bench.established(1).isEmpty }
    room.sync = try required(bench.established(1).first).handle
    bench.extended(1, .leSetExtendedScanEnable(.init(isEnabled: false)))
    bench.extended(0, .leSetExtendedAdvertisingEnable(false, []))
    bench.run(for: .seconds(1))
    return room
  }

  @Test("A peer that is told of a train follows it without a scan, in both directions of a link")
  func transfers() throws {
    let room = try room(wantsAir: true)
    equal(room.want(2), .success)
    room.bench.air.removeAll()
    equal(room.transfer(), .success)
    room.bench.run(for: .seconds(1))
    let pdu = try required(room.bench.air.first { $0.pdu[0] & 3 == 3 && $0.pdu[2] == LL.ControlOpcode.periodicSyncInd })
    equal(pdu.pdu.count, 2 + 1 + 34)
    let event = try required(room.received.first)
    expect(event.connection == room.peripheral && event.serviceData == 0x1234 && event.sync.status == .success)
    expect(event.sync.sid == 5 && event.sync.interval == 80)
    equal(event.sync.address, HCI.PeerAddress(RadioBench.address(0)))
    room.bench.events[2].removeAll()
    room.bench.run(for: .milliseconds(1_010))
    equal(room.bench.wholePeriodic(2), Array(repeating: [7], count: 10))
    // The peripheral tells a central that has stopped following.
    equal(room.bench.answer(1, .lePeriodicAdvertisingTerminateSync(room.sync)), .success)
    equal(
      room.bench.answer(1, .leSetDefaultPeriodicAdvertisingSyncTransferParameters(.init(mode: 1, timeout: 100))),
      .success)
    equal(
      room.bench.answer(
        1, .leSetPeriodicAdvertisingSyncTransferParameters(room.central, .init(mode: 1, skip: 1, timeout: 100))),
      .success)
    equal(
      room.bench.answer(2, .lePeriodicAdvertisingSyncTransfer(room.peripheral, serviceData: 9, event.sync.handle)),
      .success)
    room.bench.run(for: .seconds(1))
    let back = try required(room.bench.world.syncs.first { $0.radio.index == 1 })
    expect(back.isEstablished && !back.reports && back.skip == 1)
  }

  @Test("A device tells of its own train, whatever its clock, and long ago as well", arguments: [-50, 0, 50])
  func ownTrain(error: Int) throws {
    let bench = RadioBench(
      RadioBench.radios(2) { radio, index in
        radio.supportsSyncTransfer = true
        radio.claimedClockAccuracy = 50
        radio.clockPartsPerMillion = index == 0 ? error : -error
      }, environment: .lossless)
    bench.advertise(1, ExtendedAdvertising(properties: .connectable))
    bench.initiate(0, to: 1, phys: .le1M)
    bench.run(for: .seconds(3))
    let (handle, other) = (
      try required(bench.connections(of: 0).last).handle, try required(bench.connections(of: 1).last).handle
    )
    bench.train(0, interval: 1_000, data: [1, 2, 3])
    equal(
      bench.answer(1, .leSetPeriodicAdvertisingSyncTransferParameters(other, .init(mode: 2, timeout: 1_000))), .success)
    bench.run(for: .seconds(20))
    equal(bench.answer(0, .lePeriodicAdvertisingSetInfoTransfer(handle, serviceData: 1, 0)), .success)
    bench.run(for: .seconds(9))
    expect(bench.lost(1).isEmpty && bench.wholePeriodic(1).count >= 5)
    expect(bench.wholePeriodic(1).allSatisfy { $0 == [1, 2, 3] })
  }

  @Test("Mode 0 ignores, mode 1 reports nothing until the host wants it, and a train that ends is failed")
  func modes() throws {
    let ignoring = try room()
    equal(ignoring.transfer(), .success)
    ignoring.bench.run(for: .seconds(2))
    expect(ignoring.received.isEmpty && ignoring.bench.world.syncs.count == 1)
    let quiet = try room()
    equal(quiet.want(1), .success)
    equal(quiet.transfer(), .success)
    quiet.bench.run(for: .seconds(2))
    let handle = try required(quiet.received.first).sync.handle
    expect(quiet.bench.periodicReports(2).isEmpty)
    equal(quiet.bench.answer(2, .leSetPeriodicAdvertisingReceiveEnable(handle, .on)), .success)
    quiet.bench.run(for: .seconds(1))
    expect(quiet.bench.periodicReports(2).count >= 9)
    // What is followed already is not told again.
    equal(quiet.transfer(), .success)
    quiet.bench.run(for: .seconds(1))
    equal(quiet.received.count, 1)
    let ended = try room()
    equal(ended.want(2), .success)
    ended.bench.world.setRadio(0, isOn: false)
    equal(ended.transfer(), .success)
    ended.bench.run(for: .seconds(2))
    equal(ended.received.map(\.sync.status), [.connectionFailedToBeEstablished])
  }

  @Test("What cannot be is refused as its clause says")
  func refused() throws {
    let room = try room()
    let bench = room.bench
    for (command, status) in [
      (.lePeriodicAdvertisingSyncTransfer(room.central, serviceData: 0, 99), 0x42),
      (.lePeriodicAdvertisingSyncTransfer(0x0EEE, serviceData: 0, room.sync), 0x02),
      (.lePeriodicAdvertisingSetInfoTransfer(room.central, serviceData: 0, 3), 0x42),
      (.leSetPeriodicAdvertisingSyncTransferParameters(room.central, .init(mode: 4, timeout: 100)), 0x12),
      (.leSetPeriodicAdvertisingSyncTransferParameters(room.central, .init(mode: 3, timeout: 100)), 0x11),
      (.leSetPeriodicAdvertisingSyncTransferParameters(room.central, .init(mode: 1, skip: 500, timeout: 100)), 0x12),
      (.leSetDefaultPeriodicAdvertisingSyncTransferParameters(.init(mode: 1, timeout: 9)), 0x12),
    ] as [(HCI.PeriodicCommand, UInt8)] {
      equal(bench.answer(1, command), HCI.ErrorCode(status), "\(command)")
    }
    bench.advertise(1, set: 2, ExtendedAdvertising())
    equal(
      bench.answer(1, .lePeriodicAdvertisingSetInfoTransfer(room.central, serviceData: 0, 2)), .commandDisallowed)
    let old = try self.room { radio, index in radio.supportsSyncTransfer = index == 1 }
    old.bench.command(1, .leReadRemoteFeatures(old.central))
    old.bench.run(for: .seconds(1))
    equal(old.transfer(), .unsupportedRemoteFeature)
    equal(old.want(2), .unknownCommand)
  }

  @Test(
    "With loss on the link and clocks at their limits the peer still finds the train", arguments: [1, 2, 4, 5, 6, 7, 8])
  func lossy(seed: Int) throws {
    var environment = RadioEnvironment.lossless
    environment.packetLoss = .partsPerMillion(300_000)
    let room = try room(interval: 40, environment: environment, seed: UInt64(seed)) { radio, index in
      radio.claimedClockAccuracy = 100
      radio.clockPartsPerMillion = [95, -95, 95][index] * (seed % 2 == 0 ? 1 : -1)
    }
    equal(room.want(2, timeout: 1_000), .success)
    equal(room.transfer(), .success)
    room.bench.run(for: .seconds(4))
    equal(room.received.map(\.sync.status), [.success])
    expect(room.bench.wholePeriodic(2).count > 15)
  }

  @Test("A peer that does not know the PDU refuses no procedure that comes after it")
  func unknown() throws {
    let room = try room { radio, index in radio.supportsSyncTransfer = index != 2 }
    let service = room.transfer()
    room.bench.command(1, .leReadRemoteFeatures(room.central))
    room.bench.run(for: .seconds(1))
    let statuses = room.bench.events[1].compactMap { event in
      if case .leReadRemoteFeaturesComplete(_, let status, _) = event.event { status } else { nil }
    }
    equal(statuses, [.success], "after \(String(describing: service))")
  }

  @Test("Stepped and skipped give one digest", arguments: 1...4)
  func equalsStepping(seed: Int) throws {
    let runs = try [true, false].map { steps in
      let room = try room(seed: UInt64(seed), steps: steps) { radio, index in
        radio.clockPartsPerMillion = index * 9 - 8
      }
      _ = room.want(2)
      room.bench.run(for: .milliseconds(Int64(seed) * 777))
      _ = room.transfer()
      room.bench.run(for: .seconds(5))
      room.bench.world.settle()
      return (room.bench.world.digest, room.bench.events[2].map { "\($0)" })
    }
    equal(runs[0].0, runs[1].0)
    equal(runs[0].1, runs[1].1)
  }
}
