import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// What test suites of the Link Layer ask of scanners, with a program as their lower tester.
/// Tests/Foreign/edtt/README.md has the table of their names.
@Suite("A program that our scanners hear")
struct AirScanningTests {
  private func room() -> (RadioBench, AirProgram) {
    let bench = RadioBench(AirProgram.radios(2))
    return (bench, AirProgram(bench, 1))
  }

  private func reports(_ bench: RadioBench) -> [HCI.AdvertisingReport] {
    bench.events[0].compactMap { if case .leAdvertisingReport(let report) = $0.event { report } else { nil } }
  }

  private func scan(_ bench: RadioBench) {
    bench.command(0, .leSetScanParameters(.init(isActive: true, interval: 16, window: 16)))
    bench.command(0, .leSetScanEnable(true, filterDuplicates: false))
  }

  /// Sends an ADV_SCAN_IND until the scanner, which hops, asks for more.
  private func request(_ program: AirProgram, _ advertiser: BluetoothAddress = AirProgram.advertiser) throws
    -> AirProgram.Heard
  {
    let advert = LL.AdvertisingPDU.advScanInd(advertiser: advertiser, data: [1, 2]).octets
    for _ in 0..<100 {
      program.send(advert, on: 37, at: program.bench.timeline.now + .milliseconds(5))
      if let request = program.next(within: .milliseconds(6), { $0.type == 3 }) { return request }
    }
    return try required(nil as AirProgram.Heard?)
  }

  private func response(_ data: [UInt8], _ advertiser: BluetoothAddress = AirProgram.advertiser) -> [UInt8] {
    LL.AdvertisingPDU.scanRsp(advertiser: advertiser, data: data).octets
  }

  @Test("It is reported, asked for more, and its SCAN_RSP is reported too")
  func active() throws {
    let (bench, program) = room()
    scan(bench)
    let request = try request(program)
    equal(Array(request.pdu[8...]), (0..<6).map { UInt8(truncatingIfNeeded: AirProgram.advertiser.bits >> (8 * $0)) })
    program.reply(to: request, response([3, 9, 0x41, 0x42]))
    program.run(for: .milliseconds(2))
    let last = try required(reports(bench).last)
    equal(last.kind, .scanRsp)
    equal(last.data, [3, 9, 0x41, 0x42])
    equal(last.address, AirProgram.advertiser)
  }

  /// RootCanal's scan_timeout.
  @Test("A scan response that does not come is waited for no longer than it may take")
  func timeout() throws {
    let (bench, program) = room()
    scan(bench)
    for _ in 0..<3 {
      _ = try request(program)
      program.run(for: .milliseconds(1))
    }
    program.reply(to: try request(program), response([1]))
    program.run(for: .milliseconds(2))
    equal(reports(bench).count { $0.kind == .scanRsp }, 1)
  }

  /// RootCanal's scan_collision.
  @Test("A scanner that is disabled before the scan response comes ignores it, and reports the next")
  func collision() throws {
    let (bench, program) = room()
    scan(bench)
    let first = try request(program)
    bench.command(0, .leSetScanEnable(false, filterDuplicates: false))
    program.reply(to: first, response([1]))
    program.run(for: .milliseconds(2))
    expect(!reports(bench).contains { $0.kind == .scanRsp })
    bench.command(0, .leSetScanEnable(true, filterDuplicates: false))
    program.reply(to: try request(program), response([1]))
    program.run(for: .milliseconds(2))
    equal(reports(bench).count { $0.kind == .scanRsp }, 1)
  }

  /// RootCanal's scan_concurrency; on the air a scanner waits for one answer at a time (Vol 6, Part B, 4.4.3.2).
  @Test("Two advertisers are asked one after the other, and a response of the other one is not taken")
  func concurrency() throws {
    let (bench, program) = room()
    scan(bench)
    let other = BluetoothAddress(kind: .publicDevice, bits: 7)
    program.reply(to: try request(program), response([2], other))
    program.run(for: .milliseconds(2))
    expect(!reports(bench).contains { $0.kind == .scanRsp })
    program.reply(to: try request(program), response([1]))
    program.run(for: .milliseconds(2))
    program.reply(to: try request(program, other), response([2], other))
    program.run(for: .milliseconds(2))
    equal(reports(bench).filter { $0.kind == .scanRsp }.map(\.data), [[1], [2]])
  }

  /// LL/DDI/SCN/BV-19-C, extended PDUs, with BV-27-C's LE 2M.
  @Test(
    "Extended advertising is reported with all its data, whoever it is for",
    arguments: [0, 1, 191, 382, 1_650], [LL.AirPHY.le1M, .le2M])
  func extended(octets: Int, phy: LL.AirPHY) throws {
    for mode in [LL.ExtendedPDU.Mode.neither, .connectable] where octets <= 191 || mode == .neither {
      let (bench, program) = room()
      bench.scan(0, interval: 16, window: 16)
      var pdu = LL.ExtendedPDU(mode: mode)
      pdu.advertiser = AirProgram.advertiser
      for did in 1...20 {
        program.advertise(pdu, data: AirProgram.octets(octets), did: UInt16(did), on: phy)
        program.run(for: .milliseconds(35))
      }
      let reports = bench.reports(of: 0)
      let whole = HCI.ExtendedAdvertisingReport.whole(reports)
      expect(whole.count >= 5 && whole.allSatisfy { $0 == AirProgram.octets(octets) }, "\(whole.count) came whole")
      let report = try required(reports.first)
      expect(report.type.contains(.connectable) == (mode == .connectable) && !report.type.contains(.legacy))
      equal(report.secondaryPHY, phy == .le2M ? .le2M : .le1M)
      equal(report.sid, 5)
      equal(report.address, HCI.PeerAddress(AirProgram.advertiser))
    }
  }

