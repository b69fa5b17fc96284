import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// A host that puts the values of all its links together as those of one (BAB 3.9).
///
/// What it says of packets whose values came in order and once on their own link, with those of another link between
/// them, shows it: it refuses one on a link when a value of another link comes, before it is whole, or though it is
/// right, or takes one whose last value has not come.
struct MixedLinks {
  private struct Link {
    var id: LinkID
    var assembler: Reassembler
    /// A packet has begun, and a link whose values have come between its own; when the newest of its own came.
    var isOpen = false
    var among: LinkID?
    var newest = SimInstant.zero
  }

  private let host: String
  private var links: [Link] = []
  private var names: [LinkID: String] = [:]
  /// The value that has just come, until the host says something of it: what it completes, and what came between.
  private var newest: (link: LinkID, whole: String?, among: LinkID?, record: TraceRecord)?
  /// It has refused a right packet that came alone: it has another reason.
  private var isPicky = false
  /// What a reader needs to know; nil: nothing shows it.
  private(set) var hindrance: ChartWords.Hindrance?

  /// - Returns: nil where the device is neither a host nor a client of a known one.
  init?(_ situation: ChartWords.Situation) {
    guard let known = HostView(situation) else { return nil }
    host = known.name
    for record in situation.records where record.device == known.index && hindrance == nil {
      switch record.event {
      case .input(let input):
        newest = nil
        switch input {
        case .launched: links.removeAll()
        case .connected(let id, let address):
          names[id] = situation.header.device(at: address).map(situation.header.name)
          links.append(Link(id: id, assembler: Reassembler(framing: known.dialect.framing)))
        case .disconnected(let id, _): links.removeAll { $0.id == id }
        case .valueReceived(let id, _, let octets): hear(octets, id, record)
        default: break
        }
      case .report(let report): say(report)
      default: break
      }
    }
  }

  private mutating func hear(_ octets: [UInt8], _ id: LinkID, _ record: TraceRecord) {
    guard let place = links.firstIndex(where: { $0.id == id }) else { return }
    let outcome = links[place].assembler.receive(octets, at: record.instant)
    links[place].newest = record.instant
    guard outcome.drops.isEmpty, !outcome.isRepeat else {
      (links[place].isOpen, links[place].among) = (false, nil)
      return
    }
    if outcome.packet == nil || outcome.fragments > 1 {
      for other in links.indices where other != place && links[other].isOpen { links[other].among = id }
      links[place].among = links[place].among ?? links.first { $0.id != id && $0.isOpen }?.id
    }
    let among = links[place].among
    links[place].isOpen = outcome.packet == nil
    if outcome.packet != nil { links[place].among = nil }
    let type = outcome.packet.map { (try? BabPacket(decoding: $0))?.payload.type.rawValue }
    // What is whole and no packet shows nothing.
    if case .some(nil) = type { return }
    newest = (id, type ?? nil, outcome.packet == nil || outcome.fragments > 1 ? among : nil, record)
  }

  private mutating func say(_ report: AppReport) {
    guard let newest else { return }
    switch report.bab {
    case .packetReceived(let id, let type, _, _):
      guard id == newest.link, newest.whole == nil, let other = newest.among else { break }
      find("takes a \(type) of \(name(id)) before its last value has come", other, newest.record)
    case .refused(let id, let reason) where id != newest.link:
      let isOpen = links.contains {
        $0.id == id && $0.isOpen && newest.record.instant - $0.newest < Reassembler.patience
      }
      guard isOpen else { break }
      find(
        "refuses (“\(reason)”) what \(name(id)) sends when a value of another link comes", newest.link, newest.record)
    case .refused(let id, let reason):
      if newest.among == nil, newest.whole != nil { isPicky = true }
      guard let other = newest.among, newest.whole == nil || !isPicky else { break }
      let what = newest.whole.map { "the \($0) of \(name(id)), which is right" } ?? "a packet of \(name(id))"
      find("refuses (“\(reason)”) \(what)", other, newest.record)
    default: break
    }
    self.newest = nil
  }

  private mutating func find(_ what: String, _ other: LinkID, _ record: TraceRecord) {
    hindrance = ChartWords.Hindrance(
      "\(host) mixes the values of its links: it \(what), among values of \(name(other)); on each link they came in order"
        + " and once", instant: record.instant, record: record.sequence, isMistake: true)
  }

  private func name(_ link: LinkID) -> String { names[link] ?? "link \(link.rawValue)" }
}
