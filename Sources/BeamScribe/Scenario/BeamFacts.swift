import AppSeam
import Bench

/// What is known of the devices of a run from what their apps are told and show.
final class BeamFacts: AppFacts {
  private struct Page {
    // Since the app was last launched
    var state: String?
    var event: String?
    var finals: [String] = []
    var partial: String?
    var hasCleared = false
    var alerts: [String] = []
    var guests = (count: 0, open: 0)
    var streams: [(id: ConnectionID, interface: NetworkInterface)] = []
    // The whole run
    var counts = Counts()
  }

  private struct Counts {
    var losses = 0
    var alerts = 0
    var ownAlerts = 0
    var refusals: [String] = []
    var unstable = 0
    var latencies = 0
    var packets: [(type: String, count: Int)] = []
  }

  private let cast: AppCast
  private var pages: [Page]

  init(_ cast: AppCast) {
    self.cast = cast
    pages = Array(repeating: Page(), count: cast.members.count)
  }

  let readsValues = false

  /// A host calls itself as its event is called.
  func peerID(of device: Int) -> String? { pages[device].event }

  func columns(of device: Int) -> [RunOutcome.Column] {
    [
      RunOutcome.Column(key: "state", title: "state", value: pages[device].state ?? ""),
      RunOutcome.Column(key: "finals", title: "finals", value: String(pages[device].finals.count)),
    ]
  }

  // MARK: Reading

  func read(_ input: AppInput, device: Int, peer: Int?) {
    switch input {
    case .launched:
      let before = pages[device]
      pages[device] = Page()
      pages[device].counts = before.counts
      // A host may go on with its transcript, and does not say it again.
      if cast.members[device].role == .beamHost { pages[device].finals = before.finals }
    case .user(let action):
      if case .startEvent = action.beam, pages[device].state != BeamState.hosting.rawValue { pages[device].finals = [] }
    case .network(.ready(let id, let interface)), .network(.incoming(let id, let interface, _)):
      pages[device].streams.append((id, interface))
    case .network(.failed(let id, _)), .network(.cancelled(let id)):
      pages[device].streams.removeAll { $0.id == id }
    default: break
    }
  }

  func read(_ report: AppReport, device: Int) {
    switch report.beamMark {
    // Nearly all reports of a talk are of these.
    case .latency: return pages[device].counts.latencies += 1
    case .packetSent: return
    default: break
    }
    guard let report = report.beam else { return }
    switch report {
    case .state(let state):
      pages[device].state = state
      if state == BeamState.lost.rawValue { pages[device].counts.losses += 1 }
      if state == BeamState.idle.rawValue { pages[device].event = nil }
    case .eventNamed(let name): pages[device].event = name
    case .finalShown(let sequence, let text):
      let before = max(0, sequence - 1)
      pages[device].finals.removeLast(max(0, pages[device].finals.count - before))
      pages[device].finals.append(text)
      pages[device].partial = nil
    case .partialShown(_, let text): pages[device].partial = text
    case .transcriptCleared:
      pages[device].finals = []
      pages[device].partial = nil
      pages[device].hasCleared = true
    case .alertShown(let alert, let isOwn):
      pages[device].alerts.append(alert)
      pages[device].counts.alerts += 1
      if isOwn { pages[device].counts.ownAlerts += 1 }
    case .guests(let count, let open): pages[device].guests = (count, open)
    case .refused(_, let reason): pages[device].counts.refusals.append(reason)
    case .unstable: pages[device].counts.unstable += 1
    case .latency: pages[device].counts.latencies += 1
    case .packetReceived(_, let type, _): count(type, device)
    case .historyShown, .alertRaised, .gateOpened, .packetSent: break
    }
  }

  private func count(_ type: String, _ device: Int) {
    if let index = pages[device].counts.packets.firstIndex(where: { $0.type == type }) {
      pages[device].counts.packets[index].count += 1
    } else {
      pages[device].counts.packets.append((type, 1))
    }
  }

  // MARK: Deciding

  func holdsOfSilence(_ fact: AppFact) -> Bool {
    guard let fact = fact.statement as? BeamFact else { return false }
    if case .count(_, let comparison, let bound) = fact { return comparison.holds(0, bound) }
    return fact.comparesWithLeader
  }

