import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// A host that is off the air, so that a client finds none: since when, and why (BAB 5.1.3, 5.2.9).
///
/// What the host shows and asks for says it: its lobby, its phase, its links, and that it stopped advertising.
struct HostWithoutRoom {
  private let name: String
  private let dialect: Dialect
  /// When it stopped advertising; nil: it advertises, or never did.
  private var stopped: (instant: SimInstant, record: Int)?
  private var players = 0
  private var phase = "LOBBY"
  private var links: [LinkID] = []

  /// - Returns: nil where the device is no client, has no host of its own, or is linked.
  init?(_ situation: ChartWords.Situation) {
    let devices = situation.header.devices
    guard devices.indices.contains(situation.device), devices[situation.device].role == .client else { return nil }
    let client = devices[situation.device]
    let hosts = devices.indices.filter {
      devices[$0].role == .host && devices[$0].app == client.app && devices[$0].lobby == client.lobby
    }
    guard hosts.count == 1, let host = hosts.first, let dialect = Dialect.named(devices[host].dialect) else {
      return nil
    }
    (name, self.dialect) = (devices[host].name, dialect)
    var isLinked = false
    for record in situation.records {
      if record.device == host { read(record) }
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
      (stopped, players, phase) = (nil, 0, "LOBBY")
      links.removeAll()
    case .input(.connected(let link, _)): links.append(link)
    case .input(.disconnected(let link, _)): links.removeAll { $0 == link }
    case .effect(.advertise): stopped = nil
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
    guard let stopped else { return nil }
    return ChartWords.Hindrance(
      "\(name) stopped advertising\(reason)", instant: stopped.instant, record: stopped.record)
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
