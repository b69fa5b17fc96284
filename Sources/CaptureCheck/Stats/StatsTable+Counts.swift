import BluetoothWire
import Judging
import SimKernel

/// Tables of what was counted by kind, device and attribute, and of what devices say about themselves.
extension StatsTable {
  static func devices(_ report: StatsReport) -> Table {
    var rows = [
      [
        "device", "name", "links as central", "as peripheral", "ATT PDUs", "frames", "octets", "advertisements",
        "scan responses", "dBm",
      ]
    ]
    let devices = DeviceCounts.all(report.stats)
    for device in devices.prefix(rowLimit) {
      rows.append([
        text(device), device.name.map { ConsoleTable.oneLine($0) } ?? "–", String(device.asCentral),
        String(device.asPeripheral), String(device.attPDUs), String(device.frames), String(device.frameOctets),
        String(device.advertisements), String(device.scanResponses), device.level.map { String($0) } ?? "–",
      ])
    }
    return Table(
      title: "Devices, and what they sent", rows: rows, rightAligned: Array(2...9),
      furtherRows: max(0, devices.count - rowLimit))
  }

  private static func text(_ device: DeviceCounts) -> String {
    let address = device.address?.description ?? "?"
    guard device.isCaptured else { return address }
    let others = device.aliases.isEmpty ? "" : ", \(device.aliases.count) further addresses"
    return "\(address) (its HCI\(others))"
  }

  static func counts(_ report: StatsReport) -> Table {
    var rows = [["kind", "code", "name", "count"]]
    for row in report.stats.counts.rows {
      rows.append([
        row.family.rawValue, hexNumber(row.code, digits: row.family == .command ? 4 : 2), row.name, String(row.count),
      ])
    }
    let encrypted = report.stats.counts.encryptedControls
    if encrypted > 0 { rows.append([CodeCounts.Family.control.rawValue, "", "encrypted", String(encrypted)]) }
    return Table(title: "Packets by kind", rows: rows, rightAligned: [3])
  }

  static func attributes(_ report: StatsReport) -> Table {
    var rows = [
      ["link", "server", "handle", "type", "reads", "writes", "commands", "notified", "indicated", "errors", "octets"]
    ]
    let all = report.stats.attributes
    for stats in all.prefix(rowLimit) {
      guard stats.link < report.stats.links.count else { continue }
      let link = report.stats.links[stats.link].link
      let map = link.attributes(ofCentral: stats.isOfCentral)
      let uuid = map.characteristic(value: stats.handle)?.uuid ?? map.descriptor(stats.handle)
      rows.append([
        "#\(stats.link)", stats.isOfCentral ? "central" : "peripheral", hexNumber(stats.handle, digits: 4),
        uuid.map { UUIDNames.text($0) } ?? "?", String(stats.reads), String(stats.writes), String(stats.commands),
        String(stats.notifications), String(stats.indications), String(stats.errors), String(stats.octets),
      ])
    }
    return Table(
      title: "Attributes", rows: rows, rightAligned: Array(4...10),
      furtherRows: max(0, all.count - rowLimit) + report.stats.furtherAttributePDUs)
  }

  // MARK: What devices are

  /// One for each captured controller and each end of a link that says anything.
  static func identities(_ report: StatsReport) -> [(name: String, address: BluetoothAddress?, EndIdentity)] {
    var all: [(name: String, address: BluetoothAddress?, EndIdentity)] = []
    for stats in report.stats.adapters where stats.identity.isKnown {
      let number = stats.adapter.number == 0 ? "controller" : "controller hci\(stats.adapter.number)"
      all.append((number, stats.adapter.publicAddress ?? stats.adapter.addresses.last, stats.identity))
    }
    for link in report.stats.links {
      for (name, address, identity) in [
        ("central", link.link.central, link.centralIdentity),
        ("peripheral", link.link.peripheral, link.peripheralIdentity),
      ] where identity.isKnown {
        // One phone once: what it says on every link is the same.
        if address != nil, all.contains(where: { $0.address == address && $0.2 == identity }) { continue }
        all.append(("\(name) of \(StatsReport.name(link))", address, identity))
      }
    }
    return all
  }

  static func versions(_ report: StatsReport) -> Table {
    var rows = [["who", "address", "version", "company", "subversion"]]
    let all = identities(report).filter { $0.2.version != nil }
    for (name, address, identity) in all.prefix(rowLimit) {
      rows.append([
        name, address?.description ?? "?", identity.version.map { CoreVersions.text($0) } ?? "?",
        identity.company.map { CompanyNames.text($0) } ?? "?",
        identity.subversion.map { hexNumber($0, digits: 4) } ?? "?",
      ])
    }
    return Table(title: "Versions", rows: rows, rightAligned: [], furtherRows: max(0, all.count - rowLimit))
  }

  static func features(_ report: StatsReport) -> Table {
    var rows = [["who", "address", "features", "names"]]
    let all = identities(report).filter { $0.2.features != nil }
    for (name, address, identity) in all.prefix(rowLimit) {
      let features = identity.features ?? 0
      rows.append([
        name, address?.description ?? "?", hexNumber(features, digits: 16),
        LEFeatures.names(features).joined(separator: ", "),
      ])
    }
    return Table(title: "LE features", rows: rows, rightAligned: [], furtherRows: max(0, all.count - rowLimit))
  }
}
