package import BluetoothWire
package import SimKernel

/// What a package protocol knows of its own traffic before it has seen all of it.
package struct EndTaste {
  package enum Belonging {
    case ours, foreign
    /// Nothing in the capture says what the handle is, and the octets do not either.
    case unknown
  }

  /// Whether a value is one of the protocol's.
  var belongs: (_ link: TrafficLink, _ server: AttributeMap, _ value: TrafficValue) -> Belonging
  /// Whether AD structures are those of a device that offers the protocol.
  var offers: (_ data: ArraySlice<UInt8>) -> Bool

  package init(
    belongs: @escaping (_ link: TrafficLink, _ server: AttributeMap, _ value: TrafficValue) -> Belonging,
    offers: @escaping (_ data: ArraySlice<UInt8>) -> Bool
  ) {
    self.belongs = belongs
    self.offers = offers
  }
}

/// One thing that a capture shows and that a protocol may need.
package struct EndEntry {
  package enum Kind {
    case opened
    /// `isByServer`: who ended it; nil when nobody did or nothing says so.
    case closed(reason: HCI.ErrorCode?, isByServer: Bool?)
    /// An end asks for the end of the link: its host, or its controller on the air.
    case ending(byCentral: Bool)
    case attMTU(Int)
    case value(TrafficValue, isByLocal: Bool)
    /// A frame that comes in more than one piece: its first piece, and its last.
    case frame(byCentral: Bool, isOpen: Bool)
    /// As many values of the sender as `upTo` have reached the other end's controller; `isAtOnce`: nothing that was
    /// heard of the receiver contradicts that it had the newest one when that was first on the air.
    case delivered(fromServer: Bool, upTo: Int, isAtOnce: Bool)
    /// The client's oldest write is answered; nil is success, else the ATT error code.
    case answered(error: UInt8?)
    case gap(fromServer: Bool?, TrafficGap)
    /// A device offers the protocol.
    case offered(address: BluetoothAddress?, adapter: TrafficAdapter?, ArraySlice<UInt8>)
    /// A host scans or tries to connect, or no longer does.
    case looking(TrafficAdapter, Bool)
  }

  var instant: SimInstant
  var place: PacketPlace
  /// Index of the link, −1 for what is about none.
  var link: Int
  package var kind: Kind
}

