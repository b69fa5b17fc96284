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

    #expect(timeline.advance(limit: Self.at(25), runsAhead: true)?.kind == 1)
    #expect(!timeline.runAhead(to: Self.at(26)), "beyond the limit")
    #expect(timeline.runAhead(to: Self.at(20)))
    #expect(timeline.now == Self.at(20) && timeline.eventCount == 2)

    #expect(timeline.advance(limit: Self.at(40), runsAhead: true)?.kind == 2)
    timeline.schedule(SimEvent(kind: 3, target: 0), at: Self.at(35))
    #expect(!timeline.runAhead(to: Self.at(36)), "another event comes first")
    #expect(!timeline.runAhead(to: Self.at(35)), "another event of that instant was scheduled before")
    #expect(timeline.runAhead(to: Self.at(34)))

    #expect(timeline.advance(limit: Self.at(40))?.kind == 3)
    #expect(!timeline.runAhead(to: Self.at(36)), "the owner wants to see every event")
    #expect(timeline.now == Self.at(35) && timeline.eventCount == 5)
  }
}
