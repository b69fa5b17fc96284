import AppSeam
import Bench
import Campaigns
import Conformance
import Foundation
import Judging

/// Runs the cases of a suite on some threads, each in a world of its own; what did not pass is run again with captures.
struct ConformCases: Sendable {
  /// What one case came to, for the report.
  struct Outcome: Sendable {
    /// The place of the case in the plan, from 0.
    var number: Int
    var report: CaseReport
    /// What it comes to with steps that the bench takes.
    var helped: CaseReport?
    var milliseconds: Int
    /// A file of the case could not be written.
    var failure: BenchFailure?

    /// Without help, and with it.
    var reports: [CaseReport] { [report] + (helped.map { [$0] } ?? []) }
  }

  var suite: Suite
  /// Which cases of the plan are run.
  var shard = Shard.all
  var output: OutputFolder?
  var checksDeterminism: Bool
  var failFast: Bool
  /// Cases that wait for a step that does not come are run again, with the bench taking it.
  var helps: Bool
  var repeats: RepeatWords

  /// One outcome for each case that was run, in the order of the plan; `ended` is called in that order too.
  func run(jobs: Int, ended: @escaping (Outcome) throws -> Void) throws -> [Outcome] {
    let trials = Trials("cases", jobs: jobs)
    return try trials.outcomes(
      shard.size(of: suite.items.count),
      makePlayer: {
        { place in
          let outcome = playTwice(shard.index(at: place))
          if failFast, outcome.report.assessment.isBad { trials.clock.stop() }
          return outcome
        }
      },
      isBad: { $0.report.assessment.isBad }, taken: { _, outcome in try ended(outcome) })
  }

  /// A case, and what it comes to with help.
  private func playTwice(_ number: Int) -> Outcome {
    let item = suite.items[number]
    var outcome = play(item, number)
    guard helps, outcome.failure == nil, let helped = suite.assuming(item, after: outcome.report.result) else {
      return outcome
    }
    var second = play(helped.item, number, known: helped.result)
    second.report.isSecondPass = true
    outcome.helped = second.report
    outcome.milliseconds += second.milliseconds
    outcome.failure = second.failure
    return outcome
  }

  /// - Parameter known: what it comes to, where that is known; run again only where it is to be watched.
  private func play(_ item: Suite.Item, _ number: Int, known: CaseResult? = nil) -> Outcome {
    let start = ContinuousClock.now
    let implementation = suite.implementations[item.implementation]
    var chart = output == nil ? nil : ChartReader(of: implementation.app)
    var result = (chart == nil ? known : nil) ?? suite.run(item, readers: chart.map { [$0] } ?? [])
    var repetition: Repetition?
    var files = CaseReport.Files()
    var failure: BenchFailure?
    if result.notApplicable == nil, result.verdict != .pass || checksDeterminism {
      let again = ChartReader(of: implementation.app)
      do {
        let writer = result.verdict == .pass ? nil : try output.map { try CaseFiles($0, item, implementation) }
        let readers: [any TraceReader] = [again] + (writer?.readers ?? [])
        let (second, said) = suite.repeated(item, result, readers: readers)
        repetition = said
        // The second run's record numbers are those of its files.
        if second.verdict == result.verdict { (result, chart) = (second, again) }
        if let writer { files = try writer.complete(result, repeatLine: repeats.line(item)) }
      } catch {
        failure = BenchFailure("\(error)")
      }
    }
    // Nobody reads more about a case that passes and has no files.
    if output == nil, result.verdict == .pass {
      (result.header, result.steps) = (TraceHeader(scenario: "", seed: 0, devices: [], options: []), [])
      (result.sought, result.log) = ([], "")
    }
    let report = CaseReport(
      implementation: item.implementation, purpose: item.purpose, result: result, waivers: implementation.waivers,
      repetition: repetition, chart: chart?.chart(result.finding), files: files, logExcerpt: Self.excerpt(result.log),
      repeatLine: repeats.line(item))
    let spent = start.duration(to: .now)
    return Outcome(
      number: number, report: report, milliseconds: Int(spent / .milliseconds(1)), failure: failure)
  }

  /// The newest lines of a log.
  private static func excerpt(_ log: String) -> String {
    let lines = log.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.suffix(40).joined(separator: "\n")
  }
}

/// The words of a command line that runs one case alone.
struct RepeatWords: Sendable {
  /// As written, by implementation.
  var iut: [String]
  /// `--role` and `--protocol`, as far as they were given.
  var engine: [String]

  func line(_ item: Suite.Item) -> String {
    Shell.line(
      ["babbench", "conform", "--iut", iut[item.implementation]] + engine + [
        "--dialect", item.id.dialect.rawValue, "--select", item.purpose.id, "--seed", String(item.id.seed),
      ] + (item.id.assuming.isEmpty ? [] : ["--assume", item.id.assuming.joined(separator: ",")])
        + item.id.cut.options)
  }
}
