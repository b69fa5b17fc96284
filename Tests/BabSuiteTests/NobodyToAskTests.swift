import BabOracles
import BabSim
import BabSuite
import Bench
import Expectations
import Judging
import SimKernel
import Testing

@testable import Conformance

/// What is said of those who cannot be asked has neither passed nor failed.
@Suite("Expectations about nobody")
struct NobodyToAskTests {
  private static func judged(_ text: String, seed: UInt64 = 1) throws -> Judgement {
    let scenario = try ScenarioReader.read(text: text, file: "a.yaml", language: ScenarioLanguage([.bab])).get()
    let oracles = OracleReader()
    _ = try World.run(scenario, options: RunOptions(seed: seed), readers: [oracles], engines: [AppProtocol.bab].engines)
    return try required(oracles.judgement)
  }

  /// A lobby whose clients may be hostile.
  private static func lobby(_ devices: String, _ expect: [String]) -> String {
    """
    devices: { \(devices) }
    steps: [ host: start hosting, client-1: join, after: 3s ]
    expect:
    \(expect.map { "  - \($0)" }.joined(separator: "\n"))
    """
  }

  private static let hostile = "hostile: { share: 100%, message fault: { do: drop } }"

  @Test("When everybody is hostile the run is inconclusive, and each expectation says who is missing")
  func allHostile() throws {
    let expected = [
      "everyone is FINISHED", "{ that: everyone is FINISHED, within: 1min }", "always: host has at most 3 links",
      "nobody has violations",
    ]
    let run = try Self.judged(Self.lobby("host: { \(Self.hostile) }, client: { count: 2, \(Self.hostile) }", expected))
    equal(run.verdict, .inconclusive)
    expect(run.expectations.count == 4 && run.expectations.allSatisfy { $0.verdict == .inconclusive })
    let details = Set(run.expectations.map(\.detail))
    equal(details, ["no answer: host, client-1 and client-2 are hostile", "no answer: host is hostile"])
    // What can never be answered keeps no run alive.
    expect(run.outcome.endInstant < .zero + .seconds(30))
    let junit = String(decoding: JUnitReport.octets([run]), as: UTF8.self)
    expect(junit.contains("type=\"inconclusive\"") && junit.contains("host, client-1 and client-2 are hostile"))
  }

  @Test("Hostile devices are left out where others can be asked, and parts that nobody answers decide nothing")
  func someHostile() throws {
    let devices = "host: {}, client: { count: 2 }, client-2: { \(Self.hostile) }"
    let run = try Self.judged(
      Self.lobby(
        devices,
        [
          "everyone has no violations", "that: { all: [client-1 in lobby, client-2 in lobby] }",
          "that: { any: [client-1 in lobby, client-2 in lobby] }",
          "that: { all: [client-1 is FINISHED, client-2 in lobby] }", "client-2 is not in lobby",
        ]))
    equal(run.expectations.map(\.verdict), [.pass, .inconclusive, .pass, .fail, .inconclusive])
    equal(run.expectations[1].detail, "no answer: client-2 is hostile")
    equal(run.verdict, .fail)
  }

  @Test("An app that never runs fulfils nothing by doing nothing")
  func neverStarted() throws {
    let expected = [
      "everyone has no violations", "client-2 is not in lobby", "always: client-2 has at most 0 links",
      "{ that: client-2 has no links, within: 1s }", "client-2 in lobby", "no client has refused packets",
      "any client in lobby",
    ]
    let late = try Self.judged(Self.lobby("host: {}, client: { count: 2 }, client-2: { starts: 1h }", expected))
    equal(
      late.expectations.sorted { $0.place.line ?? 0 < $1.place.line ?? 0 }.map(\.verdict),
      [.inconclusive, .inconclusive, .inconclusive, .inconclusive, .fail, .inconclusive, .pass])
    expect(late.expectations.contains { $0.detail == "no answer: the app of client-2 never ran" })
    // The same app, a second late: now it has run, and what it does not do counts.
    let soon = try Self.judged(Self.lobby("host: {}, client: { count: 2 }, client-2: { starts: 1s }", expected))
    equal(
      soon.expectations.sorted { $0.place.line ?? 0 < $1.place.line ?? 0 }.map(\.verdict),
      [.pass, .pass, .pass, .pass, .fail, .pass, .pass])
  }

  @Test("One that ran and is gone has run")
  func killed() throws {
    let text = Self.lobby("host: {}, client: { count: 2 }, client-2: { starts: 2s }", ["client-2 has no violations"])
    let after = text.replacing("after: 3s ]", with: "after: 3s, client-2: kill ]")
    try equal(Self.judged(after).expectations.map(\.verdict), [.pass])
    // Ended before it was there: nothing has run.
    let never = text.replacing("starts: 2s", with: "starts: 1h").replacing("after: 3s ]", with: "client-2: kill ]")
    try equal(Self.judged(never).expectations.map(\.verdict), [.inconclusive])
  }
}
