import BluetoothWire
import CaptureCheck
import CaptureFormats
import Conformance
import Judging
import SimKernel

/// What a live capture shows of devices and links, as lines when something happens and as a table.
final class CaptureBoard: TrafficObserver {
  let interests: TrafficEvent.Interests = [.links, .att, .fragments, .gaps]

  /// What is counted: now, when this stretch began, and when the one before it did.
  private struct Count {
    var now = 0
    var began = 0
    var before = 0

    mutating func turn() {
      before = began
      began = now
    }
  }

  private struct LinkRow {
    let link: TrafficLink
    var att = Count()
    var octets = Count()
    var errors = 0
  }

  /// Rates are those of so many seconds at least, and of twice as many at most.
  private static let stretch = 2.0

  private var rows: [LinkRow] = []
  private var packets: [(adapter: UInt16, count: Count)] = []
  private var captured = Count()
  private var events: [String] = []
  private var stretchBegan = 0.0
  private var previousBegan = 0.0

  var records: Int { captured.now }

  /// Counts a record; what it shows comes by `observe`.
  func count(_ record: CaptureRecord) {
    captured.now += 1
    guard case .hci(let adapter, _, _) = record.body else { return }
    if let index = packets.firstIndex(where: { $0.adapter == adapter }) {
      packets[index].count.now += 1
    } else {
      packets.append((adapter, Count(now: 1)))
      packets.sort { $0.adapter < $1.adapter }
    }
  }

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link):
      assert(link.index == rows.count)
      rows.append(LinkRow(link: link))
      tell(
        event, link, link.isFromStart ? "opened: " + parties(link) + parameters(link) : "already open when first seen"
      )
    case .linkClosed(let link, let reason):
      tell(
        event, link,
        "closed" + (reason.map { ", reason " + hexNumber($0.rawValue, digits: 2) } ?? ""))
    case .linkChanged(let link, .attMTU): tell(event, link, "ATT_MTU \(link.attMTU.map(String.init) ?? "unknown")")
    case .linkChanged(let link, .encryption): tell(event, link, link.isEncrypted ? "encrypted" : "no longer encrypted")
    case .gap(let link, _, _): rows[link.index].errors += 1
    default: break
    }
  }

  func observe(att pdu: TrafficPDU) {
    rows[pdu.link.index].att.now += 1
    if pdu.octets.first == 0x01 { rows[pdu.link.index].errors += 1 }
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    rows[pdu.link.index].octets.now += pdu.octets.count
  }

  /// What has happened since the last time.
  func takeLines() -> [String] {
    defer { events = [] }
    return events
  }

  /// - Parameters:
  ///   - seconds: since the start, of any clock that does not step; rates go by it.
  ///   - height: lines at most.
  func table(
    at seconds: Double, files: CaptureFiles.Progress?, kernelDrops: UInt64?, adapters: [TrafficAdapter], height: Int
  ) -> [String] {
    let span = seconds - previousBegan
    defer { if seconds - stretchBegan >= Self.stretch { begin(at: seconds) } }
    let status = Self.status(records, files: files, kernelDrops: kernelDrops)
    var lines = ["\(Self.clock(seconds))  \(status)  \(Self.rate(captured, span)) packets/s"]
    var table = [["adapter", "address", "name", "packets", "packets/s"]]
    for entry in packets {
      let known = adapters.first { $0.number == entry.adapter }
      table.append([
        "hci\(entry.adapter)", known?.addresses.last?.description ?? "–", ConsoleTable.oneLine(known?.name ?? "–"),
        String(entry.count.now), Self.rate(entry.count, span),
      ])
    }
    if table.count > 1 { lines += Self.lines(table, rightAligned: [3, 4]) }
    let live = rows.filter(\.link.isUp)
    if live.isEmpty { return Array(lines.prefix(height)) }
    table = [["link", "adapter", "peer", "role", "interval", "ATT_MTU", "ATT/s", "octets/s", "errors"]]
    for row in live.suffix(max(1, height - lines.count - 2)) {
      let link = row.link
      table.append([
        Self.name(link), "hci\(link.adapter?.number ?? 0)", Self.peer(link), Self.role(link),
        link.interval.map(Self.milliseconds) ?? "–", link.attMTU.map(String.init) ?? "–", Self.rate(row.att, span),
        Self.rate(row.octets, span), String(row.errors),
      ])
    }
    lines += Self.lines(table, rightAligned: [4, 5, 6, 7, 8])
    let hidden = live.count - (table.count - 1)
    if hidden > 0 { lines.append("and \(hidden) more links") }
    return Array(lines.prefix(height))
  }

  static func status(_ captured: Int, files: CaptureFiles.Progress?, kernelDrops: UInt64?) -> String {
    var text = "captured \(captured)"
    if let files { text += ", written \(files.written)" }
    text += kernelDrops.map { ", dropped by the kernel \($0)" } ?? ", drops are not counted here"
    return text
  }

  private func begin(at seconds: Double) {
    previousBegan = stretchBegan
    stretchBegan = seconds
    captured.turn()
    for index in packets.indices { packets[index].count.turn() }
    for index in rows.indices {
      rows[index].att.turn()
      rows[index].octets.turn()
    }
  }

  // MARK: Words

  private func tell(_ event: TrafficEvent, _ link: TrafficLink, _ what: String) {
    events.append(
      "\(event.instant.description.dropLast(3)) s  hci\(link.adapter?.number ?? 0) link \(Self.name(link)) \(what)")
  }

  private func parties(_ link: TrafficLink) -> String {
    "\(Self.role(link)), peer \(Self.peer(link))"
  }

  private func parameters(_ link: TrafficLink) -> String {
    link.interval.map { ", interval \(Self.milliseconds($0))" } ?? ""
  }

  private static func name(_ link: TrafficLink) -> String {
    link.handle.map { hexNumber($0, digits: 4) }
      ?? link.accessAddress.map { hexNumber($0, digits: 8) }
      ?? "–"
  }

  private static func role(_ link: TrafficLink) -> String {
    switch link.viewpoint {
    case .host(.central): "central"
    case .host: "peripheral"
    case .hostOfUnknownRole: "–"
    case .air: "on air"
    }
  }

  private static func peer(_ link: TrafficLink) -> String {
    switch link.viewpoint {
    case .host(.central): link.peripheral?.description ?? "–"
    case .host: link.central?.description ?? "–"
    default: link.peripheral?.description ?? link.central?.description ?? "–"
    }
  }

  /// From units of 1.25 ms.
  private static func milliseconds(_ units: UInt16) -> String {
    let hundredths = Int(units) * 125
    let rest = hundredths % 100
    return "\(hundredths / 100)" + (rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : ".\(rest)") + " ms"
  }

  private static func rate(_ count: Count, _ span: Double) -> String {
    guard span > 0 else { return "0" }
    let tenths = Int(Double(count.now - count.before) * 10 / span + 0.5)
    return tenths >= 100 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
  }

  static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds)
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    return (whole >= 3_600 ? "\(whole / 3_600):" : "") + "\(two(whole / 60 % 60)):\(two(whole % 60))"
  }

  private static func lines(_ table: [[String]], rightAligned: [Int]) -> [String] {
    [""] + ConsoleTable.table(table, rightAligned: rightAligned).split(separator: "\n").map(String.init)
  }
}
