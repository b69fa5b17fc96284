import BabSim
import BabSuite
import BluetoothWire
import CaptureFormats
import Foundation
import SimKernel
import VirtualRadio

@testable import Conformance

/// Everything that a capture shows, in a form that tests can ask.
final class AirLog: TrafficObserver {
  struct Side: Hashable {
    var link: Int
    var fromCentral: Bool
  }

  var att: [(side: Side, octets: [UInt8])] = []
  var frames: [(side: Side, channel: UInt16, octets: [UInt8])] = []
  var fragments: [(side: Side, llid: UInt8, isRepeat: Bool, octets: [UInt8], number: Int)] = []
  var gaps: [(link: Int, fromCentral: Bool?, gap: TrafficGap)] = []
  var opened: [TrafficLink] = []
  var closed: [(link: TrafficLink, reason: HCI.ErrorCode?, at: SimInstant)] = []
  var changes: [(link: Int, change: TrafficLink.Change, number: Int)] = []
  var advertisements: [TrafficAdvertisement] = []
  /// What the follower made of each PDU, in the order of the capture.
  var air: [Seen] = []

  struct Seen {
    var number: Int
    var link: TrafficLink?
    var header: AirHeader
    var octets: [UInt8]
    var eventCounter: UInt16?
    var expectedRFChannel: UInt8?
  }

  var interests: TrafficEvent.Interests {
    [.links, .att, .frames, .fragments, .gaps, .advertisements, .air, .commands, .events, .asides]
  }

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link): opened.append(link)
    case .linkClosed(let link, let reason): closed.append((link, reason, event.instant))
    case .linkChanged(let link, let change): changes.append((link.index, change, event.place.number))
    case .frame(let link, let fromCentral, let channel, let octets):
      frames.append((Side(link: link.index, fromCentral: fromCentral), channel.rawValue, Array(octets)))
    case .gap(let link, let fromCentral, let gap): gaps.append((link.index, fromCentral, gap))
    case .advertisement(let advertisement): advertisements.append(advertisement)
    case .air(let link, let header, let octets):
      air.append(
        Seen(
          number: event.place.number, link: link, header: header, octets: Array(octets),
          eventCounter: link?.air?.eventCounter, expectedRFChannel: link?.air?.expectedRFChannel))
    default: break
    }
  }

  func observe(att pdu: TrafficPDU) {
    att.append((Side(link: pdu.link.index, fromCentral: pdu.fromCentral), Array(pdu.octets)))
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard case .linkLayer(let llid, let isRepeat) = header else { return }
    let side = Side(link: pdu.link.index, fromCentral: pdu.fromCentral)
    fragments.append((side, llid, isRepeat, Array(pdu.octets), pdu.place.number))
  }

  func finish(at end: SimInstant) {}

  func att(link: Int, fromCentral: Bool) -> [[UInt8]] {
    att.filter { $0.side == Side(link: link, fromCentral: fromCentral) }.map(\.octets)
  }

  func count(_ gap: TrafficGap) -> Int { gaps.filter { $0.gap == gap }.count }

  /// What the follower says of these records.
  static func reading(_ records: [CaptureRecord]) -> AirLog {
    let log = AirLog()
    let reader = TrafficReader(observers: [log])
    let start = records.first?.nanoseconds ?? 0
    for record in records {
      reader.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds - start))
    }
    reader.finish()
    return log
  }
}

/// Records as link type 256 would give them, straight from PDUs of a run.
enum AirRecords {
  static func records(_ pdus: [AirPDU], tellsDirection: Bool = true, checksCRC: Bool = true) -> [CaptureRecord] {
    var centrals: [UInt32: Int] = [:]
    return pdus.enumerated().map { index, pdu in
      if pdu.accessAddress == LL.advertisingAccessAddress, let request = try? LL.ConnectInd(decoding: pdu.pdu) {
        centrals[request.accessAddress] = pdu.transmitter
      }
      var header = AirHeader(accessAddress: pdu.accessAddress)
      header.crc = LL.crc24(pdu: pdu.pdu, initial: pdu.crcInit) ^ (pdu.fate == .corrupted ? 0xFF0000 : 0)
      header.isCRCValid = checksCRC ? pdu.fate != .corrupted : nil
      header.rfChannel = pdu.rfChannel
      header.isLE2M = pdu.phy == .le2M
      if tellsDirection, let central = centrals[pdu.accessAddress] { header.isFromCentral = central == pdu.transmitter }
      header.signalPower = pdu.rssi == -128 ? nil : pdu.rssi
      return CaptureRecord(
        number: index + 1, link: .leLinkLayerWithHeader, nanoseconds: pdu.start.nanoseconds,
        originalLength: pdu.pdu.count + 17, body: .air(header), octets: pdu.pdu[...])
    }
  }
}

/// The air and the HCI seams of one run of a scenario.
final class AirRun: TraceReader {
  struct HostLink {
    var device: Int
    var isCentral: Bool
    var peer: BluetoothAddress
    var openedAt: SimInstant
    var sent = ACLFrames()
    var received = ACLFrames()
  }

  /// ATT PDUs out of ACL data, put together by the rule of Vol 3, Part A, 7.2.1 and nothing else.
  struct ACLFrames {
    var att: [[UInt8]] = []
    private var held: [UInt8] = []

    mutating func add(_ data: HCI.ACLData) {
      if data.boundary != .continuing { held = [] }
      held += data.octets
      guard held.count >= 4, held.count == 4 + Int(held[0]) + Int(held[1]) << 8 else { return }
      if held[2] == 4, held[3] == 0 { att.append(Array(held[4...])) }
      held = []
    }
  }

  private(set) var pdus: [AirPDU] = []
  private(set) var hostLinks: [HostLink] = []
  private(set) var header: TraceHeader?
  private(set) var outcome: RunOutcome?
  private var handles: [[HCI.ConnectionHandle: Int]] = []

  var wantsAir: Bool { true }
  var wantsHCI: Bool { true }

  func begin(_ header: TraceHeader) {
    self.header = header
    handles = Array(repeating: [:], count: header.devices.count)
  }

  func read(_ record: TraceRecord) {
    guard case .radio(let event) = record.event else { return }
    switch event {
    case .air(let pdu): pdus.append(pdu)
    case .hciEvent(.leConnectionComplete(let complete)) where complete.status == .success:
      handles[record.device][complete.handle] = hostLinks.count
      hostLinks.append(
        HostLink(
          device: record.device, isCentral: complete.role == .central, peer: complete.peer, openedAt: record.instant))
    case .hciEvent: break
    case .hciCommand: break
    case .aclToController(let data):
      if let index = handles[record.device][data.handle] { hostLinks[index].sent.add(data) }
    case .aclToHost(let data):
      if let index = handles[record.device][data.handle] { hostLinks[index].received.add(data) }
    }
  }

  func end(_ outcome: RunOutcome) { self.outcome = outcome }

  static func shipped(_ path: String, events: Int? = nil) throws -> AirRun {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { folder.deleteLastPathComponent() }
    var scenario = try ScenarioFile.load(folder.appendingPathComponent("Scenarios/\(path).yaml").path).get()
    if let events { scenario.limits.events = events }
    let run = AirRun()
    _ = try World.run(
      scenario, options: RunOptions(seed: 1), readers: [run],
      engines: { try AppProtocol.bab.makeEngine(name: $0, role: $1, configuration: $2) })
    return run
  }
}
