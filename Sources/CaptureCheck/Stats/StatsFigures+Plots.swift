import SimKernel

/// What is drawn of a report: only plots that have something in them.
extension StatsFigures {
  static func plots(_ report: StatsReport) -> [StatsPlot] {
    var plots = [distribution(report)].compactMap(\.self)
    for (index, kind) in StatsReport.latencies.prefix(4).enumerated() {
      let times = report.merged(kind.path)
      if times.count >= 16 { plots.append(histogram("latency-\(index + 1)", kind.name, times)) }
    }
    plots += [
      throughputPlot(report), linkThroughputPlot(report), intervalPlot(report), repeatPlot(report),
      linkLevelPlot(report), advertiserLevelPlot(report),
    ].compactMap(\.self)
    return plots
  }

  // MARK: Latencies

  /// The cumulative distribution of every kind of latency, all connections together.
  private static func distribution(_ report: StatsReport) -> StatsPlot? {
    let kinds = StatsReport.latencies.prefix(4).map { ($0.name, report.merged($0.path)) }.filter { $0.1.count >= 16 }
    guard let least = kinds.map(\.1.minimum).min(), let most = kinds.map(\.1.maximum).max() else { return nil }
    let series = kinds.map { name, times -> StatsPlot.Series in
      var seen: UInt64 = 0
      var points: [(x: Int64, y: Int64)] = [(times.minimum, 0)]
      for bucket in times.buckets {
        seen += bucket.count
        points.append((min(bucket.range.upperBound, times.maximum), Int64(seen * 1_000 / times.count)))
      }
      return StatsPlot.Series(name: name, form: .line, points: points)
    }
    return StatsPlot(
      id: "latency-cdf", title: "Latencies, cumulative", note: samples(kinds.map { Int(clamping: $0.1.count) }),
      x: .time("time (logarithmic)", least, most),
      y: .shares("share of samples"), series: series)
  }

  private static func histogram(_ id: String, _ name: String, _ times: Histogram) -> StatsPlot {
    // Four buckets together: eight bars for each power of two.
    var bars: [(range: ClosedRange<Int64>, count: UInt64)] = []
    for bucket in times.buckets {
      let width = (bucket.range.upperBound - bucket.range.lowerBound + 1) * 4
      let start = bucket.range.lowerBound / width * width
      if let last = bars.last, last.range.lowerBound == start {
        bars[bars.count - 1].count += bucket.count
      } else {
        bars.append((start...(start + width - 1), bucket.count))
      }
    }
    let series = StatsPlot.Series(
      name: name, form: .bars, points: bars.map { ($0.range.lowerBound, Int64(clamping: $0.count)) },
      ends: bars.map(\.range.upperBound))
    let quantiles = [("median", 500), ("p90", 900), ("p99", 990)].map { name, permille in
      "\(name) \(StatsText.duration(times.quantile(permille: UInt64(permille))))"
    }
    return StatsPlot(
      id: id, title: "From " + name,
      note: "\(CountedNoun.text(times.count, "sample")); \(quantiles.joined(separator: ", "))",
      x: .time("time (logarithmic)", max(1, bars.first?.range.lowerBound ?? 1), times.maximum),
      y: .linear("samples", upTo: Int64(clamping: bars.map(\.count).max() ?? 1)) { String($0) }, series: [series])
  }

  private static func samples(_ counts: [Int]) -> String { "\(counts.reduce(0, +)) samples, all connections together" }

  // MARK: Over time

  private static func throughputPlot(_ report: StatsReport) -> StatsPlot? {
    let all = throughput(report)
    guard let most = all.flatMap(\.series.slots).max(), most > 0 else { return nil }
    return overTime(
      all, id: "throughput", title: "Throughput of L2CAP frames", note: "all connections together",
      y: .linear("octets per second", upTo: most) { StatsText.rate($0) })
  }

  private static func repeatPlot(_ report: StatsReport) -> StatsPlot? {
    let all = repeats(report)
    guard let most = all.flatMap(\.series.slots).max(), most > 0 else { return nil }
    return overTime(
      all.map { ($0.name + " sent again", $0.series) }, id: "retransmissions", title: "Retransmissions on the air",
      note: "sequence number of the PDU before, empty ones too; without those in latency",
      y: .linear("PDUs per second", upTo: most) { String($0) })
  }

  static func overTime(
    _ all: [(name: String, series: RateSeries)], id: String, title: String, note: String, y: StatsPlot.Axis
  ) -> StatsPlot {
    let length = all.map(\.series.slotLength.nanoseconds).max() ?? 1
    let end = all.map { $0.series.slotLength.nanoseconds * Int64($0.series.slots.count) }.max() ?? 1
    let series = all.map { name, series in
      var points = series.slots.enumerated().map { index, value in
        (x: series.slotLength.nanoseconds * Int64(index), y: value)
      }
      points.append((series.slotLength.nanoseconds * Int64(points.count), points.last?.y ?? 0))
      return StatsPlot.Series(name: name, form: .steps, points: points)
    }
    return StatsPlot(
      id: id, title: title, note: "\(note); means over \(StatsText.duration(length))", x: seconds(upTo: end), y: y,
      series: series)
  }

  static func seconds(upTo end: Int64) -> StatsPlot.Axis {
    .linear("time since the first packet, s", upTo: end, unit: 100_000_000) { value in
      value % 1_000_000_000 == 0
        ? String(value / 1_000_000_000) : StatsText.decimal(UInt64(value / 100_000_000), places: 1)
    }
  }

  /// The negotiated interval of up to seven connections as steps, and what the anchors say as dots.
  private static func intervalPlot(_ report: StatsReport) -> StatsPlot? {
    let links = report.stats.links.filter { !$0.intervals.isEmpty }.prefix(7)
    guard let most = links.flatMap(\.intervals).map(\.interval).max() else { return nil }
    var series = links.map { link in
      var points = link.intervals.map { (x: $0.instant.nanoseconds, y: Int64($0.interval) * 1_250) }
      if let last = points.last { points.append((max(link.lastSeen.nanoseconds, last.x), last.y)) }
      return StatsPlot.Series(name: StatsReport.name(link), form: .steps, points: points)
    }
    let measured = links.flatMap { link in
      link.intervalSeries.slots.enumerated().compactMap { index, slot -> (x: Int64, y: Int64)? in
        guard slot.count > 0, let start = link.intervalSeries.start else { return nil }
        let instant = start + link.intervalSeries.slotLength * Int64(index)
        return (instant.nanoseconds, slot.sum / slot.count / 1_000)
      }
    }
    if !measured.isEmpty {
      series.append(StatsPlot.Series(name: "anchors", form: .dots, points: measured))
    }
    let end = series.flatMap(\.points).map(\.x).max() ?? 1
    let more = report.stats.links.filter { !$0.intervals.isEmpty }.count - links.count
    return StatsPlot(
      id: "interval", title: "Connection interval",
      note: "negotiated" + (measured.isEmpty ? "" : ", and measured from anchors")
        + (more > 0 ? "; \(more) more connections are not drawn" : ""),
      x: seconds(upTo: end),
      y: .linear("milliseconds", upTo: Int64(most) * 1_400, unit: 100) { value in
        value % 1_000 == 0 ? String(value / 1_000) : StatsText.decimal(UInt64(value / 100), places: 1)
      }, series: series)
  }
}
