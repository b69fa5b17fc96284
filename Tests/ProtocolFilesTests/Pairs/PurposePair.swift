import AppSeam
import Conformance
import Expectations
import Judging
import Testing

/// One protocol as a file and in Swift: its engines in Swift are judged by the purposes of both.
struct PurposePair: Sendable {
  let file: AppProtocol
  let swift: AppProtocol
  /// Of Swift's purposes, where they have it.
  let dialect: DialectName
  let mutants: [Mutant]
  /// Of the table of differences.
  let heading: String
  /// An engine of Swift as an implementation of the file.
  let implementation:
    @Sendable (String, AppRole, @escaping @Sendable (AppConfiguration) -> any AppEngine) -> ImplementationUnderTest

  func judge(_ id: String) throws {
    let ours = try required(file.purpose(id))
    let theirs = try required(swift.purpose(id))
    let reference = result(ours, implementation("reference", ours.role, swift.makeReference))
    equal(reference.verdict, .pass, "\(reference.finding.map { "\($0)" } ?? "")")
    equal(result(theirs, .reference(ours.role, of: swift)).verdict, .pass)
    var differences: Set<String> = []
    var details: [String] = []
    for mutant in mutants where mutant.role == ours.role {
      let said = result(ours, implementation(mutant.name, mutant.role, mutant.makeEngine))
      let other = result(theirs, .mutant(mutant, of: swift)).verdict
      if said.verdict == other { continue }
      differences.insert("\(id) | \(mutant.name) | \(said.verdict.name) | \(other.name)")
      if let finding = said.finding {
        details.append("\(mutant.name): \(finding.expected), \(finding.actual.prefix(80))")
      }
    }
    let known = try PairTable(under: heading).rows.filter { $0.hasPrefix(id + " ") }
    equal(differences, known, "\(details)")
  }

  /// Each row of the table is about a purpose of the file and a broken engine.
  func checkRows() throws {
    for row in try PairTable(under: heading).rows {
      let words = row.split(separator: " | ").map(String.init)
      expect(file.purpose(words[0]) != nil && mutants.contains { $0.name == words[1] }, "\(row)")
    }
  }

  private func result(_ purpose: TestPurpose, _ implementation: ImplementationUnderTest) -> CaseResult {
    let dialect = purpose.dialects.contains(dialect) ? dialect : purpose.dialects[0]
    return CaseRunner.run(purpose, CaseID(purpose: purpose.id, dialect: dialect, seed: 1), on: implementation)
  }
}
