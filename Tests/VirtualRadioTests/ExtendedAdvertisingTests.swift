import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Vol 6, Part B, 4.4.2 and 4.4.3; Vol 4, Part E, 7.8.53 … 7.8.56, 7.7.65.13.
@Suite("Advertising and scanning with extended PDUs")
struct ExtendedAdvertisingTests {
  private static func octets(_ count: Int) -> [UInt8] {
    (0..<count).map { (place: Int) -> UInt8 in UInt8(truncatingIfNeeded: place * 7 + place / 256) }
  }

  @Test(
    "Data of every length arrive whole, on both PHYs, in PDUs that their pointers lead to",
    arguments: [0, 1, 31, 200, 244, 245, 246, 251, 474, 949, 1_650], [HCI.AdvertisingPHY.le1M, .le2M])
  func lengths(count: Int, phy: HCI.AdvertisingPHY) throws {
    let bench = RadioBench(RadioBench.radios(2), wantsAir: true)
    let data = Self.octets(count)
    bench.advertise(0, ExtendedAdvertising(data: data, secondaryPHY: phy))
    bench.scan(1)
    bench.run(for: .seconds(1))
    let reports = bench.reports(of: 1)
    let whole = HCI.ExtendedAdvertisingReport.whole(reports)
    // A PDU that was on the air when the run ended is missing.
    expect(whole.count > 25 && whole.allSatisfy { $0 == data })
    expect(reports.allSatisfy { !$0.isTruncated && $0.data.count <= 229 })
    for report in reports {
      expect(report.address == HCI.PeerAddress(RadioBench.address(0)) && report.sid == 5)
      expect(report.primaryPHY == .le1M && report.secondaryPHY == phy && report.txPower == 127)
      expect(report.type.intersection([.connectable, .scannable, .directed, .legacy]).isEmpty)
    }
    try followPointers(bench)
    let chained = bench.sent(.auxChainInd)
    equal(chained.isEmpty, (count <= 245))
    expect((bench.sent(.auxAdvInd) + chained).allSatisfy { $0.air.phy == (phy == .le2M ? .le2M : .le1M) })
  }

  /// Each pointer leads to a PDU on its channel and PHY within its unit, no sooner than T_MAFS after its end.
  private func followPointers(_ bench: RadioBench) throws {
    var all = bench.sent(.advExtInd)
    all += bench.sent(.auxAdvInd)
    all += bench.sent(.auxChainInd)
    let last = try required(all.map(\.air.start).max())
    let targets = all.filter { $0.air.auxiliary != nil }
    for (air, pdu) in all {
      guard let pointer = pdu.pointer else { continue }
      let from = air.start + .nanoseconds(Int64(pointer.offset) * pointer.unit)
      let to = from + .nanoseconds(pointer.unit)
      if to > last { continue }
      let next = targets.filter {
        $0.air.start >= from && $0.air.start <= to && $0.air.phy.phy == pointer.phy
          && $0.air.rfChannel == LL.rfChannel(dataChannelIndex: pointer.channelIndex)
      }
      equal(next.count, 1)
      expect(next.allSatisfy { $0.air.start >= air.start + air.duration + .microseconds(300) })
      expect(next.allSatisfy { $0.pdu.dataInfo == pdu.dataInfo })
    }
  }

  @Test("Secondary channels are those that the host leaves, and all of them")
  func channels() {
    let bench = RadioBench(RadioBench.radios(1), wantsAir: true)
    bench.advertise(0, ExtendedAdvertising(data: [1]))
    bench.run(for: .seconds(10))
    equal(Set(bench.sent(.auxAdvInd).map(\.air.rfChannel)).count, 37)
    bench.command(0, .leSetHostChannelClassification(0b101))
    bench.air.removeAll()
    bench.run(for: .seconds(2))
    // The one that was planned before may be on another channel.
    equal(Set(bench.sent(.auxAdvInd).dropFirst().map(\.air.rfChannel)), [1, 3])
  }

  @Test("AUX_ADV_IND is left out as often as the host allows, and every ADV_EXT_IND points at the next one")
  func skip() throws {
    for (skip, interval, group) in [(0, 32, 1), (1, 32, 2), (15, 32, 16), (255, 32, 81), (9, 1_600, 3)] {
      let bench = RadioBench(RadioBench.radios(2), wantsAir: true)
      bench.advertise(0, ExtendedAdvertising(interval: UInt32(interval), data: [9], skip: UInt8(skip)))
      bench.scan(1)
      bench.run(for: .seconds(30))
      let (announced, auxiliary) = (bench.sent(.advExtInd).count, bench.sent(.auxAdvInd).count)
      expect(auxiliary > 1)
      expect((auxiliary * group...(auxiliary + 1) * group).contains(announced / 3))
      try followPointers(bench)
      expect(abs(bench.reports(of: 1).count - auxiliary) <= 1)
    }
  }

