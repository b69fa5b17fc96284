import Expectations
import Testing

@testable import Stress

@Suite("Exact binomial intervals")
struct BinomialIntervalTests {
  /// From scipy 1.17.1: `binomtest(k, n).proportion_ci(0.95, "exact")`.
  private static let foreign: [(k: Int, n: Int, low: Double, high: Double)] = [
    (0, 10, 0, 0.30849710781876294),
    (9, 10, 0.5549838829718047, 0.9974714214555375),
    (10, 10, 0.6915028921812371, 1),
    (50, 100, 0.39832112950330095, 0.6016788704966991),
    (1, 1_000, 2.5317487491674634e-05, 0.0055589242798499),
    (990, 1_000, 0.9816867569448875, 0.9951944893089419),
    (999, 1_000, 0.9944410757201502, 0.9999746825125083),
    (99_990, 100_000, 0.9998161041546235, 0.9999520451048671),
  ]

  @Test("Equal to scipy's", arguments: foreign)
  func isAsTabulated(_ row: (k: Int, n: Int, low: Double, high: Double)) {
    let interval = BinomialInterval(successes: row.k, of: row.n)
    expect(abs(interval.low - row.low) < 1e-9 && abs(interval.high - row.high) < 1e-9, "\(interval)")
  }

  @Test("The number of worlds that a claim needs is the first that can prove it")
  func needed() {
    for (share, worlds) in [(0.5, 6), (0.9, 36), (0.99, 368), (0.999, 3_688)] {
      equal(BinomialInterval.worlds(for: share), worlds)
      expect(BinomialInterval(successes: worlds, of: worlds).low >= share)
      expect(BinomialInterval(successes: worlds - 1, of: worlds - 1).low < share)
    }
  }

  @Test("More looks make it wider")
  func looks() {
    let (one, ten) = (
      BinomialInterval(successes: 90, of: 100), BinomialInterval(successes: 90, of: 100, looks: 10)
    )
    expect(ten.low < one.low && ten.high > one.high)
  }
}
