public import SimKernel

/// Counts of lags in fixed buckets: sixteen for each power of two nanoseconds, so a figure read from it is at most one
/// sixteenth too large. It never grows.
public struct LagHistogram: Hashable, Sendable {
  private var counts = [UInt64](repeating: 0, count: 61 * 16)
  public private(set) var count: UInt64 = 0
  public private(set) var maximum = SimDuration.zero

  public init() {}

  /// A lag below zero counts as zero.
  public mutating func record(_ lag: SimDuration) {
    let value = UInt64(max(lag.nanoseconds, 0))
    counts[LagHistogram.bucket(of: value)] += 1
    count += 1
    if lag > maximum { maximum = lag }
  }

  /// The least figure that at least this share of all lags do not exceed, in permille; zero when nothing was recorded.
  public func quantile(permille: UInt64) -> SimDuration {
    guard count > 0 else { return .zero }
    let rank = max((count * min(permille, 1_000) + 999) / 1_000, 1)
    var seen: UInt64 = 0
    for (bucket, number) in counts.enumerated() {
      seen += number
      if seen >= rank { return min(.nanoseconds(LagHistogram.upperBound(of: bucket)), maximum) }
    }
    return maximum
  }

  /// Values below sixteen have a bucket each; above, the four bits after the leading one choose it.
  private static func bucket(of value: UInt64) -> Int {
    guard value >= 16 else { return Int(value) }
    let exponent = 63 - value.leadingZeroBitCount
    return (exponent - 3) * 16 + Int((value >> UInt64(exponent - 4)) & 15)
  }

  private static func upperBound(of bucket: Int) -> Int64 {
    guard bucket >= 16 else { return Int64(bucket) }
    let shift = bucket / 16 - 1
    return (Int64(16 + bucket % 16) << shift) + ((1 << shift) - 1)
  }
}
