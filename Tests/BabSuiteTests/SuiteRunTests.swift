import AppSeam
import BabSim
import Bench
import Expectations
import Foundation
import SimKernel
import Testing

@testable import BabSuite
@testable import Conformance
@testable import Judging

/// A run of the suite that is put together by hand.
enum SuiteFixture {
  static let purpose = "BAB/HOST/LOBBY/BV-01-C"

  static func purpose(_ id: String = purpose) -> TestPurpose {
    TestPurpose(id, ["BAB 5.1.7"], "It seats a client.", initial: "A lobby.", expects: ["A seat."]) { _ in }
  }

  static func result(
    _ verdict: Verdict, _ id: String = purpose, dialect: DialectName = .sdk, seed: UInt64 = 1,
    notApplicable: String? = nil, expected: String = "a seat", actual: String = "none", iut: String = "mine"
  ) -> CaseResult {
    let finding = Finding(
      oracle: id, verdict: verdict, instant: .zero + .seconds(2), device: 0, clause: "BAB 5.1.7", expected: expected,
      actual: actual, record: 7)
    return CaseResult(
      id: CaseID(purpose: id, dialect: dialect, seed: seed), iut: iut, notApplicable: notApplicable,
      verdict: verdict, finding: verdict > .pass ? finding : nil,
      steps: [CaseResult.Step(instant: .zero + .seconds(1), text: "client-1 joins", record: 3)], checks: 1,
      digest: TraceDigest(), endInstant: .zero + .seconds(3),
      header: TraceHeader(scenario: id, seed: seed, devices: [], options: []))
  }

  static func report(
    _ result: CaseResult, waivers: [Waiver] = [], implementation: Int = 0, repetition: Repetition? = nil,
    log: String = ""
  ) -> CaseReport {
    CaseReport(
      implementation: implementation, purpose: purpose(result.id.purpose), result: result, waivers: waivers,
      repetition: repetition, files: CaseReport.Files(trace: "cases/1/trace.jsonl"), logExcerpt: log,
      repeatLine: "babbench conform --iut mine --select \(result.id.purpose)")
  }

  static func run(
    _ cases: [CaseReport], waivers: [Waiver] = [], planned: Int? = nil, baseline: Baseline? = nil,
    selection: CaseSelection = CaseSelection()
  ) -> SuiteRun {
    let mine = SuiteRun.Implementation(
      name: "mine", of: "bab", role: .host, dialects: [.sdk, .app], origin: "python3 host.py",
      ics: ICS([.roles, .turns]),
      waivers: waivers)
    return SuiteRun(
      [.bab], version: "1.0", selection: selection, repeatLine: "babbench conform --iut mine", implementations: [mine],
      planned: planned, cases: cases, baseline: baseline,
      wallTimes: SuiteRun.WallTimes(startedAt: "2026-11-21T09:00:00Z", totalMilliseconds: 12, caseMilliseconds: [12]))
  }
}

@Suite("A run of the suite")
struct SuiteRunTests {
  typealias Fixture = SuiteFixture

  private let waiver = Waiver(pattern: "BAB/HOST/LOBBY", reason: "fixed in the next release")

  @Test("A verdict counts as itself, and not applicable as neither green nor red")
  func assessments() {
    equal(Assessment(Fixture.result(.pass)), .pass)
    equal(Assessment(Fixture.result(.fail)), .fail)
    equal(Assessment(Fixture.result(.inconclusive)), .inconclusive)
    equal(Assessment(Fixture.result(.error)), .error)
    equal(Assessment(Fixture.result(.none, notApplicable: "ICS")), .notApplicable)
    equal(Assessment(Fixture.result(.none)), .inconclusive)
  }

  @Test("A waiver turns a failure green and a pass red, and nothing else; without a reason it does nothing")
  func waivers() {
    equal(Assessment(Fixture.result(.fail), waiver: waiver), .waived)
    equal(Assessment(Fixture.result(.pass), waiver: waiver), .unexpectedPass)
    equal(Assessment(Fixture.result(.inconclusive), waiver: waiver), .inconclusive)
    equal(Assessment(Fixture.result(.error), waiver: waiver), .error)
    equal(Assessment(Fixture.result(.none, notApplicable: "ICS"), waiver: waiver), .notApplicable)
    let empty = Waiver(pattern: "BAB/HOST/LOBBY", reason: " \n")
    equal(Assessment(Fixture.result(.fail), waiver: empty), .fail)
    equal(Assessment(Fixture.result(.pass), waiver: empty), .pass)
  }

