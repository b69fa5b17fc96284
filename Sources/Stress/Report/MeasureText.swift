import CaptureCheck

/// Figures for people.
package enum MeasureText {
  package static func text(_ value: Int64, _ unit: RunMeasure.Unit) -> String {
    switch unit {
    case .time: StatsText.duration(value)
    case .rate: decimal(value, places: 3) + " kbit/s"
    case .share: decimal(value / 100, places: 2) + " %"
    case .count: String(value)
    }
  }

  package static func text(_ value: Int64?, _ unit: RunMeasure.Unit) -> String { value.map { text($0, unit) } ?? "–" }

  /// A quantile of samples; a dash where there is none.
  package static func quantile(_ permille: Int, of samples: Distribution, _ unit: RunMeasure.Unit) -> String {
    text(samples.quantile(permille: permille, step: unit.step), unit)
  }

  private static func decimal(_ value: Int64, places: Int) -> String {
    (value < 0 ? "-" : "") + StatsText.decimal(value.magnitude, places: places)
  }

  /// A share of 1 in percent with three decimals, rounded towards the middle, so that nothing seems more certain than
  /// it is.
  package static func percent(low: Double) -> String { percent(low.nextUp, .down) }
  package static func percent(high: Double) -> String { percent(high.nextDown, .up) }

  private static func percent(_ share: Double, _ rule: FloatingPointRoundingRule) -> String {
    let thousandths = UInt64(max(0, min(100_000, (share * 100_000).rounded(rule))))
    return StatsText.decimal(thousandths, places: 3) + " %"
  }
}
