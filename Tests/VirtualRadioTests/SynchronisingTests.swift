import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Vol 4, Part E, 7.8.67 … 7.8.73, 7.8.88, 7.7.65.14 … 7.7.65.16; Vol 6, Part B, 4.4.3.4, 4.4.5.
@Suite("Synchronisation with trains")
struct SynchronisingTests {
  /// Two radios, the second of which follows the train of the first.
  private func synchronised(
    data: [UInt8] = [7], skip: UInt16 = 0, timeout: UInt16 = 100, _ options: HCI.PeriodicSyncCreation.Options = [],
    wantsAir: Bool = false, _ change: (inout RadioConfiguration, Int) -> Void = { _, _ in }
  ) throws -> (RadioBench, HCI.SyncHandle) {
    let bench = RadioBench(RadioBench.radios(2, change: change), wantsAir: wantsAir)
    bench.train(0, data: data)
    bench.follow(1, RadioBench.syncCreation(skip: skip, timeout: timeout, options))
    bench.run(until: .zero + .seconds(5)) { !bench.established(1).isEmpty }
    let sync = try required(bench.established(1).first)
    equal(sync.status, .success)
    return (bench, sync.handle)
  }

  @Test("A train that ends is lost when the timeout is over, and its handle with it")
  func lost() throws {
    let (bench, handle) = try synchronised(timeout: 55)
    bench.run(for: .seconds(2))
    _ = bench.answer(0, .leSetPeriodicAdvertisingEnable([], 0))
    let newest = try required(
      bench.events[1].last { event in
        if case .periodic(.lePeriodicAdvertisingReport) = event.event { true } else { false }
      }
    ).at
    bench.run(for: .seconds(2))
    let lost = try required(bench.lost(1).first)
    expect(lost.handle == handle && lost.at == newest + .milliseconds(550) && bench.lost(1).count == 1)
    equal(bench.answer(1, .lePeriodicAdvertisingTerminateSync(handle)), .unknownAdvertisingIdentifier)
    expect(bench.world.syncs.isEmpty)
  }

  @Test("A train of which none of six events comes in is not there")
  func failed() throws {
    let bench = RadioBench(RadioBench.radios(2))
    bench.train(0)
    bench.follow(1)
    bench.run(until: .zero + .seconds(5)) { !bench.world.syncs.isEmpty }
    bench.world.setRadio(0, isOn: false)
    let begin = bench.timeline.now
    bench.run(for: .seconds(3))
    let sync = try required(bench.established(1).first)
    expect(sync.status == .connectionFailedToBeEstablished && bench.world.syncs.isEmpty)
    let at = try required(bench.events[1].last { if case .periodic = $0.event { true } else { false } }).at
    expect((at - begin) > .milliseconds(500) && (at - begin) < .milliseconds(650))
    // The host may ask again.
    bench.world.setRadio(0, isOn: true)
    bench.follow(1)
    bench.run(for: .seconds(1))
    equal(bench.established(1).last?.status, .success)
  }

  @Test("What a scanner's host may not ask for is refused with the code of its clause")
  func errors() throws {
    let bench = RadioBench(RadioBench.radios(2))
    func create(_ change: (inout HCI.PeriodicSyncCreation) -> Void = { _ in }) -> HCI.ErrorCode? {
      var creation = RadioBench.syncCreation()
      change(&creation)
      return bench.answer(1, .lePeriodicAdvertisingCreateSync(creation))
    }
    equal(create { $0.timeout = 9 }, .invalidParameters)
    equal(create { $0.timeout = 0x4001 }, .invalidParameters)
    equal(create { $0.skip = 500 }, .invalidParameters)
    equal(create { $0.advertiser.sid = 16 }, .invalidParameters)
    equal(create { $0.options = .filtersDuplicates }, .unsupportedFeature)
    equal(create { $0.cteType = 0x1F }, .commandDisallowed)
    equal(bench.answer(1, .lePeriodicAdvertisingCreateSyncCancel), .commandDisallowed)
    equal(bench.answer(1, .lePeriodicAdvertisingTerminateSync(0)), .unknownAdvertisingIdentifier)
    equal(bench.answer(1, .leSetPeriodicAdvertisingReceiveEnable(0, .on)), .unknownAdvertisingIdentifier)
    equal(create(), .success)
    equal(create { $0.advertiser.sid = 1 }, .commandDisallowed)
    for command in [
      HCI.PeriodicCommand.leClearPeriodicAdvertiserList,
      .leAddDeviceToPeriodicAdvertiserList(.init(address: .none, sid: 0)),
    ] { equal(bench.answer(1, command), .commandDisallowed) }
    equal(bench.answer(1, .lePeriodicAdvertisingCreateSyncCancel), .success)
    equal(bench.established(1).map(\.status), [.operationCancelledByHost])
    bench.train(0)
    bench.follow(1)
    bench.run(for: .seconds(1))
    equal(bench.established(1).last?.status, .success)
    equal(create(), .connectionAlreadyExists)
  }

