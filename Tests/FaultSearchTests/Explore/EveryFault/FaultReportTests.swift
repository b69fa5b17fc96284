import Bench
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import Explore

@Suite("The report of faults at every place")
struct FaultReportTests {
  /// A report of so many worlds, of which each `failing`-th has failed.
  private static func report(_ bench: FaultBench, worlds: Int, failing: Int?, isJudged: Bool = true) -> EveryFaultReport
  {
    var tally = FaultTally(bench.plan)
    tally.addUndisturbed(bench.undisturbed)
    let cause = FaultCause(oracle: "NothingSentIsLost", clause: "BAB 4.2", role: "client")
    for rank in 0..<worlds {
      let isFailing = failing.map { rank % $0 == 0 } == true
      var result = isFailing ? FaultedWorld(cause, "<b>lost & gone</b>") : FaultedWorld()
      result.isJudged = isJudged
      tally.add(bench.plan.world(bench.plan.number(atRank: rank)), result)
    }
    let causes = tally.discoveries.map { discovery in
      EveryFaultReport.Cause(
        discovery: discovery, done: ["client-1 vanishes"], file: "cause-1.yaml", repeatLine: "again")
    }
    return EveryFaultReport(
      plan: bench.plan, tally: tally, causes: causes, pairs: nil, isInterrupted: false, repeatLine: "all again",
      wallMilliseconds: 1_000)
  }

  @Test("The sentence says what was asked and what was judged, and the exit code follows")
  func sentence() throws {
    let bench = try FaultBench(kinds: [.vanish, .kill])
    let plan = bench.plan
    let whole = Self.report(bench, worlds: plan.singles, failing: nil)
    equal(
      whole.sentence,
      "\(plan.places.count) places × 2 faults × 3 devices: \(Self.grouped(plan.singles)) worlds, 0 causes")
    equal(whole.verdict, .pass)
    let part = Self.report(bench, worlds: plan.singles / 4, failing: nil)
    expect(part.sentence.contains("\(plan.singles / 4) of "))
    equal(part.verdict, .inconclusive)
    let failed = Self.report(bench, worlds: plan.singles / 4, failing: 10)
    expect(failed.sentence.hasSuffix(", 1 cause"))
    equal(failed.verdict, .fail)
    equal(Self.report(bench, worlds: 0, failing: nil).verdict, .none)
    let unjudged = Self.report(bench, worlds: plan.singles, failing: nil, isJudged: false)
    expect(unjudged.verdict == .none && unjudged.sentence.contains("no oracle judged anything in "))
  }

  private static func grouped(_ number: Int) -> String {
    number < 1_000 ? String(number) : "\(number / 1_000)\u{202F}" + String(String(number % 1_000 + 1_000).dropFirst())
  }

  @Test("Page, JUnit and JSON say the same, and nothing that an app says becomes markup")
  func files() throws {
    let bench = try FaultBench()
    let report = Self.report(bench, worlds: 100, failing: 10)
    let page = String(decoding: try EveryFaultPage.octets(report, version: "test"), as: UTF8.self)
    expect(page.contains("&lt;b&gt;lost &amp; gone&lt;/b&gt;") && !page.contains("<b>lost"))
    expect(page.contains(report.sentence))
    for row in report.tally.rows {
      expect(page.contains("\(bench.plan.names[row.device]): \(row.kind.short)"))
    }
    for column in report.tally.columns { expect(page.contains("\(column.kind.short), \(column.role)")) }
    let junit = String(decoding: report.junit(), as: UTF8.self)
    expect(junit.contains("NothingSentIsLost (BAB 4.2) by a client") && junit.contains("not every world was judged"))
    let json = try JSONSerialization.jsonObject(with: Data(report.json(version: "test"))) as? [String: Any]
    expect(json?["played"] as? Int == 100 && json?["failed"] as? Int == 10 && json?["exitCode"] as? Int == 1)
    let matrix = json?["matrix"] as? [[String: Any]] ?? []
    expect(matrix.contains { ($0["failed"] as? Int ?? 0) > 0 })
  }

  @Test("What the undisturbed run shows is a cause, and none of it counts for a fault")
  func undisturbed() throws {
    let bench = try FaultBench(kinds: [.vanish])
    let cause = FaultCause(oracle: "NothingSentIsLost", clause: "BAB 4.2", role: "client")
    var tally = FaultTally(bench.plan)
    tally.addUndisturbed(FaultedWorld(cause, "always"))
    tally.add(bench.plan.world(3), FaultedWorld(cause, "again"))
    expect(tally.failed == 0 && tally.cells.allSatisfy { $0.failed == 0 })
    expect(tally.discoveries.count == 1 && tally.discoveries[0].world == nil && tally.discoveries[0].count == 1)
  }
}

extension FaultedWorld {
  /// A world that has shown one thing.
  fileprivate init(_ cause: FaultCause, _ text: String) {
    self.init()
    sightings = [Sighting(cause: cause, text: text)]
  }
}
