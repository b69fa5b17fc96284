/// How long a scanner waits for an advertiser, in milliseconds.
///
/// An advertising event follows the last one after the advertising interval and a delay that is uniform in 0 … 10 ms
/// (Vol 6, Part B, 4.4.2.2.1): a renewal process.
struct Discovery {
  /// Milliseconds.
  var advertisingInterval: Double
  /// From the start of an advertising PDU to that of the next one of its event, and the PDU itself, milliseconds.
  var spacing: Double
  var duration: Double

  static let largestDelay = 10.0

  /// Mean time between two events.
  var meanCycle: Double { advertisingInterval + Self.largestDelay / 2 }

  /// The mean wait of a scanner that never looks away: E[T²] / 2E[T], and the PDU.
  var meanWait: Double {
    (meanCycle * meanCycle + Self.largestDelay * Self.largestDelay / 12) / (2 * meanCycle) + duration
  }

  /// The probability that the time from one event to the next is at least that long.
  private func lasts(_ time: Double) -> Double {
    min(max((advertisingInterval + Self.largestDelay - time) / Self.largestDelay, 0), 1)
  }

  /// The distribution of the wait of a scanner that looks away: mean and distribution function at multiples of `step`.
  ///
  /// The density of events that begin at time t and follow none that was heard obeys a renewal equation,
  /// u(t) = r(t) + ∫ u(s)·(1 − h(s))·k(t − s) ds: r is the density of the first event, k that of the time between two,
  /// and h says whether a PDU of an event at that time lies within a scan window on its channel. It is solved on a grid
  /// of 50 µs.
  /// - Parameters:
  ///   - scan: interval and window, milliseconds, multiples of the grid.
  ///   - share: of scanners, after which the rest is left out.
  func waits(scan: (interval: Double, window: Double), limit: Double, step: Double, until share: Double = .infinity)
    -> (mean: Double, distribution: [Double])
  {
    let grid = 0.05
    let lead = Int((2 * spacing / grid).rounded(.up))
    let count = Int(limit / grid) + lead
    let shift = Int((advertisingInterval / grid).rounded())
    let width = Int((Self.largestDelay / grid).rounded())
    var distribution = [Double](repeating: 0, count: Int(limit / step) + 1)
    var (mean, whole) = (0.0, 0.0)
    for firstChannel in 0..<3 {
      // Sums of what began unheard up to each place of the grid.
      var unheard = [Double](repeating: 0, count: count + 1)
      let enough = whole + share
      for place in 0..<count where whole < enough {
        let time = (Double(place - lead) + 0.5) * grid
        let sinceLead = (Double(place) + 0.5) * grid
        var density = lasts(sinceLead) / meanCycle * grid
        // A uniform kernel over `width` places, half a place at either end.
        for offset in 0...1 {
          let (last, first) = (place - shift - offset, place - shift - offset - width)
          if last >= 0 { density += (unheard[last + 1] - unheard[max(first + 1, 0)]) / Double(2 * width) }
        }
        var end: Double?
        for channel in 0..<3 where end == nil {
          let start = time + Double(channel) * spacing
          if start >= 0, hears(start, scan, channel: (3 + channel - firstChannel) % 3) { end = start + duration }
        }
        unheard[place + 1] = unheard[place] + (end == nil ? density : 0)
        guard let end else { continue }
        mean += density * end
        whole += density
        let from = Int((end / step).rounded(.up))
        if from < distribution.count { distribution[from] += density }
      }
    }
    for index in 1..<distribution.count { distribution[index] += distribution[index - 1] }
    return (mean / whole, distribution.map { $0 / 3 })
  }

  /// The mean of these waits.
  func meanWait(scan: (interval: Double, window: Double)) -> Double {
    waits(scan: scan, limit: 120_000, step: 120_000, until: 0.999_99).mean
  }

  /// Whether a PDU that starts then lies within a window of the scan interval that has its channel.
  private func hears(_ start: Double, _ scan: (interval: Double, window: Double), channel: Int) -> Bool {
    let round = Int(start / scan.interval)
    return round % 3 == channel && start - Double(round) * scan.interval + duration <= scan.window
  }

  /// The probability that a PDU of an advertiser is overlapped by none of that many others on the same channels: each
  /// of them begins one within a PDU's length before or after it with 2d / E[T].
  func survival(others: Int) -> Double { RealNumbers.power(1 - 2 * duration / meanCycle, others) }
}
