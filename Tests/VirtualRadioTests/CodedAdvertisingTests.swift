import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// LE Coded as primary and secondary PHY (Vol 6, Part B, 2.2, 4.4.2 … 4.4.4; Vol 4, Part E, 7.8.53, 7.8.64, 7.8.66).
@Suite("LE Coded on the advertising channels")
struct CodedAdvertisingTests {
  private func bench(_ count: Int, wantsAir: Bool = true) -> RadioBench {
    RadioBench(RadioBench.radios(count) { configuration, _ in configuration.supportsCoded = true }, wantsAir: wantsAir)
  }

  @Test("Data of every length arrive whole from LE Coded", arguments: [0, 31, 245, 246, 1_650])
  func lengths(count: Int) throws {
    let bench = bench(2)
    let data = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    bench.advertise(
      0, ExtendedAdvertising(interval: 320, data: data, primaryPHY: .leCoded, secondaryPHY: .leCoded))
    bench.scan(1, phys: .leCoded)
    bench.run(for: .seconds(4))
    let reports = bench.reports(of: 1)
    let whole = HCI.ExtendedAdvertisingReport.whole(reports)
    expect(whole.count > 10 && whole.allSatisfy { $0 == data })
    expect(reports.allSatisfy { !$0.isTruncated && $0.primaryPHY == .leCoded && $0.secondaryPHY == .leCoded })
    expect(!bench.air.isEmpty && bench.air.allSatisfy { $0.phy == .codedS8 })
    // 7 octets of payload: 376 + (12 · 8 + 3) · 8 µs.
    let announcements = bench.sent(.advExtInd)
    expect(announcements.allSatisfy { $0.air.duration == .microseconds(1_168) && $0.pdu.pointer?.phy == .leCoded })
    for (one, next) in zip(announcements, announcements.dropFirst()) where one.air.rfChannel < next.air.rfChannel {
      equal(next.air.start - one.air.start, .microseconds(1_568))
    }
    let longest = try #require(bench.air.map(\.duration).max())
    expect(longest <= .microseconds(17_040))
  }

  @Test("Each primary PHY is heard by those who scan it, whatever the secondary one is")
  func primaries() {
    let bench = bench(5)
    bench.advertise(0, ExtendedAdvertising(data: [1], secondaryPHY: .leCoded, sid: 1))
    bench.advertise(0, set: 1, ExtendedAdvertising(data: [2], primaryPHY: .leCoded, secondaryPHY: .le2M, sid: 2))
    bench.scan(1, phys: .le1M)
    bench.scan(2, phys: .leCoded)
    // Both at once: windows that fit one interval, and windows that do not.
    bench.scan(3, phys: [.le1M, .leCoded], interval: 160, window: 80)
    bench.scan(4, phys: [.le1M, .leCoded], interval: 160, window: 160)
    bench.run(for: .seconds(8))
    func heard(_ device: Int) -> [Int] {
      [1, 2].map { sid in bench.reports(of: device).filter { $0.sid == sid }.count }
    }
    let (only1M, onlyCoded) = (heard(1), heard(2))
    expect(only1M[0] > 150 && only1M[1] == 0, "\(only1M)")
    expect(onlyCoded[0] == 0 && onlyCoded[1] > 150, "\(onlyCoded)")
    for device in [3, 4] {
      let both = heard(device)
      expect(both[0] > only1M[0] / 4 && both[0] < only1M[0] * 3 / 4, "\(both)")
      expect(both[1] > onlyCoded[1] / 4 && both[1] < onlyCoded[1] * 3 / 4, "\(both)")
    }
    expect(bench.reports(of: 4).filter { $0.sid == 2 }.allSatisfy { $0.secondaryPHY == .le2M && $0.data == [2] })
  }

  @Test("An active scanner asks on LE Coded, and gets all of the response")
  func scanResponse() throws {
    let bench = bench(2)
    let response = [UInt8](repeating: 9, count: 300)
    bench.advertise(
      0,
      ExtendedAdvertising(
        properties: .scannable, scanResponse: response, primaryPHY: .leCoded, secondaryPHY: .leCoded))
    bench.scan(1, isActive: true, phys: .leCoded, filter: .on)
    bench.run(for: .seconds(2))
    equal(HCI.ExtendedAdvertisingReport.whole(Array(bench.reports(of: 1).dropFirst())), [response])
    let request = try #require(bench.air.first { $0.pdu[0] & 0x0F == 3 })
    let answer = try #require(bench.sent(.auxScanRsp).first)
    expect(request.phy == .codedS8 && request.duration == .microseconds(1_488))
    equal(answer.air.start, request.start + request.duration + .microseconds(150))
  }