  /// Reports of a scanner that hears one event in ten seconds, of the nineteen that point at one AUX_ADV_IND.
  private func reports(off: Int, claimed: Int) -> Int {
    let bench = RadioBench(
      RadioBench.radios(2) { configuration, index in
        configuration.clockPartsPerMillion = index == 0 ? off : -off
        configuration.claimedClockAccuracy = claimed
      })
    bench.advertise(0, ExtendedAdvertising(interval: 160, data: [9], skip: 18))
    bench.extended(
      1,
      .leSetExtendedScanParameters(
        .init(phys: .le1M, entries: [.init(isActive: false, interval: 0x4000, window: 176)])))
    bench.extended(1, .leSetExtendedScanEnable(.init(isEnabled: true)))
    bench.run(for: .seconds(155))
    return bench.reports(of: 1).count
  }

  @Test("Clocks that are as far off as they may be do not lose an AUX_ADV_IND that is 2 s away; worse ones do")
  func clocks() {
    for (off, claimed) in [(0, 20), (500, 500), (-500, 500), (50, 50)] {
      expect(reports(off: off, claimed: claimed) >= 14)
    }
    expect(reports(off: 900, claimed: 20) < 6)
  }

  @Test("Anonymous advertising has no address, power is told where it is included, directed is for its target alone")
  func properties() throws {
    let bench = RadioBench(RadioBench.radios(3), wantsAir: true)
    bench.advertise(0, ExtendedAdvertising(properties: [.anonymous, .includesTxPower], data: [1, 2]))
    for device in 1...2 { bench.scan(device) }
    bench.run(for: .milliseconds(500))
    let report = try required(bench.reports(of: 1).first)
    expect(report.address.kind == .anonymous && report.txPower == 0 && report.data == [1, 2])
    bench.extended(0, .leSetExtendedAdvertisingEnable(false, []))
    bench.extended(0, .leClearAdvertisingSets)
    for device in 1...2 { bench.events[device].removeAll() }
    bench.advertise(0, ExtendedAdvertising(properties: .directed, data: [3], peer: RadioBench.address(2)))
    bench.run(for: .milliseconds(500))
    expect(bench.reports(of: 1).isEmpty)
    let directed = try required(bench.reports(of: 2).first)
    expect(directed.type == .directed && directed.target.device == RadioBench.address(2) && directed.data == [3])
  }

  @Test("Duplicates are told by ADI: once for each set, and again when its data change")
  func duplicates() {
    let bench = RadioBench(RadioBench.radios(2))
    bench.advertise(0, ExtendedAdvertising(data: Self.octets(300), sid: 1))
    bench.advertise(0, set: 1, ExtendedAdvertising(data: [1], sid: 2))
    bench.scan(1, filter: .on)
    bench.run(for: .seconds(2))
    equal(HCI.ExtendedAdvertisingReport.whole(bench.reports(of: 1).filter { $0.sid == 1 }), [Self.octets(300)])
    equal(bench.reports(of: 1).filter { $0.sid == 2 }.map(\.data), [[1]])
    bench.extended(0, .leSetExtendedAdvertisingData(.init(set: 1, data: [2])))
    bench.run(for: .seconds(1))
    equal(bench.reports(of: 1).filter { $0.sid == 2 }.map(\.data), [[1], [2]])
    bench.extended(0, .leSetExtendedAdvertisingData(.init(set: 1, operation: .unchanged, data: [])))
    bench.run(for: .seconds(1))
    equal(bench.reports(of: 1).filter { $0.sid == 2 }.map(\.data), [[1], [2], [2]])
  }

