import AppSeam
package import Conformance
import Expectations
import Foundation

/// The page of what is judged in every run of one app, against its oracles and mutants.
package struct OracleDocument {
  /// Rows of the page's tables that begin with a name.
  package let rows: [String]
  /// What they must be.
  package let expected: [String]

  /// - Parameter path: the page, below the root of the repository.
  package init(_ path: String, oracles: [OracleDescription], mutants: [Mutant]) throws {
    rows = try Repository.text(path).split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    expected = oracles.map { oracle in
      let names = mutants.filter { $0.oracle == oracle.id }.map { "`\($0.name)` (\($0.role.rawValue)): \($0.summary)" }
      let nature = oracle.nature.rawValue
      return "| `\(oracle.id)` | \(oracle.claim) | \(nature) | \(oracle.clause) | \(names.joined(separator: "; ")) |"
    }
  }

  /// What is wrong with the page's table of the reports on which oracles rest: rows that it must have and has not,
  /// those that it must not have, and reports that there are not. Empty: nothing is.
  package static func groundProblems(
    _ path: String, oracles: [OracleDescription], reports: [String]
  ) throws -> [String] {
    // Other tables of the page have more columns.
    let rows = try Repository.text(path).split(separator: "\n").map(String.init)
      .filter { $0.split(separator: "|").count == 2 || !$0.hasPrefix("|") }
    var problems: [String] = []
    for oracle in oracles {
      let row = "| \(oracle.id) | " + oracle.restsOn.map { "`\($0)`" }.joined(separator: ", ") + " |"
      if oracle.restsOn.isEmpty {
        problems += rows.filter { $0.hasPrefix("| \(oracle.id) |") }
      } else if !rows.contains(row) {
        problems.append(row)
      }
      problems += oracle.restsOn.filter { !reports.contains($0) }
    }
    return problems
  }
}
