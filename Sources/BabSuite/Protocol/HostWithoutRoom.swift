import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// A host that is off the air, so that a client finds none: since when, and why (BAB 5.1.3, 5.2.9); or one that
/// advertises a name by which clients of its dialect know no host (BAB 2.2, 2.5).
///
/// What the host shows and asks for says it: its lobby, its phase, its links, its name, and that it is off the air.
struct HostWithoutRoom {
  private let name: String
  private let dialect: Dialect
  /// When it stopped advertising; nil: it advertises, or never did.
  private var stopped: (instant: SimInstant, record: Int)?
  /// What it advertises as.
  private var shown: (name: String, instant: SimInstant, record: Int)?
  private var players = 0
  private var phase = "LOBBY"
  private var links: [LinkID] = []

  /// - Returns: nil where the device is no client, has no host of its own, or is linked.
  init?(_ situation: ChartWords.Situation) {
    guard let host = HostView(situation), situation.header.devices[situation.device].role == .client else { return nil }
    (name, dialect) = (host.name, host.dialect)
    var isLinked = false
    for record in situation.records {
      if record.device == host.index { read(record) }
      guard record.device == situation.device else { continue }
      switch record.event {
      case .input(.connected): isLinked = true
      case .input(.disconnected), .input(.launched): isLinked = false
      default: break
      }
    }
    if isLinked { return nil }
  }

  private mutating func read(_ record: TraceRecord) {
    switch record.event {
    case .input(.launched):
      (stopped, shown, players, phase) = (nil, nil, 0, "LOBBY")
      links.removeAll()
    case .input(.connected(let link, _)): links.append(link)
    case .input(.disconnected(let link, _)): links.removeAll { $0 == link }
    case .effect(.advertise(let request)):
      stopped = nil
      if shown?.name != request.localName { shown = (request.localName, record.instant, record.sequence) }
    case .effect(.stopAdvertising): stopped = (record.instant, record.sequence)
    case .report(let report):
      switch report.bab {
      case .lobby(let lobby): players = lobby.players.count
      case .phase(let newest): phase = newest
      default: break
      }
    default: break
    }
  }

  /// What a reader needs to know; nil: the host advertises, or never did.
  var hindrance: ChartWords.Hindrance? {
    guard let stopped else { return misnomer }
    var known = ChartWords.Hindrance(
      "\(name) stopped advertising\(reason)", instant: stopped.instant, record: stopped.record)
    known.saysWhy = !reason.isEmpty
    return known
  }

  private var misnomer: ChartWords.Hindrance? {
    guard case .namePrefix(let prefix) = dialect.hostRule, let shown, !shown.name.hasPrefix(prefix) else { return nil }
    return ChartWords.Hindrance(
      "\(name) advertises as “\(ShownText.oneLine(shown.name))”, and clients of dialect \(dialect.name) know a host by"
        + " a name that begins with “\(prefix)” (BAB 2.2, 2.5)", instant: shown.instant, record: shown.record,
      isMistake: true)
  }

  private var reason: String {
    let place = "in dialect \(dialect.name)"
    if players >= dialect.capacity { return ": its lobby is full, \(players) of \(dialect.capacity) \(place)" }
    if phase != "LOBBY" { return ": its game has begun, its phase is \(phase)" }
    if links.count >= dialect.capacity - 1 {
      return ": all its links are taken, \(links.count) of \(dialect.capacity - 1) \(place)"
    }
    return ""
  }
}
