import AppSeam

/// `kill-matrix.md`: the proof that the suite can fail, written by `babbench selftest --write`. It is a page of the
/// site (`Docs/site/build`), and no file of the repository.
public enum KillMatrixDocument {
  /// - Parameter app: whose purposes and mutants they are.
  public static func text(_ matrix: KillMatrix, of app: AppProtocol) -> String {
    let roles = app.roles
    func row(_ title: String, _ number: (AppRole) -> Int) -> String {
      "| \(title) | " + roles.map { "\(number($0))" }.joined(separator: " | ") + " |"
    }
    var lines = [
      "# Kill matrix", "",
      "Written by `babbench selftest --write`, which fails unless every row and every column has its proof. A test",
      "purpose is worth what it fails: each one passes the reference engine in every dialect it applies to and fails at",
      "least one mutant, and each mutant, a correct engine with one clause broken, is failed by at least one purpose.",
      "",
      "A mutant goes through the purposes until one fails it, those for its clause first; a purpose that has failed nobody",
      "then goes through the mutants. So every row and every column has its proof, and most cells are blank. `babbench",
      "selftest --matrix` fills them all, which takes a quarter of an hour.", "",
      "| | " + roles.map(\.rawValue).joined(separator: " | ") + " |",
      "|---|" + roles.map { _ in "---|" }.joined(),
      row("test purposes") { count(matrix, $0) },
      row("runs of the reference" + (matrix.referenceFailures.isEmpty ? ", all pass" : "")) { runs(matrix, $0) },
      row("mutants" + (matrix.referenceFailures.isEmpty && matrix.survivors.isEmpty ? ", all killed" : "")) {
        mutants(matrix, $0).count
      }, "",
    ]
    for role in roles { lines += section(matrix, role) }
    return lines.joined(separator: "\n")
  }

  private static func section(_ matrix: KillMatrix, _ role: AppRole) -> [String] {
    let mine = mutants(matrix, role)
    var lines = [
      "## " + role.rawValue.prefix(1).uppercased() + role.rawValue.dropFirst(), "",
      "`x`: fails the mutant; `.`: lets it pass; `?`: inconclusive, the initial condition is not reached; blank: not tried.",
      "",
    ]
    lines += ["```"] + matrix.picture(role: role) + ["```", ""]
    lines += ["| | mutant | breaks | what it does | failed by |", "|---|---|---|---|---|"]
    for (index, mutant) in mine.enumerated() {
      let killers = matrix.killers(of: mutant)
      let shown = killers.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
      let more = killers.count > 3 ? " and \(killers.count - 3) more" : ""
      lines.append(
        "| \(index + 1) | `\(mutant.name)` | \(mutant.clause) | \(mutant.summary) | \(shown.isEmpty ? "**nobody**" : shown)\(more) |"
      )
    }
    return lines + [""]
  }

  private static func mutants(_ matrix: KillMatrix, _ role: AppRole) -> [Mutant] {
    matrix.mutants.filter { $0.role == role }
  }

  private static func count(_ matrix: KillMatrix, _ role: AppRole) -> Int {
    matrix.rows.filter { $0.purpose.role == role }.count
  }

  private static func runs(_ matrix: KillMatrix, _ role: AppRole) -> Int {
    matrix.rows.filter { $0.purpose.role == role }.map(\.referenceRuns).reduce(0, +)
  }
}