  @Test("A run that cannot be repeated is an error when the bench is to blame, and else keeps its verdict")
  func repetition() {
    let bench = Repetition.differs(.bench, first: "a", second: nil)
    let theirs = Repetition.differs(.implementation, first: "a", second: "b")
    equal(Assessment(Fixture.result(.pass), repetition: bench), .error)
    equal(Assessment(Fixture.result(.fail), waiver: waiver, repetition: bench), .error)
    equal(Assessment(Fixture.result(.fail), repetition: theirs), .fail)
    equal(Assessment(Fixture.result(.fail), repetition: .same), .fail)
    let remarks = Fixture.report(Fixture.result(.fail), repetition: theirs).remarks
    equal(remarks, ["the implementation is not deterministic: first a, then b"])
  }

  @Test("The heaviest case gives the exit code; inconclusive is never green, an unexpected pass is red")
  func exitCodes() {
    func code(_ verdicts: [Verdict], waivers: [Waiver] = []) -> Judging.ExitCode {
      Fixture.run(
        verdicts.map {
          Fixture.report(Fixture.result($0, notApplicable: $0 == .none ? "ICS" : nil), waivers: waivers)
        }, waivers: waivers
      ).exitCode
    }
    equal(code([]), .inconclusive)
    equal(code([.none, .none]), .inconclusive)
    equal(code([.none, .pass]), .pass)
    equal(code([.pass, .inconclusive]), .inconclusive)
    equal(code([.inconclusive, .fail, .pass]), .fail)
    equal(code([.fail, .error, .pass]), .benchError)
    // What is waived shows nothing.
    equal(code([.fail], waivers: [waiver]), .inconclusive)
    equal(code([.pass], waivers: [Waiver(pattern: Fixture.purpose, reason: "old")]), .fail)
  }

  @Test(
    "A waiver by a pattern is out of date when all that it names passes, and not when something needs it or is missing")
  func patterns() {
    let named = AppProtocol.bab.purposes.filter { $0.role == .host && $0.id.hasPrefix("BAB/HOST/LOBBY/") }.map(\.id)
    func assessments(_ verdicts: [Verdict], without missing: Int = 0) -> [Assessment] {
      let verdicts = verdicts + Array(repeating: .pass, count: named.count - verdicts.count)
      let cases = zip(named, verdicts).dropLast(missing).map { id, verdict in
        Fixture.report(Fixture.result(verdict, id), waivers: [waiver])
      }
      return Array(Set(Fixture.run(cases, waivers: [waiver]).cases.map(\.assessment))).sorted {
        $0.rawValue < $1.rawValue
      }
    }
    equal(assessments([]), [.unexpectedPass])
    equal(assessments([], without: 1), [.pass])
    equal(assessments([.fail]), [.pass, .waived])
    equal(assessments([.inconclusive]), [.inconclusive, .pass])
  }

  @Test("A run that was broken off is not green")
  func brokenOff() {
    let run = Fixture.run([Fixture.report(Fixture.result(.pass))], planned: 3)
    equal(run.notRun, 2)
    equal(run.exitCode, .inconclusive)
    equal(Fixture.run([Fixture.report(Fixture.result(.fail))], planned: 3).exitCode, .fail)
    equal(Fixture.run([], planned: 3).exitCode, .inconclusive)
  }

  @Test("Waivers that do nothing are reported, with why")
  func idleWaivers() {
    let waivers = [
      waiver, Waiver(pattern: "BAB/HOST/VOTE/**", reason: "later"),
      Waiver(pattern: "BAB/HOST/LOBBY/BV-01-C", reason: "x"),
      Waiver(pattern: "BAB/HOST/LOBBY/**", reason: ""), Waiver(pattern: "BAB/HOST/SCORE", reason: "no points"),
    ]
    let run = Fixture.run(
      [
        Fixture.report(Fixture.result(.fail), waivers: waivers),
        Fixture.report(
          Fixture.result(.none, "BAB/HOST/SCORE/BV-01-C", notApplicable: "ICS"), waivers: waivers),
      ], waivers: waivers)
    equal(run.exitCode, .inconclusive)
    equal(
      run.idleWaivers.map { "\($0.waiver.pattern) \($0.why)" },
      [
        "BAB/HOST/VOTE/** names no case of this run",
        "BAB/HOST/LOBBY/BV-01-C an earlier waiver names the same cases", "BAB/HOST/LOBBY/** has no reason",
        "BAB/HOST/SCORE names no case of this run",
      ])
  }

