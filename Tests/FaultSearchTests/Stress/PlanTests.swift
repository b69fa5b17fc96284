import BabSuite
import Conformance
import Expectations
import Judging
@testable import Stress
import Testing

@Suite("Plans of campaigns")
struct PlanTests {
  private func grid(_ vary: [String], samples: Int? = nil, seeds: Int = 10) throws -> StressGrid {
    var variations: [Variation] = []
    for text in vary { variations.append(try Variation(text)) }
    return try StressGrid(variations, samples: samples, firstSeed: 5, seedCount: seeds)
  }

  @Test("Lists make every combination, the last key fastest; worlds are numbered cell by cell")
  func product() throws {
    let grid = try grid(["a=1,2", "b=[0, 1],x"])
    equal(grid.cells.map(\.values), [["1", "[0, 1]"], ["1", "x"], ["2", "[0, 1]"], ["2", "x"]])
    expect(grid.worldCount == 40 && grid.world(0) == (0, 5) && grid.world(25) == (2, 10))
    equal(grid.settings(of: 3), ["a=2", "b=x"])
  }

  @Test("A hypercube uses every stratum of every key once", arguments: [1, 7, 50, 400])
  func hypercube(_ count: Int) throws {
    let grid = try grid(["loss=0%..40%", "crowd=1..2000", "phone=a,b"], samples: count)
    equal(grid.cells.count, count)
    let crowds = grid.cells.compactMap { Int($0.values[1]) }.sorted()
    for (stratum, crowd) in crowds.enumerated() {
      let (low, high) = (1 + 2_000 * stratum / count, 1 + 2_000 * (stratum + 1) / count)
      expect((low...high).contains(crowd), "\(crowd) is not in \(low)...\(high)")
    }
    equal(grid.cells.filter { $0.values[2] == "a" }.count, (count + 1) / 2)
    expect(grid.cells.allSatisfy { $0.values[0].hasSuffix("%") })
    try equal(self.grid(["loss=0%..40%", "crowd=1..2000", "phone=a,b"], samples: count), grid)
  }

  @Test("Ranges keep their unit and their decimals")
  func ranges() throws {
    let range = try MagnitudeRange("0", "40 %")
    expect(range.text(range.low) == "0 %" && range.text(range.high) == "40 %")
    let fine = try MagnitudeRange("-1.5m", "2m")
    expect(fine.text(fine.low) == "-1.5m" && fine.text(fine.high) == "2m" && fine.text(fine.low + 1) == "-1.49m")
  }

  @Test(
    "What is no variation has one line",
    arguments: [
      ("=1", "has no key"), ("a=1,,2", "empty value"), ("a=1,1", "there twice"), ("a=2..1", "the range is empty"),
      ("a=1m..2s", "not the same unit"), ("a=x..y", "two numbers"), ("a=1..2", "--samples"),
    ])
  func refusals(_ text: String, _ words: String) {
    #expect { try grid([text]) } throws: { "\($0)".contains(words) }
    #expect { try grid(["a=1", "a=2"]) } throws: { "\($0)".contains("twice") }
  }

  @Test("Shards share all worlds", arguments: [1, 2, 3, 7, 100])
  func shards(_ count: Int) throws {
    let all = try (1...count).flatMap { number in
      let shard = try required(Shard("\(number)/\(count)"))
      return (0..<shard.size(of: 50)).map(shard.index)
    }
    equal(all.sorted(), Array(0..<50))
  }

  @Test("What is no shard", arguments: ["0/3", "4/3", "1/0", "a/2", "1", "1/2/3", "-1/2", "1/1000000"])
  func noShards(_ text: String) { expect(Shard(text) == nil) }

  @Test("Looks double; a decided cell needs no more worlds")
  func looks() throws {
    let claim = try Claim("pass in 50% of worlds", among: RunMeasure.general)
    let plan = StressPlan(
      scenario: "s", scenarioDigest: "", settings: [], grid: try grid([], seeds: 500), measures: [], claims: [claim],
      stopsEarly: true)
    expect((1...500).filter(plan.isLook) == [64, 128, 256, 500] && plan.looks == 4)
    var tally = plan.emptyTally
    for index in 0..<64 {
      let world = WorldResult(
        index: index, verdict: .pass, digest: nil, queueEvents: 1, causes: [], detail: "", samples: nil, measures: 0)
      expect(!plan.isDecided(tally.cells[0]) || index >= 7)
      tally.add(world, cell: 0, measures: [], claims: plan.claims)
    }
    expect(plan.isDecided(tally.cells[0]) && plan.verdict(tally, missing: 0) == .pass)
    equal(plan.verdict(tally, missing: 3), .inconclusive)
    equal(plan.verdict(plan.emptyTally, missing: 0), .none)
  }
}
