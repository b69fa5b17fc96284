import AppSeam
import BabOracles
import BabSim
import Bench
import Conformance
import SimKernel

/// A link that a host's app has ended while values that its platform had taken were still there: they are lost with it
/// (BAB 5.8.4).
///
/// What a platform takes it sends in order, so of the values that were taken on a link those that did not come to the
/// other end were the last. Only what was taken right before the end is told: a link that carries nothing for longer
/// may be over anyway.
struct CutOff {
  /// Half of what the reference host leaves; what waits for longer is the link's fault.
  private static let patience = SimDuration.milliseconds(500)

  private struct Link {
    var id: LinkID
    var device: Int
    /// Values that the platform has taken, with the packet that each completes.
    var taken: [(instant: SimInstant, packet: PacketType?)] = []
    var offers: [PacketType?] = []
    var end: (instant: SimInstant, record: Int)?
  }

  private let host: HostView
  private let subject: Int
  private var outbox = Outbox()
  private var links: [Link] = []
  /// Values that came to a client on its newest link.
  private var received: [Int: Int] = [:]
  private var found: ChartWords.Hindrance?

  /// - Returns: nil where the device is neither a host nor a client of a known one.
  init?(_ situation: ChartWords.Situation) {
    guard let host = HostView(situation) else { return nil }
    (self.host, subject) = (host, situation.device)
    for record in situation.records {
      if record.device == host.index { read(record) } else { readClient(record) }
    }
  }

  private func place(_ link: LinkID) -> Int? { links.lastIndex { $0.id == link } }

  private mutating func readClient(_ record: TraceRecord) {
    switch record.event {
    case .input(.connected): received[record.device] = 0
    case .input(.valueReceived): received[record.device, default: 0] += 1
    case .input(.disconnected):
      judge(record)
      received[record.device] = nil
    default: break
    }
  }

  private mutating func read(_ record: TraceRecord) {
    switch record.event {
    case .input(.launched), .input(.radioPower(false)):
      links = []
      outbox.begin()
    case .input(.connected(let link, let address)):
      guard let device = host.header.device(at: address) else { return }
      links.append(Link(id: link, device: device))
    case .effect(.notify(let link, _, let octets)):
      let packet = outbox.take(octets, on: link)?.packet?.payload.type
      if let place = place(link) { links[place].offers.append(packet) }
    case .input(.submitted(let link, _, let isTaken)):
      guard let place = place(link), !links[place].offers.isEmpty else { return }
      let packet = links[place].offers.removeFirst()
      if isTaken { links[place].taken.append((record.instant, packet)) }
    case .effect(.disconnect(let link)):
      if let place = place(link), links[place].end == nil {
        links[place].end = (record.instant, record.sequence)
      }
    default: break
    }
  }

  /// The client's end of the link is over: what has not come will not.
  private mutating func judge(_ record: TraceRecord) {
    guard found == nil, let place = links.lastIndex(where: { $0.device == record.device && $0.end != nil }),
      let end = links[place].end, let count = received[record.device]
    else { return }
    let link = links.remove(at: place)
    let lost = link.taken.dropFirst(count)
    guard let last = lost.last, end.instant - last.instant <= Self.patience,
      [host.index, link.device].contains(subject)
    else { return }
    let packets = lost.compactMap(\.packet).map(\.rawValue)
    let what = packets.last.map { ", \($0) among them" } ?? ""
    let after = (end.instant - last.instant).shortSeconds
    found = ChartWords.Hindrance(
      "the app of \(host.name) has ended its link with \(host.header.name(of: link.device)) \(after) s after its"
        + " platform had taken the last value, and \(CountedNoun.text(lost.count, "value")) had not left\(what): taken"
        + " is not sent, and they are lost with the link (BAB 5.8.4)",
      instant: end.instant, record: end.record, isMistake: true)
  }

  /// What a reader needs to know; nil: everything that was taken has come.
  var hindrance: ChartWords.Hindrance? { found }
}
