import AppSeam
public import Bench
import BluetoothWire
public import Conformance
import Platform
import SimKernel
import VirtualRadio

/// Measures a run from its trace; the same run without it has the same digest.
///
/// Memory grows with devices and pairs, not with time: see `RunMeasures`.
public final class MeasureReader: TraceReader {
  /// What is known of one device.
  private struct Page {
    var app: Int?
    /// Which part of which packet a value of it is; nil: nobody knows.
    var place: (([UInt8]) -> PacketFraming.Place?)?
    /// Index of its lobby.
    var lobby: Int?
    var leads = false
    var scanBegun: SimInstant?
    var connectsBegun: [(to: BluetoothAddress, at: SimInstant)] = []
    /// The first order to scan or to connect of the present launch.
    var sought: SimInstant?
    var hasBeenSeated = false
    var isSeated = false
    /// When it lost its seat without having left; nil: it did not, or is back.
    var lost: SimInstant?
    /// What its leader showed then and it does not show yet keeps it from having caught up since.
    var lags: SimInstant?
  }

  private let list: MeasureList
  private var protocols: [AppProtocol] { list.protocols }
  private var run = MeasuredRun(header: TraceHeader(scenario: "", seed: 0, devices: [], options: []))
  private var pages: [Page] = []
  private var lobbies: [MeasuredLobby] = []
  private var found = RunMeasures([])
  private var lostLinks: Int64 = 0
  private var undelivered: Int64 = 0
  /// Where the run is: the record that is read, and its instant.
  private var place: (instant: SimInstant, record: Int?) = (.zero, nil)
  /// Nil until the run is over.
  public private(set) var measures: RunMeasures?

  /// - Parameter protocols: what may be spoken in the run.
  public convenience init(_ protocols: [AppProtocol]) { self.init(MeasureList(protocols)) }

  /// - Parameter list: of the protocols that may be spoken in the run.
  public init(_ list: MeasureList) { self.list = list }

  public func begin(_ header: TraceHeader) {
    run = MeasuredRun(header: header)
    found = RunMeasures(list.measures)
    measures = nil
    (lostLinks, undelivered) = (0, 0)
    lobbies = []
    pages = header.devices.enumerated().map { index, device in
      guard let app = protocols.firstIndex(where: { $0.name == device.app }) else { return Page() }
      var page = Page(app: app)
      page.place = protocols[app].framing?.place(DialectName(rawValue: device.dialect))
      page.leads = protocols[app].app.description(of: device.role)?.leads ?? false
      let place = lobbies.firstIndex { $0.app == app && $0.name == device.lobby }
      if place == nil {
        lobbies.append(MeasuredLobby(app: app, name: device.lobby, kinds: protocols[app].milestones.kinds.count))
      }
      page.lobby = place ?? lobbies.count - 1
      // Nobody sees when a device from outside takes part, and nothing is claimed of a hostile one.
      if device.engine != TraceHeader.foreignEngine, !device.isHostile {
        lobbies[place ?? lobbies.count - 1].add(index, leads: page.leads)
      }
      return page
    }
  }

  // MARK: Samples

  private func note(_ measure: RunMeasure.General, _ value: Int64, device: Int, peer: Int = -1) {
    note(of: measure.rawValue, value, device: device, peer: peer)
  }

  private func note(of measure: Int, _ value: Int64, device: Int, peer: Int = -1) {
    found.add(
      RunMeasures.Sample(
        value: value, device: Int16(truncatingIfNeeded: device), peer: Int16(truncatingIfNeeded: peer)),
      to: measure, at: place.instant, record: place.record)
  }

  private func note(
    _ measure: RunMeasure.General, since start: SimInstant, _ now: SimInstant, device: Int, peer: Int = -1
  ) {
    note(measure, (now - start).nanoseconds, device: device, peer: peer)
  }

  // MARK: Reading