  @Test("What is directed at another device is not reported, what is at this one is")
  func directed() throws {
    for (target, isReported) in [(RadioBench.address(0), true), (RadioBench.address(7), false)] {
      let (bench, program) = room()
      bench.scan(0, interval: 16, window: 16)
      var pdu = LL.ExtendedPDU(mode: .neither)
      (pdu.advertiser, pdu.target) = (AirProgram.advertiser, target)
      for did in 1...20 {
        program.advertise(pdu, data: [1, 2, 3], did: UInt16(did))
        program.run(for: .milliseconds(11))
      }
      expect(bench.reports(of: 0).isEmpty != isReported)
      if isReported { expect(bench.reports(of: 0).allSatisfy { $0.type.contains(.directed) }) }
    }
  }

  /// LL/DDI/SCN/BV-20-C: AUX_SCAN_REQ, and AUX_SCAN_RSP with its chain.
  @Test("A scannable set is asked for more, and its chain is reported", arguments: [0, 31, 191, 382, 1_650])
  func scannable(octets: Int) throws {
    let (bench, program) = room()
    bench.scan(0, isActive: true, interval: 16, window: 16)
    var pdu = LL.ExtendedPDU(mode: .scannable)
    pdu.advertiser = AirProgram.advertiser
    for did in 1...60 where HCI.ExtendedAdvertisingReport.whole(scanResponses(bench)).count < 3 {
      program.advertise(pdu, did: UInt16(did))
      guard let request = program.next(within: .milliseconds(4), { $0.type == 3 && $0.channelIndex < 37 }) else {
        continue
      }
      var response = LL.ExtendedPDU()
      response.advertiser = AirProgram.advertiser
      response.dataInfo = .init(did: UInt16(did), sid: 5)
      program.chain(response, data: AirProgram.octets(octets), at: request.end + .microseconds(150))
      program.run(for: .milliseconds(30))
    }
    let whole = HCI.ExtendedAdvertisingReport.whole(scanResponses(bench))
    equal(whole, Array(repeating: AirProgram.octets(octets), count: 3))
  }

  private func scanResponses(_ bench: RadioBench) -> [HCI.ExtendedAdvertisingReport] {
    bench.reports(of: 0).filter { $0.type.contains(.scanResponse) }
  }

  @Test("A chain that does not come is reported as truncated")
  func truncated() throws {
    let (bench, program) = room()
    bench.scan(0, interval: 16, window: 16)
    var pdu = LL.ExtendedPDU(mode: .neither)
    pdu.advertiser = AirProgram.advertiser
    for did in 1...20 where bench.reports(of: 0).count < 2 {
      program.advertise(program.pointing(pdu, after: .microseconds(2_460)), data: [9], did: UInt16(did))
      program.run(for: .milliseconds(11))
    }
    equal(bench.reports(of: 0).prefix(2).map(\.isTruncated), [false, true])
  }

  /// LL/DDI/SCN/BV-79-C: a train with TxPower and two AUX_CHAIN_IND.
  @Test("A train of a program is followed, with its power, its data and its end")
  func train() throws {
    let (bench, program) = room()
    var creation = HCI.PeriodicSyncCreation(
      advertiser: .init(address: AirProgram.advertiser, sid: 5), timeout: 60)
    creation.skip = 0
    bench.scan(0, interval: 16, window: 16)
    bench.periodic(0, .lePeriodicAdvertisingCreateSync(creation))
    var info = LL.SyncInfo(
      interval: 80, channelMap: 0x1F_FFFF_FFFF, sleepClockAccuracy: 7, accessAddress: 0x5065_5DAB, crcInit: 0xABCDEF,
      eventCounter: 0)
    var (next, counter): (SimInstant, UInt16) = (.zero + .seconds(1), 0)
    while next < .zero + .seconds(4) {
      var pdu = LL.ExtendedPDU(mode: .neither)
      pdu.advertiser = AirProgram.advertiser
      let start = bench.timeline.now + .microseconds(1_900)
      info.eventCounter = counter
      info.point(after: (next - start).nanoseconds)
      pdu.syncInfo = info
      program.advertise(pdu, did: counter)
      event(program, info, at: next, counter)
      next = next + .milliseconds(100)
      counter += 1
      bench.run(until: next - .milliseconds(90))
    }
    let sync = try required(bench.established(0).first)
    equal(sync.status, .success)
    let whole = bench.wholePeriodic(0)
    expect(whole.count > 20 && whole.allSatisfy { $0 == AirProgram.octets(600) }, "\(whole.count)")
    equal(bench.periodicReports(0).first?.txPower, 10)
    equal(bench.periodicReports(0).first?.rssi, -40)
    program.run(for: .seconds(2))
    equal(bench.lost(0).map(\.handle), [sync.handle])
  }

  private func event(_ program: AirProgram, _ info: LL.SyncInfo, at start: SimInstant, _ counter: UInt16) {
    let channel = LL.ChannelSelection2.channel(eventCounter: counter, accessAddress: info.accessAddress, map: .all)
    var (rest, start, place) = (AirProgram.octets(600)[...], start, channel)
    for index in 0..<3 {
      var pdu = LL.ExtendedPDU()
      pdu.txPower = index == 0 ? 10 : 15
      let span = SimDuration.microseconds(2_460)
      if index < 2 { pdu = program.pointing(pdu, after: span) }
      let count = index < 2 ? 200 : rest.count
      pdu.data = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      program.send(
        pdu.octets, on: place, at: start, accessAddress: info.accessAddress, crcInit: info.crcInit)
      (start, place) = (start + span, AirProgram.secondary)
    }
  }
}
