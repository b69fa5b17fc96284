/// Counts of integers that are not negative, in log-linear buckets: values below 32 have a bucket each, and every power
/// of two above is cut into 32 equal ones. A quantile is at most one thirty-second too large, and never too small.
///
/// Integers only, so the same values give the same figures on every machine. Memory is at most 15 KiB whatever is
/// recorded, and little while values are small.
public struct Histogram: Hashable, Sendable {
  /// Buckets for each power of two.
  public static let steps = 32
  private static let stepBits = 5

  private var counts: [UInt64] = []
  public private(set) var count: UInt64 = 0
  /// Exact, not that of a bucket; 0 when nothing was recorded.
  public private(set) var minimum: Int64 = 0
  public private(set) var maximum: Int64 = 0
  /// The sum of all values; stops at the largest integer instead of overflowing.
  public private(set) var sum: Int64 = 0

  public init() {}

  public var isEmpty: Bool { count == 0 }

  /// A value below zero counts as zero.
  public mutating func record(_ value: Int64) { record(value, times: 1) }

  public mutating func record(_ value: Int64, times: UInt64) {
    guard times > 0 else { return }
    let value = max(value, 0)
    let bucket = Self.bucket(of: UInt64(value))
    if bucket >= counts.count { counts.append(contentsOf: repeatElement(0, count: bucket + 1 - counts.count)) }
    counts[bucket] += times
    minimum = count == 0 ? value : min(minimum, value)
    maximum = max(maximum, value)
    count += times
    let (product, isTooLong) = value.multipliedReportingOverflow(by: Int64(clamping: times))
    let (total, isOverflowing) = sum.addingReportingOverflow(isTooLong ? Int64.max : product)
    sum = isOverflowing ? Int64.max : total
  }

  /// Adds what another has counted.
  public mutating func merge(_ other: Histogram) {
    guard other.count > 0 else { return }
    if other.counts.count > counts.count {
      counts.append(contentsOf: repeatElement(0, count: other.counts.count - counts.count))
    }
    for (bucket, number) in other.counts.enumerated() { counts[bucket] += number }
    minimum = count == 0 ? other.minimum : min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
    count += other.count
    let (total, isOverflowing) = sum.addingReportingOverflow(other.sum)
    sum = isOverflowing ? Int64.max : total
  }

  /// The least figure that at least this share of all values do not exceed, in permille; 0 when nothing was recorded.
  public func quantile(permille: UInt64) -> Int64 {
    guard count > 0 else { return 0 }
    let share = min(permille, 1_000)
    // In two parts, because the product of a large count would not fit.
    let rank = max(count / 1_000 * share + (count % 1_000 * share + 999) / 1_000, 1)
    var seen: UInt64 = 0
    for (bucket, number) in counts.enumerated() {
      seen += number
      if seen >= rank { return max(min(Self.upperBound(of: bucket), maximum), minimum) }
    }
    return maximum
  }

  /// The mean, rounded down; 0 when nothing was recorded.
  public var mean: Int64 { count == 0 ? 0 : sum / Int64(clamping: count) }

  /// The buckets that hold anything, in order: the values they stand for, and how many there are.
  public var buckets: [(range: ClosedRange<Int64>, count: UInt64)] {
    counts.indices.compactMap { bucket in
      guard counts[bucket] > 0 else { return nil }
      return (Self.lowerBound(of: bucket)...Self.upperBound(of: bucket), counts[bucket])
    }
  }

  /// Values below `steps` have a bucket each; above, the bits after the leading one choose it.
  private static func bucket(of value: UInt64) -> Int {
    guard value >= UInt64(steps) else { return Int(value) }
    let exponent = 63 - value.leadingZeroBitCount
    let rest = Int(value >> UInt64(exponent - stepBits)) & (steps - 1)
    return (exponent - stepBits + 1) * steps + rest
  }

  private static func lowerBound(of bucket: Int) -> Int64 {
    guard bucket >= steps else { return Int64(bucket) }
    return Int64(steps + bucket % steps) << (bucket / steps - 1)
  }

  private static func upperBound(of bucket: Int) -> Int64 {
    guard bucket >= steps else { return Int64(bucket) }
    let shift = bucket / steps - 1
    return (Int64(steps + bucket % steps) << shift) + ((1 << shift) - 1)
  }
}

extension Histogram {
  public mutating func record(_ duration: SimDuration) { record(duration.nanoseconds) }

  /// A quantile of durations in nanoseconds.
  public func duration(permille: UInt64) -> SimDuration { .nanoseconds(quantile(permille: permille)) }
}
