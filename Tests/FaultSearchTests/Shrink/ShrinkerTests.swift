import AppSeam
import BabSuite
import Bench
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

@testable import Shrink
import RunReports

@Suite("Shrinking a failing scenario")
struct ShrinkerTests {
  /// Mutants that a game of three fails, each for its own reason.
  static let mutants = [
    "ranking-reversed", "commits-twice", "private-text-shown", "wrong-formula", "oversize-fragment", "claims-sent",
    "lobby-update-forgotten", "never-seats",
  ]

  @Test("Keeps the reason, writes a file that shows it, and finds nothing more in that file", arguments: mutants)
  func mutant(name: String) throws {
    let result = try ShrinkBench.shrink(ShrinkBench.game(of: name))
    let reason = result.start.sighting.reason
    let text = result.text(repeatLine: "babbench run x.yaml")
    try expect(ShrinkBench.reasons(text).contains(reason), "\(text)")
    expect(result.isSmallest && result.start.control == .engines)
    expect(result.sizeAfter.lines < result.sizeBefore.lines && result.sizeAfter.devices <= 3)
    let run = try ShrinkStart.run(try ShrinkBench.tree(text), seed: result.variant.seed, on: ShrinkBench.real)
    let number = try required(run.1.sightings.firstIndex { $0.reason == reason })
    let again = try ShrinkBench.shrink(text, seed: result.variant.seed, reason: number)
    equal(again.tree, result.tree, "\(again.changes)")
  }

  @Test("A lossy radio is reduced to what matters of it", arguments: [1, 2] as [UInt64])
  func radio(seed: UInt64) throws {
    let text = ShrinkBench.game(radio: "{ preset: convention-hall, packet loss: 85% }")
    let result = try ShrinkBench.shrink(text, seed: seed, seedsPerStep: 2)
    equal(result.start.control, .radio)
    equal(result.variant.tree.entry("radio")?.entries.map(\.key), ["packet loss"])
    expect(result.boundaries.contains { $0.place == "radio.packet loss" })
    try expect(ShrinkBench.reasons(result.text(repeatLine: "x")).contains(result.start.sighting.reason))
  }

  @Test("A measured room with fading and losses of channels is reduced to what matters of it")
  func profileRoom() throws {
    let profile = """
      profile: hall
      phones: { a: { att mtu: 185 } }
      radio:
        preset: convention-hall
        channel loss: { 0..36: 96% }
        fading: { kind: rayleigh, coherence time: 50ms }
      """
    let bench = TrialBench(
      read: {
        ScenarioReader.read(
          text: $0, file: "test.yaml", language: ShrinkBench.language, profiles: .texts([("hall.yaml", profile)]))
      }, judge: ShrinkBench.real.judge)
    let result = try ShrinkBench.shrink(ShrinkBench.game(radio: "hall.yaml"), seedsPerStep: 2, on: bench)
    equal(result.start.control, .radio)
    equal(result.variant.tree.entry("radio")?.entries.map(\.key), ["channel loss"], "\(result.variant.tree)")
    expect(result.boundaries.contains { $0.place == "radio.channel loss.0..36" })
    try expect(ShrinkBench.reasons(result.text(repeatLine: "x")).contains(result.start.sighting.reason))
  }

  @Test("A slow network is reduced to what matters of it, and an ideal one is the control")
  func network() throws {
    let result = try ShrinkBench.shrink(ShrinkBench.event(network: "{ preset: home, delay: 20s, pieces: 40 }"))
    equal(result.start.control, .network)
    equal(result.variant.tree.entry("network")?.entries.map(\.key), ["delay"])
    expect(result.boundaries.contains { $0.place == "network.delay" })
    try expect(ShrinkBench.reasons(result.text(repeatLine: "x")).contains(result.start.sighting.reason))
  }

  @Test("The number of threads changes nothing")
  func parallel() throws {
    let text = ShrinkBench.game(of: "lobby-update-forgotten")
    let one = try ShrinkBench.shrink(text, seedsPerStep: 2)
    // Asks for seven at once, and answers the last one first.
    let backwards = Parallel(width: 7) { count, work in (0..<count).reversed().map(work).reversed() }
    let other = try ShrinkBench.shrink(text, seedsPerStep: 2, backwards)
    equal(one.text(repeatLine: "x"), other.text(repeatLine: "x"))
    expect(one.executions == other.executions && one.changes == other.changes)
  }

  @Test("A budget ends it early, and what it has still fails for the reason", arguments: [1, 3, 10, 30])
  func budget(executions: Int) throws {
    let result = try ShrinkBench.shrink(ShrinkBench.game(of: "commits-twice"), executions: executions)
    expect(!result.isSmallest)
    expect(result.executions <= executions + 3)
    try expect(ShrinkBench.reasons(result.text(repeatLine: "x")).contains(result.start.sighting.reason))
  }

  @Test("What fails for two reasons keeps the one that was chosen")
  func twoReasons() throws {
    let text = ShrinkBench.game(host: "ranking-reversed", client: "commits-twice")
    let all = try ShrinkBench.reasons(text)
    expect(all.count > 1)
    for number in all.indices.prefix(3) {
      let result = try ShrinkBench.shrink(text, reason: number)
      equal(result.start.sighting.reason, all[number])
      try expect(ShrinkBench.reasons(result.text(repeatLine: "x")).contains(all[number]))
    }
  }

  @Test("Who only asks whether anything fails loses the reason, and the tests here see it")
  func careless() throws {
    // A game that also expects what never holds: the first reason is the oracle's, the other one is easier to keep.
    let text = ShrinkBench.game(host: "ranking-reversed") + "\n  - host has at least 9 players"
    let reason = try ShrinkBench.reasons(text)[0]
    let real = ShrinkBench.real
    let careless = TrialBench(
      read: real.read,
      judge: { scenario, options, readers in
        var judgement = try real.judge(scenario, options, readers)
        let host = judgement.header.devices.firstIndex { $0.role.rawValue == "host" } ?? 0
        if judgement.verdict == .fail, case .finding(let oracle, let clause, _) = reason, !judgement.oracles.isEmpty {
          judgement.oracles[0].findings = [
            Finding(
              oracle: oracle, verdict: .fail, instant: .zero, device: host, clause: clause, expected: "", actual: "",
              record: nil)
          ]
        }
        return judgement
      })
    let result = try ShrinkBench.shrink(text, on: careless)
    try expect(!ShrinkBench.reasons(result.text(repeatLine: "x")).contains(reason))
    let honest = try ShrinkBench.shrink(text)
    try expect(ShrinkBench.reasons(honest.text(repeatLine: "x")).contains(reason))
  }

  @Test("A control keeps an expectation from failing for a cause of its own")
  func control() throws {
    let text = ShrinkBench.game(of: "never-seats")
    let result = try ShrinkBench.shrink(text)
    // Without a control the step “join” could go: nobody would be in the lobby then either.
    equal(
      result.variant.tree.entry("steps")?.items.contains { $0.entries.contains { $0.value.scalar == "join" } }, true)
    equal(result.variant.tree.entry("devices")?.entry("host")?.entry("engine")?.scalar, "never-seats")
  }

  @Test("A run without end is cut short")
  func endless() throws {
    let result = try ShrinkBench.shrink(
      ShrinkBench.game(of: "never-rests") + "\nlimits: { events: 300000 }")
    equal(result.trial.ending, .eventLimit)
    expect(result.trial.events < 30_000)
  }

  @Test("A run that passes shows no reason")
  func passing() throws {
    try expect(ShrinkBench.reasons(ShrinkBench.game()).isEmpty)
  }
}
