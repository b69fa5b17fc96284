import Expectations
import SimKernel
import Testing

@testable import Stress

@Suite("Tests for pairs")
struct SignTestTests {
  /// From scipy 1.17.1: `binomtest(k, n).pvalue`.
  @Test(
    "Equal to scipy's",
    arguments: [(8, 2, 0.109375), (10, 0, 0.001953125), (60, 40, 0.05688793364098078), (5, 5, 1), (0, 0, 1)])
  func isAsTabulated(_ worse: Int, _ better: Int, _ p: Double) {
    expect(abs(SignTest(worse: worse, better: better).p - p) < 1e-9)
    equal(SignTest(worse: worse, better: better), SignTest(worse: better, better: worse))
  }

  /// From scipy 1.17.1: `wilcoxon(d, zero_method="wilcox", correction=False, method="asymptotic").pvalue`.
  @Test(
    "Signed ranks are equal to scipy's",
    arguments: [
      (
        [
          1, 2, 3, 4, 5, -1, -2, 7, 8, 9, 10, 11, 12, -3, 4, 5, 6, 7, 8, 9, 0, 0, 12, -13, 20, -21, 5, 5, 5, -5,
        ], 0.0037794110322993085
      ), (Array(1...25), 1.2290322210248409e-05), ((1...40).map { $0 % 2 == 0 ? $0 : -$0 }, 0.8930760236810261),
    ])
  func ranks(_ differences: [Int64], _ p: Double) {
    var change = Change(.lostLinks, .median)
    for difference in differences { change.add(100, 100 + difference) }
    expect(abs(change.p - p) < 1e-9, "\(change.p)")
    equal(change.isWorse, (differences.filter { $0 > 0 }.count >= differences.filter { $0 < 0 }.count))
  }

  @Test("The shift is the median of the differences", arguments: 1...20)
  func shift(_ seed: UInt64) {
    var stream = RandomStream(seed: seed, component: "test", purpose: "shift")
    var change = Change(.delivery, .median)
    var differences: [Int64] = []
    for _ in 0..<501 {
      let difference = stream.within(-400_000_000...600_000_000) / 1_000 * (stream.below(4) == 0 ? 0 : 1_000)
      differences.append(difference)
      change.add(1_000_000_000, 1_000_000_000 + difference)
    }
    let median = differences.sorted()[250]
    expect(abs(change.shift - median) <= abs(median) / 50 + 8_000_000, "\(change.shift) for \(median)")
  }
}
