import Expectations
import SimKernel
import Testing

@testable import Stress

@Suite("Samples of a run")
struct RunMeasuresTests {
  /// Samples of four pairs, log-uniform over nine decades, as they are and as `RunMeasures` keeps them.
  static func drawn(_ count: Int, seed: UInt64) -> (values: [[Int64]], kept: RunMeasures) {
    var stream = RandomStream(seed: seed, component: "samples", purpose: "values")
    var values: [[Int64]] = Array(repeating: [], count: 4)
    var kept = RunMeasures([.delivery])
    for _ in 0..<count {
      let pair = Int(stream.below(4))
      let value = Int64(stream.below(1 << (1 + stream.below(40))))
      values[pair].append(value)
      kept.add(
        RunMeasures.Sample(value: value, device: Int16(pair / 2), peer: Int16(pair % 2)), to: 0,
        at: SimInstant(nanoseconds: 0), record: nil)
    }
    return (values.map { $0.sorted() }, kept)
  }

  static func rank(_ permille: Int, of sorted: [Int64]) -> Int64 {
    sorted[max(0, (sorted.count * permille + 999) / 1_000 - 1)]
  }

  @Test("Up to the limit figures are those of the samples", arguments: [1, 2, 7, 1_000, RunMeasures.exactLimit])
  func exact(_ count: Int) throws {
    let (values, kept) = Self.drawn(count, seed: 1)
    let all = values.joined().sorted()
    let figures = try required(kept.figures(0))
    equal(figures.count, count)
    equal(figures.mean, Int64(all.reduce(Int128(0)) { $0 + Int128($1) } / Int128(count)))
    equal([figures.least, figures.greatest], [all.first, all.last])
    equal(
      [figures.median, figures.p90, figures.p99],
      [
        Self.rank(500, of: all), Self.rank(900, of: all), Self.rank(990, of: all),
      ])
  }

  @Test("Beyond it no figure is too small or 1/128 too large, and entries do not grow with samples")
  func counted() throws {
    for seed in 1...2 as ClosedRange<UInt64> {
      let (values, kept) = Self.drawn(150_000, seed: seed)
      // Four pairs, 40 octaves of at most 128 values each, and those added since they were counted.
      expect(kept.samples[0].count <= 2 * RunMeasures.exactLimit)
      let parts = kept.parts(0)
      equal(parts.map { [$0.device, $0.peer] }, [[0, 0], [0, 1], [1, 0], [1, 1]])
      for (sorted, figures) in zip(
        values + [values.joined().sorted()], parts.map(\.figures) + [try required(kept.figures(0))])
      {
        equal(figures.count, sorted.count)
        let mean = Int64(sorted.reduce(Int128(0)) { $0 + Int128($1) } / Int128(sorted.count))
        for (figure, truth) in [
          (figures.mean, mean), (figures.least, sorted[0]), (figures.median, Self.rank(500, of: sorted)),
          (figures.p90, Self.rank(900, of: sorted)), (figures.p99, Self.rank(990, of: sorted)),
          (figures.greatest, sorted[sorted.count - 1]),
        ] {
          expect(figure >= truth && figure - truth <= truth / 128)
        }
      }
    }
  }
}
