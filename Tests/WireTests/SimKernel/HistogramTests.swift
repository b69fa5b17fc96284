import Expectations
import SimKernel
import Testing

@Suite("Histogram")
struct HistogramTests {
  @Test("Small values are exact, larger ones at most a thirty-second too large")
  func resolution() {
    for value in [0, 1, 31, 32, 33, 63, 64, 65, 1_000, 30_000_000, 1 << 40, Int64.max] as [Int64] {
      var histogram = Histogram()
      histogram.record(value)
      histogram.record(Int64.max)
      let figure = histogram.quantile(permille: 500)
      expect(figure >= value)
      expect(figure - value <= value / 32)
    }
  }

  @Test("Quantiles are those of the sorted list, to the resolution")
  func quantiles() {
    var histogram = Histogram()
    var stream = RandomStream(seed: 4, component: "histogram", purpose: "values")
    var values: [Int64] = []
    for _ in 0..<5_000 {
      let value = Int64(stream.below(1 << (4 + stream.below(30))))
      values.append(value)
      histogram.record(value)
    }
    values.sort()
    for permille in [1, 10, 250, 500, 900, 990, 999, 1_000] as [UInt64] {
      let exact = values[max((values.count * Int(permille) + 999) / 1_000, 1) - 1]
      let figure = histogram.quantile(permille: permille)
      expect(figure >= exact && figure - exact <= exact / 32, "\(permille)")
    }
    expect(histogram.minimum == values[0] && histogram.maximum == values[4_999])
    equal(histogram.sum, values.reduce(0, +))
    equal(histogram.buckets.map(\.count).reduce(0, +), 5_000)
    expect(
      zip(histogram.buckets, histogram.buckets.dropFirst()).allSatisfy { $0.range.upperBound < $1.range.lowerBound })
  }

  @Test("Durations of a live run")
  func durations() {
    var histogram = Histogram()
    equal(histogram.duration(permille: 990), .zero)
    for value in 1...1_000 { histogram.record(.microseconds(Int64(value))) }
    histogram.record(.nanoseconds(-5))
    for (permille, exact) in [(500, 500), (990, 990)] as [(UInt64, Int64)] {
      let figure = histogram.duration(permille: permille)
      expect(figure >= .microseconds(exact) && figure <= .microseconds(exact) * 33 / 32 + .nanoseconds(1))
    }
    expect(histogram.maximum == 1_000_000 && histogram.duration(permille: 1_000) == .milliseconds(1))
    expect(histogram.quantile(permille: 0) == 0 && histogram.count == 1_001)
    histogram.record(.max)
    equal(histogram.quantile(permille: 1_000), .max)
  }

  @Test("Two halves merged are the whole")
  func merging() {
    var whole = Histogram()
    var halves = [Histogram(), Histogram()]
    for value in 0..<1_000 {
      whole.record(Int64(value * value))
      halves[value % 2].record(Int64(value * value))
    }
    halves[0].merge(halves[1])
    equal(halves[0], whole)
  }

  @Test("Nothing recorded, values below zero, and sums beyond the end stay harmless")
  func edges() {
    var histogram = Histogram()
    expect(histogram.quantile(permille: 500) == 0 && histogram.mean == 0 && histogram.buckets.isEmpty)
    histogram.record(-5)
    expect(histogram.maximum == 0 && histogram.count == 1)
    histogram.record(.max, times: 3)
    equal(histogram.sum, .max)
  }
}
