import BabSuite
import Bench
import Conformance
import Expectations
import SimKernel
import Testing

@testable import RunReports

@Suite("A run as a timeline")
struct TimelineReaderTests {
  @Test(
    "Packets that came are those that engines report, lane by lane",
    arguments: ["lobby/eight-peer-lobby", "radio/noisy-convention-hall", "faults/client-vanishes-and-returns"])
  func packets(path: String) throws {
    let run = try DrawnRun(path)
    for lane in run.timeline.lanes.indices {
      let drawn = run.timeline.packets.count { $0.to == lane && $0.isPacket && $0.receivedAt != nil }
      equal(drawn, run.counter.packets[lane, default: 0], "\(run.timeline.lanes[lane].name)")
    }
  }

  @Test(
    "In an ideal room every packet arrives, also where links failed to be established",
    arguments: 1...10 as ClosedRange<UInt64>)
  func nothingIsLost(seed: UInt64) throws {
    let run = try DrawnRun("lobby/eight-peer-lobby", seed: seed)
    equal(run.timeline.packets.filter { $0.receivedAt == nil || !$0.isPacket }.map(\.label), [])
    expect(run.timeline.packets.allSatisfy { $0.from >= 0 && $0.to >= 0 && $0.sentAt < $0.receivedAt ?? .zero })
  }

  @Test("A packet that breaks off is drawn as far as it came")
  func broken() throws {
    let run = try DrawnRun("lobby/eight-peer-lobby", ["devices.host.engine=published-update-value-ignored"])
    let incomplete = run.timeline.packets.filter { !$0.isPacket }
    equal(incomplete.count, 7)
    expect(incomplete.allSatisfy { $0.label.hasSuffix("of 52 fragments") })
    let finding = try required(run.timeline.marks.first { $0.kind == .finding })
    expect(finding.isBad)
    equal(run.timeline.lanes[finding.lane].name, "host")
    expect(finding.details.contains { $0.hasPrefix("expected 52 accepted fragments") })
    let last = try required(finding.evidence.last.map { run.timeline.packets[$0] })
    expect(last.sentAt <= finding.at)
  }

  @Test("Every PDU is there, up to the limit, and the page says what is not")
  func limit() throws {
    let whole = try DrawnRun("lobby/two-peers")
    equal(whole.timeline.pdus.count, whole.counter.pdus)
    equal(whole.timeline.omissions, [])
    expect(whole.timeline.pdus.contains { $0.words.contains("ATT_HANDLE_VALUE_NTF") })
    var limits = RunMemory.Limits()
    limits.pdus = 100
    limits.records = 50
    let cut = try DrawnRun("lobby/two-peers", limits: limits)
    equal(cut.timeline.pdus.count, 100)
    expect(cut.timeline.packets.count < whole.timeline.packets.count)
    equal(cut.timeline.omissions.count, 2)
    equal(cut.timeline.omissions.first?.hasPrefix("\(whole.counter.pdus - 100) PDUs from "), true)
  }

  @Test("States follow one another without gaps and end with the run")
  func states() throws {
    let run = try DrawnRun("lobby/eight-peer-lobby")
    let tracks = Set(run.timeline.spans.map(\.track))
    equal(tracks, ["linkState", "links", "phase", "turn"])
    for lane in run.timeline.lanes.indices {
      let phases = run.timeline.spans.filter { $0.lane == lane && $0.track == "phase" }
      equal(phases.map(\.text), ["LOBBY", "ACTIVE", "FINISHED"])
      expect(zip(phases, phases.dropFirst()).allSatisfy { $0.to == $1.from })
      equal(phases.last?.to, run.timeline.end)
    }
    equal(run.timeline.spans.last { $0.lane == 0 && $0.track == "links" }?.text, "7 links")
  }

  @Test(
    "Steps and expectations have their lines in the file", arguments: ["lobby/eight-peer-lobby", "crowds/side-by-side"])
  func lines(path: String) throws {
    let run = try DrawnRun(path)
    let marks = run.timeline.marks.filter { $0.kind == .step || $0.kind == .expectation }
    equal(marks.isEmpty, false)
    equal(marks.filter { $0.line == nil }.map(\.text), [])
    let steps = Set(run.scenario.steps.map(\.source.line))
    expect(marks.filter { $0.kind == .step }.allSatisfy { steps.contains($0.line ?? 0) })
  }

  @Test(
    "Two modes, one result: a run that is drawn has the digest of one that nobody watches",
    arguments: 1...6 as ClosedRange<UInt64>)
  func digest(seed: UInt64) throws {
    for path in ["radio/crowded-subway", "faults/broken-stack"] {
      let drawn = try DrawnRun(path, seed: seed)
      let alone = try World.run(
        drawn.scenario, options: RunOptions(seed: seed), readers: [], engines: [AppProtocol.bab].engines)
      equal(drawn.outcome.digest, alone.digest)
    }
  }

  /// Draws what was seen so far now and then, as a live session does.
  private final class Watcher: TraceReader {
    let reader = TimelineReader(of: .bab)
    private(set) var pictures: [RunTimeline] = []
    private var seen = 0

    var wantsAir: Bool { true }
    func begin(_ header: TraceHeader) { reader.begin(header) }
    func read(_ record: TraceRecord) {
      reader.read(record)
      seen += 1
      if seen % 2_000 == 0 { pictures.append(reader.memory.timeline([], scenario: nil)) }
    }
    func end(_ outcome: RunOutcome) { reader.end(outcome) }
  }

  @Test(
    "A run that is drawn while it goes on is the run that nobody watches, and each picture is a beginning of the last")
  func live() throws {
    let scenario = try DrawnRun.scenario("faults/broken-stack")
    let watcher = Watcher()
    let watched = try World.run(
      scenario, options: RunOptions(seed: 3), readers: [watcher], engines: [AppProtocol.bab].engines)
    let alone = try World.run(
      scenario, options: RunOptions(seed: 3), readers: [], engines: [AppProtocol.bab].engines)
    equal(watched.digest, alone.digest)
    let last = watcher.reader.timeline([], scenario: nil)
    expect(watcher.pictures.count > 2)
    for picture in watcher.pictures {
      expect(picture.end <= last.end)
      let numbers = Set(picture.pdus.map(\.number))
      expect(numbers.count == picture.pdus.count && numbers.max() == picture.pdus.count)
      let known = last.pdus.filter { $0.number <= picture.pdus.count }
      expect(zip(known, picture.pdus).first { $0.words != $1.words || $0.start != $1.start } == nil)
    }
  }

  @Test("A failed step is in the lane of the device that it waits for")
  func laneOfFailure() throws {
    let run = try DrawnRun("lobby/eight-peer-lobby", seed: 22, ["radio=subway"])
    let bad = run.timeline.marks.filter(\.isBad)
    let lane = try required(run.timeline.lanes.firstIndex { $0.name == "client-7" })
    equal(bad.count, 9)
    expect(bad.contains { $0.lane == lane && !$0.story.isEmpty })
  }
}