  @Test("Every case is counted once")
  func tally() {
    let run = Fixture.run(
      [Verdict.pass, .pass, .fail, .inconclusive, .error].map { Fixture.report(Fixture.result($0)) })
    equal(run.tally.rows.map(\.count), [2, 1, 0, 0, 1, 1, 0, 0, 0])
    equal(run.tally.total, 5)
  }
}

@Suite("A baseline")
struct SuiteBaselineTests {
  typealias Fixture = SuiteFixture

  private func id(_ number: Int) -> String { "BAB/HOST/LOBBY/BV-0\(number)-C" }

  private func run(_ verdicts: [Verdict?], selection: CaseSelection = CaseSelection()) -> SuiteRun {
    let cases = verdicts.enumerated().compactMap { number, verdict in
      verdict.map {
        Fixture.report(Fixture.result($0, id(number + 1), notApplicable: $0 == Verdict.none ? "ICS" : nil))
      }
    }
    return Fixture.run(cases, selection: selection)
  }

  private func baseline(_ verdicts: [Verdict?]) throws -> Baseline {
    try Baseline(path: "before.json", octets: SuiteResultReport.octets(run(verdicts)))
  }

  @Test("It is read from the result.json of an earlier run, and lists what got worse, better, came and went")
  func comparison() throws {
    let before = try baseline([.pass, .fail, .pass, .inconclusive, .pass, nil, .pass])
    equal(before.entries.count, 6)
    var now = run([.fail, .pass, .inconclusive, .inconclusive, .pass, .pass, nil])
    now.baseline = before
    let comparison = try required(now.comparison)
    equal(comparison.regressions.map(\.key.purpose), [id(1), id(3)])
    equal(comparison.regressions.map(\.now), [.fail, .inconclusive])
    equal(comparison.repairs.map(\.key.purpose), [id(2)])
    equal(comparison.new.map(\.purpose), [id(6)])
    equal(comparison.vanished.map(\.purpose), [id(7)])
    expect(comparison.otherImplementations.isEmpty)
  }

  @Test("It never changes a verdict")
  func noVerdict() throws {
    var now = run([.pass])
    now.baseline = try baseline([.pass, .pass])
    equal(now.exitCode, .pass)
    equal(now.comparison?.vanished.count, 1)
  }

  @Test("A case that is not selected has not vanished, and another implementation's cases count as nothing")
  func selection() throws {
    var now = run([.pass], selection: CaseSelection(select: [id(1)]))
    now.baseline = try baseline([.pass, .pass])
    equal(now.comparison?.vanished, [])
    now.implementations[0].name = "another"
    equal(now.comparison?.otherImplementations, ["mine"])
    equal(now.comparison?.new.count, 1)
  }

  @Test("The same run again is no change, and a purpose that became not applicable is a regression")
  func same() throws {
    var now = run([.pass, .fail, .inconclusive, .error])
    now.baseline = try baseline([.pass, .fail, .inconclusive, .error])
    equal(now.comparison, Baseline.Comparison())
    now = run([Verdict.none])
    now.baseline = try baseline([.pass])
    equal(now.comparison?.regressions.map(\.now), [.notApplicable])
  }

  @Test("What is no result.json of the suite is refused with the reason")
  func refusals() throws {
    for text in ["", "{}", "[]", "{\"version\":1}", "not JSON"] {
      #expect(throws: Baseline.Refusal.self) { try Baseline(path: "x", octets: Array(text.utf8)) }
    }
    #expect(throws: Baseline.Refusal(path: "x", reason: "written in version 9; this babbench reads 2")) {
      try Baseline(path: "x", octets: Array("{\"version\":9,\"cases\":[]}".utf8))
    }
  }
}
