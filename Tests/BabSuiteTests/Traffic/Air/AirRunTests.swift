import BabSim
import Bench
import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import CaptureCheck
@testable import Conformance

/// The oracle is the HCI seam of the same run: what hosts handed down and got.
@Suite("The air of whole runs")
struct AirRunTests {
  static let scenarios = [
    "lobby/two-peers", "lobby/eight-peer-lobby", "radio/noisy-convention-hall", "radio/crowded-subway",
    "faults/client-vanishes-and-returns",
  ]

  /// The k-th connection between two devices is the k-th at the central's HCI; the peripheral's came up near it.
  private func hostLinks(_ run: AirRun, of link: TrafficLink, nth: Int) -> (
    central: AirRun.HostLink?, peripheral: AirRun.HostLink?
  ) {
    let addresses = run.header?.devices.map(\.address) ?? []
    func device(_ address: BluetoothAddress?) -> Int? { addresses.firstIndex { $0 == address } }
    let central = run.hostLinks.filter {
      $0.isCentral && $0.device == device(link.central) && $0.peer == link.peripheral
    }
    let peripheral = run.hostLinks.first {
      !$0.isCentral && $0.device == device(link.peripheral) && $0.peer == link.central
        && abs(($0.openedAt - link.openedAt).nanoseconds) < 200_000_000
    }
    return (central.indices.contains(nth) ? central[nth] : nil, peripheral)
  }

  private func isPrefix(_ a: [[UInt8]], of b: [[UInt8]]) -> Bool { a.count <= b.count && Array(b.prefix(a.count)) == a }

  @Test("Whole runs: what hosts said, retransmissions, channels", arguments: scenarios)
  func follows(scenario: String) throws {
    let run = try AirRun.shipped(scenario)
    let log = AirLog.reading(AirRecords.records(run.pdus))
    try compare(run, log, isExact: true)
    compareRetransmissions(run, log)
    compareChannels(log)
    if scenario == "lobby/two-peers" || scenario == "radio/noisy-convention-hall" {
      try compareWithoutDirections(run, log)
      let unchecked = AirLog.reading(AirRecords.records(run.pdus, checksCRC: false))
      let damaged = unchecked.air.filter { $0.header.isCRCValid == false }
      equal(damaged.count, run.pdus.filter { $0.fate == .corrupted }.count)
      try compare(run, unchecked, isExact: true)
    }
  }

  private func compareWithoutDirections(_ run: AirRun, _ stated: AirLog) throws {
    let log = AirLog.reading(AirRecords.records(run.pdus, tellsDirection: false))
    let pairs = zip(log.air, stated.air).filter { $0.1.header.isFromCentral != nil }
    let unknown = pairs.filter { $0.0.header.isFromCentral == nil }
    let wrong = pairs.filter {
      $0.0.header.isFromCentral != nil && $0.0.header.isFromCentral != $0.1.header.isFromCentral
    }
    expect(wrong.isEmpty, "\(wrong.count) of \(pairs.count), first \(wrong.first?.0.number ?? 0)")
    expect(unknown.count * 1_000 <= pairs.count)
    try compare(run, log, isExact: false)
  }

  private func compare(_ run: AirRun, _ log: AirLog, isExact: Bool) throws {
    equal(log.opened.count, run.hostLinks.filter { $0.isCentral }.count)
    expect(log.opened.allSatisfy { $0.isFromStart })
    var received = 0
    var seen: [String: Int] = [:]
    for link in log.opened {
      let pair = "\(link.central.map { "\($0)" } ?? "?") \(link.peripheral.map { "\($0)" } ?? "?")"
      let (central, peripheral) = hostLinks(run, of: link, nth: seen[pair, default: 0])
      seen[pair, default: 0] += 1
      let fromCentral = log.att(link: link.index, fromCentral: true)
      let fromPeripheral = log.att(link: link.index, fromCentral: false)
      let first = try required(central)
      expect(isPrefix(fromCentral, of: first.sent.att))
      if isExact {
        expect(isPrefix(first.received.att, of: fromPeripheral))
        received += first.received.att.count
      }
      guard let peripheral else {
        // Nobody heard the CONNECT_IND.
        expect(fromPeripheral.isEmpty)
        continue
      }
      expect(isPrefix(fromPeripheral, of: peripheral.sent.att))
      if isExact {
        expect(isPrefix(peripheral.received.att, of: fromCentral))
        received += peripheral.received.att.count
      }
    }
    if isExact {
      // What the air has and no host got was in flight when a link broke.
      expect(log.att.count >= received && log.att.count <= received + 2 * log.opened.count)
      // A central with several links leaves events out; nobody can tell that nothing was there.
      let lost = log.gaps.filter { $0.gap != .unheardEvent }
      // What two damaged PDUs in a row were nobody can tell either.
      expect(lost.count <= Self.damagedPairs(run), "\(lost.prefix(5))")
    }
    expect(log.att.count > 50)
  }

  /// How often two PDUs in a row of one connection were damaged.
  private static func damagedPairs(_ run: AirRun) -> Int {
    var wasDamaged: [UInt32: Bool] = [:]
    return run.pdus.count { pdu in
      let isDamaged = pdu.fate == .corrupted
      return wasDamaged.updateValue(isDamaged, forKey: pdu.accessAddress) == true && isDamaged
    }
  }

  /// In a trace a PDU with the SN of its sender's PDU before it is a retransmission; nothing is missing there.
  private func compareRetransmissions(_ run: AirRun, _ log: AirLog) {
    struct Sender: Hashable {
      var accessAddress: UInt32
      var device: Int
    }
    var groups: [(good: Int, damaged: Int)] = []
    var newest: [Sender: (sn: UInt8, group: Int)] = [:]
    for pdu in run.pdus where pdu.accessAddress != LL.advertisingAccessAddress {
      let sender = Sender(accessAddress: pdu.accessAddress, device: pdu.transmitter)
      let sn = pdu.pdu[0] & 8
      var group = newest[sender].flatMap { $0.sn == sn ? $0.group : nil }
      if group == nil { groups.append((0, 0)) }
      group = group ?? groups.count - 1
      newest[sender] = (sn, group ?? 0)
      if pdu.fate == .corrupted { groups[group ?? 0].damaged += 1 } else { groups[group ?? 0].good += 1 }
    }
    let retransmissions = groups.reduce(0) { $0 + $1.good + $1.damaged - 1 }
    let neverHeard = groups.filter { $0.good == 0 }.count
    let repeats = log.fragments.filter { $0.isRepeat }.count
    let damaged = log.air.filter { $0.link != nil && $0.header.isCRCValid == false }.count
    equal(repeats + damaged - neverHeard, retransmissions)
    equal(repeats, groups.reduce(0) { $0 + max(0, $1.good - 1) })
  }

  /// Event counters are worked out from times, and channels from them.
  private func compareChannels(_ log: AirLog) {
    let data = log.air.filter { $0.link != nil }
    let known = data.filter { $0.expectedRFChannel != nil }
    equal(known.count, data.count)
    let off = known.filter { $0.expectedRFChannel != $0.header.rfChannel }
    expect(off.isEmpty, "\(off.count) of \(data.count), first \(off.first?.number ?? 0)")
  }
}
