import BluetoothWire
import CaptureFormats
import Judging
import SimKernel

/// What `babbench stats` prints: tables, and plots of text.
public enum StatsTable {
  /// More rows nobody reads on a terminal; `--json` has them all.
  static let rowLimit = 40

  public static func text(_ report: StatsReport) -> String {
    let tables = tables(report).map { table in
      let more = table.furtherRows > 0 ? "and \(table.furtherRows) more; --json has them\n" : ""
      return table.title + "\n" + ConsoleTable.table(table.rows, rightAligned: table.rightAligned) + more
    }
    return ([captures(report).map { $0 + "\n" }.joined()] + tables + plots(report)).joined(separator: "\n")
  }

  /// Rows with a head, for a terminal or a page.
  struct Table {
    var title: String
    /// The first one is the head.
    var rows: [[String]]
    var rightAligned: [Int]
    var furtherRows = 0
  }

  /// Only those that have rows.
  static func tables(_ report: StatsReport) -> [Table] {
    [
      connections(report), directions(report), latencies(report), air(report), adapters(report), advertisers(report),
      devices(report), versions(report), features(report), counts(report), attributes(report),
    ]
    .filter { $0.rows.count > 1 }
  }

  /// One line for each.
  static func captures(_ report: StatsReport) -> [String] {
    report.captures.map { capture in
      var text = "\(capture.path): \(capture.format?.rawValue ?? "no capture"), \(capture.records) packets"
      text += " in \(StatsText.seconds(capture.duration)) s"
      if case .truncated(recordAt: let offset) = capture.ending {
        text += ", ends inside the record at octet \(offset)"
      }
      if capture.backwards > 0 { text += ", time runs backwards \(capture.backwards) times" }
      return ConsoleTable.oneLine(text)
    }
  }

  // MARK: Connections

  private static func connections(_ report: StatsReport) -> Table {
    var rows = [
      [
        "link", "seen at", "central", "peripheral", "from s", "for s", "interval ms", "latency", "timeout ms",
        "ATT_MTU",
        "data", "PHY", "ended by",
      ]
    ]
    for link in report.stats.links.prefix(rowLimit) { rows.append(connection(link)) }
    let count = report.stats.links.count + report.stats.furtherLinks
    return Table(
      title: "Connections", rows: rows, rightAligned: [4, 5, 7, 8, 9, 10, 11], furtherRows: max(0, count - rowLimit))
  }

  private static func connection(_ stats: LinkStats) -> [String] {
    let link = stats.link
    var intervals = stats.intervals.prefix(4).map { StatsText.interval($0.interval) }.joined(separator: " → ")
    if stats.intervals.count > 4 { intervals += " → …" }
    let data = [link.maxTxOctets, link.maxRxOctets].compactMap(\.self).max()
    return [
      StatsReport.name(stats), place(stats), link.central?.description ?? "?", link.peripheral?.description ?? "?",
      StatsText.seconds(link.openedAt - .zero), StatsText.seconds(stats.duration),
      intervals.isEmpty ? "?" : intervals, link.peripheralLatency.map { String($0) } ?? "?",
      link.supervisionTimeout.map { String(Int($0) * 10) } ?? "?", link.attMTU.map { String($0) } ?? "?",
      data.map { String($0) } ?? "?", link.phy == nil ? "?" : CheckNames.phy(link.phy), reason(stats),
    ]
  }

  static func place(_ stats: LinkStats) -> String {
    switch stats.link.viewpoint {
    case .air: "air " + String(hexadecimal: stats.link.accessAddress ?? 0, digits: 8, uppercase: true)
    case .host(.central): "central's HCI"
    case .host(.peripheral): "peripheral's HCI"
    case .hostOfUnknownRole: "HCI"
    }
  }

  static func reason(_ stats: LinkStats) -> String {
    guard let reason = stats.endReason else { return "–" }
    return switch reason {
    case .connectionTimeout: "supervision timeout"
    case .remoteUserTerminatedConnection: "remote user"
    case .connectionTerminatedByLocalHost: "local host"
    case .connectionFailedToBeEstablished: "never established"
    case .connectionTerminatedDueToMICFailure: "MIC failure"
    case .remoteDeviceTerminatedDueToPowerOff: "remote power off"
    case .llResponseTimeout: "LL response timeout"
    case .instantPassed: "instant passed"
    case .unacceptableConnectionParameters: "unacceptable parameters"
    default: "reason " + hexNumber(reason.rawValue, digits: 2)
    }
  }

  // MARK: Directions