  public func read(_ record: TraceRecord) {
    let (device, now) = (record.device, record.instant)
    place = (now, record.sequence)
    guard pages.indices.contains(device) else { return }
    switch record.event {
    case .input(let input):
      if case .valueReceived = input {} else { run.apply(record) }
      read(input, device, now)
    case .effect(let effect): read(effect, device, now)
    case .report(let report):
      guard let app = pages[device].app, let milestone = protocols[app].milestones.read(report) else { return }
      read(milestone, device, now)
    case .fault(let fault):
      run.apply(record)
      switch fault {
      case .kill, .radioOff: loseSeat(device, now)
      case .disconnect(let link): run.link(link, of: device)?.isEndedByOrder = true
      default: break
      }
      settleLinks(at: now)
    default: break
    }
  }

  private func read(_ effect: AppEffect, _ device: Int, _ now: SimInstant) {
    switch effect {
    case .scan:
      pages[device].scanBegun = now
      seek(device, now)
    case .stopScanning: pages[device].scanBegun = nil
    case .connect(let address):
      pages[device].connectsBegun.removeAll { $0.to == address }
      pages[device].connectsBegun.append((address, now))
      seek(device, now)
    case .disconnect(let link): run.link(link, of: device)?.isEndedByOrder = true
    case .notify(let link, _, let octets), .write(let link, _, let octets),
      .writeWithoutResponse(let link, _, let octets):
      guard let part = pages[device].place?(octets), part.index == 0 else { return }
      run.link(link, of: device)?.begin(part.packetID, at: now)
    default: break
    }
  }

  private func read(_ input: AppInput, _ device: Int, _ now: SimInstant) {
    switch input {
    case .launched:
      loseSeat(device, now)
      pages[device].sought = nil
      pages[device].hasBeenSeated = false
      pages[device].scanBegun = nil
      pages[device].connectsBegun = []
      settleLinks(at: now)
    case .radioPower(false):
      loseSeat(device, now)
      settleLinks(at: now)
    case .discovered(let advertisement): discover(advertisement.address, device, now)
    case .connected(_, let address):
      guard let index = pages[device].connectsBegun.firstIndex(where: { $0.to == address }) else { return }
      let begun = pages[device].connectsBegun.remove(at: index).at
      note(.link, since: begun, now, device: device, peer: place(of: address))
    case .connectFailed(let address, _): pages[device].connectsBegun.removeAll { $0.to == address }
    case .disconnected(let id, let reason):
      if let link = run.link(id, of: device), !link.isEndedByOrder, !reason.isOrdered {
        lostLinks += 1
        if !pages[device].leads { loseSeat(device, now) }
      } else {
        pages[device].isSeated = false
      }
      settleLinks(at: now)
    case .submitted(let id, _, let isTaken):
      guard let link = run.link(id, of: device) else { return }
      link.hasRefused = !isTaken
      if !isTaken, link.fullSince == nil { link.fullSince = now }
    case .readyToSend(let id):
      guard let link = run.link(id, of: device), let since = link.fullSince else { return }
      link.fullSince = nil
      note(.queueFull, since: since, now, device: device, peer: link.peer?.index ?? -1)
    case .valueReceived(let id, _, let octets): receive(octets, id, device, now)
    default: break
    }
  }

  private func place(of address: BluetoothAddress) -> Int {
    run.header.devices.firstIndex { $0.address == address } ?? -1
  }

  private func receive(_ octets: [UInt8], _ id: LinkID, _ device: Int, _ now: SimInstant) {
    guard let link = run.link(id, of: device) else { return }
    link.octetsReceived += octets.count
    // A value is read as its sender has made it.
    guard let sender = link.peer?.index, let part = pages[sender].place?(octets), part.index + 1 == part.count,
      let begun = (link.partner as? MeasuredLink)?.arrive(part.packetID)
    else { return }
    note(.delivery, since: begun, now, device: device, peer: link.peer?.index ?? -1)
  }

  private func discover(_ address: BluetoothAddress, _ device: Int, _ now: SimInstant) {
    guard let begun = pages[device].scanBegun, let lobby = pages[device].lobby, let leader = lobbies[lobby].leader,
      run.header.devices[leader].address == address
    else { return }
    pages[device].scanBegun = nil
    note(.discovery, since: begun, now, device: device, peer: leader)
  }

