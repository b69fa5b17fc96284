import BeamScribe
import BeamSuite
import Bench
import Conformance
import Expectations
import SimKernel
import Testing

@testable import RunReports

@Suite("What led to it on the network")
struct NetworkStoryTests {
  /// Mutants, and scenarios in which they fail, with the clause that is named first.
  static let played: [(mutant: String, path: String, clause: String)] = [
    ("gate-of-three-seconds", "one-guest", "BEAM 5.4.2"), ("history-off-by-one", "one-guest", "BEAM 5.4.7"),
    ("little-endian-length", "one-guest", "BEAM 3.1"), ("unsorted-keys", "one-guest", "BEAM 4.1"),
    ("seam-twice", "one-guest", "BEAM 5.6.3"), ("history-padded", "one-guest", "BEAM 3.3"),
    ("keeps-scanning", "one-guest", "BEAM 5.2.6"), ("live-chunk-forgotten", "seven-guests", "BEAM 5.5.2"),
    ("partial-kept", "seven-guests", "BEAM 5.5.8"), ("retries-at-once", "vanishing-host", "BEAM 5.9.2"),
    ("vanished-unnoticed", "vanishing-host", "BEAM 5.7.5"), ("gives-up", "vanishing-host", "BEAM 5.9.3"),
  ]

  @Test("A guest for whom there is no seat is told so, once; one that waits for its network is not")
  func noSeat() throws {
    let run = try JudgedRun("beamscribe/eighth-guest", ["steps.6={ after: 1s }"], app: .beamscribe)
    let trouble = try required(
      run.troubles.first { $0.devices.map { run.judgement.header.name(of: $0) } == ["eighth"] })
    let seats = run.story(of: trouble).filter { $0.text.hasPrefix("host has no free seat: all 7 are taken, and it") }
    expect(seats.count == 1 && seats.allSatisfy { $0.record != nil })

    let alone = try JudgedRun(
      "beamscribe/one-guest",
      [
        "devices.guest.interfaces=[awdl]", "network=no infrastructure",
        "devices.host.interfaces=[wifi]",
      ], app: .beamscribe)
    expect(!alone.troubles.flatMap { alone.story(of: $0) }.contains { $0.text.contains("no free seat") })
  }

  @Test(
    "A mutant is told with its clause, and with what shows it, in the trace and in the capture", arguments: played)
  func mutants(name: String, path: String, clause: String) throws {
    let mutant = try required(BeamMutants.named(name))
    let run = try JudgedRun("beamscribe/\(path)", engine: mutant.name, of: mutant.role, app: .beamscribe)
    let first = try required(run.troubles.first)
    equal(first.clause, clause)
    let story = run.story(of: first)
    // A guest that gave up is told by what did not pass.
    expect(
      story.contains {
        $0.text.contains(" → ") && $0.packets != nil || $0.text.contains("connection")
          || $0.text.contains("no packet between them")
      })
    let numbers = Set(run.log.lines.map(\.record))
    for trouble in run.troubles.prefix(2) {
      let story = run.story(of: trouble)
      equal(story.map(\.instant), story.map(\.instant).sorted())
      for event in story {
        if let record = event.record { expect(numbers.contains(record), "\(event)") }
        if let packets = event.packets {
          expect(packets.lowerBound >= 1 && packets.upperBound <= run.run.packets.count)
        }
        expect(event.instant <= run.run.end)
      }
    }
  }

  @Test("A frame that is lost or waits says so, and names its segments")
  func lost() throws {
    let run = try JudgedRun("beamscribe/vanishing-host", engine: "vanished-unnoticed", of: .beamGuest, app: .beamscribe)
    let story = run.story(of: try required(run.troubles.first))
    expect(story.contains { $0.text.contains("liveChunk final") && $0.text.contains("never came") })
    expect(story.contains { $0.text.hasPrefix("host: the bench: the device vanishes") })
    expect(story.contains { $0.text.contains("opens connection") && $0.record != nil })
    // Nothing is told twice.
    let lines = story.map { "\($0.instant) \($0.text)" }
    equal(Set(lines).count, lines.count)
  }
}