  private static func directions(_ report: StatsReport) -> Table {
    var rows = [
      [
        "link", "from", "ATT PDUs", "values", "frames", "octets", "mean", "best second", "packets",
        "per event, p50 max",
      ]
    ]
    for link in report.stats.links.prefix(rowLimit) {
      for (name, direction) in [("central", link.central), ("peripheral", link.peripheral)] where direction.frames > 0 {
        let events = direction.packetsPerEvent
        rows.append([
          StatsReport.name(link), name, String(direction.attPDUs), String(direction.values), String(direction.frames),
          String(direction.frameOctets), StatsText.rate(direction.meanThroughput(over: link.duration)),
          StatsText.rate(direction.throughput.peakPerSecond), String(direction.packets),
          events.isEmpty ? "–" : "\(events.quantile(permille: 500)) \(events.maximum)",
        ])
      }
    }
    return Table(title: "Data", rows: rows, rightAligned: Array(2...9))
  }

  // MARK: Latencies

  private static func latencies(_ report: StatsReport) -> Table {
    var rows = [["link", "what", "from", "samples", "least", "p50", "p90", "p99", "greatest"]]
    for link in report.stats.links.prefix(rowLimit) {
      for kind in StatsReport.latencies {
        for (name, direction) in [("central", link.central), ("peripheral", link.peripheral)] {
          let times = direction[keyPath: kind.path]
          if times.isEmpty { continue }
          let quantiles = [500, 900, 990].map { StatsText.duration(times.quantile(permille: $0)) }
          rows.append(
            [StatsReport.name(link), kind.name, name, String(times.count), StatsText.duration(times.minimum)]
              + quantiles + [StatsText.duration(times.maximum)])
        }
      }
    }
    return Table(title: "Latencies", rows: rows, rightAligned: Array(3...8))
  }

  // MARK: Air

  private static func air(_ report: StatsReport) -> Table {
    var rows = [
      [
        "link", "from", "PDUs", "empty", "repeats", "in latency", "bad CRC", "judged", "not acknowledged", "unanswered",
        "events",
        "missed", "anchor p50", "margin", "dBm",
      ]
    ]
    for link in report.stats.links.prefix(rowLimit) where link.isOnAir {
      for (name, direction) in [("central", link.central), ("peripheral", link.peripheral)] where direction.pdus > 0 {
        let isCentral = name == "central"
        let anchor = link.anchorIntervals
        rows.append([
          StatsReport.name(link), name, String(direction.pdus), String(direction.emptyPDUs),
          String(direction.repeats - direction.repeatsInLatency), isCentral ? String(direction.repeatsInLatency) : "",
          String(direction.corrupted), String(direction.judged),
          StatsText.share(direction.unacknowledged, of: direction.judged) + "%",
          isCentral ? String(direction.unanswered - direction.unansweredInLatency) : "",
          isCentral ? String(link.connectionEvents) : "",
          isCentral ? String(link.missedEvents) : "",
          isCentral && !anchor.isEmpty ? StatsText.duration(anchor.quantile(permille: 500)) : "",
          isCentral ? link.supervisionMargin.map { StatsText.duration($0.nanoseconds) } ?? "–" : "",
          direction.level.mean.map { String($0) } ?? "–",
        ])
      }
    }
    return Table(title: "Air", rows: rows, rightAligned: Array(2...14))
  }

  // MARK: Controllers and advertisers

  private static func adapters(_ report: StatsReport) -> Table {
    var rows = [["controller", "commands", "events", "ACL buffers", "octets", "most in use"]]
    for stats in report.stats.adapters.prefix(rowLimit) where stats.commands + stats.events > 0 {
      let number = stats.adapter.number == 0 ? "" : " hci\(stats.adapter.number)"
      let name = (stats.adapter.publicAddress ?? stats.adapter.addresses.last)?.description ?? "?"
      rows.append([
        "\(name)\(number)", String(stats.commands), String(stats.events), stats.aclCount.map { String($0) } ?? "?",
        stats.aclOctets.map { String($0) } ?? "?", String(stats.mostOutstanding),
      ])
    }
    return Table(title: "Controllers", rows: rows, rightAligned: Array(1...5))
  }

  private static func advertisers(_ report: StatsReport) -> Table {
    var rows = [["advertiser", "heard", "scan responses", "gap p50", "gap least", "interval ms", "dBm"]]
    for stats in report.stats.advertisers.prefix(rowLimit) {
      let gaps = stats.gaps
      rows.append([
        "\(stats.address)", String(stats.advertisements), String(stats.scanResponses),
        gaps.isEmpty ? "–" : StatsText.duration(gaps.quantile(permille: 500)),
        gaps.isEmpty ? "–" : StatsText.duration(gaps.minimum),
        stats.interval.map { "≤ " + StatsText.advertisingInterval($0) } ?? "–",
        stats.level.mean.map { String($0) } ?? "–",
      ])
    }
    return Table(
      title: "Advertisers", rows: rows, rightAligned: Array(1...6),
      furtherRows: max(0, report.stats.advertisers.count - rowLimit))
  }
}