  func grounds(of fact: AppFact, device: Int) -> [ReportGrounds] {
    guard let fact = fact.statement as? BeamFact else { return [] }
    func words(_ words: String...) -> [ReportGrounds] { words.map { ReportGrounds(device, $0) } }
    switch fact {
    case .state: return words("state")
    case .transcriptEqualsHost:
      return words("finalShown") + (cast.members[device].leader.map { [ReportGrounds($0, "finalShown")] } ?? [])
    case .cleared: return words("transcriptCleared")
    case .shows: return words("finalShown")
    case .showsPartial: return words("partialShown")
    case .alert: return words("alertShown")
    case .refused: return words("refused")
    case .named: return words("eventNamed")
    case .on: return []
    case .count(let counted, _, _): return grounds(of: counted).map { ReportGrounds(device, $0) }
    }
  }

  private func grounds(of counted: BeamFact.Counted) -> [String] {
    switch counted {
    case .finals: ["finalShown"]
    case .guests, .openGuests: ["guests"]
    case .streams: []
    case .losses: ["state"]
    case .alerts, .ownAlerts: ["alertShown"]
    case .refusals: ["refused"]
    case .unstable: ["unstable"]
    case .latencies: ["latency"]
    case .packets: ["packetReceived"]
    }
  }

  /// The transcript of the host of a device's event; nil when it has none.
  private func hostFinals(of device: Int) -> [String]? { cast.members[device].leader.map { pages[$0].finals } }

  func holds(_ fact: AppFact, device: Int) -> Bool {
    guard let fact = fact.statement as? BeamFact else { return false }
    let page = pages[device]
    switch fact {
    case .state(let state): return page.state == state.rawValue
    case .transcriptEqualsHost:
      return hostFinals(of: device).map { Self.firstDifference(page.finals, $0) == nil } ?? false
    case .cleared: return page.hasCleared
    case .shows(let text): return page.finals.contains { $0.isSame(as: text) }
    case .showsPartial(let text): return page.partial?.isSame(as: text) ?? false
    case .alert(let alert): return page.alerts.contains(alert)
    case .refused(let reason): return page.counts.refusals.contains(reason)
    case .named(let name): return page.event?.isSame(as: name) ?? false
    case .on(let interface):
      return !page.streams.isEmpty && page.streams.allSatisfy { $0.interface == interface }
    case .count(let counted, let comparison, let bound): return comparison.holds(count(counted, page), bound)
    }
  }

  private func count(_ counted: BeamFact.Counted, _ page: Page) -> Int {
    switch counted {
    case .finals: page.finals.count
    case .guests: page.guests.count
    case .openGuests: page.guests.open
    case .streams: page.streams.count
    case .losses: page.counts.losses
    case .alerts: page.counts.alerts
    case .ownAlerts: page.counts.ownAlerts
    case .refusals: page.counts.refusals.count
    case .unstable: page.counts.unstable
    case .latencies: page.counts.latencies
    case .packets(let type): page.counts.packets.first { $0.type == type }?.count ?? 0
    }
  }

  /// The place of the first final, from 0, that is not the same; nil when all are.
  private static func firstDifference(_ finals: [String], _ others: [String]) -> Int? {
    for place in 0..<min(finals.count, others.count) where !finals[place].isSame(as: others[place]) { return place }
    return finals.count == others.count ? nil : min(finals.count, others.count)
  }

  func detail(_ fact: AppFact, device: Int) -> String {
    guard let fact = fact.statement as? BeamFact else { return "" }
    let page = pages[device]
    return switch fact {
    case .state: "state \(page.state ?? "none")"
    case .transcriptEqualsHost: hostFinals(of: device).map { difference(page.finals, $0) } ?? "there is no host"
    case .cleared: page.hasCleared ? "has cleared its transcript" : "has cleared nothing"
    case .shows: "shows \(page.finals.count) finals" + (page.finals.last.map { ", the last “\($0)”" } ?? "")
    case .showsPartial: page.partial.map { "shows partial “\($0)”" } ?? "shows no partial"
    case .alert: page.alerts.isEmpty ? "has shown no alert" : "has shown " + page.alerts.joined(separator: ", ")
    case .refused:
      page.counts.refusals.isEmpty
        ? "has refused no stream" : "has refused " + page.counts.refusals.joined(separator: ", ")
    case .named: page.event.map { "its event is named “\($0)”" } ?? "has no event"
    case .on:
      page.streams.isEmpty ? "has no stream" : "is on " + page.streams.map(\.interface.rawValue).joined(separator: ", ")
    case .count(let counted, _, _): "has \(count(counted, page))"
    }
  }

  private func difference(_ finals: [String], _ host: [String]) -> String {
    guard let place = Self.firstDifference(finals, host) else { return "shows what the host shows" }
    if place < finals.count, place < host.count {
      return "final \(place + 1) is “\(finals[place])”, the host has “\(host[place])” there"
    }
    return "\(finals.count) finals, the host \(host.count)"
  }
}
