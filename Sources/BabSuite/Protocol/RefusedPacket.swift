import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// Packets that came and could be read, and that the app that got them says it refuses, with its words.
///
/// Only what reads as a packet is told, on a link that is still up, as long as that app has taken none of the same type
/// on it since.
struct RefusedPacket {
  private struct Refusal {
    var device: Int
    var link: LinkID
    var peer: Int
    var type: PacketType
    var reason: String
    var instant: SimInstant
    var record: Int
    var count = 1
  }

  /// One direction of a link, at the end that receives.
  private struct End: Hashable {
    var device: Int
    var link: LinkID
  }

  private let header: TraceHeader
  private var received: [End: Reassembler] = [:]
  private var peers: [End: Int] = [:]
  /// What the newest input of a device has completed.
  private var newest: [Int: (link: LinkID, peer: Int?, type: PacketType)] = [:]
  private var open: [Refusal] = []
  /// Those that the device has sent or got.
  private let subject: Int

  init(_ situation: ChartWords.Situation) {
    (header, subject) = (situation.header, situation.device)
    for record in situation.records where header.devices.indices.contains(record.device) {
      switch record.event {
      case .input(let input): read(input, record)
      case .report(let report): read(report, record)
      default: break
      }
    }
  }

  private mutating func read(_ input: AppInput, _ record: TraceRecord) {
    let device = record.device
    newest[device] = nil
    switch input {
    case .connected(let link, let address):
      let end = End(device: device, link: link)
      peers[end] = header.device(at: address)
      received[end] = nil
    case .valueReceived(let link, _, let octets):
      guard let dialect = Dialect.named(header.devices[device].dialect) else { return }
      let end = End(device: device, link: link)
      let reception = received[end, default: Reassembler(framing: dialect.framing)].receive(octets, at: record.instant)
      guard let packet = reception.packet.flatMap({ try? BabPacket(decoding: $0) }) else { return }
      newest[device] = (link, peers[end], packet.payload.type)
    case .disconnected(let link, _): open.removeAll { $0.device == device && $0.link == link }
    case .launched, .radioPower(false): open.removeAll { $0.device == device }
    default: break
    }
  }

  private mutating func read(_ report: AppReport, _ record: TraceRecord) {
    switch report.bab {
    case .refused(let link, let reason): refuse(link, "“\(reason)”", record)
    case .violation(let link, let rule, let detail): refuse(link, "\(rule), “\(detail)”", record)
    case .packetReceived(let link, let type, _, _):
      open.removeAll { $0.device == record.device && $0.link == link && $0.type.rawValue == type }
    default: break
    }
  }

  private mutating func refuse(_ link: LinkID, _ reason: String, _ record: TraceRecord) {
    guard let packet = newest[record.device], packet.link == link, let peer = packet.peer,
      subject == record.device || subject == peer
    else { return }
    let known = open.firstIndex { $0.device == record.device && $0.link == link && $0.type == packet.type }
    if let known {
      open[known].count += 1
    } else {
      open.append(
        Refusal(
          device: record.device, link: link, peer: peer, type: packet.type, reason: reason, instant: record.instant,
          record: record.sequence))
    }
  }

  /// The first that is still refused, of one type or of any.
  func hindrance(of type: PacketType?) -> ChartWords.Hindrance? {
    guard let refusal = open.first(where: { $0.type == type ?? $0.type }) else { return nil }
    let names = (header.name(of: refusal.device), header.name(of: refusal.peer))
    let times = refusal.count > 1 ? ", \(refusal.count) times so far" : ""
    return ChartWords.Hindrance(
      "\(names.0) refuses the \(refusal.type.rawValue) of \(names.1), which came on link"
        + " \(refusal.link.rawValue)\(times): \(refusal.reason)",
      instant: refusal.instant, record: refusal.record)
  }
}
