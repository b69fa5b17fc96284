import Expectations
import Judging
import Stress
import Testing

@Suite("The value at which a claim ceases to hold")
struct LimitSearchTests {
  /// Every value that is tried, where a claim says what it says.
  private func tried(_ verdict: (Int64) -> LimitSearch.Point) throws -> (values: [Int64], outcome: LimitSearch.Outcome)
  {
    let search = try LimitSearch("game.lines=0..100")
    var points: [LimitSearch.Point] = []
    while let value = search.next(after: points), points.count < 200 { points.append(verdict(value)) }
    return (points.map(\.value), search.outcome(of: points))
  }

  @Test("A limit is found to one, with each value tried once")
  func found() throws {
    let (values, outcome) = try tried { .init(value: $0, verdict: $0 < 37 ? .pass : .fail) }
    equal(outcome, .limit(holds: 36, fails: 37))
    equal(Set(values).count, values.count)
  }

  @Test("What was undecided beyond the limit is no longer asked for")
  func undecidedBeyond() throws {
    let (values, outcome) = try tried { .init(value: $0, verdict: $0 == 50 ? .inconclusive : $0 < 9 ? .pass : .fail) }
    equal(outcome, .limit(holds: 8, fails: 9))
    equal(Set(values).count, values.count)
  }

  @Test("A claim that holds again beyond its limit ends the search")
  func twoLimits() throws {
    let (values, _) = try tried { .init(value: $0, verdict: (25...59).contains($0) || $0 > 80 ? .fail : .pass) }
    equal(Set(values).count, values.count)
    expect(values.count < 20)
  }
}
