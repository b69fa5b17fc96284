import AppSeam
package import Bench
import BluetoothWire
package import Conformance
import Platform
import SimKernel
import VirtualRadio

/// Measures a run from its trace; the same run without it has the same digest.
///
/// Memory grows with devices and pairs, not with time: see `RunMeasures`. Split by concern: links, streams, who takes
/// part.
package final class MeasureReader: TraceReader {
  /// What is known of one device.
  struct Page {
    var app: Int?
    /// Takes the figures of its app, and says who takes part; nil: its reports say all.
    var meter: (any AppMeter)?
    /// Which part of which packet a value of it is; nil: nobody knows.
    var place: (([UInt8]) -> PacketFraming.Place?)?
    /// Index of its lobby.
    var lobby: Int?
    var leads = false
    var scanBegun: SimInstant?
    var connectsBegun: [(to: BluetoothAddress, at: SimInstant)] = []
    /// Its orders to browse that have found nothing of its leader yet, by the type of service.
    var browsesBegun: [(type: String, at: SimInstant)] = []
    /// What it offers on the network, as the network calls it.
    var services: [(type: String, name: String)] = []
    /// The first order to look for its lobby of the present launch.
    var sought: SimInstant?
    var hasBeenSeated = false
    var isSeated = false
    /// When it lost its seat without having left; nil: it did not, or is back.
    var lost: SimInstant?
    /// What its leader showed then and it does not show yet keeps it from having caught up since.
    var lags: SimInstant?
  }

  let list: MeasureList
  var protocols: [AppProtocol] { list.protocols }
  var run = MeasuredRun(header: TraceHeader(scenario: "", seed: 0, devices: [], options: []))
  var pages: [Page] = []
  var lobbies: [MeasuredLobby] = []
  var streams = MeasuredStreams()
  var lostLinks: Int64 = 0
  var undelivered: Int64 = 0
  private var found = RunMeasures([])
  /// Where the run is: the record that is read, and its instant.
  private var place: (instant: SimInstant, record: Int?) = (.zero, nil)
  /// Nil until the run is over.
  package private(set) var measures: RunMeasures?

  /// - Parameter protocols: what may be spoken in the run.
  package convenience init(_ protocols: [AppProtocol]) { self.init(MeasureList(protocols)) }

  /// - Parameter list: of the protocols that may be spoken in the run.
  package init(_ list: MeasureList) { self.list = list }

  package func begin(_ header: TraceHeader) {
    run = MeasuredRun(header: header)
    streams = MeasuredStreams(header.devices.map(\.name))
    found = RunMeasures(list.measures)
    measures = nil
    (lostLinks, undelivered) = (0, 0)
    lobbies = []
    pages = header.devices.enumerated().map { index, device in
      guard let app = protocols.firstIndex(where: { $0.name == device.app }) else { return Page() }
      var page = Page(app: app)
      page.place = protocols[app].framing?.place(DialectName(rawValue: device.dialect))
      page.leads = protocols[app].app.description(of: device.role)?.leads ?? false
      page.meter = protocols[app].milestones.makeMeter?(page.leads)
      let place = lobbies.firstIndex { $0.app == app && $0.name == device.lobby }
      if place == nil {
        lobbies.append(MeasuredLobby(app: app, name: device.lobby, kinds: protocols[app].milestones.kinds.count))
      }
      page.lobby = place ?? lobbies.count - 1
      // Nobody sees when a device from outside, or a mute one, takes part, and nothing is claimed of a hostile one.
      if device.engine != TraceHeader.foreignEngine, !device.isHostile, !device.isMute {
        lobbies[place ?? lobbies.count - 1].add(index, leads: page.leads)
      }
      return page
    }
  }

  // MARK: Samples

  func note(_ measure: RunMeasure.General, _ value: Int64, device: Int, peer: Int = -1) {
    note(of: measure.rawValue, value, device: device, peer: peer)
  }

  func note(of measure: Int, _ value: Int64, device: Int, peer: Int = -1) {
    found.add(
      RunMeasures.Sample(
        value: value, device: Int16(truncatingIfNeeded: device), peer: Int16(truncatingIfNeeded: peer)),
      to: measure, at: place.instant, record: place.record)
  }

  func note(
    _ measure: RunMeasure.General, since start: SimInstant, _ now: SimInstant, device: Int, peer: Int = -1
  ) {
    note(measure, (now - start).nanoseconds, device: device, peer: peer)
  }

  // MARK: Reading

  package func read(_ said: TraceRecord) {
    let record = said.plain
    let (device, now) = (record.device, record.instant)
    place = (now, record.sequence)
    guard pages.indices.contains(device) else { return }
    switch record.event {
    case .input(.network(let input)): read(input, device, now)
    case .effect(.network(let effect)): read(effect, device, now)
    case .input(let input):
      if case .valueReceived = input {} else { run.apply(record) }
      read(input, device, now)
    case .effect(let effect): read(effect, device, now)
    case .report(let report):
      guard let app = pages[device].app, let milestone = protocols[app].milestones.read(report) else { break }
      read(milestone, device, now)
    case .fault(let fault):
      run.apply(record)
      read(fault, device, now)
    default: return
    }
    guard let meter = pages[device].meter, let app = pages[device].app,
      let milestone = meter.read(
        record.event, at: now, note: { note(of: list.place(of: $0, app: app), $1, device: device) })
    else { return }
    read(milestone, device, now)
  }

  private func read(_ fault: FaultEvent, _ device: Int, _ now: SimInstant) {
    switch fault {
    case .kill:
      loseSeat(device, now)
      streams.endAll(of: device)
    case .reclaim: streams.endAll(of: device)
    case .radioOff: loseLinks(device, now)
    case .disconnect(let link): run.link(link, of: device)?.isEndedByOrder = true
    default: break
    }
    settleLinks(at: now)
  }

  /// All links of a device are gone, and with them its seat where links are what it takes part by.
  func loseLinks(_ device: Int, _ now: SimInstant) { if pages[device].meter == nil { loseSeat(device, now) } }

  // MARK: The end

  package func end(_ outcome: RunOutcome) {
    place = (outcome.endInstant, nil)
    settleLinks(at: outcome.endInstant)
    for link in run.links { settle(link, end: outcome.endInstant) }
    for lobby in lobbies {
      for (kind, spreads) in lobby.spreads.enumerated() {
        let place = list.places(of: kind, app: lobby.app).spread
        for spread in spreads { note(of: place, spread, device: lobby.leader ?? -1) }
      }
    }
    for (device, page) in pages.enumerated() {
      guard let meter = page.meter, let app = page.app else { continue }
      meter.end { note(of: list.place(of: $0, app: app), $1, device: device) }
    }
    radio(outcome)
    note(.lostLinks, lostLinks, device: -1)
    if streams.haveBeen { note(.lostStreams, streams.lost, device: -1) }
    note(.undelivered, undelivered, device: -1)
    measures = found
  }

  private func radio(_ outcome: RunOutcome) {
    let span = outcome.endInstant - SimInstant.zero
    if span > .zero {
      for (index, device) in outcome.devices.enumerated() {
        guard let times = device.radio?.times else { continue }
        note(.radioOn, Self.share(times.transmit + times.receive + times.scan, of: span), device: index)
        note(.airtime, Self.share(times.transmit, of: span), device: index)
      }
    }
    let counts = outcome.statistics
    if counts.connectionEvents > 0 {
      note(.missedEvents, Int64(counts.missedConnectionEvents) * 1_000_000 / Int64(counts.connectionEvents), device: -1)
    }
    if counts.pdusSent > 0 {
      note(.pduLoss, Int64(counts.pdusLost) * 1_000_000 / Int64(counts.pdusSent), device: -1)
    }
  }

  private static func share(_ part: SimDuration, of whole: SimDuration) -> Int64 {
    whole.nanoseconds.dividingFullWidth(part.nanoseconds.multipliedFullWidth(by: 1_000_000)).quotient
  }
}
