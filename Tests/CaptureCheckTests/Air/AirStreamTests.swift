import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio

@testable import CaptureCheck
@testable import Judging

@Suite("Isochronous streams and periodic advertising on the air")
struct AirStreamTests {
  private static let stream: UInt32 = 0x711F_5A3C

  private func judge(_ records: [CaptureRecord]) -> CheckReport {
    let judge = CaptureJudge(["air"], protocolType: nil, dialect: nil)
    let first = records.first?.nanoseconds ?? 0
    for record in records {
      judge.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds - first))
    }
    return judge.report(on: [ReadCapture(path: "air", format: nil, records: records.count, ending: .whole)])
  }

  /// As link type 256 has it, with a type of PDU in its flags, through the reader of the format.
  private func record(_ type: UInt16, _ accessAddress: UInt32, _ pdu: [UInt8]) throws -> CaptureRecord {
    let flags = 0x0001 | 0x0C00 | type << 7
    var octets: [UInt8] = [12, 0xC8, 0x80, 0] + little(accessAddress) + [UInt8(flags & 0xFF), UInt8(flags >> 8)]
    octets += little(accessAddress) + pdu + [1, 2, 3]
    var file: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 1, 0, 0]
    file += [0, 0, 0, 0, 0, 0, 0, 0] + little(UInt32(octets.count)) + little(UInt32(octets.count)) + octets
    var reader = CaptureReader()
    reader.append(file)
    return try required(try reader.next())
  }

  private func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  @Test(
    "The types of PDU that are no connection's are told",
    arguments: [
      (1, AirStream.periodicAdvertising), (4, .connectedIsochronous), (5, .connectedIsochronous),
      (6, .broadcastIsochronous), (7, .reserved),
    ] as [(UInt16, AirStream)])
  func types(type: UInt16, stream: AirStream) throws {
    guard case .air(let header) = try record(type, Self.stream, [0, 0]).body else {
      throw CocoaError(.coderInvalidValue)
    }
    expect(header.stream == stream && header.isFromCentral == nil)
    guard case .air(let advertising) = try record(type, LL.advertisingAccessAddress, [7, 0]).body else { return }
    equal(advertising.stream, (type == 1 ? nil : stream))
  }

  @Test("They open no link, are judged by no rule, and leave no pass", arguments: [UInt16(1), 4, 5, 6, 7])
  func unjudged(type: UInt16) throws {
    var script = RuleScript()
    script.advertise(.advInd(advertiser: RuleScript.advertiser, data: [2, 1, 6], chSel: false))
    equal(judge(script.records).verdict, .pass)
    for index in 0..<40 {
      // LLID 00 is what starts or ends an SDU there; repeats and numbers are others, too.
      var record = try record(type, Self.stream, [UInt8(index % 4) << 2, 3, 1, 2, 3])
      record.number = script.records.count + 1
      record.nanoseconds = script.nanoseconds + Int64(index) * 10_000_000
      script.records.append(record)
    }
    let report = judge(script.records)
    expect(report.links.isEmpty && report.verdict == .inconclusive)
    expect(report.rules.flatMap(\.findings).isEmpty)
    expect(report.notes.contains { $0.text.hasPrefix("40 records are of ") && $0.text.contains("no pass") })
    expect(CheckText.text(report).contains("AllPDUsAreRead: 40 records are of "))
  }

  @Test("Where no type is told, LL_CIS_IND says whose access address it is")
  func announced() throws {
    for isAnnounced in [true, false] {
      var script = RuleScript.air()
      let address = little(Self.stream)
      script.exchange(.control([isAnnounced ? 0x21 : 0x1A] + address + [UInt8](repeating: 0, count: 11)))
      for index in 0..<40 {
        script.exchange()
        let flags = UInt8(index % 4) << 2 | UInt8(index % 3)
        script.onAir(Self.stream, fromCentral: index % 2 == 0, [flags, 3, 1, 2, 3])
      }
      let report = judge(script.records)
      equal(report.links.count, (isAnnounced ? 1 : 2))
      expect(report.rules.flatMap(\.findings).isEmpty)
      equal(report.hasUnreadPDUs, isAnnounced)
    }
  }

  @Test("A stream of our controllers is told from its link, and accuses nobody, whatever is lost or encrypted")
  func ownStreams() throws {
    for (seed, isEncrypted) in [(1, false), (2, true), (3, false)] {
      var environment = RadioEnvironment()
      environment.isLevelDependent = false
      environment.packetLoss = Ratio(seed == 1 ? 0 : 10, 100)
      let bench = AirLinkBench(environment: environment, seed: UInt64(seed), hasStreams: true)
      bench.connect()
      if isEncrypted { bench.encrypt() }
      bench.stream()
      bench.command(1, .disconnect(try required(bench.handles[1]), reason: .remoteUserTerminatedConnection))
      bench.run(for: .seconds(1))
      let addresses = Set(bench.air.map(\.accessAddress))
      equal(addresses.count, 3)
      let report = judge(AirRecords.records(bench.air))
      expect(report.rules.flatMap(\.findings).isEmpty, "\(report.rules.flatMap(\.findings))")
      // LL_CIS_IND of an encrypted link cannot be read.
      if !isEncrypted { expect(report.links.count == 1 && report.hasUnreadPDUs) }
    }
  }

  @Test("SyncInfo says which access address is that of a train, whose PDUs are read then")
  func synchronised() throws {
    var info = LL.SyncInfo(
      interval: 80, channelMap: LL.ChannelMap.all.bits, sleepClockAccuracy: 5, accessAddress: Self.stream,
      crcInit: 0x123456, eventCounter: 7)
    info.point(after: 3_000_000)
    var streams = AirStreams()
    streams.learn(info, file: 0)
    expect(streams.stream(Self.stream, file: 0) == .periodicAdvertising && streams.stream(Self.stream, file: 1) == nil)
    equal(streams.crcInit(Self.stream, file: 0), 0x123456)
    var announcement = LL.ExtendedPDU()
    announcement.advertiser = RuleScript.advertiser
    announcement.dataInfo = .init(did: 1, sid: 2)
    announcement.syncInfo = info
    for isAnnounced in [true, false] {
      var script = RuleScript()
      script.advertise(.advInd(advertiser: RuleScript.advertiser, data: [2, 1, 6], chSel: false))
      if isAnnounced {
        Self.send(LL.advertisingAccessAddress, LL.advertisingCRCInit, announcement.octets, nil, &script)
      }
      for _ in 0..<10 { Self.send(Self.stream, 0x123456, [7, 4, 0, 2, 1, 6], .periodicAdvertising, &script) }
      let report = judge(script.records)
      equal(report.hasUnreadPDUs, !isAnnounced)
      expect(report.links.isEmpty && report.rules.flatMap(\.findings).isEmpty)
    }
  }

  private static func send(
    _ accessAddress: UInt32, _ crcInit: UInt32, _ pdu: [UInt8], _ stream: AirStream?, _ script: inout RuleScript
  ) {
    var header = AirHeader(accessAddress: accessAddress)
    (header.rfChannel, header.isCRCValid, header.stream) = (10, nil, stream)
    header.crc = LL.crc24(pdu: pdu, initial: crcInit)
    script.wait(milliseconds: 10)
    script.records.append(
      CaptureRecord(
        number: script.records.count + 1, link: .leLinkLayerWithHeader, nanoseconds: script.nanoseconds,
        originalLength: pdu.count + 17, body: .air(header), octets: pdu[...]))
  }

  @Test("ACAD beside SyncInfo says whose responses are, and which PDUs are of subevents")
  func responses() throws {
    let info = LL.SyncInfo(
      interval: 80, channelMap: LL.ChannelMap.all.bits, sleepClockAccuracy: 5, accessAddress: Self.stream,
      crcInit: 0x123456, eventCounter: 7)
    let answers: UInt32 = 0x5A3C_711F
    let timing = LL.ResponseTiming(
      accessAddress: answers, subevents: .init(count: 2, interval: 40, slotDelay: 4, slotSpacing: 8))
    var announcement = LL.ExtendedPDU()
    announcement.advertiser = RuleScript.advertiser
    announcement.dataInfo = .init(did: 1, sid: 2)
    announcement.syncInfo = info
    var streams = AirStreams()
    streams.learn(info, timing, file: 0)
    equal(streams.kind(Self.stream, file: 0), .subeventInd)
    equal(streams.kind(answers, file: 0), .subeventRsp)
    expect(streams.kind(answers, file: 1) == nil && streams.crcInit(answers, file: 0) == 0x123456)
    // A train that has no subevents any more has another name.
    streams.learn(info, file: 0)
    equal(streams.kind(Self.stream, file: 0), nil)
    for isAnnounced in [true, false] {
      announcement.controllerData = isAnnounced ? timing.structure.octets : []
      var script = RuleScript()
      script.advertise(.advInd(advertiser: RuleScript.advertiser, data: [2, 1, 6], chSel: false))
      Self.send(LL.advertisingAccessAddress, LL.advertisingCRCInit, announcement.octets, nil, &script)
      for _ in 0..<10 {
        Self.send(Self.stream, 0x123456, [7, 4, 0, 2, 1, 6], nil, &script)
        // With AdvA, which AUX_SYNC_IND and AUX_SYNC_SUBEVENT_IND do not have.
        Self.send(answers, 0x123456, [7, 9, 7, 1, 1, 2, 3, 4, 5, 6, 9], .periodicAdvertising, &script)
      }
      let report = judge(script.records)
      equal(report.hasUnreadPDUs, !isAnnounced)
      expect(report.links.isEmpty && report.rules.flatMap(\.findings).isEmpty)
    }
  }

  @Test("LL_PERIODIC_SYNC_IND says it, too, and nobody is accused")
  func transferred() throws {
    let info = LL.SyncInfo(
      interval: 80, channelMap: LL.ChannelMap.all.bits, sleepClockAccuracy: 5, accessAddress: Self.stream,
      crcInit: 0x123456, eventCounter: 7)
    let transfer = LL.SyncTransfer(
      id: 0, syncInfo: info, eventCounter: 3, sid: 1, sleepClockAccuracy: 5, phy: 1, advertiser: RuleScript.advertiser)
    for isTold in [true, false] {
      var script = RuleScript.air()
      if isTold { script.exchange(.empty, .control(LL.ControlPDU.periodicSyncInd(transfer).octets)) }
      for _ in 0..<10 { Self.send(Self.stream, 0x123456, [7, 4, 0, 2, 1, 6], .periodicAdvertising, &script) }
      let report = judge(script.records)
      equal(report.hasUnreadPDUs, !isTold)
      expect(report.links.count == 1 && report.rules.flatMap(\.findings).isEmpty)
    }
  }
}
