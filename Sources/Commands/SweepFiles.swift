import Campaigns
import Conformance
import Foundation
import Judging
import RunReports
import SimKernel

/// Which seeds of many have files.
enum KeptSeeds: String, CaseIterable {
  /// Those that do not pass.
  case failures
  case all
}

/// The files of many seeds in `--out`: a folder for each seed that is kept, and `junit.xml` and `seeds.json` of all.
struct SweepFiles: Sendable {
  /// Seeds that were not begun and have a test case of their own; the others are counted.
  private static let notBegunShown = 10_000

  let folder: CampaignFolder
  let keeps: KeptSeeds

  /// Runs a seed; with files where it is kept. What may pass is first run without: most seeds do, and files cost more
  /// than the run.
  func run(_ seed: UInt64, _ run: SeedRun) throws -> RunReport {
    if keeps == .failures {
      let report = try run.run(seed: seed, output: nil)
      if report.verdict == .pass { return report }
    }
    return try run.run(seed: seed, output: try folder.output.folder("seed-\(seed)"))
  }

  /// Writes `junit.xml`, a test case for each seed, and what `--last-failed` reads.
  func complete(_ results: [SeedResult?], _ seeds: SeedRange, _ plan: RunPlan, scenario: String) throws {
    let classname = "run." + scenario.replacing(".", with: "_")
    let missing = results.count { $0 == nil }
    // Nobody reads a million lines about nothing.
    let shown = results.count - max(0, missing - Self.notBegunShown)
    var cases = results.prefix(shown).enumerated().map { index, result in
      let seed = seeds.seed(at: index)
      var row = JUnitDocument.Case(name: "seed \(seed)", classname: classname)
      guard let result else {
        row.skipped = JUnitDocument.Skip(message: "not begun: the run was interrupted")
        return row
      }
      row.time = Self.seconds(result.milliseconds)
      var lines = result.reasons + result.details
      if result.verdict > .pass { lines.append("why: " + plan.whyLine(seed: seed)) }
      lines.append("repeat: " + plan.repeatLine(seed: seed))
      let message = result.cause?.text ?? result.reasons.first ?? result.verdict.name
      row.set(result.verdict, message: message, lines: lines)
      return row
    }
    if missing > 0 {
      // A reader that knows only green and red must not show it green.
      var row = JUnitDocument.Case(name: "all seeds", classname: classname)
      let message = "interrupted: \(missing) of \(CountedNoun.text(results.count, "seed")) not begun"
      row.set(.inconclusive, message: message, lines: [message])
      cases.append(row)
    }
    let total = results.reduce(0) { $0 + ($1?.milliseconds ?? 0) }
    let suite = JUnitDocument.Suite(
      name: scenario, time: Self.seconds(total), properties: [("repeat", plan.repeatLine(seeds: seeds))], cases: cases)
    try FileSink.write(
      JUnitDocument(name: "babbench run", suites: [suite]).octets(), to: folder.output.path(of: "junit.xml"))
    try FileSink.write(
      SweepRecord(results, seeds, plan, scenario: scenario).octets, to: folder.output.path(of: SweepRecord.file))
    try folder.end(
      CampaignEnding(unit: "seeds", asked: results.count, judged: results.compactMap(\.self).count, reason: nil))
  }

  private static func seconds(_ milliseconds: Int) -> String {
    (SimInstant.zero + .milliseconds(Int64(milliseconds))).milliseconds
  }
}
