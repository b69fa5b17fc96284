import SimKernel

/// Levels over time, for a terminal.
enum LevelPlots {
  /// Fewer say nothing of a course.
  private static let least = 16
  private static let links = 8
  private static let columns = 60
  private static let levels = Array("▁▂▃▄▅▆▇█")

  static func text(_ report: StatsReport) -> [String] {
    var plots: [String] = []
    for link in report.stats.links.prefix(links) {
      for (name, direction) in [("central", link.central), ("peripheral", link.peripheral)] {
        let who = "RSSI of \(StatsReport.name(link)), from the \(name)"
        if let plot = plot(who, direction.levelSeries, direction.level) { plots.append(plot) }
      }
    }
    if let plot = plot("RSSI of advertisements", report.stats.advertisingLevels, report.stats.advertisingLevel) {
      plots.append(plot)
    }
    return plots
  }

  /// A column is the mean of its time; a blank is a time in which nothing was heard.
  private static func plot(_ name: String, _ series: StatsSeries, _ level: LevelStats) -> String? {
    guard level.count >= Int64(least), series.slots.count > 2 else { return nil }
    let group = (series.slots.count + columns - 1) / columns
    let means = stride(from: 0, to: series.slots.count, by: group).map { start -> Int64? in
      let part = series.slots[start..<min(start + group, series.slots.count)]
      let count = part.reduce(0) { $0 + $1.count }
      return count == 0 ? nil : part.reduce(0) { $0 + $1.sum } / count
    }
    guard let lowest = means.compactMap(\.self).min(), let highest = means.compactMap(\.self).max() else { return nil }
    let text = means.map { mean -> Character in
      guard let mean else { return " " }
      return levels[Int((mean - lowest) * 7 / max(1, highest - lowest))]
    }
    let step = StatsText.duration((series.slotLength * Int64(group)).nanoseconds)
    return "\(name): \(level.minimum) to \(level.maximum) dBm, means of columns \(lowest) to \(highest) dBm, "
      + "one column is \(step)\n|\(String(text))|\n"
  }
}
