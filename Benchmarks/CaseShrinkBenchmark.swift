import BabSuite
import Bench
import Conformance
import Foundation
import Judging
import Shrink

/// Failing cases of the suite made smaller: every mutant by the purpose that fails it, and every purpose by a mutant.
///
/// The cases are those of the proof of `babbench selftest`, so the figures are the same everywhere except for the times.
enum CaseShrinkBenchmark {
  private static let app = AppProtocol.bab

  /// - Parameter mutants: only the first so many, and no purpose without a mutant among them.
  static func report(mutants: Int? = nil) {
    var results: [CaseShrinkResult] = []
    var repeated = 0
    var seconds: [Double] = []
    for (purpose, mutant) in pairs(mutants) {
      let id = CaseID(purpose: purpose.id, dialect: app.dialect(for: purpose), seed: purpose.seeds[0])
      let engine = ImplementationUnderTest.mutant(mutant, of: app)
      let before = cpuSeconds()
      let first = CaseRunner.run(purpose, id, on: engine)
      guard let result = CaseShrinker(purpose, first: first, of: engine, limit: 5_000)?.run() else { continue }
      seconds.append(cpuSeconds() - before)
      results.append(result)
      var again = id
      for word in result.last.id.cut.words where !again.cut.add(word: word) { Swift.print("not read: \(word)") }
      let isRepeated = CaseRunner.run(purpose, again, on: engine).digest == result.last.digest
      if isRepeated { repeated += 1 }
      Swift.print(line(result, mutant) + (isRepeated ? "" : ", NOT REPEATED"))
      fflush(nil)
    }
    summarise(results, repeated, seconds)
  }

  private static func pairs(_ limit: Int?) -> [(TestPurpose, Mutant)] {
    let purposes = app.purposes
    var matrix = KillMatrix(purposes: purposes, mutants: app.mutants)
    var outcomes = app.mutants.prefix(limit ?? Int.max).flatMap { mutant in
      Selftest.pieces(purposes, mutants: [mutant]).suffix(1).flatMap { Selftest.run($0, of: app) }
    }
    matrix.book(outcomes)
    if limit == nil { outcomes += Selftest.pieces(forToothless: matrix).flatMap { Selftest.run($0, of: app) } }
    return outcomes.filter { $0.verdict == .fail }.compactMap { outcome in
      guard let purpose = app.purpose(outcome.purpose), let mutant = app.mutant(outcome.engine) else { return nil }
      return (purpose, mutant)
    }
  }

  private static func line(_ result: CaseShrinkResult, _ mutant: Mutant) -> String {
    "\(result.first.id.purpose) \(mutant.name): peers \(result.peersBefore) → \(result.peersAfter), steps"
      + " \(result.first.givenStimuli.count) → \(result.last.givenStimuli.count), \(result.executions) runs,"
      + " \(result.last.id.cut.words.joined(separator: " "))" + (result.hasControl ? "" : ", no control")
  }

  private static func summarise(_ results: [CaseShrinkResult], _ repeated: Int, _ seconds: [Double]) {
    let count = Double(max(1, results.count))
    func share(_ name: String, _ condition: (CaseShrinkResult) -> Bool) {
      let hits = results.count(where: condition)
      row(name, Double(hits), String(format: "cases, %.0f %%", 100 * Double(hits) / count), target: "")
    }
    func median(_ values: [Int]) -> Double { values.isEmpty ? 0 : Double(values.sorted()[values.count / 2]) }
    row("failing cases", Double(results.count), "", target: "")
    row("the line to repeat gives the digest", Double(repeated), "cases", target: "all")
    share("with a control") { $0.hasControl }
    share("with something to leave out") { !$0.last.id.cut.isNothing }
    share("with peers to leave out") { $0.peersAfter < $0.peersBefore }
    share("with more than one peer") { $0.peersBefore > 1 }
    for part in StageCut.Part.allCases { share("with plain \(part.rawValue)") { $0.last.id.cut.plain.contains(part) } }
    share("with steps to leave out") { !$0.last.id.cut.without.isEmpty }
    row("steps before, median", median(results.map { $0.first.givenStimuli.count }), "", target: "")
    row("steps after, median", median(results.map { $0.last.givenStimuli.count }), "", target: "")
    row("steps before, all", Double(results.map { $0.first.givenStimuli.count }.reduce(0, +)), "", target: "")
    row("steps after, all", Double(results.map { $0.last.givenStimuli.count }.reduce(0, +)), "", target: "")
    row("runs, median", median(results.map(\.executions)), "", target: "")
    row("CPU of one, median", seconds.sorted().dropFirst(seconds.count / 2).first ?? 0, "s", target: "")
    row("CPU of one, greatest", seconds.max() ?? 0, "s", target: "")
  }
}
