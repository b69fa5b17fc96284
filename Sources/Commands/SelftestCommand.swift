import AppSeam
import ArgumentParser
import Conformance
import Foundation
import Judging

/// `babbench selftest`: the suite tested by itself.
struct SelftestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Show that every test purpose can fail, and that the reference passes.",
    discussion: """
      Runs the reference engine through every test purpose in every dialect, and every mutant (a correct engine with one
      clause broken) through the purposes of its role until one fails it, those for its clause first. Passes when the
      reference passes everywhere, every purpose fails a mutant, and every mutant is failed. --matrix runs every pair.

      EXAMPLES:
        babbench selftest --jobs 2
        babbench selftest --select '\(Examples.pattern)'
        babbench selftest --matrix --jobs 2
        babbench selftest --write Docs
      """)

  @Option(
    help: ArgumentHelp(
      "Only these test purposes; mutants that only others fail then count for nothing.",
      valueName: "pattern"))
  var select: [String] = []

  @Option(help: ArgumentHelp("Only these mutants, by name: for work on a few of them.", valueName: "pattern"))
  var mutant: [String] = []

  @Option(help: "How many cases run side by side. It never changes a result.")
  var jobs: Int?

  @Option(help: ArgumentHelp("Write kill-matrix.md and clause-coverage.md there.", valueName: "folder"))
  var write: String?

  @Flag(help: "Every mutant through every test purpose of its role, and the picture of it; takes a quarter of an hour.")
  var matrix = false

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs must be 1 to 256") }
    if write != nil, !(select + mutant).isEmpty {
      throw ValidationError("--write needs the whole catalogue, so neither --select nor --mutant")
    }
  }

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(try execute(for: .standard))
  }

  func execute(for audience: Audience) throws -> Int32 {
    let outcomes = try protocols.tested.map { try execute($0, for: audience) }
    return outcomes.first { $0 != 0 } ?? 0
  }

  /// The proof of one protocol. With `--write`, each protocol but the first has a folder of its own.
  private func execute(_ app: AppProtocol, for audience: Audience) throws -> Int32 {
    let selection = CaseSelection(select: select)
    let purposes = app.purposes.filter { selection.contains($0.id) }
    let wantsAll = matrix
    let tried = CaseSelection(select: mutant)
    var matrix = KillMatrix(purposes: purposes, mutants: app.mutants.filter { tried.contains($0.name) })
    if wantsAll {
      book(Selftest.allPairs(purposes, mutants: matrix.mutants), of: app, in: &matrix)
    } else {
      book(Selftest.pieces(purposes, mutants: matrix.mutants), of: app, in: &matrix)
      book(Selftest.pieces(forToothless: matrix), of: app, in: &matrix)
    }
    Console.endProgress()
    if Interruption.isRequested { return Interruption.exitCode }
    let coverage = ClauseCoverage(of: app)
    let printer = SelftestPrinter(
      roles: app.roles, matrix: matrix, coverage: coverage, isWhole: (select + mutant).isEmpty,
      showsPicture: wantsAll || write != nil,
      paint: .standardOutput)
    audience.tell(printer.lines.joined(separator: "\n"))
    if let write {
      let folder = try OutputFolder(creating: app.name == protocols.tested[0].name ? write : write + "/" + app.name)
      try FileSink.write(Array(KillMatrixDocument.text(matrix, of: app).utf8), to: folder.path(of: "kill-matrix.md"))
      try FileSink.write(Array(coverage.document.utf8), to: folder.path(of: "clause-coverage.md"))
    }
    return Judging.ExitCode(printer.verdict).rawValue
  }

  private func book(_ pieces: [Selftest.Piece], of app: AppProtocol, in matrix: inout KillMatrix) {
    let counter = ProgressCounter(total: pieces.count, "pieces")
    let results = Workers.run(
      count: pieces.count, jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
      shouldStop: { Interruption.isRequested }, makeWorker: { { Selftest.run(pieces[$0], of: app) } },
      finished: { _, _ in counter.count() })
    for case let outcomes? in results { matrix.book(outcomes) }
  }
}

/// Lays the kill matrix out for a person.
struct SelftestPrinter {
  var roles: [AppRole]
  var matrix: KillMatrix
  var coverage: ClauseCoverage
  /// The whole catalogue was run, so a mutant that nobody failed is a finding.
  var isWhole: Bool
  /// Every pair was run, or the documents are written: there is something to draw.
  var showsPicture: Bool
  var paint: Paint

  var verdict: Verdict {
    guard isWhole else {
      if matrix.rows.isEmpty { return .none }
      return matrix.referenceFailures.isEmpty && matrix.toothless.isEmpty ? .pass : .fail
    }
    return coverage.open.isEmpty ? matrix.verdict : max(matrix.verdict, .fail)
  }

  var lines: [String] {
    var lines: [String] = []
    if showsPicture { for role in roles { lines += picture(role) } }
    for failure in matrix.referenceFailures { lines += self.failure(failure) }
    for id in matrix.toothless { lines.append(paint("fails no mutant", .red) + "  " + id) }
    if isWhole {
      for mutant in matrix.survivors {
        lines.append(
          paint("survives", .red) + "  \(mutant.name) (\(mutant.role.rawValue), \(mutant.clause)): \(mutant.summary)")
      }
      for row in coverage.open {
        let missing = [row.purposes.isEmpty ? "test purpose" : nil, row.mutants.isEmpty ? "mutant" : nil]
        lines.append(
          paint("open", .red) + "  \(row.clause.id) has no "
            + missing.compactMap { $0 }.joined(separator: " and no "))
      }
    }
    let runs = matrix.rows.map(\.referenceRuns).reduce(0, +)
    let killed = matrix.mutants.count - matrix.survivors.count
    lines.append("\(matrix.rows.count) test purposes, \(matrix.rows.count - matrix.toothless.count) with a kill")
    lines.append("\(matrix.mutants.count) mutants, \(killed) killed")
    lines.append("\(runs) runs of the reference, \(runs - matrix.referenceFailures.count) pass")
    lines.append("verdict " + RunPrinter(paint: paint).word(verdict))
    return lines
  }

  private func picture(_ role: AppRole) -> [String] {
    let rows = matrix.picture(role: role)
    guard rows.count > 1 else { return [] }
    let names = matrix.mutants.filter { $0.role == role }.map(\.name)
    let legend = names.enumerated().map { "\($0.offset + 1) \($0.element)" }.joined(separator: ", ")
    return [paint("\(role.rawValue) (x: fails the mutant, ?: inconclusive)", .bold)] + rows
      + [paint("mutants: " + legend, .dim), ""]
  }

  private func failure(_ result: CaseResult) -> [String] {
    var lines = [
      paint("the reference does not pass", .red)
        + "  \(result.id.purpose) \(result.id.dialect.rawValue) seed \(result.id.seed): \(result.verdict.name)"
    ]
    lines += result.steps.map { "    \($0.instant.short)  \($0.text)" }
    if let finding = result.finding {
      lines += ["    expected \(finding.expected)", "    saw      \(finding.actual)"]
    }
    return lines
  }
}
