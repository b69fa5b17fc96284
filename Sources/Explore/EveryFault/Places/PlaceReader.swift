import AppSeam
package import Bench
import BluetoothWire
package import Conformance
package import SimKernel
import VirtualRadio

/// Notes the places of a run: it is read once, undisturbed.
///
/// A fault hits after all that happens at the instant of its place; so instants at which several things happen are one
/// place, and a packet that is accepted in one part is one, too.
package final class PlaceReader: TraceReader {
  package private(set) var places: [Place] = []
  /// Packets that were received whole: when, and the two devices; the peer is −1 where nobody knows.
  package private(set) var arrivals: [(instant: SimInstant, device: Int, peer: Int)] = []
  private let charts: [ChartWords?]
  private let framings: [(@Sendable ([UInt8]) -> PacketFraming.Place?)?]
  private var peers: [(device: Int, link: LinkID, peer: Int)] = []
  private var header: TraceHeader?
  /// Values that were given to a stack and not answered yet.
  private var given: [(device: Int, link: LinkID, octets: [UInt8])] = []
  private var partials: [Partial] = []
  /// What each device showed last, by word.
  private var shown: [[(word: String, report: AppReport)]]

  private struct Partial {
    var device: Int
    var link: LinkID
    var octets: [UInt8]
    /// Where its first part is named.
    var place: Int
    var happening: Int
  }

  package var wantsHCI: Bool { true }

  /// - Parameter scenario: that of the run.
  package init(_ scenario: Scenario, protocols: [AppProtocol]) {
    let apps = scenario.devices.map { device in protocols.first { $0.name == device.app } }
    charts = apps.map { $0?.chart }
    framings = zip(apps, scenario.devices).map { $0?.framing?.place($1.dialect) }
    shown = scenario.devices.map { _ in [] }
  }

  package func begin(_ header: TraceHeader) { self.header = header }

  package func read(_ record: TraceRecord) {
    guard shown.indices.contains(record.device) else { return }
    switch record.plain.event {
    case .input(let input): read(input, record)
    case .effect(let effect): read(effect, record)
    case .report(let report): read(report, record)
    case .radio(.hciEvent(.numberOfCompletedPackets(let list))):
      let count = list.map { Int($0.count) }.reduce(0, +)
      if count > 0 { note(.acknowledged, "gets the acknowledgement of what it sent", record) }
    default: break
    }
  }

  // MARK: What happens

  private func read(_ input: AppInput, _ record: TraceRecord) {
    switch input {
    case .connected(let link, let address):
      let peer = header?.device(at: address) ?? -1
      peers.append((record.device, link, peer))
      note(.linkOpens, "has a link", record)
    case .disconnected: note(.linkEnds, "loses a link", record)
    case .connectFailed: note(.linkEnds, "does not get a link", record)
    case .submitted(let link, _, let isAccepted):
      guard let index = given.firstIndex(where: { $0.device == record.device && $0.link == link }) else { return }
      let value = given.remove(at: index)
      if isAccepted { sent(value.octets, on: link, record) }
    case .valueReceived(let link, _, let octets): arrived(octets, on: link, record)
    case .network(let input): read(input, record)
    default: break
    }
  }

  private func read(_ effect: AppEffect, _ record: TraceRecord) {
    switch effect {
    case .notify(let link, _, let octets), .writeWithoutResponse(let link, _, let octets):
      given.append((record.device, link, octets))
    case .write(let link, _, let octets): sent(octets, on: link, record)
    default: break
    }
  }

  private func read(_ input: NetworkInput, _ record: TraceRecord) {
    switch input {
    case .ready, .incoming: note(.linkOpens, "has a stream", record)
    case .failed, .ended, .cancelled: note(.linkEnds, "loses a stream", record)
    case .submitted(_, true): note(.packetIsOut, "has handed octets to its network", record)
    case .received:
      note(.packetArrives, "receives octets of a stream", record)
      arrivals.append((record.instant, record.device, -1))
    default: break
    }
  }

  private func sent(_ octets: [UInt8], on link: LinkID, _ record: TraceRecord) {
    guard let place = framings[record.device]?(octets) else {
      return note(.packetIsOut, "has handed a value to its stack", record)
    }
    if place.index == 0 {
      partials.removeAll { $0.device == record.device && $0.link == link }
      note(.packetBegins, "begins to send a packet", record)
      let index = places.count - 1
      partials.append(
        Partial(
          device: record.device, link: link, octets: [], place: index,
          happening: places[index].happenings.count - 1))
    }
    guard let number = partials.firstIndex(where: { $0.device == record.device && $0.link == link }) else { return }
    partials[number].octets += place.part(of: octets).body
    guard place.index == place.count - 1 else { return }
    let partial = partials.remove(at: number)
    let label = label(of: partial.octets, record.device)
    places[partial.place].happenings[partial.happening].text = "begins to send \(label)"
    note(.packetIsOut, "has handed all of \(label) to its stack", record)
  }

  private func arrived(_ octets: [UInt8], on link: LinkID, _ record: TraceRecord) {
    if let place = framings[record.device]?(octets), place.index < place.count - 1 { return }
    let peer = peers.last { $0.device == record.device && $0.link == link }?.peer ?? -1
    arrivals.append((record.instant, record.device, peer))
    note(.packetArrives, "receives a packet", record)
  }

  private func label(of octets: [UInt8], _ device: Int) -> String { charts[device]?.label(octets) ?? "a packet" }

  private func read(_ report: AppReport, _ record: TraceRecord) {
    guard let chart = charts[record.device], chart.isState(report) else { return }
    let word = report.statement.shape.name
    let old = shown[record.device].firstIndex { $0.word == word }
    if let old {
      if shown[record.device][old].report == report { return }
      shown[record.device][old].report = report
    } else {
      shown[record.device].append((word, report))
    }
    if let text = chart.shown(report) {
      note(.phase, text, record)
    } else {
      note(.shows, "shows a new \(word)", record)
    }
  }

  private func note(_ kind: Place.Kind, _ text: String, _ record: TraceRecord) {
    let happening = Place.Happening(kind: kind, device: record.device, text: text)
    if places.last?.instant != record.instant {
      places.append(Place(instant: record.instant, happenings: [happening]))
    } else {
      places[places.count - 1].happenings.append(happening)
    }
  }
}
