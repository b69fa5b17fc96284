import Expectations
import Foundation
import SimKernel
import Testing

@testable import Stress

@Suite("Distributions")
struct DistributionTests {
  private func values(_ seed: UInt64, _ count: Int) -> [Int64] {
    var stream = RandomStream(seed: seed, component: "test", purpose: "distribution")
    return (0..<count).map { _ in stream.within(0...1 << stream.within(1...40)) }
  }

  @Test("A quantile is the nearest rank, at most a hundredth too large and never too small", arguments: 1...20)
  func quantiles(_ seed: UInt64) throws {
    let values = values(seed, 1_000)
    var distribution = Distribution()
    for value in values { distribution.record(value, step: 1_000) }
    let sorted = values.sorted()
    for permille in [1, 100, 500, 900, 990, 999, 1_000] {
      let exact = sorted[max(0, (1_000 * permille + 999) / 1_000 - 1)]
      let found = try required(distribution.quantile(permille: permille, step: 1_000))
      expect(found >= exact && found <= exact + exact / 100 + 1_000, "\(permille): \(found) for \(exact)")
    }
    expect(distribution.least == sorted[0] && distribution.greatest == sorted[999] && distribution.count == 1_000)
  }

  @Test("Parts merge to the whole, and survive a file", arguments: 1...20)
  func merges(_ seed: UInt64) throws {
    let values = values(seed, 500)
    var (whole, parts) = (Distribution(), [Distribution(), Distribution(), Distribution()])
    for (index, value) in values.enumerated() {
      whole.record(value, step: 1_000)
      parts[index % 3].record(value, step: 1_000)
    }
    let read = try parts.map { try JSONDecoder().decode(Distribution.self, from: JSONEncoder().encode($0)) }
    equal(read, parts)
    var merged = Distribution()
    for part in read.reversed() { merged.merge(part) }
    equal(merged, whole)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try equal(encoder.encode(merged), encoder.encode(whole))
  }

  @Test("Nothing is no figure; what is too large is counted")
  func edges() {
    var distribution = Distribution()
    expect(distribution.quantile(permille: 500, step: 1) == nil)
    distribution.record(.max, step: 1)
    distribution.record(-5, step: 1)
    expect(distribution.count == 2 && distribution.least == -5 && distribution.greatest == .max)
  }

  @Test("Files with buckets that are none are refused", arguments: ["[[1]]", "[[1,0]]", "[[1,2,3]]", "[[-1,1]]"])
  func damaged(_ buckets: String) {
    let text = "{\"count\":1,\"least\":1,\"greatest\":1,\"buckets\":\(buckets)}"
    #expect(throws: (any Error).self) { try JSONDecoder().decode(Distribution.self, from: Data(text.utf8)) }
  }
}
