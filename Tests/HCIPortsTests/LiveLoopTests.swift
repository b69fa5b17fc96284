import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import HCIPorts

@Suite("A live run")
struct LiveLoopTests {
  private func instants(_ milliseconds: [Int64]) -> [SimInstant] { milliseconds.map { .zero + .milliseconds($0) } }

  @Test("Without ports the world's events happen in order until its end")
  func worldEnds() throws {
    let script = instants([0, 1, 1, 5, 12])
    let run = LiveRun([], script: script, end: .zero + .milliseconds(20))
    let report = try required(try run.report())
    equal(report.ending, .worldEnded)
    equal(report.now, .zero + .milliseconds(20))
    expect(report.wall >= .milliseconds(20))
    equal(run.witness.handled, script)
    equal(report.lag.events, 4, "one for each instant")
    expect(report.lag.p50 <= report.lag.p99 && report.lag.p99 <= report.lag.maximum)
  }

  @Test("Nothing at or after the end happens, whichever comes first")
  func duration() throws {
    var settings = LiveSettings()
    settings.duration = .milliseconds(10)
    let run = LiveRun([], settings: settings, script: instants([5, 15]), end: .zero + .seconds(3_600))
    let report = try required(try run.report())
    equal(report.ending, .durationOver)
    equal(report.now, .zero + .milliseconds(10))
    equal(run.witness.handled, instants([5]))
  }

  @Test("A run stops when told, before it begins too")
  func stops() throws {
    let run = LiveRun([.host()])
    equal(run.open().count, 1)
    try equal(run.stopped()?.ending, .stopped)
    let stop = LiveStop()
    stop.stop()
    let loop = LiveLoop(world: ScriptedWorld(witness: Witness()), ports: [.host()], log: { _ in })
    try equal(loop.run(until: stop).ending, .stopped)
  }

  @Test("A world that lets no time pass ends the run")
  func stuck() throws {
    let run = LiveRun([], script: instants([1, 2, 3])) { $0.stuckAt = .zero + .milliseconds(2) }
    try equal(run.report()?.ending, .worldStuck)
  }

  @Test("Progress is told, and time stands still before it begins")
  func waitsForGuests() throws {
    var settings = LiveSettings()
    settings.begin = .allSeats
    let run = LiveRun([.host(0), .host(1)], settings: settings, script: instants([0]))
    let first = RawClient(tcp: run.open(tcp: 0))
    first.write([0x01, 0x03, 0x0C, 0x00])
    expect(LiveRun.until { run.witness.lines(with: "has taken").count == 1 })
    expect(run.witness.handled.isEmpty && run.witness.entries.isEmpty)
    let second = RawClient(tcp: run.open(tcp: 1))
    equal(first.read(7), [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])
    _ = second
    _ = try run.stopped()
    let held = run.witness.entries.filter { $0.instant == .zero }.map(\.event)
    expect(held.first == .attached && held.contains(.packet([0x01, 0x03, 0x0C, 0x00])))
  }

  @Test("A guest that leaves before time begins was never there")
  func leavesBeforeTime() throws {
    var settings = LiveSettings()
    settings.begin = .allSeats
    let run = LiveRun([.host(0), .host(1)], settings: settings)
    let early = RawClient(tcp: run.open(tcp: 0))
    early.write([0x01, 0x03, 0x0C, 0x00])
    expect(LiveRun.until { !run.witness.lines(with: "has taken").isEmpty })
    early.close()
    expect(LiveRun.until { !run.witness.lines(with: "has left").isEmpty })
    let late = RawClient(tcp: run.open(tcp: 0))
    let other = RawClient(tcp: run.open(tcp: 1))
    late.write([0x01, 0x05, 0x10, 0x00])
    equal(late.read(7), [0x04, 0x0E, 0x04, 0x01, 0x05, 0x10, 0x00])
    _ = other
    _ = try run.stopped()
    equal(run.witness.packets(device: 0), [[0x01, 0x05, 0x10, 0x00]])
  }

  @Test("What arrives is stamped with a time that never goes back")
  func stamps() throws {
    let run = LiveRun([.host()], script: instants(Array(1...200)))
    let guest = RawClient(tcp: run.open(tcp: 0))
    for _ in 0..<50 {
      guest.write([0x01, 0x03, 0x0C, 0x00])
      equal(guest.read(7).count, 7)
    }
    _ = try run.stopped()
    let stamps = run.witness.entries.map(\.instant)
    expect(stamps.count >= 51 && stamps == stamps.sorted())
    equal(run.witness.handled, run.witness.handled.sorted())
  }
}
