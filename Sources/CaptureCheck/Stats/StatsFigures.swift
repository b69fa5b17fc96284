import SimKernel

/// The plots that are drawn of a report.
enum StatsFigures {
  /// Octets for each second, in slots of equal length from the start of the capture.
  struct RateSeries {
    var slotLength: SimDuration
    var slots: [Int64]
  }

  /// What all connections carried, by direction; directions that carried nothing are left out.
  static func throughput(_ report: StatsReport) -> [(name: String, series: RateSeries)] {
    [("central to peripheral", \DirectionStats.throughput, true), ("peripheral to central", \.throughput, false)]
      .compactMap { name, path, isCentral in
        let all = report.stats.links.map { $0.sent(byCentral: isCentral)[keyPath: path] }
        return sum(all).map { (name, $0) }
      }
  }

  /// PDUs that were sent again on the air, for each second.
  static func repeats(_ report: StatsReport) -> [(name: String, series: RateSeries)] {
    [("central", true), ("peripheral", false)].compactMap { name, isCentral in
      let links = report.stats.links.filter(\.isOnAir)
      return sum(links.map { $0.sent(byCentral: isCentral).repeatSeries }).map { (name, $0) }
    }
  }

  /// Several series on one time axis: the coarsest slots count, and a slot goes where its beginning lies.
  static func sum(_ all: [StatsSeries]) -> RateSeries? {
    let used = all.filter { $0.start != nil }
    guard var length = used.map(\.slotLength).max(),
      let end = used.map({ $0.start! + $0.slotLength * Int64($0.slots.count) }).max()
    else { return nil }
    while (end - .zero) / length >= Int64(StatsSeries.capacity) { length = length * 2 }
    var slots = [Int64](repeating: 0, count: max(1, Int((end - .zero) / length) + 1))
    for series in used {
      for (index, slot) in series.slots.enumerated() {
        let instant = series.start! + series.slotLength * Int64(index)
        let place = min(slots.count - 1, max(0, Int((instant - .zero) / length)))
        slots[place] += slot.sum
      }
    }
    while slots.count > 1, slots.last == 0 { slots.removeLast() }
    let perSecond = slots.map { $0 * 1_000_000_000 / length.nanoseconds }
    return RateSeries(slotLength: length, slots: perSecond)
  }
}
