import BluetoothWire
import SimKernel

/// Counts what each link carried, for the tables and pictures of a report. Memory grows with the number of links.
final class TrafficSummary: TrafficObserver {
  /// Columns of the timeline at most; when time outgrows them, two become one.
  static let columns = 240

  private struct Entry {
    let link: TrafficLink
    var wasEncrypted: Bool
    var gaps: [(kind: TrafficGap, first: PacketPlace, count: Int)] = []
    var density: [Int] = []
    /// ATT PDUs from `begin` on and before `end`, one column, that are not in `density` yet.
    var newest = 0
    var begin = SimInstant.zero
    var end = SimInstant.zero
    var column = 0

    mutating func close() {
      let missing = column + 1 - density.count
      if missing > 0 { density.append(contentsOf: repeatElement(0, count: missing)) }
      density[column] += newest
      newest = 0
      end = begin
    }
  }

  @exclusivity(unchecked) private var entries: [Entry] = []
  @exclusivity(unchecked) private(set) var step = SimDuration.milliseconds(1)
  @exclusivity(unchecked) private(set) var end = SimInstant.zero

  let interests: TrafficEvent.Interests = [.links, .att, .gaps]

  func observe(att pdu: TrafficPDU) {
    let index = pdu.link.index
    if pdu.instant < entries[index].begin || pdu.instant >= entries[index].end { turn(index, to: pdu.instant) }
    entries[index].newest += 1
  }

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link):
      assert(link.index == entries.count)
      entries.append(Entry(link: link, wasEncrypted: link.isEncrypted))
    case .linkChanged(let link, .encryption):
      if link.isEncrypted { entries[link.index].wasEncrypted = true }
    case .gap(let link, _, let kind):
      if kind == .encrypted { entries[link.index].wasEncrypted = true }
      if let index = entries[link.index].gaps.firstIndex(where: { $0.kind == kind }) {
        entries[link.index].gaps[index].count += 1
      } else {
        entries[link.index].gaps.append((kind, event.place, 1))
      }
    default: break
    }
  }

  func finish(at end: SimInstant) {
    self.end = end
    close()
  }

  private func close() {
    for index in entries.indices where entries[index].newest > 0 { entries[index].close() }
  }

  /// Puts what was counted of a link into its column, and goes to that of `instant`.
  private func turn(_ index: Int, to instant: SimInstant) {
    let time = max(0, instant.nanoseconds)
    while time / step.nanoseconds >= Int64(Self.columns) { coarsen() }
    if entries[index].newest > 0 { entries[index].close() }
    let column = time / step.nanoseconds
    entries[index].column = Int(column)
    entries[index].begin = column == 0 ? SimInstant(nanoseconds: .min) : .zero + step * column
    entries[index].end = .zero + step * (column + 1)
  }

  private func coarsen() {
    close()
    step = step * 2
    for index in entries.indices {
      let old = entries[index].density
      entries[index].density = stride(from: 0, to: old.count, by: 2).map { column in
        old[column] + (column + 1 < old.count ? old[column + 1] : 0)
      }
      entries[index].end = entries[index].begin
    }
  }

  /// - Parameter names: nil leaves the devices without names.
  func links(_ names: PeerNames?) -> [CheckReport.Link] {
    entries.map { entry in
      let link = entry.link
      return CheckReport.Link(
        index: link.index, file: link.file,
        handleOrAccessAddress: link.handle.map { hexNumber(UInt32($0), digits: 4) }
          ?? link.accessAddress.map { hexNumber($0, digits: 8) } ?? "–",
        central: link.central?.description ?? "unknown", peripheral: link.peripheral?.description ?? "unknown",
        isFromStart: link.isFromStart, isEncrypted: entry.wasEncrypted, attMTU: link.attMTU, openedAt: link.openedAt,
        closedAt: link.closedAt, attPDUs: entry.density.reduce(0, +), gaps: entry.gaps.map(\.count).reduce(0, +),
        gapKinds: entry.gaps, density: entry.density, peerName: names?.name(link), viewpoint: link.viewpoint,
        interval: link.interval, peripheralLatency: link.peripheralLatency, supervisionTimeout: link.supervisionTimeout,
        phy: link.phy, dataLength: [link.maxTxOctets, link.maxRxOctets].compactMap(\.self).max())
    }
  }
}