  @Test(
    "An active scanner asks a scannable set, whose host is told, and gets all of its response",
    arguments: [HCI.AdvertisingPHY.le1M, .le2M])
  func scanResponse(phy: HCI.AdvertisingPHY) throws {
    for count in [1, 245, 246, 1_650] {
      let bench = RadioBench(RadioBench.radios(3), wantsAir: true)
      let response = Self.octets(count)
      bench.advertise(0, ExtendedAdvertising(properties: .scannable, scanResponse: response, secondaryPHY: phy))
      bench.scan(1, isActive: true, filter: .on)
      bench.scan(2, isActive: false, filter: .on)
      bench.run(for: .seconds(2))
      let reports = bench.reports(of: 1)
      expect(reports.first?.type == .scannable && reports.first?.data == [])
      equal(HCI.ExtendedAdvertisingReport.whole(Array(reports.dropFirst())), [response])
      expect(reports.dropFirst().allSatisfy { $0.type.isSuperset(of: [.scannable, .scanResponse]) && $0.sid == 5 })
      equal(bench.reports(of: 2).map(\.type), [.scannable])
      let asked = bench.events[0].contains {
        $0.event == .extended(.leScanRequestReceived(0, scanner: HCI.PeerAddress(RadioBench.address(1))))
      }
      expect(asked)
      let answer = try required(bench.sent(.auxScanRsp).first)
      let request = try required(bench.air.first { $0.pdu[0] & 0x0F == 3 })
      equal(answer.air.start, request.start + request.duration + .microseconds(150))
      expect(answer.air.phy == request.phy && answer.air.rfChannel == request.rfChannel)
    }
  }

  @Test("Fragments are told apart; what does not fit, or is not whole, does not advertise")
  func fragments() {
    let bench = RadioBench(RadioBench.radios(1))
    func status() -> HCI.ErrorCode? {
      if case .commandComplete(_, let status, _)? = bench.events[0].last?.event { status } else { nil }
    }
    func put(_ operation: HCI.AdvertisingDataFragment.Operation, _ count: Int) -> HCI.ErrorCode? {
      bench.extended(
        0, .leSetExtendedAdvertisingData(.init(set: 0, operation: operation, data: Self.octets(count))))
      return status()
    }
    func enable() -> HCI.ErrorCode? {
      bench.enable(0)
      return status()
    }
    bench.advertise(0, ExtendedAdvertising())
    expect(put(.first, 1) == .commandDisallowed && put(.unchanged, 0) == .invalidParameters)
    expect(put(.complete, 200) == .success && put(.unchanged, 0) == .success)
    bench.extended(0, .leSetExtendedAdvertisingEnable(false, []))
    expect(put(.unchanged, 0) == .invalidParameters && put(.first, 0) == .invalidParameters)
    expect(put(.intermediate, 1) == .invalidParameters && put(.last, 1) == .invalidParameters)
    expect(put(.first, 251) == .success && enable() == .commandDisallowed)
    for _ in 0..<5 { equal(put(.intermediate, 251), .success) }
    expect(put(.last, 145) == .memoryCapacityExceeded && put(.last, 144) == .success && enable() == .success)
    bench.extended(0, .leClearAdvertisingSets)
    equal(status(), .commandDisallowed)
    bench.extended(0, .leSetExtendedAdvertisingEnable(false, []))
    bench.extended(0, .leClearAdvertisingSets)
    // Connectable data are in one PDU of 255 octets; scannable sets have a response and no data.
    bench.advertise(0, ExtendedAdvertising(properties: .connectable, data: Self.octets(245)))
    expect(status() == .success && put(.complete, 246) == .invalidParameters)
    bench.extended(0, .leSetExtendedAdvertisingEnable(false, []))
    expect(put(.complete, 246) == .success && enable() == .invalidParameters)
    bench.extended(0, .leClearAdvertisingSets)
    bench.advertise(0, ExtendedAdvertising(properties: .scannable))
    expect(status() == .commandDisallowed && put(.complete, 1) == .invalidParameters)
  }

  @Test("Duration and number of events end a set with its last AUX_ADV_IND")
  func limits() {
    let bench = RadioBench(RadioBench.radios(1), wantsAir: true)
    bench.advertise(0, ExtendedAdvertising(data: [1], skip: 3, maximumEvents: 6))
    bench.run(for: .seconds(2))
    expect(bench.sent(.advExtInd).count == 18 && bench.sent(.auxAdvInd).count == 2)
    bench.enable(0, duration: 50)
    bench.run(for: .seconds(2))
    let ends = bench.events[0].compactMap {
      if case .extended(.leAdvertisingSetTerminated(let end)) = $0.event { end } else { nil }
    }
    expect(ends.map(\.status) == [.limitReached, .advertisingTimeout] && ends.first?.completedEvents == 6)
  }
}
