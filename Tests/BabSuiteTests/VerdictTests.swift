import AppSeam
import BabOracles
import BabSim
import Bench
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

@Suite("Verdicts and exit codes")
struct VerdictTests {
  @Test("The heavier verdict wins, and an empty run is none")
  func combination() {
    equal(Verdict.allCases, [.none, .pass, .inconclusive, .fail, .error])
    equal(Verdict.allCases, Verdict.allCases.sorted())
    for a in Verdict.allCases {
      for b in Verdict.allCases { equal(a.combined(with: b), (a.rawValue > b.rawValue ? a : b)) }
    }
    equal([Verdict]().combined(), .none)
  }

  @Test("Exit codes are the contract: 0, 1, 2, 3, 64")
  func exitCodes() {
    equal(Verdict.allCases.map { ExitCode($0).rawValue }, [2, 0, 2, 1, 3])
    equal(ExitCode.usage.rawValue, 64)
  }

  @Test("A run in which only its end was judged is none, not a pass")
  func nothingJudged() {
    let header = TraceHeader(scenario: "empty", seed: 1, devices: [], options: [])
    let reader = OracleReader()
    reader.begin(header)
    reader.end(TraceScript.outcome(at: .zero))
    equal(reader.judgement?.verdict, Verdict.none)
    reader.begin(header)
    reader.end(TraceScript.outcome(.eventLimit, at: .zero))
    equal(reader.judgement?.verdict, .fail)
  }

  @Test("An expectation that does not hold fails the run and is kept with its record")
  func expectations() {
    var script = TraceScript()
    script.add(-1, .expectation(text: "all joined", holds: true, detail: ""))
    equal(script.judge().verdict, .pass)
    script.add(-1, .expectation(text: "all ready", holds: false, detail: "c1 is not"))
    let judgement = script.judge()
    equal(judgement.verdict, .fail)
    equal(judgement.expectations.last?.record, script.records.count - 1)
  }

  @Test("Findings beyond the limit are counted and not kept")
  func findingLimit() {
    var script = TraceScript()
    script.connect(1)
    for _ in 0..<(OracleLedger.findingLimit + 5) { script.notify(1, Array(repeating: 0, count: 99)) }
    let result = script.result(FragmentsFitATTMTU.self)
    equal(result.findings.count, OracleLedger.findingLimit)
    equal(result.suppressedFindings, 5)
  }

  @Test("The same reader judges the same trace the same way twice")
  func repeatable() throws {
    try equal(LobbyGame.judge("ghost-kept"), LobbyGame.judge("ghost-kept"))
  }
}
