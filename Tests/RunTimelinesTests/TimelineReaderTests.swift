import BabSuite
import Bench
import Conformance
import SimKernel
import Testing

import RunCauses
@testable import RunTimelines

@Suite("A run as a timeline")
struct TimelineReaderTests {
  @Test(
    "Packets that came are those that engines report, lane by lane",
    arguments: ["lobby/eight-peer-lobby", "radio/noisy-convention-hall", "faults/client-vanishes-and-returns"])
  func packets(path: String) throws {
    let run = try DrawnRun(path)
    for lane in run.timeline.lanes.indices {
      let drawn = run.timeline.packets.count { $0.to == lane && $0.isPacket && $0.receivedAt != nil }
      #expect(drawn == run.counter.packets[lane, default: 0], "\(run.timeline.lanes[lane].name)")
    }
  }

  @Test(
    "In an ideal room every packet arrives, also where links failed to be established",
    arguments: 1...10 as ClosedRange<UInt64>)
  func nothingIsLost(seed: UInt64) throws {
    let run = try DrawnRun("lobby/eight-peer-lobby", seed: seed)
    #expect(run.timeline.packets.filter { $0.receivedAt == nil || !$0.isPacket }.map(\.label) == [])
    #expect(run.timeline.packets.allSatisfy { $0.from >= 0 && $0.to >= 0 && $0.sentAt < $0.receivedAt ?? .zero })
  }

  @Test("A packet that breaks off is drawn as far as it came")
  func broken() throws {
    let run = try DrawnRun("lobby/eight-peer-lobby", ["devices.host.engine=published-update-value-ignored"])
    let incomplete = run.timeline.packets.filter { !$0.isPacket }
    #expect(incomplete.count == 7)
    #expect(incomplete.allSatisfy { $0.label.hasSuffix("of 52 fragments") })
    let finding = try #require(run.timeline.marks.first { $0.kind == .finding })
    #expect(finding.isBad)
    #expect(run.timeline.lanes[finding.lane].name == "host")
    #expect(finding.details.contains { $0.hasPrefix("expected 52 accepted fragments") })
    let last = try #require(finding.evidence.last.map { run.timeline.packets[$0] })
    #expect(last.sentAt <= finding.at)
  }

  @Test("Every PDU is there, up to the limit, and the page says what is not")
  func limit() throws {
    let whole = try DrawnRun("lobby/two-peers")
    #expect(whole.timeline.pdus.count == whole.counter.pdus)
    #expect(whole.timeline.omissions == [])
    #expect(whole.timeline.pdus.contains { $0.words.contains("ATT_HANDLE_VALUE_NTF") })
    var limits = RunKeeper.Limits()
    limits.pdus = 100
    limits.records = 50
    let cut = try DrawnRun("lobby/two-peers", limits: limits)
    #expect(cut.timeline.pdus.count == 100)
    #expect(cut.timeline.packets.count < whole.timeline.packets.count)
    #expect(cut.timeline.omissions.count == 2)
    #expect(cut.timeline.omissions.first?.hasPrefix("\(whole.counter.pdus - 100) PDUs from ") == true)
  }

  @Test("States follow one another without gaps and end with the run")
  func states() throws {
    let run = try DrawnRun("lobby/eight-peer-lobby")
    let tracks = Set(run.timeline.spans.map(\.track))
    #expect(tracks == ["linkState", "links", "phase", "turn"])
    for lane in run.timeline.lanes.indices {
      let phases = run.timeline.spans.filter { $0.lane == lane && $0.track == "phase" }
      #expect(phases.map(\.text) == ["LOBBY", "ACTIVE", "FINISHED"])
      #expect(zip(phases, phases.dropFirst()).allSatisfy { $0.to == $1.from })
      #expect(phases.last?.to == run.timeline.end)
    }
    #expect(run.timeline.spans.last { $0.lane == 0 && $0.track == "links" }?.text == "7 links")
  }

  @Test(
    "Steps and expectations have their lines in the file", arguments: ["lobby/eight-peer-lobby", "crowds/side-by-side"])
  func lines(path: String) throws {
    let run = try DrawnRun(path)
    let marks = run.timeline.marks.filter { $0.kind == .step || $0.kind == .expectation }
    #expect(marks.isEmpty == false)
    #expect(marks.filter { $0.line == nil }.map(\.text) == [])
    let steps = Set(run.scenario.steps.map(\.source.line))
    #expect(marks.filter { $0.kind == .step }.allSatisfy { steps.contains($0.line ?? 0) })
  }

  @Test(
    "Two modes, one result: a run that is drawn has the digest of one that nobody watches",
    arguments: 1...6 as ClosedRange<UInt64>)
  func digest(seed: UInt64) throws {
    for path in ["radio/crowded-subway", "faults/broken-stack"] {
      let drawn = try DrawnRun(path, seed: seed)
      let alone = try World.run(
        drawn.scenario, options: RunOptions(seed: seed), readers: [], engines: [AppProtocol.bab].engines)
      #expect(drawn.outcome.digest == alone.digest)
    }
  }
}
