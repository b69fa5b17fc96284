import AppSeam
import BeamSuite
import Conformance
import Expectations
import SuiteTestSupport
import Testing

@Suite("The table of BeamScribe's clauses")
struct BeamClauseTests {
  @Test("The table says what the document says")
  func current() throws {
    let rows = try ClauseTable.clauses(of: "Docs/Protocol/beamscribe.md").map {
      ClauseTable.row(id: $0.id, text: $0.text)
    }
    expect(rows.count > 100)
    equal(rows.filter { $0.hasSuffix("has no origin") }, [])
    if try ClauseTable.write(rows, to: "Sources/BeamSuite/Protocol/ClauseTexts.swift") { return }
    let table = AppProtocol.beamscribe.clauses.map { ClauseTable.row(of: $0) }
    equal(table, rows, "write it again: BABBENCH_WRITE=1 swift test --filter BeamClauseTests")
  }
}
