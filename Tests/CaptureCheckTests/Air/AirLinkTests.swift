import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import CaptureCheck

/// The life of one link between two radios, as their controllers tell it and as the air shows it.
@Suite("The life of a link on the air")
struct AirLinkTests {
  private let text = Array("from the central to the peripheral, and longer than a PDU of 27 octets".utf8)

  @Test("An encrypted link: plain before, one gap for all that the sniffer cannot read, nothing of it as plain")
  func encrypted() throws {
    let bench = AirLinkBench()
    bench.connect()
    bench.send(1, AirLinkBench.frame([0x52, 3, 0] + text))
    bench.run(for: .milliseconds(300))
    bench.encrypt()
    for _ in 0..<20 {
      bench.send(1, AirLinkBench.frame([0x52, 4, 0] + text))
      bench.send(0, AirLinkBench.frame([0x1B, 5, 0] + text))
      bench.run(for: .milliseconds(100))
    }
    expect(bench.received[0].count > 20)
    let log = AirLog.reading(AirRecords.records(bench.air))
    equal(log.att.map(\.octets), [[0x52, 3, 0] + text])
    equal(log.gaps.map(\.gap), [.encrypted])
    expect(log.frames.isEmpty)
    let link = try required(log.opened.first)
    expect(link.isEncrypted)
    equal(link.air?.isUnreadable, true)
    equal(log.changes.map(\.change), [.encryption])
    // Everything is there as fragments all the same.
    expect(log.fragments.filter { !$0.isRepeat && $0.llid != 3 && $0.octets.count > 2 }.count > 80)
  }

  @Test("The start of encryption is recognised when the PDUs that announce it are missing", arguments: 1...7)
  func encryptedUnseen(missing: Int) throws {
    let bench = AirLinkBench()
    bench.connect()
    bench.encrypt()
    for _ in 0..<20 {
      bench.send(1, AirLinkBench.frame([0x52, 4, 0] + text))
      bench.send(0, AirLinkBench.frame([0x1B, 5, 0] + text))
      bench.run(for: .milliseconds(100))
    }
    // LL_ENC_REQ, LL_ENC_RSP and LL_START_ENC_REQ are the control PDUs 23, 13 and 1 octets long.
    let lengths: [UInt8] = [23, 13, 1]
    let kept = bench.air.filter { pdu in
      guard pdu.accessAddress != LL.advertisingAccessAddress, pdu.pdu[0] & 3 == 3 else { return true }
      return !lengths.indices.contains { missing >> $0 & 1 == 1 && lengths[$0] == pdu.pdu[1] }
    }
    equal(kept.count, bench.air.count - missing.nonzeroBitCount)
    let log = AirLog.reading(AirRecords.records(kept))
    expect(log.att.isEmpty)
    if missing != 7 {
      equal(log.count(.encrypted), 1)
      equal(log.opened.first?.isEncrypted, true)
    }
  }

  @Test("A capture that begins on an encrypted link takes nothing of it for plain")
  func encryptedFromTheMiddle() throws {
    let bench = AirLinkBench()
    bench.connect()
    bench.encrypt()
    let before = bench.air.count
    for _ in 0..<20 {
      bench.send(1, AirLinkBench.frame([0x52, 4, 0] + text))
      bench.run(for: .milliseconds(100))
    }
    let log = AirLog.reading(Array(AirRecords.records(bench.air)[before...]))
    equal(log.opened.map(\.isFromStart), [false])
    expect(log.att.isEmpty && log.frames.isEmpty)
    equal(log.count(.encrypted), 1)
    equal(log.opened.first?.isEncrypted, true)
  }