  @Test("The Periodic Advertiser List has eight entries, and a host synchronises with any of them")
  func list() throws {
    let bench = RadioBench(RadioBench.radios(3))
    bench.train(0)
    bench.train(2)
    func entry(_ sid: UInt8, _ device: Int = 2) -> HCI.PeriodicAdvertiser {
      .init(address: RadioBench.address(device), sid: sid)
    }
    bench.periodic(1, .leReadPeriodicAdvertiserListSize)
    guard case .commandComplete(_, .success, let size)? = bench.events[1].last?.event else { return expect(false) }
    equal(size, [8])
    for sid in UInt8(0)..<8 { equal(bench.answer(1, .leAddDeviceToPeriodicAdvertiserList(entry(sid))), .success) }
    equal(bench.answer(1, .leAddDeviceToPeriodicAdvertiserList(entry(3))), .invalidParameters)
    equal(bench.answer(1, .leAddDeviceToPeriodicAdvertiserList(entry(8))), .memoryCapacityExceeded)
    equal(bench.answer(1, .leRemoveDeviceFromPeriodicAdvertiserList(entry(9))), .unknownAdvertisingIdentifier)
    equal(bench.answer(1, .leRemoveDeviceFromPeriodicAdvertiserList(entry(0))), .success)
    bench.follow(1, RadioBench.syncCreation(0, .usesList))
    bench.run(for: .seconds(2))
    equal(bench.established(1).map(\.address), [HCI.PeerAddress(RadioBench.address(2))])
    equal(bench.answer(1, .leClearPeriodicAdvertiserList), .success)
    bench.periodic(1, .lePeriodicAdvertisingCreateSync(RadioBench.syncCreation(0, .usesList)))
    bench.run(for: .seconds(2))
    equal(bench.established(1).count, 1)
  }

  @Test("Reports begin and end when the host wants, and the train is followed all the time")
  func reports() throws {
    let (bench, handle) = try synchronised(data: [UInt8](repeating: 3, count: 700), .reportsNothing)
    bench.run(for: .seconds(3))
    expect(bench.periodicReports(1).isEmpty && bench.lost(1).isEmpty)
    equal(bench.answer(1, .leSetPeriodicAdvertisingReceiveEnable(handle, [.on, .dataInfo])), .unsupportedFeature)
    equal(bench.answer(1, .leSetPeriodicAdvertisingReceiveEnable(handle, .on)), .success)
    bench.run(for: .seconds(1))
    expect(bench.wholePeriodic(1).count >= 9 && bench.wholePeriodic(1).allSatisfy { $0.count == 700 })
    equal(bench.answer(1, .lePeriodicAdvertisingTerminateSync(handle)), .success)
    bench.events[1].removeAll()
    bench.run(for: .seconds(3))
    expect(bench.periodicReports(1).isEmpty && bench.lost(1).isEmpty)
  }

