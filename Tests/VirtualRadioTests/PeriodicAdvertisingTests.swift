import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Vol 6, Part B, 4.4.2.12, 4.4.3.4, 4.4.5; Vol 4, Part E, 7.8.61 … 7.8.73, 7.7.65.14 … 7.7.65.16.
@Suite("Periodic advertising, and scanners that follow it")
struct PeriodicAdvertisingTests {
  /// 87.5 ms have time for five PDUs on LE Coded; AuxPtr takes four octets of all but the last (Vol 6, Part B, 2.3.4).
  @Test("What fits an interval is what its PDUs carry, whichever of them is on the air")
  func room() {
    var parameters = HCI.PeriodicAdvertisingParameters(set: 0, intervalMinimum: 0x46, intervalMaximum: 0x46)
    let stream = RandomStream(seed: 1, component: "test", purpose: "train")
    equal(PeriodicTrain(parameters, stream: stream).room(on: .codedS8), 4 * 250 + 254)
    parameters.properties = 1 << 6
    let train = PeriodicTrain(parameters, stream: stream)
    train.kind = .auxChainInd
    equal(train.room(on: .codedS8), 249 + 3 * 250 + 254)
  }

  private static func octets(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 256) }
  }

  @Test(
    "Data of every length arrive whole, on every PHY", arguments: [0, 31, 247, 254, 255, 600, 1_650],
    [HCI.AdvertisingPHY.le1M, .le2M, .leCoded])
  func lengths(count: Int, phy: HCI.AdvertisingPHY) throws {
    let bench = RadioBench(
      RadioBench.radios(2) { configuration, _ in configuration.supportsCoded = true }, wantsAir: true)
    let data = Self.octets(count)
    bench.train(
      0, interval: 200, data: data, power: true, ExtendedAdvertising(interval: 800, data: [1], secondaryPHY: phy))
    equal(bench.status(0), .success)
    bench.follow(1)
    bench.run(for: .seconds(10))
    let sync = try required(bench.established(1).first)
    expect(sync.status == .success && sync.sid == 5 && sync.address == HCI.PeerAddress(RadioBench.address(0)))
    expect(sync.phy == phy && sync.interval == 200 && sync.clockAccuracy == 7)
    let whole = bench.wholePeriodic(1)
    expect(whole.count > 30 && whole.allSatisfy { $0 == data })
    let reports = bench.periodicReports(1)
    expect(reports.allSatisfy { $0.handle == sync.handle && $0.data.count <= 247 && $0.cteType == 0xFF })
    expect(reports.allSatisfy { $0.txPower == 0 && $0.rssi != 127 })
    equal(bench.sent(.auxSyncInd).isEmpty, false)
    equal(bench.air.contains { $0.auxiliary == .auxChainInd }, count > 253)
    expect(bench.reports(of: 1).contains { $0.periodicInterval == 200 })
  }

  @Test("A train keeps to the clock of its device, to channel selection #2, and to the SyncInfo that tells of it")
  func train() throws {
    for (interval, ppm) in [(6, 0), (80, 100), (800, -50), (2_400, 20)] {
      let bench = RadioBench(
        RadioBench.radios(1) { configuration, _ in configuration.clockPartsPerMillion = ppm }, wantsAir: true)
      bench.train(0, interval: UInt16(interval), data: [1], ExtendedAdvertising(interval: 200, data: [9]))
      bench.run(for: .seconds(30))
      let sent = bench.sent(.auxSyncInd)
      let infos = bench.sent(.auxAdvInd).compactMap { entry in entry.pdu.syncInfo.map { (entry.air.start, $0) } }
      expect(infos.count > 200)
      let (_, first) = try required(infos.first)
      let step = Int64(interval) * 1_250_000 + Int64(interval) * 1_250 * Int64(ppm) / 1_000
      let start = try required(sent.first).air.start
      for (air, _) in sent {
        let (event, rest) = (air.start - start).nanoseconds.quotientAndRemainder(dividingBy: step)
        equal(rest, 0)
        let channel = LL.ChannelSelection2.channel(
          eventCounter: UInt16(truncatingIfNeeded: event), accessAddress: first.accessAddress, map: .all)
        equal(air.rfChannel, LL.rfChannel(dataChannelIndex: channel))
        expect(air.accessAddress == first.accessAddress && air.crcInit == first.crcInit)
      }
      for (at, info) in infos {
        expect(info.interval == interval && info.accessAddress == first.accessAddress)
        let span = try required(info.span)
        let target = start + .nanoseconds(step * Int64(info.eventCounter))
        let own = (target - at).nanoseconds - (target - at).nanoseconds / 1_000 * Int64(ppm) / 1_000
        expect(span <= own + 1_000 && own <= span + info.unit + 1_000, "\(own) ns, told \(span)")
      }
    }
  }

  @Test("A train begins with its set, goes on without it, and ends when its host says so")
  func life() {
    let bench = RadioBench(RadioBench.radios(1), wantsAir: true)
    bench.train(0)
    bench.extended(0, .leSetExtendedAdvertisingEnable(false, [.init(set: 0)]))
    bench.run(for: .seconds(1))
    expect(bench.sent(.auxSyncInd).count >= 9 && bench.sent(.auxAdvInd).count <= 1)
    bench.extended(0, .leRemoveAdvertisingSet(0))
    equal(bench.status(0), .commandDisallowed)
    bench.extended(0, .leClearAdvertisingSets)
    equal(bench.status(0), .commandDisallowed)
    equal(bench.answer(0, .leSetPeriodicAdvertisingEnable([], 0)), .success)
    bench.air.removeAll()
    bench.run(for: .seconds(1))
    expect(bench.air.isEmpty)
    // Without its set it waits.
    equal(bench.answer(0, .leSetPeriodicAdvertisingEnable(.on, 0)), .success)
    bench.run(for: .seconds(1))
    expect(bench.air.isEmpty)
    bench.enable(0)
    bench.run(for: .seconds(1))
    expect(bench.sent(.auxSyncInd).count >= 9)
    bench.command(0, .reset)
    bench.air.removeAll()
    bench.run(for: .seconds(1))
    expect(bench.air.isEmpty)
  }

  @Test("What an advertiser's host may not ask for is refused with the code of its clause")
  func advertiserErrors() {
    let bench = RadioBench(RadioBench.radios(1))
    func parameters(_ set: UInt8, _ from: UInt16 = 80, _ to: UInt16 = 80) -> HCI.PeriodicCommand {
      .leSetPeriodicAdvertisingParameters(.init(set: set, intervalMinimum: from, intervalMaximum: to))
    }
    equal(bench.answer(0, parameters(0)), .unknownAdvertisingIdentifier)
    equal(bench.answer(0, .leSetPeriodicAdvertisingEnable(.on, 0)), .unknownAdvertisingIdentifier)
    for (set, properties) in [.connectable, .scannable, .anonymous, .legacy].enumerated()
      as EnumeratedSequence<[HCI.AdvertisingEventProperties]>
    {
      bench.extended(
        0,
        .leSetExtendedAdvertisingParameters(
          .init(set: UInt8(set), properties: properties, intervalMinimum: 32, intervalMaximum: 32)))
      equal(bench.answer(0, parameters(UInt8(set))), .invalidParameters)
    }
    bench.extended(0, .leClearAdvertisingSets)
    bench.advertise(0, ExtendedAdvertising())
    equal(bench.answer(0, .leSetPeriodicAdvertisingData(0, .complete, [1])), .commandDisallowed)
    equal(bench.answer(0, .leSetPeriodicAdvertisingEnable(.on, 0)), .commandDisallowed)
    for (from, to) in [(5, 80), (81, 80)] as [(UInt16, UInt16)] {
      equal(bench.answer(0, parameters(0, from, to)), .invalidParameters)
    }
    equal(bench.answer(0, parameters(0, 6, 6)), .success)
    equal(bench.answer(0, .leSetPeriodicAdvertisingData(0, .last, [1])), .invalidParameters)
    equal(bench.answer(0, .leSetPeriodicAdvertisingData(0, .first, [])), .invalidParameters)
    for part in 0..<6 {
      _ = bench.answer(0, .leSetPeriodicAdvertisingData(0, part == 0 ? .first : .intermediate, Self.octets(252)))
    }
    equal(bench.answer(0, .leSetPeriodicAdvertisingEnable(.on, 0)), .commandDisallowed)
    // 7.5 ms have no time for 1 512 octets, and nothing for more than 1 650 has any room.
    equal(bench.answer(0, .leSetPeriodicAdvertisingData(0, .last, [1])), .packetTooLong)
    for part in 0..<6 {
      _ = bench.answer(0, .leSetPeriodicAdvertisingData(0, part == 0 ? .first : .intermediate, Self.octets(252)))
    }
    equal(bench.answer(0, .leSetPeriodicAdvertisingData(0, .last, Self.octets(252))), .memoryCapacityExceeded)
    equal(bench.answer(0, .leSetPeriodicAdvertisingData(0, .complete, [1])), .success)
    equal(bench.answer(0, .leSetPeriodicAdvertisingEnable([.on, .dataInfo], 0)), .unsupportedFeature)
    equal(bench.answer(0, .leSetPeriodicAdvertisingEnable(.on, 0)), .success)
    equal(bench.answer(0, parameters(0)), .commandDisallowed)
    equal(bench.answer(0, .leSetPeriodicAdvertisingData(0, .first, [1])), .commandDisallowed)
    equal(bench.answer(0, .leSetPeriodicAdvertisingData(0, .complete, [2])), .success)
  }
}