  @Test("What the sniffer decrypted is read as plain, without its MIC")
  func decrypted() throws {
    let bench = AirLinkBench()
    bench.connect()
    let plain = bench.air.count
    bench.send(1, AirLinkBench.frame([0x52, 3, 0, 1, 2]))
    bench.run(for: .milliseconds(300))
    var records = AirRecords.records(bench.air)
    for index in plain..<records.count {
      guard case .air(var header) = records[index].body, records[index].octets.count > 2 else { continue }
      header.isDecrypted = true
      header.isEncrypted = true
      records[index].body = .air(header)
    }
    let log = AirLog.reading(records)
    equal(log.att.map(\.octets), [[0x52, 3, 0, 1, 2]])
    expect(log.gaps.isEmpty)
    equal(log.opened.first?.isEncrypted, true)
    equal(log.opened.first?.air?.isUnreadable, false)
  }

  @Test("Parameters, channels, PHY and data length change when the controllers say so; the hops stay known")
  func procedures() throws {
    let bench = AirLinkBench()
    bench.connect()
    let central = try required(bench.handles[1])
    bench.command(1, .leSetDataLength(central, txOctets: 251, txTime: 2_120))
    bench.run(for: .seconds(1))
    bench.command(1, .leSetHostChannelClassification(0x1F_FF00_F00F))
    bench.run(for: .seconds(3))
    bench.command(
      1,
      .leConnectionUpdate(
        central,
        HCI.ConnectionParameters(
          intervalMinimum: 12, intervalMaximum: 12, peripheralLatency: 2, supervisionTimeout: 300)))
    bench.run(for: .seconds(2))
    bench.command(1, .leSetPHY(central, tx: .le2M, rx: .le2M))
    bench.run(for: .seconds(2))
    let log = AirLog.reading(AirRecords.records(bench.air))
    let link = try required(log.opened.first)
    equal(log.opened.count, 1)
    expect(link.interval == 12 && link.peripheralLatency == 2 && link.supervisionTimeout == 300)
    equal(link.phy, 2)
    equal(link.maxTxOctets, 251)
    equal(link.air?.channelMap?.bits, 0x1F_FF00_F00F)
    let changes = log.changes.map(\.change)
    for change: TrafficLink.Change in [.dataLength, .parameters, .phy] {
      equal(changes.filter { $0 == change }.count, 1, "\(change)")
    }
    let data = log.air.filter { $0.link != nil }
    expect(data.count > 200)
    expect(data.allSatisfy { $0.expectedRFChannel == $0.header.rfChannel })
    // The PHY changed with the first PDU that was sent on the new one.
    let first = try required(data.first { $0.header.isLE2M })
    equal(log.changes.first { $0.change == .phy }?.number, first.number)
  }

  @Test("A link on LE Coded is followed without a gap, whatever its coding is", arguments: [true, false])
  func coded(tellsDirection: Bool) throws {
    let bench = AirLinkBench(isCoded: true)
    bench.connect(interval: 80)
    let central = try #require(bench.handles[1])
    bench.command(1, .leSetDataLength(central, txOctets: 251, txTime: 17_040))
    bench.run(for: .seconds(1))
    bench.command(1, .leSetPHY(central, tx: .leCoded, rx: .leCoded, options: .s2))
    bench.run(for: .seconds(2))
    for _ in 0..<5 {
      bench.send(1, [247, 0, 4, 0, 0x12, 0x13, 0] + [UInt8](repeating: 9, count: 244))
      bench.send(0, [1, 0, 4, 0, 0x13])
      bench.run(for: .milliseconds(700))
    }
    let log = AirLog.reading(AirRecords.records(bench.air, tellsDirection: tellsDirection))
    let link = try #require(log.opened.first)
    equal(log.opened.count, 1)
    expect(link.phy == 3 && link.maxTxOctets == 251 && log.gaps.isEmpty)
    let data = log.air.filter { $0.link != nil }
    let coded = data.filter { $0.header.coding != nil }
    expect(coded.count > 80 && data.allSatisfy { $0.expectedRFChannel == $0.header.rfChannel })
    expect(coded.contains { $0.header.coding == .s2 } && coded.contains { $0.header.coding == .s8 })
    expect(data.allSatisfy { $0.header.isFromCentral != nil })
  }