  @Test("Events are left out as often as the host allows and the timeout lets them")
  func skip() throws {
    for (skip, timeout, every) in [(0, 100, 1), (4, 1_000, 5), (30, 100, 9)] as [(UInt16, UInt16, Int64)] {
      let (bench, _) = try synchronised(skip: skip, timeout: timeout)
      bench.extended(0, .leSetExtendedAdvertisingEnable(false, []))
      bench.events[1].removeAll()
      bench.run(for: .milliseconds(100) * (every * 10) + .milliseconds(50))
      expect(bench.periodicReports(1).count == 10 && bench.lost(1).isEmpty)
    }
  }

  @Test("A chain of which a PDU does not come in is reported as cut off")
  func truncated() throws {
    let bench = RadioBench(
      RadioBench.radios(2),
      environment: {
        var room = RadioEnvironment.lossless
        room.packetLoss = .partsPerMillion(200_000)
        return room
      }())
    bench.train(0, data: [UInt8](repeating: 9, count: 1_000))
    bench.follow(1, RadioBench.syncCreation(timeout: 0x4000))
    bench.run(for: .seconds(60))
    let reports = bench.periodicReports(1)
    let (whole, cut) = (bench.wholePeriodic(1), reports.count { $0.status == .truncated })
    expect(whole.count > 100 && cut > 100 && whole.allSatisfy { $0.count == 1_000 })
  }

  /// Trains and those that follow them among links that are idle most of the time.
  private func crowd(seed: UInt64, steps: Bool) -> (RadioWorld.Statistics, TraceDigest, String) {
    let bench = RadioBench(
      RadioBench.radios(7) { configuration, index in configuration.clockPartsPerMillion = index * 4 - 16 },
      seed: seed, stepsIdleEvents: steps)
    for device in [0, 5] {
      bench.advertise(device, ExtendedAdvertising(properties: .connectable))
      bench.initiate(device + 1, to: device, phys: .le1M)
    }
    bench.run(for: .seconds(1))
    bench.train(2, interval: 8, data: [UInt8](repeating: 2, count: 400))
    bench.train(3, interval: 12, data: [UInt8](repeating: 3, count: 30))
    for device in [0, 1, 4, 6] {
      bench.follow(device, RadioBench.syncCreation(device == 1 ? 2 : 3, skip: UInt16(device)))
    }
    bench.run(for: .seconds(8))
    bench.world.settle()
    var seen = ""
    for device in 0..<7 { for (at, event) in bench.events[device] { seen += "\(device) \(at) \(event)\n" } }
    return (bench.world.statistics, bench.world.digest, seen)
  }

  @Test("Links that are skipped meet trains on their channels, and on their radios, as if they were stepped")
  func equalsStepping() {
    for seed in UInt64(1)...4 {
      let (stepped, skipped) = (crowd(seed: seed, steps: true), crowd(seed: seed, steps: false))
      equal(stepped.1, skipped.1)
      equal(stepped.2, skipped.2)
      equal(stepped.0.connectionEvents, skipped.0.connectionEvents)
      expect(skipped.0.skippedConnectionEvents > 10 && stepped.2.contains("lePeriodicAdvertisingReport"))
    }
  }

  @Test("A listener whose link is due misses an AUX_SYNC_IND, and the link loses nothing")
  func busy() throws {
    let bench = RadioBench(RadioBench.radios(3))
    bench.train(0, data: [UInt8](repeating: 1, count: 240))
    bench.follow(1)
    bench.run(for: .seconds(2))
    bench.extended(0, .leSetExtendedAdvertisingEnable(false, []))
    bench.advertise(2, ExtendedAdvertising(properties: .connectable))
    bench.initiate(1, to: 2, phys: .le1M)
    bench.run(for: .seconds(1))
    equal(bench.connections(of: 1).count, 1)
    let missed = bench.world.statistics.missedConnectionEvents
    bench.events[1].removeAll()
    bench.run(for: .seconds(40))
    // 2 ms of AUX_SYNC_IND and 0.3 ms of a connection event, every 30 ms: of the three places of an event, at most one
    // is in the way.
    let heard = bench.periodicReports(1).count
    expect(heard >= 266 && heard <= 401 && bench.lost(1).isEmpty && bench.disconnections(of: 1).isEmpty)
    expect(bench.world.statistics.missedConnectionEvents - missed <= 15)
  }
}
