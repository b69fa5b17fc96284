import AppSeam
import Campaigns
import Conformance
import Foundation
import Judging
import Shrink

/// `babbench shrink` of a case of `babbench conform`.
struct ShrinkCase {
  let options: ShrinkCaseOptions
  let seed: UInt64?
  let budget: [ShrinkBudget]

  func run(_ streams: OutputStreams) throws -> Int32 {
    guard let name = options.iut, let id = options.purpose else { throw UsageProblem("a case needs --iut and --case") }
    guard protocols.having(purpose: id) != nil else { throw UsageProblem(UnknownCase.hint(id)) }
    let tested = TestedEngines(iut: [name], role: options.role, app: options.app, profile: options.profile)
    let implementations = try tested.load()
    let suite = Suite(
      implementations, selection: CaseSelection(select: [id]), dialects: options.dialect.map { [$0] }, seed: seed,
      assuming: try tested.steps(options.assume, for: implementations))
    defer { Console.endProgress() }
    var results: [CaseResult] = []
    for item in suite.items where suite.notApplicable(item) == nil {
      Console.progress("running \(id)")
      let result = suite.run(item)
      if CaseReason(result, of: item.purpose) != nil {
        Console.endProgress()
        let repeats = RepeatWords(iut: [name], engine: tested.words)
        return shrink(item, result, suite, repeats, streams)
      }
      results.append(result)
    }
    Console.endProgress()
    streams.complain("error: \(id) \(outcome(results, of: suite)); there is nothing to shrink")
    return (results.contains { $0.verdict == .error } ? ExitCode.benchError : .inconclusive).rawValue
  }

  /// What the cases of a purpose come to of which none fails.
  private func outcome(_ results: [CaseResult], of suite: Suite) -> String {
    let engine = suite.implementations[0]
    if results.isEmpty {
      let reason = suite.items.first.flatMap { suite.notApplicable($0) }
      return "does not apply to \(engine.name), a \(engine.role.rawValue)" + (reason.map { ": \($0)" } ?? "")
    }
    let others = results.first { $0.verdict != .pass }
    return "does not fail" + (others.map { ": it is \($0.verdict.name)" } ?? "")
  }

  private func shrink(
    _ item: Suite.Item, _ result: CaseResult, _ suite: Suite, _ repeats: RepeatWords, _ streams: OutputStreams
  ) -> Int32 {
    let printer = ShrinkCasePrinter(paint: .standardOutput)
    streams.tell(printer.opening(result, on: suite.implementations[item.implementation].name))
    let shrinker = CaseShrinker(
      item.purpose, first: result, of: suite.implementations[item.implementation], judged: suite.judged,
      limit: ShrinkBudget.executions(of: budget), shouldStop: ShrinkBudget.stopper(of: budget),
      progress: { Console.progress(printer.progress($0)) })
    guard let shrinker else { return ExitCode.inconclusive.rawValue }
    let smallest = shrinker.run()
    Console.endProgress()
    var last = item
    last.id = smallest.last.id
    streams.tell(printer.closing(smallest, repeatLine: repeats.line(last)))
    return Interruption.exitCode(or: ExitCode.pass.rawValue)
  }
}
