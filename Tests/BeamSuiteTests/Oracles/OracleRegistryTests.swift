import AppSeam
import BeamOracles
import BeamScribe
import BeamSuite
import Conformance
import Expectations
import SuiteTestSupport
import Testing

@Suite("The oracles and mutants of BeamScribe and their pages")
struct OracleRegistryTests {
  private let purposes = "Docs/Protocol/beamscribe-purposes.md"

  @Test("Each has a name of its own")
  func names() {
    let oracles = BeamOracles.all.map { $0.id }
    equal(oracles.count, 26)
    equal(Set(oracles).count, oracles.count)
    let mutants = BeamMutants.all.map(\.name)
    equal(mutants.count, 148)
    equal(Set(mutants).count, mutants.count)
  }

  @Test("Docs/Oracles-beamscribe.md has exactly one current row for every oracle")
  func table() throws {
    let page = try OracleDocument(
      "Docs/Oracles-beamscribe.md", oracles: BeamOracles.all.map(OracleDescription.init), mutants: BeamMutants.all)
    equal(page.rows, page.expected, "the table must read:\n\(page.expected.joined(separator: "\n"))")
  }

  @Test("A second table has the reports of programs on which oracles rest")
  func grounds() throws {
    let problems = try OracleDocument.groundProblems(
      "Docs/Oracles-beamscribe.md", oracles: BeamOracles.all.map(OracleDescription.init), reports: BeamReport.names)
    expect(problems.isEmpty)
  }

  @Test("The page of purposes lists each oracle with the mutants that it fails")
  func oracles() throws {
    let rows = try Repository.text(purposes).split(separator: "\n").map(String.init)
    for oracle in BeamOracles.all {
      let names = BeamMutants.all.filter { $0.oracle == oracle.id }.map { "`\($0.name)` (\($0.role.rawValue))" }
      let row = "| `\(oracle.id)` | \(oracle.claim) | \(oracle.clause) | \(names.joined(separator: ", ")) |"
      expect(rows.contains(row), "the page must have:\n\(row)")
    }
  }

  @Test("The page of purposes lists each mutant with its clause and what it does")
  func mutants() throws {
    let rows = try Repository.text(purposes).split(separator: "\n").map(String.init)
    for mutant in BeamMutants.all {
      let row = "| `\(mutant.name)` | \(mutant.clause) | \(mutant.summary) |"
      expect(rows.contains(row), "the page must have:\n\(row)")
    }
  }

  @Test("Every oracle has a mutant that it must fail, and every mutant names an oracle that there is")
  func pairs() {
    let named = BeamMutants.all.compactMap(\.oracle)
    for oracle in BeamOracles.all { expect(named.contains(oracle.id), "\(oracle.id)") }
    for name in named { expect(BeamOracles.all.contains { $0.id == name }, "\(name)") }
  }
}
