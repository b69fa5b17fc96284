import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import CaptureCheck
@testable import Judging

/// A train with subevents as a sniffer beside it sees it: device 0 advertises, device 1 answers.
@Suite("Periodic advertising with responses in captures")
struct SubeventCaptureTests {
  /// The air of two seconds, from AUX_ADV_IND on.
  private func air() throws -> [AirPDU] {
    let bench = AirLinkBench(answersTrains: true)
    let advertiser = AirLinkBench.address(0)
    func send(_ device: Int, _ command: HCI.PeriodicCommand) { bench.command(device, .periodic(command)) }
    bench.command(
      0,
      .extended(
        .leSetExtendedAdvertisingParameters(
          .init(set: 0, properties: [], intervalMinimum: 160, intervalMaximum: 160))))
    bench.command(0, .extended(.leSetAdvertisingSetRandomAddress(0, advertiser)))
    let timing = HCI.SubeventTiming(count: 1, interval: 80, slotDelay: 40, slotSpacing: 80)
    send(
      0,
      .leSetPeriodicAdvertisingParametersV2(
        .init(set: 0, intervalMinimum: 80, intervalMaximum: 80), .init(timing: timing, slots: 2)))
    send(0, .leSetPeriodicAdvertisingEnable(.on, 0))
    bench.command(0, .extended(.leSetExtendedAdvertisingEnable(true, [.init(set: 0)])))
    let time = HCI.ExtendedScanParameters.OnePHY(isActive: false, interval: 0x40, window: 0x40)
    bench.command(1, .extended(.leSetExtendedScanParameters(.init(phys: .le1M, entries: [time]))))
    bench.command(1, .extended(.leSetExtendedScanEnable(.init(isEnabled: true))))
    send(1, .lePeriodicAdvertisingCreateSync(.init(advertiser: .init(address: advertiser, sid: 0), timeout: 100)))
    var answered = 0
    for _ in 0..<200 {
      send(0, .leSetPeriodicAdvertisingSubeventData(0, [.init(subevent: 0, slots: 2, data: [2, 1, 6])]))
      bench.run(for: .milliseconds(10))
      let reports = bench.events[1].compactMap {
        if case .periodic(.lePeriodicAdvertisingReportV2(let report)) = $0 { report } else { nil }
      }
      guard reports.count > answered, let report = reports.last else { continue }
      answered = reports.count
      send(
        1,
        .leSetPeriodicAdvertisingResponseData(
          .init(
            handle: report.report.handle, requestEvent: report.eventCounter, requestSubevent: 0, subevent: 0, slot: 1,
            data: [3, 0xFF, 1, 2])))
    }
    expect(answered > 10)
    return bench.air.sorted { $0.start < $1.start }
  }

  @Test("Both PDUs have their names, in lines, filters and statistics, and nobody is accused")
  func names() throws {
    let air = try air()
    let records = AirRecords.records(air)
    let inspector = PacketInspector(filter: InspectFilter(), style: .init(), protocols: [])
    let lines = records.map { inspector.lines($0, file: 0, at: SimInstant(nanoseconds: $0.nanoseconds)) ?? "" }
    let first = try required(air.firstIndex { $0.auxiliary == .auxAdvInd })
    var counts = [0, 0]
    for (pdu, line) in zip(air, lines).dropFirst(first) {
      let name: String
      switch pdu.auxiliary {
      case .auxSyncSubeventInd: (name, counts[0]) = ("AUX_SYNC_SUBEVENT_IND", counts[0] + 1)
      case .auxSyncSubeventRsp: (name, counts[1]) = ("AUX_SYNC_SUBEVENT_RSP", counts[1] + 1)
      default: continue
      }
      expect(line.contains(" \(name), "), "\(line)")
      expect(InspectFilter.names.contains(name))
    }
    expect(counts[0] > 15 && counts[1] > 10)
    let stats = TrafficStats()
    let reader = TrafficReader(observers: [stats])
    for record in records { reader.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds)) }
    let rows = stats.counts.rows
    expect(rows.contains { $0.name == "AUX_SYNC_SUBEVENT_RSP" && $0.count == counts[1] })
    let judge = CaptureJudge(["air"], protocolType: nil, dialect: nil)
    for record in records.dropFirst(first) {
      judge.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds))
    }
    let report = judge.report(on: [ReadCapture(path: "air", format: nil, records: records.count, ending: .whole)])
    expect(!report.hasUnreadPDUs && report.links.isEmpty && report.rules.flatMap(\.findings).isEmpty)
  }

  @Test("ACAD of AUX_ADV_IND is taken apart as far as its name")
  func controllerData() throws {
    var style = PacketInspector.Style()
    style.isVerbose = true
    let inspector = PacketInspector(filter: InspectFilter(), style: style, protocols: [])
    let text = AirRecords.records(try air()).compactMap {
      inspector.lines($0, file: 0, at: SimInstant(nanoseconds: $0.nanoseconds))
    }
    expect(text.contains { $0.contains("Periodic Advertising Response Timing Information (0x32)") })
  }

  @Test("A file of link type 256 has both as sniffers number the PDUs of trains")
  func numbered() throws {
    var writer = CaptureWriter(format: .pcap, link: .leLinkLayerWithHeader, application: "tests")
    var octets: [UInt8] = []
    var count = 0
    for var record in AirRecords.records(try air()) {
      guard case .air(var header) = record.body else { continue }
      header.auxiliary = count % 2 == 0 ? .subeventInd : .subeventRsp
      record.body = .air(header)
      try writer.append(record, to: &octets)
      count += 1
    }
    var reader = CaptureReader()
    reader.append(octets)
    var kinds: Set<AuxiliaryKind> = []
    while let record = try reader.next() {
      if case .air(let header) = record.body, let kind = header.auxiliary { kinds.insert(kind) }
    }
    equal(kinds, [.syncInd])
  }
}
