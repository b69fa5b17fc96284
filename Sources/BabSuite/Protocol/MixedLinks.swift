import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// A host that puts the values of all its links together as those of one (BAB 3.9).
///
/// What came on each link, and what the host said of it, show it: a packet whose values came in order and once, with
/// those of another link between them, is refused before it is whole, or is whole and right and still refused, or
/// nothing is said of it.
struct MixedLinks {
  private struct Link {
    var id: LinkID
    var assembler: Reassembler
    /// A link whose values have come between those of the packet that has begun.
    var among: LinkID?
    var isOpen = false
    /// When its newest value came.
    var newest = SimInstant.zero
  }

  /// What a value has made of its packet on its own link.
  private enum Made {
    case part(among: LinkID?)
    case whole(String, among: LinkID?)
  }

  private let host: String
  private var links: [Link] = []
  private var names: [LinkID: String] = [:]
  /// The value that has just come, until the host says something of it.
  private var newest: (link: LinkID, made: Made, record: TraceRecord)?
  private var saysWhatItTakes = false
  /// A packet that came alone was not taken: the host has another reason.
  private var isPicky = false
  /// A packet that was refused before it was whole, one that was refused then, and one of which nothing was said, which
  /// only a host shows that says what it takes; the first of each.
  private var broken: ChartWords.Hindrance?
  private var refused: ChartWords.Hindrance?
  private var silent: ChartWords.Hindrance?

  /// - Returns: nil where the device is neither a host nor a client of a known one.
  init?(_ situation: ChartWords.Situation) {
    let devices = situation.header.devices
    guard devices.indices.contains(situation.device) else { return nil }
    let own = devices[situation.device]
    let hosts = devices.indices.filter {
      devices[$0].role == .host && devices[$0].app == own.app && devices[$0].lobby == own.lobby
    }
    guard hosts.count == 1, let host = hosts.first, let dialect = Dialect.named(devices[host].dialect) else {
      return nil
    }
    self.host = devices[host].name
    for record in situation.records where record.device == host {
      switch record.event {
      case .input(let input):
        settle()
        switch input {
        case .launched: links.removeAll()
        case .connected(let id, let address):
          names[id] = situation.header.device(at: address).map { devices[$0].name }
          links.append(Link(id: id, assembler: Reassembler(framing: dialect.framing)))
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
    links[place].newest = record.instant
    let outcome = links[place].assembler.receive(octets, at: record.instant)
    guard outcome.drops.isEmpty, !outcome.isRepeat else {
      (links[place].isOpen, links[place].among) = (false, nil)
      return
    }
    if outcome.packet == nil || outcome.fragments > 1 {
      for other in links.indices where other != place && links[other].isOpen { links[other].among = id }
      // Who begins while another one has begun is among its values too.
      links[place].among = links[place].among ?? links.first { $0.id != id && $0.isOpen }?.id
    }
    let among = links[place].among
    guard let packet = outcome.packet else {
      links[place].isOpen = true
      newest = (id, .part(among: among), record)
      return
    }
    (links[place].isOpen, links[place].among) = (false, nil)
    guard let type = (try? BabPacket(decoding: packet))?.payload.type else { return }
    newest = (id, .whole(type.rawValue, among: outcome.fragments > 1 ? among : nil), record)
  }

  private mutating func say(_ report: AppReport) {
    switch report.bab {
    case .packetReceived(let id, let type, _, _):
      saysWhatItTakes = true
      if let newest, newest.link == id, case .part(let other?) = newest.made {
        broken =
          broken ?? hindrance("takes a \(type) of \(name(id)) before its last value has come", other, newest.record)
      }
      newest = nil
    case .violation: newest = nil
    case .refused(let id, let reason):
      guard let newest else { return }
      self.newest = nil
      if newest.link != id {
        guard let place = links.firstIndex(where: { $0.id == id }), links[place].isOpen,
          newest.record.instant - links[place].newest < Reassembler.patience
        else { return }
        broken =
          broken
          ?? hindrance(
            "refuses (“\(reason)”) what \(name(id)) sends when a value of \(name(newest.link)) comes", newest.link,
            newest.record)
        return
      }
      if isPicky { return }
      switch newest.made {
      case .part(let other?):
        broken =
          broken ?? hindrance("refuses (“\(reason)”) a packet of \(name(id))", other, newest.record)
      case .whole(let type, let other?):
        refused =
          refused ?? hindrance("refuses (“\(reason)”) the \(type) of \(name(id)), which is right", other, newest.record)
      case .whole(_, nil), .part(nil): isPicky = !hasEvidence
      }
    default: break
    }
  }

  /// The host is told something else: it says nothing of the value before.
  private mutating func settle() {
    guard let newest, !isPicky else { return }
    self.newest = nil
    switch newest.made {
    case .whole(let type, let other?):
      silent =
        silent ?? hindrance("neither takes nor refuses the \(type) of \(name(newest.link))", other, newest.record)
    case .whole(_, nil): isPicky = saysWhatItTakes && !hasEvidence
    case .part: break
    }
  }

  private var hasEvidence: Bool { broken != nil || refused != nil }

  private func hindrance(_ what: String, _ other: LinkID, _ record: TraceRecord) -> ChartWords.Hindrance {
    ChartWords.Hindrance(
      "\(host) mixes the values of its links: it \(what); on each link they came in order and once, and"
        + " those of \(name(other)) between the others",
      instant: record.instant, record: record.sequence, isMistake: true)
  }

  /// What a reader needs to know; nil: nothing shows it.
  var hindrance: ChartWords.Hindrance? {
    let all = [broken, refused, saysWhatItTakes ? silent : nil].compactMap { $0 }
    return all.min { $0.record < $1.record }
  }

  private func name(_ link: LinkID) -> String { names[link] ?? "link \(link.rawValue)" }
}