  @Test("A connection begins on LE Coded, 3.75 ms after the request at the earliest, with the parameters of that PHY")
  func connects() throws {
    let bench = bench(2)
    bench.advertise(
      0, ExtendedAdvertising(properties: .connectable, primaryPHY: .leCoded, secondaryPHY: .leCoded))
    bench.initiate(1, to: 0, phys: [.le1M, .le2M, .leCoded])
    bench.run(for: .seconds(3))
    let central = try #require(bench.connections(of: 1).first)
    equal(central.interval, 48)
    let request = try #require(bench.air.first { $0.pdu[0] & 0x0F == 5 })
    expect(request.phy == .codedS8)
    let connect = try LL.ConnectInd(decoding: request.pdu)
    expect(LL.isValidAccessAddress(connect.accessAddress, hasCoded: true))
    let first = try #require(bench.air.first { $0.accessAddress == connect.accessAddress })
    let wait = first.start - (request.start + request.duration)
    let earliest = SimDuration.microseconds(3_750 + 1_250 * Int64(connect.windowOffset))
    expect(first.phy == .codedS8 && wait >= earliest)
    expect(wait <= earliest + .microseconds(1_250 * Int64(connect.windowSize)))
    bench.send(1, central.handle, [3, 0, 4, 0, 2, 23, 0])
    bench.run(for: .seconds(1))
    equal(bench.received[0].count, 1)
    // Nothing has to be told of lengths that have not changed.
    let changes = bench.events.joined().filter { if case .leDataLengthChange = $0.event { true } else { false } }
    expect(changes.isEmpty)
    bench.command(1, .leReadPHY(central.handle))
    guard case .commandComplete(_, .success, let phys)? = bench.events[1].last?.event else {
      return expect(Bool(false), "no answer")
    }
    equal(phys.suffix(2), [3, 3])
  }

  @Test("A controller without LE Coded refuses it, and so does one with it in legacy PDUs")
  func refusals() {
    let bench = RadioBench(RadioBench.radios(2) { configuration, index in configuration.supportsCoded = index == 1 })
    func status(_ device: Int, _ command: HCI.ExtendedCommand) -> HCI.ErrorCode? {
      bench.events[device].removeAll()
      bench.extended(device, command)
      switch bench.events[device].first?.event {
      case .commandComplete(_, let status, _), .commandStatus(_, let status): return status
      default: return nil
      }
    }
    var parameters = HCI.ExtendedAdvertisingParameters(
      set: 0, properties: [], intervalMinimum: 160, intervalMaximum: 160)
    parameters.secondaryPHY = .leCoded
    equal([0, 1].map { status($0, .leSetExtendedAdvertisingParameters(parameters)) }, [.unsupportedFeature, .success])
    parameters.primaryPHY = .leCoded
    equal([0, 1].map { status($0, .leSetExtendedAdvertisingParameters(parameters)) }, [.unsupportedFeature, .success])
    parameters.properties = .legacy
    equal(status(1, .leSetExtendedAdvertisingParameters(parameters)), .invalidParameters)
    parameters.properties = []
    parameters.primaryPHY = .le2M
    equal(status(1, .leSetExtendedAdvertisingParameters(parameters)), .invalidParameters)
    let entry = HCI.ExtendedScanParameters.OnePHY(isActive: false, interval: 16, window: 16)
    for phys: HCI.PHYMask in [.leCoded, [.le1M, .leCoded]] {
      let scan = HCI.ExtendedScanParameters(phys: phys, entries: Array(repeating: entry, count: phys.count))
      equal([0, 1].map { status($0, .leSetExtendedScanParameters(scan)) }, [.unsupportedFeature, .success])
    }
    let both = HCI.ExtendedScanParameters(phys: .le2M, entries: [entry])
    equal(status(1, .leSetExtendedScanParameters(both)), .unsupportedFeature)
    let wished = HCI.ExtendedCreateConnection.OnePHY(
      scanInterval: 16, scanWindow: 16,
      parameters: .init(
        intervalMinimum: 24, intervalMaximum: 24, peripheralLatency: 0, supervisionTimeout: 400))
    let creation = HCI.ExtendedCreateConnection(peer: RadioBench.address(0), phys: .leCoded, entries: [wished])
    equal([0, 1].map { status($0, .leExtendedCreateConnection(creation)) }, [.unsupportedFeature, .success])
  }

  @Test("Two PHYs share a radio: one after the other in an interval with room for both, else by turns")
  func tunings() {
    let (one, other) = (ScanTime(interval: 100, window: 60), ScanTime(interval: 100, window: 40))
    let shared = ScanTunings(one, other, from: .zero, 0)
    expect(shared.le1M?.interval == 100 && shared.coded?.interval == 100)
    equal(shared.coded?.origin, .zero + .microseconds(60 * 625))
    let full = ScanTunings(one, ScanTime(interval: 100, window: 41), from: .zero, 0)
    expect(full.le1M?.interval == 200 && full.coded?.interval == 200)
    equal(full.coded?.origin, .zero + .microseconds(100 * 625))
    let others = ScanTunings(one, ScanTime(interval: 300, window: 10), from: .zero, 2)
    expect(others.le1M?.interval == 400 && others.coded?.window == 10 && others.coded?.firstChannel == 2)
    equal(ScanTunings(nil, other, from: .zero, 0).coded?.interval, 100)
    expect(!ScanTunings(nil, nil, from: .zero, 0).isOn && shared.isOn)
  }
}
