import AppSeam
import BabSim
import Bench
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import BabSuite
@testable import Conformance

/// A world with apps that are programs: how each way to break down ends the run, and what is left of it.
@Suite("Programs in a world")
struct ProgramCrewTests {
  private static func scenario(
    _ script: String, _ limits: ProgramLimits = ProgramLimits(), host: String = "{}"
  ) throws -> Scenario {
    let text = """
      devices:
        host: \(host)
        client: { engine: reference }
      steps:
        - { at: 20ms, host: start hosting }
        - client: join
        - after: 1s
          host: relaunch
        - { host: start hosting, at: 2s }
      expect:
        - everyone has no violations
        - { that: all clients in lobby, within: 20s }
      """
    var scenario = try ScenarioReader.read(text: text, file: "a.yaml", language: ScenarioLanguage([.bab])).get()
    var program = ScenarioProgram(words: ["./mine"], launch: IUTScript.launch(script))
    program.limits = limits
    scenario.devices[0].program = program
    scenario.devices[0].engine = program.name
    return scenario
  }

  private static func run(
    _ scenario: Scenario, by crew: ProgramCrew = ProgramCrew([.bab]), stepsIdleEvents: Bool = false
  ) throws -> Judgement {
    let judge = [AppProtocol.bab].judge(of: scenario)
    var options = RunOptions(seed: 1)
    options.stepsIdleEvents = stepsIdleEvents
    _ = try World.run(
      scenario, options: options, readers: [judge], engines: [AppProtocol.bab].engines,
      programs: crew)
    return try required(judge.judgement)
  }

  @Test(
    "Each way to break down ends the run by one finding, with device, program and clause",
    arguments: IUTProcessTests.fates)
  func breakdown(_ fate: IUTProcessTests.Fate) throws {
    let crew = ProgramCrew([.bab])
    let judgement = try Self.run(Self.scenario(fate.script, fate.limits), by: crew)
    let breakdown = try required(judgement.outcome.breakdown)
    equal(judgement.outcome.ending, .breakdown)
    expect(breakdown.device == 0 && breakdown.program == "./mine")
    equal(breakdown.hasStarted, (fate.kind != .notStarted))
    expect(fate.says.isEmpty || breakdown.detail.contains(fate.says), "\(breakdown.detail)")
    equal(judgement.verdict, (fate.kind == .notStarted ? .error : .fail))
    let finding = try required(judgement.findings.first { $0.oracle == "NoCrashNoHang" })
    expect(finding.device == 0 && finding.clause == "BAB 7.13" && finding.actual == "./mine: \(breakdown.detail)")
    equal(judgement.findings.filter { $0.verdict > .pass }.count, 1, "\(judgement.findings)")
    // What was not reached follows from it.
    expect(judgement.expectations.allSatisfy { $0.holds || $0.place.isBlocked })
    expect(!crew.processIDs.isEmpty || fate.kind == .notStarted)
    expect(!crew.processIDs.contains(where: IUTScript.isOurChild))
  }

  @Test("A program that asks for more at the same instant again and again is stopped")
  func restless() throws {
    let script =
      IUTScript.hello
      + "\nt='{\"name\":\"setTimer\",\"timer\":1,\"at\":'; while :; do \(IUTScript.ask)\n"
      + #"echo "{\"at\":$at,\"effects\":[$t$at}]}"; done"#
    let judgement = try Self.run(Self.scenario(script))
    let breakdown = try required(judgement.outcome.breakdown)
    equal(breakdown.cause, "never comes to rest")
    equal(breakdown.instant, .zero)
    equal(judgement.verdict, .fail)
  }

  @Test("A launch is a process; what all of them wrote is kept, and none is left")
  func launches() throws {
    let crew = ProgramCrew([.bab])
    let judgement = try Self.run(Self.scenario("echo hello from $$ >&2\n" + IUTScript.wellBehaved), by: crew)
    expect(judgement.outcome.breakdown == nil && judgement.outcome.ending == .finished)
    let log = try required(judgement.outcome.logs.first)
    let lines = log.text.split(separator: "\n")
    expect(log.device == 0 && lines.count == 2 && Set(lines).count == 2, "\(log.text)")
    // What is written with the hello is there when the app is launched.
    equal(log.lines.map(\.text), lines.map(String.init))
    equal(log.lines.map(\.instant), [.zero, SimInstant(nanoseconds: 1_020_000_000)], "\(log.lines)")
    expect(crew.processIDs.count == 2 && !crew.processIDs.contains(where: IUTScript.isOurChild))
    // Nobody joins a host that does nothing.
    equal(judgement.verdict, .fail)
  }

  @Test("The same run again, with idle events stepped too, has the same digest")
  func repeats() throws {
    let scenario = try Self.scenario(IUTScript.wellBehaved)
    let digests = try [false, false, true].map {
      try Self.run(scenario, stepsIdleEvents: $0).outcome.digest.hexadecimal
    }
    equal(Set(digests).count, 1)
  }

  @Test("A world that starts no programs refuses a scenario that has one")
  func refused() throws {
    #expect(throws: NoPrograms.self) {
      try World.run(
        Self.scenario(IUTScript.wellBehaved), options: RunOptions(seed: 1), engines: [AppProtocol.bab].engines)
    }
  }

  @Test("What breaks down on a hostile device, of which nothing else is claimed, ends the run and is no pass")
  func hostileProgram() throws {
    let script = IUTScript.hello + "\n\(IUTScript.ask); \(IUTScript.answer); exit 5"
    let host = "{ hostile: { share: 100%, message fault: { do: drop, every: 2 } } }"
    let judgement = try Self.run(Self.scenario(script, host: host))
    equal(judgement.outcome.breakdown?.detail.contains("exit code 5"), true)
    equal(judgement.verdict, .fail)
  }

  @Test("A hostile device whose mutant strikes starts no program")
  func hostile() throws {
    let scenario = try Self.scenario("exit 3", host: "{ hostile: { share: 100%, engine: lobby-update-forgotten } }")
    try expect(Self.run(scenario).outcome.breakdown == nil)
  }
}
