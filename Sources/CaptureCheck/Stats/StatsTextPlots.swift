import Judging
import SimKernel

/// Plots for a terminal.
extension StatsTable {
  private static let width = 60
  private static let levels = Array(" ▁▂▃▄▅▆▇█")

  static func plots(_ report: StatsReport) -> [String] {
    var plots: [String] = []
    for kind in StatsReport.latencies.prefix(4) {
      let times = report.merged(kind.path)
      if times.count >= 16 { plots.append(histogram(kind.name, times)) }
    }
    for (name, points) in StatsFigures.throughput(report) {
      if points.slots.count > 2 { plots.append(line("throughput, \(name)", points)) }
    }
    return plots + LevelPlots.text(report)
  }

  /// One row for each power of two, its halves apart: enough to see where the mass is.
  private static func histogram(_ name: String, _ times: Histogram) -> String {
    var rows: [(limit: Int64, count: UInt64)] = []
    for bucket in times.buckets {
      var limit: Int64 = 1
      while limit <= bucket.range.lowerBound, limit < Int64.max / 2 { limit *= 2 }
      if bucket.range.lowerBound < limit / 4 * 3 { limit = limit / 4 * 3 }
      if let last = rows.last, last.limit == limit {
        rows[rows.count - 1].count += bucket.count
      } else {
        rows.append((limit, bucket.count))
      }
    }
    let most = rows.map(\.count).max() ?? 1
    let cells = rows.map { row in
      ["< " + StatsText.duration(row.limit), String(row.count), bar(row.count, of: most)]
    }
    return "\(name), \(CountedNoun.text(times.count, "sample"))\n"
      + ConsoleTable.table([["", "count", ""]] + cells, rightAligned: [0, 1])
  }

  private static func bar(_ count: UInt64, of most: UInt64) -> String {
    let eighths = Int(count * UInt64(width) * 8 / max(1, most))
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    let text = String(repeating: "█", count: eighths / 8) + partial
    return text.isEmpty && count > 0 ? "▏" : text
  }

  private static func line(_ name: String, _ series: StatsFigures.RateSeries) -> String {
    let group = (series.slots.count + width - 1) / width
    let columns = stride(from: 0, to: series.slots.count, by: group).map { start -> Int64 in
      let part = series.slots[start..<min(start + group, series.slots.count)]
      return part.reduce(0, +) / Int64(part.count)
    }
    let most = max(1, columns.max() ?? 1)
    let text = columns.map { value in
      value == 0 ? levels[0] : levels[Int(min(8, 1 + value * 8 / (most + 1)))]
    }
    let step = StatsText.duration((series.slotLength * Int64(group)).nanoseconds)
    return "\(name): up to \(StatsText.rate(most)), one column is \(step)\n|\(String(text))|\n"
  }
}
