import AppSeam
import BabOracles
import BabSuite
import Conformance
import Expectations
import Foundation
import SuiteTestSupport
import Testing

@Suite("The table of clauses")
struct SuiteClauseTests {
  /// A row for each clause of both documents, by number.
  private static func rows() throws -> [String] {
    var found = try ClauseTable.clauses(of: "Docs/Protocol/bab.md")
    for line in try Repository.text("Docs/Protocol/wire.md").components(separatedBy: "\n") {
      guard let match = line.wholeMatch(of: /\| ([0-9]+\.[0-9]+) \| (.*) \| ([^|]*) \|/) else { continue }
      // A published section of the Core Specification is the Core Specification.
      let origin = match.3.replacing(/Core v[^;]*/, with: "Core").trimmingCharacters(in: .whitespaces)
      found.append(("BAB \(match.1)", "\(match.2) [\(origin)]"))
    }
    return found.sorted { numbers($0.id).lexicographicallyPrecedes(numbers($1.id)) }
      .map { ClauseTable.row(id: $0.id, text: $0.text) }
  }

  private static func numbers(_ id: String) -> [Int] { id.dropFirst(4).split(separator: ".").compactMap { Int($0) } }

  @Test("The table says what the documents say")
  func current() throws {
    let rows = try Self.rows()
    expect(rows.count > 200)
    equal(rows.filter { $0.hasSuffix("has no origin") }, [])
    if try ClauseTable.write(rows, to: "Sources/BabSuite/Protocol/ClauseTexts.swift") { return }
    let table = ClauseTexts.all.map { ClauseTable.row(of: $0) }
    equal(table, rows, "write it again: BABBENCH_WRITE=1 swift test --filter SuiteClauseTests")
  }

  @Test("A clause is found by its id, and says whether it binds")
  func look() throws {
    let clause = try required(AppProtocol.bab.clause("BAB 5.1.8"))
    equal(clause.text, "The roster MUST be in the order of the first joins, the host first.")
    expect(clause.isRequirement)
    try equal(
      required(AppProtocol.bab.clause("BAB 8.9")).text, "packets queued for one link: 4 096, then the link is ended")
    try equal(required(AppProtocol.bab.clause("BAB 5.1.3")).isRequirement, false)
    expect(AppProtocol.bab.clause("BAB 99.1") == nil)
  }

  @Test("Every clause that the catalogue, a mutant or an oracle names is in the table")
  func named() {
    let catalogue = Catalog.all.flatMap(\.clauses)
    for clause in catalogue + Mutants.all.map(\.clause) + OracleRegistry.all.map({ $0.clause }) {
      expect(AppProtocol.bab.clause(clause) != nil, "\(clause) is not in Docs/Protocol")
    }
  }
}
