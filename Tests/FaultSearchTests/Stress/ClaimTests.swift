import BabSuite
import Conformance
import Expectations
import Judging
@testable import Stress
import Testing

@Suite("Claims")
struct ClaimTests {
  private static let measures = RunMeasure.all([.bab])

  private static func claim(_ text: String) throws -> Claim { try Claim(text, among: measures) }

  @Test(
    "Statistic, measure, limit and share",
    arguments: [
      ("p99 turn < 500ms in 99% of worlds", "turn p99 < 500000000", 990_000),
      ("time to lobby<5s in 99.95% of seeds", "lobby greatest < 5000000000", 999_500),
      ("p99 time to lobby <= 1.5 s", "lobby p99 <= 1500000000", nil),
      ("median queue full < 10 ms", "queue-full median < 10000000", nil),
      ("goodput >= 20kbit/s", "goodput least >= 20000", nil),
      ("worst pdu loss < 12.5%", "pdu-loss greatest < 125000", nil),
      ("lost-links <= 0", "lost-links greatest <= 0", nil),
    ] as [(String, String, Int?)])
  func reads(_ text: String, _ meaning: String, _ share: Int?) throws {
    let claim = try Self.claim(text)
    guard case .measure(let measure, let place, let statistic, let comparison, let bound) = claim.subject else {
      return expect(false, "no measure")
    }
    equal("\(measure.name) \(statistic.rawValue) \(comparison.rawValue) \(bound)", meaning)
    expect(claim.share == share && Self.measures[place] == measure)
  }

  @Test(
    "What is none has one line",
    arguments: [
      ("", "no comparison"), ("p99 turn", "no comparison"), ("p99 trun < 1s", "no measure is called trun"),
      ("turn < 5", "written like 300ms"), ("turn < s", "written like"), ("lost-links < 1s", "written like 0"),
      ("turn < 1s in 100% of worlds", "a share below 100%"), ("turn < 1s in most worlds", "a share below 100%"),
      ("< 1s", "no comparison"), ("turn < 99999999999999s", "written like"),
    ])
  func refuses(_ text: String, _ words: String) {
    #expect { try Self.claim(text) } throws: { "\($0)".contains(words) && !"\($0)".contains("Optional(") }
  }

  private func tally(_ holds: Int, _ fails: Int) -> ClaimTally {
    var tally = ClaimTally()
    for _ in 0..<holds { tally.add(true) }
    for _ in 0..<fails { tally.add(false) }
    return tally
  }

  @Test("A share is proved, disproved, or left open by the interval")
  func decides() throws {
    let claim = try Self.claim("pass in 99% of worlds")
    equal(ClaimResult(claim, tally(367, 0)).verdict, .inconclusive)
    equal(ClaimResult(claim, tally(368, 0)).verdict, .pass)
    equal(ClaimResult(claim, tally(368, 1)).verdict, .inconclusive)
    equal(ClaimResult(claim, tally(90, 10)).verdict, .fail)
    equal(ClaimResult(claim, tally(0, 0)).verdict, .inconclusive)
    let every = try Self.claim("pass")
    expect(ClaimResult(every, tally(5, 0)).verdict == .pass && ClaimResult(every, tally(500, 1)).verdict == .fail)
  }

  @Test("What had to happen and did not is too late; what need not happen is unknown")
  func absent() throws {
    let world = WorldResult(
      index: 0, verdict: .fail, digest: nil, queueEvents: 0, causes: [], detail: "", samples: nil,
      measures: Self.measures.count)
    try equal(Self.claim("lobby < 5s").holds(in: world), false)
    try expect(Self.claim("catch-up < 5s").holds(in: world) == nil)
    try equal(Self.claim("pass").holds(in: world), false)
  }
}
