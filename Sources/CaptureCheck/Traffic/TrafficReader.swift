import BluetoothWire
public import CaptureFormats
public import SimKernel

/// Turns the records of captures into what they show, and tells observers.
///
/// Records are handed in one after the other, those of several captures in the order of their common clock. Memory
/// grows with the number of connections, adapters, attributes, streams and services, up to `TrafficLimits`, not with
/// that of records.
public final class TrafficReader {
  private let output: TrafficOutput
  private let hci: HCIFollower
  private let air: AirFollower
  private let network: NetworkFollower
  @exclusivity(unchecked) private var last = SimInstant.zero
  /// By capture: the one that stands for all that were taken where it was.
  private let viewpoints: [Int]
  /// By viewpoint.
  @exclusivity(unchecked) private var lasts: [SimInstant] = []

  public convenience init(observers: [any TrafficObserver]) { self.init(observers: observers, identities: nil) }

  convenience init(observers: [any TrafficObserver], identities: IdentityBook?) {
    self.init(observers: observers, identities: identities, viewpoints: [])
  }

  /// - Parameters:
  ///   - identities: who resolvable private addresses belong to, as it becomes known.
  ///   - viewpoints: as `ClockOffset.viewpoints` says; each capture is its own where there is none.
  init(observers: [any TrafficObserver], identities: IdentityBook?, viewpoints: [Int]) {
    self.viewpoints = viewpoints
    output = TrafficOutput(observers)
    hci = HCIFollower(output)
    air = AirFollower(output, identities ?? IdentityBook([]))
    network = NetworkFollower(output)
  }

  /// The first `TrafficLimits.links` connections, in the order of their appearance.
  public var links: [TrafficLink] { output.links }
  /// All connections, also those that `links` has no room for.
  public var linkCount: Int { output.linkCount }
  public var adapters: [TrafficAdapter] { hci.adapters }
  /// Captures of the air that have nothing but PDUs whose CRC is wrong, and how many.
  var damaged: [(file: Int, pdus: Int)] {
    air.heard.enumerated().filter { $1.pdus > 0 && $1.pdus == $1.damaged }.map { ($0, $1.pdus) }
  }

  /// - Parameter instant: of the record on the clock that all captures share, since the first packet of all.
  public func read(_ record: CaptureRecord, file: Int, at instant: SimInstant) {
    let viewpoint = viewpoints.indices.contains(file) ? viewpoints[file] : file
    output.viewpoint = viewpoint
    output.see(PacketPlace(file: file, number: record.number), at: instant)
    last = max(last, instant)
    if viewpoint < lasts.count {
      lasts[viewpoint] = max(lasts[viewpoint], instant)
    } else {
      lasts += repeatElement(instant, count: viewpoint + 1 - lasts.count)
    }
    switch record.body {
    case .hci(let adapter, let indicator, let isToHost):
      hci.read(record.octets, adapter: adapter, indicator: indicator, isToHost: isToHost)
    case .air(let header): air.read(record.octets, header)
    case .monitor(let adapter, let opcode):
      hci.follow(monitor: record.octets, adapter: adapter, opcode: opcode, record.body)
    case .opaque(.snapped):
      output.emit(.asides) { .aside(record.body, record.octets) }
      readSnapped(record)
    case .network(let header): network.read(record, header)
    case .text, .opaque: output.emit(.asides) { .aside(record.body, record.octets) }
    }
  }

  /// A record that the capturer cut, as far as its first octets tell what it was.
  private func readSnapped(_ record: CaptureRecord) {
    guard let beginning = record.beginning else {
      hci.readSnapped()
      return air.readSnapped(nil)
    }
    switch beginning.body {
    case .hci(let adapter, let indicator, let isToHost):
      hci.readSnapped(beginning.octets, adapter: adapter, indicator: indicator, isToHost: isToHost)
    case .air(let header): air.readSnapped(header)
    default: break
    }
  }

  /// Records whose findings do not count: they were not in their order. As `PacketPlace.record`.
  var doubtfulRecords: Set<Int> { output.doubtful }

  /// PDUs on the air that were told apart and not followed, by file.
  var unjudged: [(file: Int, stream: AirStream, first: Int, records: Int)] { air.streams.unjudged }

  /// Every capture has been read.
  public func finish() {
    air.finish(captureEnds: lasts)
    network.finish()
    output.closeAll(captureEnds: lasts)
    output.finish(at: last)
  }
}
