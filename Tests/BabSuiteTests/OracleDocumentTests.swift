import AppSeam
import BabOracles
import BabSim
import BabSuite
import Conformance
import Expectations
import SuiteTestSupport
import Testing

@Suite("Docs/Oracles.md")
struct OracleDocumentTests {
  @Test("The table has exactly one current row for every oracle")
  func table() throws {
    let page = try OracleDocument(
      "Docs/Oracles.md", oracles: OracleRegistry.all.map(OracleDescription.init), mutants: Mutants.all)
    equal(page.rows, page.expected, "the table must read:\n\(page.expected.joined(separator: "\n"))")
  }

  @Test("A second table has the reports of programs on which oracles rest")
  func grounds() throws {
    let problems = try OracleDocument.groundProblems(
      "Docs/Oracles.md", oracles: OracleRegistry.all.map(OracleDescription.init), reports: BabReport.names)
    expect(problems.isEmpty)
  }

  @Test("Every clause that an oracle or a mutant names is in the specification")
  func clauses() throws {
    let specification =
      try Repository.text("Docs/Protocol/bab.md") + Repository.text("Docs/Protocol/wire.md")
    for clause in OracleRegistry.all.map({ $0.clause }) + Mutants.all.map(\.clause) {
      let number = clause.dropFirst("BAB ".count)
      let isThere = specification.contains("**\(clause)**") || specification.contains("\n| \(number) |")
      expect(isThere, "\(clause) is not in Docs/Protocol")
    }
  }
}
