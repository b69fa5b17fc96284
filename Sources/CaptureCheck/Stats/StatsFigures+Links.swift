import BluetoothWire
import SimKernel

/// What is drawn of single links and advertisers.
extension StatsFigures {
  /// More lines nobody tells apart, and there are eight colours.
  private static let lineLimit = 7
  /// The legend has room for as many ends of links, or addresses.
  private static let endLimit = 4

  /// Both directions together of the links that carried most; nil with one link, which the plot of all links shows.
  static func linkThroughputPlot(_ report: StatsReport) -> StatsPlot? {
    func octets(_ link: LinkStats) -> Int64 { link.central.frameOctets + link.peripheral.frameOctets }
    let busy = report.stats.links.filter { octets($0) > 0 }
    guard busy.count > 1 else { return nil }
    let shown = busy.sorted { (octets($1), $0.link.index) < (octets($0), $1.link.index) }.prefix(lineLimit)
    let all = shown.sorted { $0.link.index < $1.link.index }.compactMap { link in
      sum([link.central.throughput, link.peripheral.throughput]).map { (StatsReport.name(link), $0) }
    }
    guard let most = all.flatMap(\.1.slots).max(), most > 0 else { return nil }
    return overTime(
      all, id: "throughput-links", title: "Throughput of links",
      note: "both directions together" + more(busy.count - shown.count, "links"),
      y: .linear("octets per second", upTo: most) { StatsText.rate($0) })
  }

  /// What the sniffer measured of both ends of the links with most PDUs.
  static func linkLevelPlot(_ report: StatsReport) -> StatsPlot? {
    let heard = report.stats.links.filter { $0.central.level.count + $0.peripheral.level.count > 0 }
    let shown = heard.sorted {
      ($1.central.pdus + $1.peripheral.pdus, $0.link.index) < ($0.central.pdus + $0.peripheral.pdus, $1.link.index)
    }.prefix(endLimit / 2)
    let all = shown.sorted { $0.link.index < $1.link.index }.flatMap { link in
      [("central", link.central), ("peripheral", link.peripheral)].map { end, direction in
        ("\(StatsReport.name(link)) \(end)", direction.levelSeries)
      }
    }
    return levelPlot(
      all, id: "rssi-links", title: "RSSI of links at the sniffer", note: more(heard.count - shown.count, "links"))
  }

  /// The advertisers that were heard most often.
  static func advertiserLevelPlot(_ report: StatsReport) -> StatsPlot? {
    let heard = report.stats.advertisers.enumerated().filter { $0.element.levelSeries.start != nil }
    let shown = heard.sorted {
      ($1.element.level.count, $0.offset) < ($0.element.level.count, $1.offset)
    }.prefix(endLimit)
    let count = report.stats.advertisers.count { $0.level.count > 0 } - shown.count
    return levelPlot(
      shown.map { ($0.element.address.description, $0.element.levelSeries) }, id: "rssi-advertisers",
      title: "RSSI of advertisers", note: more(count, "advertisers"))
  }

  private static func more(_ count: Int, _ what: String) -> String {
    count > 0 ? "; \(count) more \(what) are not drawn" : ""
  }

  /// The mean of each slot that has anything, as a dot: silence is a gap. Nil when nobody was heard twice.
  private static func levelPlot(
    _ all: [(name: String, series: StatsSeries)], id: String, title: String, note: String
  ) -> StatsPlot? {
    let series = all.compactMap { name, series -> StatsPlot.Series? in
      guard let start = series.start else { return nil }
      let points = series.slots.enumerated().filter { $0.element.count > 0 }.map { index, slot in
        (x: (start + series.slotLength * Int64(index)).nanoseconds, y: slot.sum / slot.count)
      }
      // Few dots are drawn large.
      return StatsPlot.Series(name: name, form: .dots, points: points, marks: points.count < 60 ? points : [])
    }
    let points = series.flatMap(\.points)
    guard points.count > 1, let least = points.map(\.y).min(), let most = points.map(\.y).max() else { return nil }
    let (low, high) = ((least - 9) / 10 * 10, most / 10 * 10 + (most > 0 ? 10 : 0))
    let ticks = stride(from: low, through: max(high, low + 10), by: 10).map { (value: $0, label: String($0)) }
    return StatsPlot(
      id: id, title: title,
      note: "means over \(StatsText.duration(all.map(\.series.slotLength.nanoseconds).max() ?? 1))" + note,
      x: seconds(upTo: points.map(\.x).max() ?? 1),
      y: StatsPlot.Axis(title: "dBm", range: low...max(high, low + 10), ticks: ticks), series: series)
  }
}
