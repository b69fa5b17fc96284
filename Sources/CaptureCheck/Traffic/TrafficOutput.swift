import BluetoothWire
import SimKernel

/// Where followers put what they find; keeps the links and what is known of servers.
final class TrafficOutput {
  /// Observers by the bit of the interest, so that nobody is called for nothing.
  private let observers = Roster<ObserverChain>()
  private let ofATT: ObserverChain
  private let ofFragments: ObserverChain
  private let ofEvents: ObserverChain
  private let all: [any TrafficObserver]
  private let wanted: TrafficEvent.Interests
  @exclusivity(unchecked) private(set) var links: [TrafficLink] = []
  @exclusivity(unchecked) private(set) var linkCount = 0
  /// Links that are up, and some that no longer are, in the order of their opening.
  @exclusivity(unchecked) private var live: [TrafficLink] = []
  @exclusivity(unchecked) private var liveCount = 0
  /// Numbers of closed links, to be used again.
  @exclusivity(unchecked) private var freeSlots: [Int] = []
  @exclusivity(unchecked) private var slotCount = 0
  let servers = ServerKnowledge()
  /// The place of the record that is being read.
  @exclusivity(unchecked) var moment = TrafficMoment(place: PacketPlace(file: 0, number: 0), instant: .zero)

  /// By the capture that stands for all of its place.
  @exclusivity(unchecked) private var clocks: [WitnessedTime] = []
  /// Records that were not in their order, at most `TrafficLimits.doubtfulRecords`.
  @exclusivity(unchecked) private(set) var doubtful: Set<Int> = []
  /// The capture that stands for all that were taken where the record's was: links, adapters and advertisers are its.
  @exclusivity(unchecked) var viewpoint = 0

  var place: PacketPlace { moment.place }
  var instant: SimInstant { moment.instant }

  init(_ observers: [any TrafficObserver]) {
    all = observers
    ofATT = ObserverChain(observers.filter { $0.interests.contains(.att) })
    ofFragments = ObserverChain(observers.filter { $0.interests.contains(.fragments) })
    ofEvents = ObserverChain(observers.filter { $0.interests.contains(.events) })
    for bit in 0..<TrafficEvent.Interests.RawValue.bitWidth {
      self.observers.append(ObserverChain(observers.filter { $0.interests.rawValue >> UInt16(bit) & 1 == 1 }))
    }
    wanted = observers.reduce(into: []) { $0.formUnion($1.interests) }
  }

  @inline(__always)
  func wants(_ interest: TrafficEvent.Interests) -> Bool { !wanted.isDisjoint(with: interest) }

  /// Tells those who asked for it. What is told is made only when somebody did.
  @inline(__always)
  func emit(_ interest: TrafficEvent.Interests, _ kind: () -> TrafficEvent.Kind) {
    guard wants(interest) else { return }
    let event = TrafficEvent(moment: moment, kind: kind())
    observers.with(interest.rawValue.trailingZeroBitCount) { $0.tell(event) }
  }

  @inline(__always)
  func emit(att octets: ArraySlice<UInt8>, _ link: TrafficLink, fromCentral: Bool) {
    ofATT.tell(att: TrafficPDU(moment: moment, link: link, fromCentral: fromCentral, octets: octets))
  }

  @inline(__always)
  func emit(event code: UInt8, _ parameters: ArraySlice<UInt8>, _ adapter: TrafficAdapter) {
    ofEvents.tell(event: TrafficHCIEvent(moment: moment, adapter: adapter, code: code, parameters: parameters))
  }

  @inline(__always)
  func emit(fragment octets: ArraySlice<UInt8>, _ header: LinkFragment, _ link: TrafficLink, fromCentral: Bool) {
    ofFragments.tell(
      fragment: TrafficPDU(moment: moment, link: link, fromCentral: fromCentral, octets: octets), header)
  }

  /// Tells who asked for it what a capture of a network shows.
  func emit(network kind: TrafficNetworkEvent.Kind) { emit(kind, .network) }
  func emit(packet: NetworkPacket) { emit(.packet(packet), .packets) }

  private func emit(_ kind: TrafficNetworkEvent.Kind, _ interest: TrafficEvent.Interests) {
    guard wants(interest) else { return }
    let event = TrafficNetworkEvent(moment: moment, kind: kind)
    observers.with(interest.rawValue.trailingZeroBitCount) { $0.tell(network: event) }
  }

  /// Goes on to the next record.
  @inline(__always)
  func see(_ place: PacketPlace, at instant: SimInstant) {
    if viewpoint >= clocks.count {
      clocks += repeatElement(WitnessedTime(), count: viewpoint + 1 - clocks.count)
    }
    clocks[viewpoint].see(instant)
    moment = TrafficMoment(place: place, instant: instant, witnessed: clocks[viewpoint].passed, viewpoint: viewpoint)
  }

  func doubt(_ records: [Int]) {
    for record in records where doubtful.count < TrafficLimits.doubtfulRecords { doubtful.insert(record) }
  }

  func open(_ make: (_ index: Int) -> TrafficLink) -> TrafficLink {
    if liveCount >= TrafficLimits.liveLinks, let oldest = live.first(where: \.isUp) { close(oldest, reason: nil) }
    if live.count >= 2 * TrafficLimits.liveLinks { live.removeAll { !$0.isUp } }
    let link = make(linkCount)
    link.slot = freeSlots.popLast() ?? nextSlot()
    linkCount += 1
    liveCount += 1
    live.append(link)
    if links.count < TrafficLimits.links { links.append(link) }
    servers.use(link.attributesOfPeripheral)
    servers.use(link.attributesOfCentral)
    emit(.links) { .linkOpened(link) }
    return link
  }

  private func nextSlot() -> Int {
    slotCount += 1
    return slotCount
  }

  func close(_ link: TrafficLink, reason: HCI.ErrorCode?) {
    guard link.isUp else { return }
    link.closedAt = instant
    liveCount -= 1
    assert(liveCount >= 0, "a link that closes was opened")
    // Other captures may have gone on.
    if link.file < clocks.count { moment.witnessed = clocks[link.file].passed }
    emit(.links) { .linkClosed(link, reason: reason) }
    freeSlots.append(link.slot)
    link.shrink()
    servers.release(link.attributesOfPeripheral)
    servers.release(link.attributesOfCentral)
  }

  /// Every link that is still up ends with its capture.
  func closeAll(captureEnds: [SimInstant]) {
    for link in live {
      if captureEnds.indices.contains(link.file) { link.captureEnd = captureEnds[link.file] }
      close(link, reason: nil)
    }
    live = []
  }

  func changed(_ link: TrafficLink, _ change: TrafficLink.Change) { emit(.links) { .linkChanged(link, change) } }

  func gap(_ link: TrafficLink, fromCentral: Bool?, _ gap: TrafficGap) {
    // What is there twice, or out of order, is there.
    if gap != .disorder { link.hasGaps = true }
    emit(.gaps) { .gap(link, fromCentral: fromCentral, gap) }
  }

  func finish(at end: SimInstant) {
    for observer in all { observer.finish(at: end) }
  }
}
