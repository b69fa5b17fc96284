import Expectations
import SimKernel
import Testing

@Suite("The clock of a world")
struct TimelineTests {
  private static func at(_ nanoseconds: Int64) -> SimInstant { SimInstant(nanoseconds: nanoseconds) }

  @Test("An event runs ahead only when its owner allows it, within its limit, and before every other event")
  func runsAhead() {
    let timeline = Timeline()
    timeline.schedule(SimEvent(kind: 1, target: 0), at: Self.at(10))
    timeline.schedule(SimEvent(kind: 2, target: 0), at: Self.at(30))

    equal(timeline.advance(limit: Self.at(25), runsAhead: true)?.kind, 1)
    expect(!timeline.runAhead(to: Self.at(26), turn: 0), "beyond the limit")
    expect(timeline.runAhead(to: Self.at(20), turn: 0))
    expect(timeline.now == Self.at(20) && timeline.eventCount == 2)

    equal(timeline.advance(limit: Self.at(40), runsAhead: true)?.kind, 2)
    timeline.schedule(SimEvent(kind: 3, target: 0), at: Self.at(35))
    expect(!timeline.runAhead(to: Self.at(36), turn: 0), "another event comes first")
    expect(!timeline.runAhead(to: Self.at(35), turn: 0), "another event of that instant was scheduled before")
    expect(timeline.runAhead(to: Self.at(34), turn: 0))

    equal(timeline.advance(limit: Self.at(40))?.kind, 3)
    expect(!timeline.runAhead(to: Self.at(36), turn: 0), "the owner wants to see every event")
    expect(timeline.now == Self.at(35) && timeline.eventCount == 5)
  }

  @Test("A turn has passed when its place in the order has: at an event, when a search is over, after a skip")
  func turns() {
    let timeline = Timeline()
    timeline.schedule(SimEvent(kind: 1, target: 0), at: Self.at(10))
    _ = timeline.schedule(SimEvent(kind: 2, target: 0), at: Self.at(10), turn: 3)
    _ = timeline.scheduleLast(SimEvent(kind: 3, target: 0), at: Self.at(20))
    expect(!timeline.hasPassed(turn: 0), "nothing has come out")

    equal(timeline.advance()?.kind, 1)
    expect(!timeline.hasPassed(turn: 0))
    equal(timeline.advance()?.kind, 2)
    expect(timeline.hasPassed(turn: 0) && timeline.hasPassed(turn: 3) && !timeline.hasPassed(turn: 4))
    timeline.schedule(SimEvent(kind: 4, target: 0), at: Self.at(10))
    equal(timeline.advance()?.kind, 4)
    expect(timeline.hasPassed(turn: 3), "an event that was scheduled late takes nothing back")

    equal(timeline.runAhead(to: Self.at(11), turn: 5), false, "the owner wants to see every event")
    expect(timeline.advance(limit: Self.at(15)) == nil)
    expect(timeline.hasPassed(turn: .max), "all of this instant is over")
    timeline.skip(to: Self.at(15))
    expect(timeline.hasPassed(turn: .max), "nothing was pending up to here")
    timeline.skip(to: Self.at(20))
    expect(!timeline.hasPassed(turn: 0), "what is pending here has not had its turn")
    equal(timeline.advance(runsAhead: true)?.kind, 3)
    expect(timeline.hasPassed(turn: .max), "the last event comes after all turns")
    expect(timeline.runAhead(to: Self.at(30), turn: 5))
    expect(timeline.hasPassed(turn: 5) && !timeline.hasPassed(turn: 6))
  }
}
