import AppSeam
import Campaigns
import Conformance
import Judging
import SimKernel

/// Lays the kill matrix out for a person.
struct SelftestPrinter {
  var roles: [AppRole]
  var matrix: KillMatrix
  var partials: [Selftest.PartialOutcome]
  var coverage: ClauseCoverage
  /// The whole catalogue was run, so a mutant that nobody failed is a finding.
  var isWhole: Bool
  /// Whether it was asked which mutants nothing fails.
  var seeksSurvivors: Bool
  /// Every pair was run, or the documents are written: there is something to draw.
  var showsPicture: Bool
  var paint: Paint

  /// Verdicts without ground.
  private var unfounded: Int { partials.map(\.unfounded.count).reduce(0, +) }

  var verdict: Verdict { unfounded == 0 ? proved : max(proved, .fail) }

  private var proved: Verdict {
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
    for partial in partials { lines += partial.unfounded.flatMap(accused) }
    for id in matrix.toothless { lines.append(paint("fails no mutant", .red) + "  " + id) }
    if isWhole {
      // Where the reference fails, nobody knows whom its purposes would fail.
      for mutant in matrix.survivors where matrix.referenceFailures.isEmpty {
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
    lines.append(
      CountedNoun.text(matrix.rows.count, "test purpose")
        + (matrix.referenceFailures.isEmpty ? ", \(matrix.rows.count - matrix.toothless.count) with a kill" : ""))
    lines.append(
      !matrix.referenceFailures.isEmpty
        ? "mutants are counted when the reference passes"
        : seeksSurvivors
          ? CountedNoun.text(matrix.mutants.count, "mutant") + ", \(killed) killed"
            + (matrix.failedByOracles.isEmpty
              ? "" : ", \(matrix.failedByOracles.count) of them by their oracles in the room")
          : CountedNoun.text(killed, "mutant") + " killed, as many as the test purposes need")
    lines.append(
      CountedNoun.text(runs, "run") + " of the reference, \(runs - matrix.referenceFailures.count) pass")
    if !partials.isEmpty {
      lines.append(
        CountedNoun.text(partials.map(\.cases).reduce(0, +), "case") + " of engines that leave something out, "
          + "\(unfounded) judged by something else")
    }
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

  private func accused(_ accusation: Selftest.PartialOutcome.Accusation) -> [String] {
    let result = accusation.result
    let head = result.verdict == .fail ? "failed without grounds" : "passed without grounds"
    let cause = result.cause.map { ["    cause    \($0.text) (\($0.clause))"] } ?? []
    let finding = result.finding.map { ["    expected \($0.expected)", "    saw      \($0.actual)"] } ?? []
    return [paint(head, .red) + "  \(accusation.engine): \(result.id.purpose) \(result.id.dialect.rawValue)"]
      + result.steps.map { "    \($0.instant.short)  \($0.text)" } + cause + finding
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