  @Test("An acknowledged LL_TERMINATE_IND closes the link with its reason", arguments: [0, 1])
  func terminates(by device: Int) throws {
    let bench = AirLinkBench()
    bench.connect()
    bench.command(device, .disconnect(try required(bench.handles[device]), reason: .remoteUserTerminatedConnection))
    bench.run(for: .seconds(1))
    let log = AirLog.reading(AirRecords.records(bench.air))
    equal(log.closed.count, 1)
    equal(log.closed.first?.reason, .remoteUserTerminatedConnection)
    // Not acknowledged in the capture: the end of the capture is the end of the link, with the reason that was given.
    let terminate = try required(bench.air.lastIndex { $0.pdu[0] & 3 == 3 && $0.pdu.count == 4 && $0.pdu[2] == 2 })
    let short = AirLog.reading(AirRecords.records(Array(bench.air[...terminate])))
    equal(short.closed.map(\.reason), [.remoteUserTerminatedConnection])
  }

  @Test("A link that falls silent is closed at its supervision timeout, and comes back as one of unknown beginning")
  func silence() throws {
    let bench = AirLinkBench()
    bench.connect(timeout: 200)
    let from = bench.timeline.now
    bench.run(for: .seconds(6))
    let until = bench.timeline.now
    bench.send(1, AirLinkBench.frame([0x52, 3, 0, 1, 2]))
    bench.run(for: .seconds(1))
    let kept = bench.air.filter { $0.start < from || $0.start > until }
    let records = AirRecords.records(kept)
    let log = AirLog.reading(records)
    equal(log.opened.map(\.isFromStart), [true, false])
    let last = try required(kept.last { $0.start < from })
    let start = try required(kept.first?.start)
    let closed = try required(log.closed.first)
    expect(closed.reason == nil)
    equal(closed.at, last.start + .seconds(2) - SimDuration(nanoseconds: start.nanoseconds))
    let second = try required(log.opened.last)
    equal(second.accessAddress, log.opened.first?.accessAddress)
    expect(second.central == AirLinkBench.address(1) && second.peripheral == AirLinkBench.address(0))
    equal(log.att.map(\.side), [AirLog.Side(link: 1, fromCentral: true)])
  }

  @Test("A subrated link: its silences are no unheard events, and latency and timeout are those of LL_SUBRATE_IND")
  func subrated() throws {
    let bench = AirLinkBench(subrates: true)
    bench.connect()
    let handle = try required(bench.handles[1])
    bench.command(1, .leReadRemoteFeatures(handle))
    bench.run(for: .milliseconds(300))
    bench.command(
      1,
      .general(
        .leSubrateRequest(
          handle,
          HCI.SubrateParameters(
            factorMinimum: 10, factorMaximum: 10, maximumLatency: 2, continuationNumber: 2, supervisionTimeout: 700))))
    bench.run(for: .seconds(2))
    for _ in 0..<5 {
      bench.send(1, AirLinkBench.frame([0x52, 4, 0] + text))
      bench.run(for: .seconds(1))
    }
    let log = AirLog.reading(AirRecords.records(bench.air))
    equal(log.att.count, 5)
    equal(log.gaps.map(\.gap), [])
    let link = try required(log.opened.first)
    expect(link.peripheralLatency == 2 && link.supervisionTimeout == 700)
    // An event that is in use and was not heard is one: the third from the end, and all of it.
    let starts = bench.air.filter { $0.transmitter == 1 && $0.pdu[1] < 34 }.map(\.start)
    let missing = starts[starts.count - 3]
    let kept = bench.air.filter { $0.start < missing || $0.start > missing + .milliseconds(3) }
    equal(AirLog.reading(AirRecords.records(kept)).gaps.first?.gap, .unheardEvent)
  }
}