/// Keeps what captures show of a protocol's links until all has been read: only then is it known who is who.
///
/// Memory grows with the protocol's own traffic, up to `octetLimit`; of other links a few values are kept until it is
/// clear that they are others.
package final class EndRecorder {
  /// Octets of values that are kept; what comes later is not judged.
  package static let octetLimit = 1 << 28
  /// Values of a link that are kept while nothing says whose they are.
  static let unknownLimit = 64
  /// An advertiser is noted again this long after it was last noted.
  package static let offerSpacing = SimDuration.seconds(1)

  /// Data for a handle comes at most this long after the end of its link.
  static let strayMargin = SimDuration.seconds(1)

  package static let interests: TrafficEvent.Interests = [
    .links, .att, .gaps, .fragments, .events, .commands, .advertisements,
  ]

  private let taste: EndTaste
  package private(set) var entries: [EndEntry] = []
  /// By link index; nil for links nobody asked about yet.
  private(set) var tracks: [LinkTrack] = []
  /// The last thing seen of each capture.
  private(set) var ends: [SimInstant] = []
  private var newest = SimInstant.zero
  package private(set) var isFull = false
  private var octets = 0
  private var activities: [AdapterActivity] = []
  private var offers: [(address: BluetoothAddress, at: SimInstant)] = []

  package init(taste: EndTaste) { self.taste = taste }

  package func observe(_ event: TrafficEvent) {
    guard begin(event.moment) else { return }
    let moment = event.moment
    switch event.kind {
    case .linkOpened(let link):
      let track = track(link)
      track.isStray = isStray(link, event.instant)
      note(moment, track, .opened)
    case .linkClosed(let link, let reason): close(track(link), reason, moment)
    case .linkChanged(let link, .attMTU): if let attMTU = link.attMTU { note(moment, track(link), .attMTU(attMTU)) }
    case .gap(let link, let fromCentral, let gap): read(gap, track(link), fromCentral: fromCentral, moment)
    case .command(let adapter, let opcode, let parameters):
      if opcode.rawValue == 0x0406 { endsByHost(parameters, adapter, moment) }
      follow(adapter, moment) { $0.command(opcode.rawValue, parameters) }
    case .advertisement(let advertisement): read(advertisement, moment)
    case .linkChanged, .frame, .air, .aside, .foreign: break
    }
  }

  package func observe(event: TrafficHCIEvent) {
    guard begin(event.moment) else { return }
    if event.code == 0x13 { complete(event.parameters, event.adapter, event.moment) }
    follow(event.adapter, event.moment) { $0.event(event.code, event.parameters) }
  }

  package func observe(att pdu: TrafficPDU) {
    guard begin(pdu.moment) else { return }
    read(pdu.octets, track(pdu.link), fromCentral: pdu.fromCentral, pdu.moment)
  }

  package func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard begin(pdu.moment) else { return }
    let track = track(pdu.link)
    let wasEnding = track.terminatedByCentral != nil
    if let news = track.followSilence(header, fromCentral: pdu.fromCentral) { note(pdu.moment, track, news) }
    if let news = track.followFrame(header, pdu.octets, fromCentral: pdu.fromCentral) { note(pdu.moment, track, news) }
    if let news = track.read(header, pdu.octets, fromCentral: pdu.fromCentral, at: pdu.instant) {
      note(pdu.moment, track, news)
    }
    if !wasEnding, let byCentral = track.terminatedByCentral { note(pdu.moment, track, .ending(byCentral: byCentral)) }
  }

  /// Whether there is room for more.
  private func begin(_ moment: TrafficMoment) -> Bool {
    if isFull { return false }
    newest = moment.instant
    reach(moment.viewpoint)
    return true
  }

  /// A capture shows something at this time. That its links end because it has ended shows nothing: others may go on.
  private func reach(_ viewpoint: Int) {
    while ends.count <= viewpoint { ends.append(.zero) }
    ends[viewpoint] = max(ends[viewpoint], newest)
  }

  private func track(_ link: TrafficLink) -> LinkTrack {
    while tracks.count <= link.index { tracks.append(LinkTrack(link)) }
    if tracks[link.index].link !== link { tracks[link.index] = LinkTrack(link) }
    return tracks[link.index]
  }

  private func note(_ moment: TrafficMoment, _ track: LinkTrack?, _ kind: EndEntry.Kind) {
    entries.append(
      EndEntry(instant: moment.instant, place: moment.place, link: track?.link.index ?? -1, kind: kind))
  }

  // MARK: Links

  /// What a host still hands over for a handle whose link has just ended is no new connection.
  private func isStray(_ link: TrafficLink, _ instant: SimInstant) -> Bool {
    guard !link.isFromStart, let adapter = link.adapter else { return false }
    return tracks.contains { other in
      guard other.link !== link, other.link.adapter === adapter, other.link.handle == link.handle else { return false }
      return other.closedAt.map { instant - $0 <= Self.strayMargin } ?? false
    }
  }

  private func close(_ track: LinkTrack, _ reason: HCI.ErrorCode?, _ moment: TrafficMoment) {
    let isByServer = track.isEndedByServer(reason)
    let lost = reason == nil && isByServer == nil ? track.lostAt(moment.instant) : moment.instant
    track.closedAt = lost
    let entry = EndEntry(
      instant: lost, place: moment.place, link: track.link.index, kind: .closed(reason: reason, isByServer: isByServer))
    // Mostly the last place; the end of a silent link, and one that nobody acknowledged, is noticed late.
    let isNewest = lost == moment.instant && (entries.last.map { $0.instant <= lost } ?? true)
    let place = isNewest ? entries.count : (entries.lastIndex { $0.instant <= lost } ?? -1) + 1
    entries.insert(entry, at: place)
  }

  private func read(_ pdu: ArraySlice<UInt8>, _ track: LinkTrack, fromCentral: Bool, _ moment: TrafficMoment) {
    if let values = TrafficValue.values(in: pdu) {
      for value in values { read(value, track, fromCentral: fromCentral, moment) }
    } else if let opcode = pdu.first, track.isWriteOpen {
      let start = pdu.startIndex
      if opcode == 0x13 {
        track.isWriteOpen = false
        note(moment, track, .answered(error: nil))
      } else if opcode == 0x01, pdu.count == 5, pdu[start + 1] == 0x12 {
        track.isWriteOpen = false
        note(moment, track, .answered(error: pdu[start + 4]))
      }
    }
  }

  private func read(_ value: TrafficValue, _ track: LinkTrack, fromCentral: Bool, _ moment: TrafficMoment) {
    if track.isStray { return }
    if value.carrier == .writeRequest { track.isWriteOpen = false }
    let isServerCentral = value.isFromServer == fromCentral
    switch taste.belongs(track.link, track.link.attributes(ofCentral: isServerCentral), value) {
    case .foreign: return
    case .ours: track.isOurs = true
    case .unknown:
      track.unknown += 1
      if track.isOurs || track.unknown > Self.unknownLimit { return }
    }
    track.isServerCentral = isServerCentral
    if value.carrier == .writeRequest { track.isWriteOpen = true }
    var kept = value
    // A piece of what was read must not keep all of it.
    kept.octets = ArraySlice(Array(value.octets))
    octets += kept.octets.count + 64
    if octets > Self.octetLimit { isFull = true }
    track.sends(fromServer: value.isFromServer)
    note(moment, track, .value(kept, isByLocal: track.isByLocal(fromCentral: fromCentral)))
  }

  /// In an event that was not heard perhaps nothing was said: a central that is busy elsewhere skips some.
  private func read(_ gap: TrafficGap, _ track: LinkTrack, fromCentral: Bool?, _ moment: TrafficMoment) {
    if gap == .unheardEvent { return }
    track.gaps += 1
    // One is enough until something is seen again.
    guard track.gapsNoted < 1_000 else { return }
    track.gapsNoted += 1
    note(moment, track, .gap(fromServer: fromCentral.map { $0 == track.isServerCentral }, gap))
  }

  /// Number Of Completed Packets. Spec: Core v5.4, Vol 4, Part E, 7.7.19.
  private func complete(_ parameters: ArraySlice<UInt8>, _ adapter: TrafficAdapter, _ moment: TrafficMoment) {
    guard let count = parameters.first, parameters.count >= 1 + 4 * Int(count) else { return }
    var place = parameters.startIndex + 1
    for _ in 0..<Int(count) {
      let handle = UInt16(parameters[place]) | UInt16(parameters[place + 1]) << 8
      let completed = Int(parameters[place + 2]) | Int(parameters[place + 3]) << 8
      place += 4
      guard let track = live(handle & 0x0FFF, adapter) else { continue }
      if let news = track.completed(completed) { note(moment, track, news) }
    }
  }

  /// The host asked for the end of a link. Spec: Core v5.4, Vol 4, Part E, 7.1.6.
  private func endsByHost(_ parameters: ArraySlice<UInt8>, _ adapter: TrafficAdapter, _ moment: TrafficMoment) {
    guard parameters.count >= 2 else { return }
    let start = parameters.startIndex
    let handle = UInt16(parameters[start]) | UInt16(parameters[start + 1]) << 8
    guard let track = live(handle & 0x0FFF, adapter) else { return }
    track.isEndedByLocal = true
    note(moment, track, .ending(byCentral: track.isByLocal(fromCentral: true)))
  }

  private func live(_ handle: UInt16, _ adapter: TrafficAdapter) -> LinkTrack? {
    tracks.last { $0.link.adapter === adapter && $0.link.handle == handle && $0.closedAt == nil }
  }

  // MARK: Adapters and advertisers

  private func follow(
    _ adapter: TrafficAdapter, _ moment: TrafficMoment, _ step: (inout AdapterActivity) -> AdapterActivity.News?
  ) {
    var place = activities.firstIndex { $0.adapter === adapter }
    if place == nil {
      activities.append(AdapterActivity(adapter: adapter))
      place = activities.count - 1
    }
    guard let place, let news = step(&activities[place]) else { return }
    switch news {
    case .looking(let isLooking): note(moment, nil, .looking(adapter, isLooking))
    case .advertising(let data):
      if taste.offers(data[...]) { note(moment, nil, .offered(address: nil, adapter: adapter, data[...])) }
    }
  }

  private func read(_ advertisement: TrafficAdvertisement, _ moment: TrafficMoment) {
    guard taste.offers(advertisement.data) else { return }
    if let index = offers.firstIndex(where: { $0.address == advertisement.address }) {
      if moment.instant - offers[index].at < Self.offerSpacing { return }
      offers[index].at = moment.instant
    } else {
      if offers.count == 256 { offers.removeFirst() }
      offers.append((advertisement.address, moment.instant))
    }
    let data = ArraySlice(Array(advertisement.data))
    note(moment, nil, .offered(address: advertisement.address, adapter: nil, data))
  }
}
