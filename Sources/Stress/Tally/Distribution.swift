import Histogram

/// Samples of one measure, counted in a histogram (HdrHistogram, two significant digits): a quantile is at most one
/// hundredth too large. Two of them merge to what one of all samples would be.
package struct Distribution: Hashable, Sendable {
  private var histogram: Histogram<UInt64>?
  /// Exact.
  package private(set) var least: Int64 = 0
  package private(set) var greatest: Int64 = 0

  package init() {}

  package var count: UInt64 { histogram?.totalCount ?? 0 }

  /// Values beyond are counted as this one: 73 years in microseconds.
  private static let limit: UInt64 = 1 << 51

  /// - Parameters:
  ///   - value: below zero it counts as zero.
  ///   - step: what the measure is counted in.
  ///   - times: how often it occurred.
  package mutating func record(_ value: Int64, step: Int64, times: UInt64 = 1) {
    record(value, bucket: UInt64(max(value, 0) / step), times: times)
  }

  private mutating func record(_ value: Int64, bucket: UInt64, times: UInt64) {
    (least, greatest) = count == 0 ? (value, value) : (min(least, value), max(greatest, value))
    count(bucket, times)
  }

  private mutating func count(_ bucket: UInt64, _ times: UInt64) {
    if histogram == nil { histogram = Histogram(numberOfSignificantValueDigits: .two) }
    histogram?.record(min(bucket, Self.limit), count: times)
  }

  package mutating func merge(_ other: Distribution) {
    guard let theirs = other.histogram, other.count > 0 else { return }
    (least, greatest) =
      count == 0 ? (other.least, other.greatest) : (min(least, other.least), max(greatest, other.greatest))
    if histogram == nil { histogram = theirs } else { histogram?.add(theirs) }
  }

  /// The least figure that at least so many permille of all samples do not exceed; nil when there is none.
  package func quantile(permille: Int, step: Int64) -> Int64? {
    guard let histogram, count > 0 else { return nil }
    let value = histogram.valueAtPercentile(Double(permille) / 10)
    return max(least, min(greatest, (Int64(clamping: value) + 1) * step - 1))
  }

  /// Buckets that hold anything, in ascending order: the greatest value of each, in steps, and how many there are.
  package var buckets: [(value: UInt64, count: UInt64)] {
    histogram.map { histogram in
      histogram.recordedValues().map { (histogram.highestEquivalentForValue($0.value), $0.count) }
    } ?? []
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.least == b.least && a.greatest == b.greatest && a.buckets.elementsEqual(b.buckets, by: ==)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(least)
    hasher.combine(greatest)
    hasher.combine(count)
  }
}

extension Distribution: Codable {
  private enum Key: String, CodingKey { case count, least, greatest, buckets }

  package init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    for pair in try box.decode([[UInt64]].self, forKey: .buckets) {
      guard pair.count == 2, pair[1] > 0, pair[1] <= 1 << 53, pair[0] <= 1 << 53 else {
        throw DecodingError.dataCorruptedError(
          forKey: .buckets, in: box, debugDescription: "a bucket is a value and a count")
      }
      count(pair[0], pair[1])
    }
    least = try box.decode(Int64.self, forKey: .least)
    greatest = try box.decode(Int64.self, forKey: .greatest)
  }

  package func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(count, forKey: .count)
    try box.encode(least, forKey: .least)
    try box.encode(greatest, forKey: .greatest)
    try box.encode(buckets.map { [$0.value, $0.count] }, forKey: .buckets)
  }
}
