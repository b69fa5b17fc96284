import BluetoothWire
import SimKernel

/// Counts what each link carried, for the tables and pictures of a report. Memory grows with the number of links.
final class TrafficSummary: TrafficObserver {
  /// Columns of the timeline at most; when time outgrows them, two become one.
  static let columns = 240

  private struct Entry {
    let link: TrafficLink
    var attPDUs = 0
    var wasEncrypted: Bool
    var gaps: [(kind: TrafficGap, first: PacketPlace, count: Int)] = []
    var density: [Int] = []
  }

  @exclusivity(unchecked) private var entries: [Entry] = []
  @exclusivity(unchecked) private(set) var step = SimDuration.milliseconds(1)
  @exclusivity(unchecked) private(set) var end = SimInstant.zero

  let interests: TrafficEvent.Interests = [.links, .att, .gaps]

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link):
      assert(link.index == entries.count)
      entries.append(Entry(link: link, wasEncrypted: link.isEncrypted))
    case .linkChanged(let link, .encryption):
      if link.isEncrypted { entries[link.index].wasEncrypted = true }
    case .att(let link, _, _):
      entries[link.index].attPDUs += 1
      let column = column(of: event.instant)
      let missing = column + 1 - entries[link.index].density.count
      if missing > 0 { entries[link.index].density.append(contentsOf: repeatElement(0, count: missing)) }
      entries[link.index].density[column] += 1
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

  func finish(at end: SimInstant) { self.end = end }

  private func column(of instant: SimInstant) -> Int {
    let time = max(0, instant.nanoseconds)
    while time / step.nanoseconds >= Int64(Self.columns) { coarsen() }
    return Int(time / step.nanoseconds)
  }

  private func coarsen() {
    step = step * 2
    for index in entries.indices {
      let old = entries[index].density
      entries[index].density = stride(from: 0, to: old.count, by: 2).map { column in
        old[column] + (column + 1 < old.count ? old[column + 1] : 0)
      }
    }
  }

  var links: [CheckReport.Link] {
    entries.map { entry in
      let link = entry.link
      return CheckReport.Link(
        index: link.index, file: link.file,
        handleOrAccessAddress: link.handle.map { Self.hexadecimal(UInt32($0), width: 4) }
          ?? link.accessAddress.map { Self.hexadecimal($0, width: 8) } ?? "–",
        central: link.central?.description ?? "unknown", peripheral: link.peripheral?.description ?? "unknown",
        isFromStart: link.isFromStart, isEncrypted: entry.wasEncrypted, attMTU: link.attMTU, openedAt: link.openedAt,
        closedAt: link.closedAt, attPDUs: entry.attPDUs, gaps: entry.gaps.map(\.count).reduce(0, +),
        gapKinds: entry.gaps, density: entry.density)
    }
  }

  static func hexadecimal(_ number: UInt32, width: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
