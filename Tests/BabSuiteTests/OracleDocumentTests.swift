import AppSeam
import BabMutants
import BabOracles
import BabSim
import Conformance
import Foundation
import Testing

@Suite("Docs/Oracles.md")
struct OracleDocumentTests {
  private func text(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("The table has exactly one current row for every oracle")
  func table() throws {
    let rows = try text("Docs/Oracles.md").split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    let expected = OracleRegistry.all.map { oracle in
      let mutants = Mutants.all.filter { $0.oracle == oracle.id }
      let names = mutants.map { "`\($0.name)` (\($0.role.rawValue)): \($0.summary)" }.joined(separator: "; ")
      return "| `\(oracle.id)` | \(oracle.claim) | \(oracle.clause) | \(names) |"
    }
    #expect(rows == expected, "the table must read:\n\(expected.joined(separator: "\n"))")
  }

  @Test("Every clause that an oracle or a mutant names is in the specification")
  func clauses() throws {
    let specification = try text("Docs/Protocol/bab.md") + text("Docs/Protocol/wire.md")
    for clause in OracleRegistry.all.map({ $0.clause }) + Mutants.all.map(\.clause) {
      let number = clause.dropFirst("BAB ".count)
      let isThere = specification.contains("**\(clause)**") || specification.contains("\n| \(number) |")
      #expect(isThere, "\(clause) is not in Docs/Protocol")
    }
  }
}
