import AppSeam
import BabSim
import BabSuite
import Bench
import Conformance
import Expectations
import Judging
import Testing

/// A program need not report anything: what it does not say is not held against it, nor against its peers.
@Suite("Reports that a program leaves out")
struct LeftOutReportTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var scenario: String
    /// Nil: everybody.
    var role: AppRole?
    var word: String
    var testDescription: String { "\(role?.rawValue ?? "everybody") without \(word) in \(scenario)" }
  }

  private static let cases = ["lobby/eight-peer-lobby", "lobby/seven-at-once", "faults/client-vanishes-and-returns"]
    .flatMap { scenario in
      [AppRole.host, .client, nil].flatMap { role in
        BabReport.names.map { Case(scenario: scenario, role: role, word: $0) }
      }
    }

  @Test(
    "A program without one of the reports is not accused, nor is anybody else, and what is missing is named",
    arguments: Part.of(cases, 3))
  func leftOut(_ example: Case) throws {
    let play = try LeftOutReports(example.scenario) { example.role == nil || $0.role == example.role }
    let judgement = try play.judge(without: [example.word])
    expect(judgement.findings.isEmpty, "\(judgement.findings)")
    expect(judgement.failedExpectations.isEmpty)
    expect(judgement.verdict == .pass || judgement.verdict == .inconclusive)
    expect(judgement.gaps.allSatisfy { $0.contains("not report") }, "\(judgement.gaps)")
    // What comes after it may not have come to pass, and then no app has said a word of that either.
    if judgement.verdict == .inconclusive { expect(judgement.gaps.first?.contains(example.word) ?? false) }
  }

  @Test(
    "A program that says all of them passes, and one that says none is not accused",
    arguments: [AppRole.host, .client, nil])
  func allOrNone(_ role: AppRole?) throws {
    let play = try LeftOutReports("lobby/eight-peer-lobby") { role == nil || $0.role == role }
    let all = try play.judge(without: [])
    equal(all.verdict, .pass)
    let judgement = try play.judge(without: BabReport.names)
    expect(judgement.findings.isEmpty, "\(judgement.findings)")
    expect(judgement.failedExpectations.isEmpty)
    equal(judgement.verdict, .inconclusive)
  }

  @Test("An expectation and a step that rest on a report which is not said name it, and so does what comes after them")
  func unknown() throws {
    var play = try LeftOutReports("lobby/eight-peer-lobby") { $0.role == .host }
    let named = try play.judge(without: ["phase"])
    equal(named.verdict, .inconclusive)
    expect(named.gaps.contains("host does not report phase"), "\(named.gaps)")
    let text = """
      devices: { host: {}, client: { count: 7 } }
      steps:
        - host: start hosting
        - all clients: join
        - { when: host is LOBBY, within: 5s, host: start lobby game, label: begins }
      expect:
        - { that: everyone is ACTIVE, after: begins, within: 4s }
        - all clients in lobby
        - always: host has at most 7 links
        - always: host has at most 6 links
      """
    let other = try ScenarioReader.read(text: text, file: "a.yaml", language: ScenarioLanguage([.bab])).get()
    (play.scenario.steps, play.scenario.expectations) = (other.steps, other.expectations)
    let judgement = try play.judge(without: ["phase"])
    expect(judgement.findings.isEmpty)
    // What the bench knows by itself is judged, whatever the program leaves out.
    expect(judgement.failedExpectations.count == 1 && judgement.failedExpectations[0].contains("at most 6 links"))
    let wait = try required(judgement.expectations.first { $0.place.isStep })
    expect(wait.answer == nil && wait.detail == "waited 5 s for: host does not report phase", "\(wait)")
    let blocked = judgement.expectations.filter { $0.answer == nil && !$0.place.isStep }
    equal(blocked.map(\.detail), ["a step waited for an unknown fact: host does not report phase"])
  }

  @Test("What an app does not show counts only where it has promised to show it")
  func silence() throws {
    let play = try LeftOutReports("lobby/two-peers") { $0.role == .host }
    try equal(play.judge(without: []).verdict, .pass)
    let silent = try play.judge(without: [], promises: [])
    equal(silent.verdict, .inconclusive)
    equal(silent.gaps, ["host does not report violation"])
    var promised = try LeftOutReports("lobby/two-peers") { $0.role == .host }
    let text = """
      devices: { host: {}, client: { count: 1 } }
      steps: [{ host: start hosting }]
      expect: [nobody is FINISHED, host has at most 3 lines, host has at most 0 refused packets]
      """
    let other = try ScenarioReader.read(text: text, file: "a.yaml", language: .bab()).get()
    (promised.scenario.steps, promised.scenario.expectations) = (other.steps, other.expectations)
    let all = BabReport.names
    try equal(promised.judge(without: [], promises: all).expectations.map(\.answer), [true, true, true])
    try equal(promised.judge(without: ["phase"], promises: all).expectations.map(\.answer), [nil, true, true])
    try equal(promised.judge(without: [], promises: []).expectations.map(\.answer), [true, nil, nil])
  }

  @Test("An oracle holds to its promise a program that does not show what it has promised")
  func brokenPromise() throws {
    let words = ["packetReceived", "refused", "violation"]
    let play = try LeftOutReports("lobby/two-peers") { $0.role == .host }
    func oracle(_ judgement: Judgement) throws -> OracleResult {
      try required(judgement.oracles.first { $0.id == "NothingSentIsLost" })
    }
    let silent = try oracle(play.judge(without: words, promises: []))
    expect(silent.findings.isEmpty && silent.openReason?.contains("host does not report") == true, "\(silent)")
    let half = try oracle(play.judge(without: words, promises: ["refused"], keepsPromises: false))
    expect(half.findings.isEmpty, "packetReceived is not promised")
    let promised = try oracle(play.judge(without: words, promises: words, keepsPromises: false))
    equal(promised.findings.first?.expected, "the whole packet taken or refused", "\(promised)")
    expect(promised.findings.allSatisfy { $0.device == 0 })
    try equal(play.judge(without: [], promises: words).verdict, .pass)
  }

  @Test("An oracle that passes by what others say names who does not say what it sees by")
  func unseen() throws {
    let play = try LeftOutReports("lobby/eight-peer-lobby") { $0.role == .client }
    let judgement = try play.judge(without: ["committed"])
    let oracle = try required(judgement.oracles.first { $0.id == "CommittedLinesArePrefix" })
    expect(oracle.openReason?.contains("client-1 does not report committed") ?? false)
    let lines = judgement.expectations.filter { $0.text.contains("agree on lines") }
    expect(!lines.isEmpty && lines.allSatisfy { $0.answer == nil })
    let both = try LeftOutReports("lobby/eight-peer-lobby") { _ in true }.judge(without: ["committed"])
    let agreed = both.expectations.filter { $0.text.contains("agree on lines") }
    expect(!agreed.isEmpty && agreed.allSatisfy { $0.answer == nil }, "two that show nothing agree on nothing")
  }

  @Test(
    "A person who sees the turn on another screen tries until the own app takes it", arguments: [1, 3, 5] as [UInt64])
  func retries(_ seed: UInt64) throws {
    let play = try LeftOutReports("lobby/eight-peer-lobby") { $0.role == .client }
    let judgement = try play.judge(without: ["turn"], seed: seed)
    equal(judgement.verdict, .pass, "\(judgement.failedExpectations)")
  }

  @Test("What the octets show is held against a program, whichever report it leaves out", arguments: BabReport.names)
  func octets(_ word: String) throws {
    let play = try LeftOutReports("lobby/eight-peer-lobby") { $0.role == .host }
    let judgement = try play.judge("oversize-fragment", without: [word])
    equal(judgement.oracles.first { $0.id == "FragmentsFitATTMTU" }?.verdict, .fail)
  }

  @Test(
    "A program that says its reports is judged by them",
    arguments: [
      "lobby-update-forgotten", "start-not-sent-to-last", "commits-twice", "private-text-shown", "wrong-formula",
      "ranking-reversed", "oversize-fragment", "claims-sent", "clock-goes-back",
    ])
  func spoken(_ name: String) throws {
    let mutant = try required(Mutants.named(name))
    let play = try LeftOutReports("lobby/eight-peer-lobby") { $0.role == mutant.role }
    let judgement = try play.judge(name, without: [])
    equal(judgement.oracles.first { $0.id == mutant.oracle }?.verdict, .fail)
  }

  @Test("Links, ATT_MTU and reasons are known of a program that reports nothing, and what it shows is not")
  func mute() throws {
    var play = try LeftOutReports("lobby/eight-peer-lobby") { $0.role == .host }
    play.scenario.devices[0].program?.isMute = true
    let language = ScenarioLanguage([.bab])
    func expectations(_ text: String) throws -> [Bench.Expectation] {
      let file = "devices: { host: {}, client: { count: 7 } }\nsteps: [{ host: start hosting }]\nexpect: [\(text)]\n"
      return try ScenarioReader.read(text: file, file: "a.yaml", language: language).get().expectations
    }
    play.scenario.expectations = try expectations("host has exactly 7 links, host has ATT_MTU at least 23")
    expect(play.scenario.unanswerable(seats: [], file: "a.yaml").isEmpty)
    let judgement = try play.judge(without: BabReport.names)
    equal(judgement.expectations.map(\.answer), [true, true], "\(judgement.expectations)")
    play.scenario.expectations = try expectations("host is FINISHED")
    equal(play.scenario.unanswerable(seats: [], file: "a.yaml").count, 1)
  }
}