  /// Counts links that have ended.
  private func settleLinks(at now: SimInstant) {
    for link in run.takeEnded() { settle(link, end: link.closedAt ?? now) }
  }

  private func settle(_ link: MeasuredLink, end: SimInstant) {
    undelivered += link.isUp ? 0 : Int64(link.underWay.count)
    let span = (end - link.openedAt).nanoseconds
    guard link.octetsReceived > 0, span > 0 else { return }
    let rate = Int64(clamping: link.octetsReceived).multipliedFullWidth(by: 8_000_000_000)
    note(
      .goodput, span.dividingFullWidth(rate).quotient, device: link.owner.index, peer: link.peer?.index ?? -1)
  }

  // MARK: Taking part

  private func seek(_ device: Int, _ now: SimInstant) {
    guard !pages[device].leads, let lobby = pages[device].lobby else { return }
    if pages[device].sought == nil { pages[device].sought = now }
    lobbies[lobby].seek(at: now)
  }

  private func loseSeat(_ device: Int, _ now: SimInstant) {
    guard pages[device].isSeated else { return }
    pages[device].isSeated = false
    pages[device].lost = now
    pages[device].lags = now
  }

  private func read(_ milestone: AppMilestone, _ device: Int, _ now: SimInstant) {
    guard let place = pages[device].lobby, let app = pages[device].app else { return }
    switch milestone {
    case .seated: seat(device, place, now)
    case .shows(let kind, let thing): show(thing, kind, device, place, app, now)
    case .restored(let kind, let things): lobbies[place].restore(things, kind: kind, by: device)
    }
    guard let begun = pages[device].lags, pages[device].isSeated else { return }
    let histories = protocols[app].milestones.kinds.indices.filter { protocols[app].milestones.kinds[$0].isHistory }
    if histories.allSatisfy({ lobbies[place].isUpToDate(device, kind: $0) }) {
      pages[device].lags = nil
      note(.catchUp, since: begun, now, device: device)
    }
  }

  private func seat(_ device: Int, _ place: Int, _ now: SimInstant) {
    if pages[device].leads || pages[device].isSeated { return }
    pages[device].isSeated = true
    if let lost = pages[device].lost {
      note(.comeback, since: lost, now, device: device)
      pages[device].lost = nil
    }
    if let sought = pages[device].sought, !pages[device].hasBeenSeated {
      note(.seat, since: sought, now, device: device)
    }
    pages[device].hasBeenSeated = true
    let lobby = lobbies[place]
    if !lobby.wasWhole, let sought = lobby.sought, lobby.followers.allSatisfy({ pages[$0].isSeated }) {
      lobbies[place].wasWhole = true
      note(.lobby, since: sought, now, device: lobby.leader ?? device)
    }
  }

  private func show(_ thing: String, _ kind: Int, _ device: Int, _ place: Int, _ app: Int, _ now: SimInstant) {
    guard let shown = lobbies[place].show(thing, kind: kind, by: device, at: now) else { return }
    note(
      of: list.places(of: kind, app: app).lag, (now - shown).nanoseconds, device: device,
      peer: lobbies[place].leader ?? -1)
  }

  // MARK: The end

  public func end(_ outcome: RunOutcome) {
    place = (outcome.endInstant, nil)
    settleLinks(at: outcome.endInstant)
    for link in run.links { settle(link, end: outcome.endInstant) }
    for lobby in lobbies {
      for (kind, spreads) in lobby.spreads.enumerated() {
        let place = list.places(of: kind, app: lobby.app).spread
        for spread in spreads { note(of: place, spread, device: lobby.leader ?? -1) }
      }
    }
    radio(outcome)
    note(.lostLinks, lostLinks, device: -1)
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

extension HCI.ErrorCode {
  /// A user, an app or a stack that is shut down ended the link (Core v5.4, Vol 1, Part F, 2.19 to 2.22).
  fileprivate var isOrdered: Bool { (0x13...0x16).contains(rawValue) }
}
