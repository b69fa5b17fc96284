import BluetoothWire
public import CaptureFormats
public import SimKernel

/// Turns the records of captures into what they show, and tells observers.
///
/// Records are handed in one after the other, those of several captures in the order of their common clock. Memory
/// grows with the number of connections, adapters and attributes, not with the number of records.
public final class TrafficReader {
  /// Observers by what they want, so that nobody is called for nothing.
  private let output: TrafficOutput
  private let hci: HCIFollower
  private let air: AirFollower
  private var last = SimInstant.zero

  public init(observers: [any TrafficObserver]) {
    output = TrafficOutput(observers)
    hci = HCIFollower(output)
    air = AirFollower(output)
  }

  /// All connections so far, in the order of their appearance.
  public var links: [TrafficLink] { output.links }
  public var adapters: [TrafficAdapter] { hci.adapters }

  /// - Parameter instant: of the record on the clock that all captures share, since the first packet of all.
  public func read(_ record: CaptureRecord, file: Int, at instant: SimInstant) {
    output.place = PacketPlace(file: file, number: record.number)
    output.instant = instant
    last = max(last, instant)
    switch record.body {
    case .hci(let adapter, let indicator, let isToHost):
      hci.read(record.octets, adapter: adapter, indicator: indicator, isToHost: isToHost)
    case .air(let header): air.read(record.octets, header)
    case .monitor(let adapter, let opcode): hci.note(record.octets, adapter: adapter, opcode: opcode, record.body)
    case .text, .opaque: output.emit(.asides) { .aside(record.body, record.octets) }
    }
  }

  /// Every capture has been read.
  public func finish() {
    air.finish()
    for link in output.links where link.isUp { output.close(link, reason: nil) }
    output.finish(at: last)
  }
}

/// Where followers put what they find.
final class TrafficOutput {
  private let observers: [(interests: TrafficEvent.Interests, observer: any TrafficObserver)]
  private let wanted: TrafficEvent.Interests
  private(set) var links: [TrafficLink] = []
  var place = PacketPlace(file: 0, number: 0)
  var instant = SimInstant.zero

  init(_ observers: [any TrafficObserver]) {
    self.observers = observers.map { ($0.interests, $0) }
    wanted = observers.reduce(into: []) { $0.formUnion($1.interests) }
  }

  func wants(_ interest: TrafficEvent.Interests) -> Bool { wanted.contains(interest) }

  /// Tells those who asked for it. What is told is made only when somebody did.
  func emit(_ interest: TrafficEvent.Interests, _ kind: () -> TrafficEvent.Kind) {
    guard wanted.contains(interest) else { return }
    let event = TrafficEvent(place: place, instant: instant, kind: kind())
    for entry in observers where entry.interests.contains(interest) { entry.observer.observe(event) }
  }

  func open(_ make: (_ index: Int) -> TrafficLink) -> TrafficLink {
    let link = make(links.count)
    links.append(link)
    emit(.links) { .linkOpened(link) }
    return link
  }

  func close(_ link: TrafficLink, reason: HCI.ErrorCode?) {
    guard link.isUp else { return }
    link.closedAt = instant
    emit(.links) { .linkClosed(link, reason: reason) }
  }

  func changed(_ link: TrafficLink, _ change: TrafficLink.Change) { emit(.links) { .linkChanged(link, change) } }

  func gap(_ link: TrafficLink, fromCentral: Bool?, _ gap: TrafficGap) {
    emit(.gaps) { .gap(link, fromCentral: fromCentral, gap) }
  }

  func finish(at end: SimInstant) {
    for entry in observers { entry.observer.finish(at: end) }
  }
}
