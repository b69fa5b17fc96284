import BeamSuite
import Conformance
import Testing

@Suite("The catalogue of BeamScribe and its page")
struct CatalogTests {
  private let app = AppProtocol.beamscribe
  private let page: PurposePage

  init() throws { page = try PurposePage() }

  @Test("The page lists every purpose with its clauses, in the order of the catalogue")
  func purposes() {
    #expect(page.rows.count > 100)
    #expect(page.rows.map(\.id) == app.purposes.map(\.id))
    for row in page.rows {
      let purpose = app.purpose(row.id)
      #expect(purpose?.clauses == row.clauses, "\(row.id)")
      #expect(purpose?.purpose == row.text, "\(row.id)")
    }
    let hosts = app.purposes(role: app.roles[0]).count
    let sum = "\(app.purposes.count) purposes: \(hosts) for hosts, \(app.purposes.count - hosts) for guests."
    #expect(page.lines.contains(sum))
  }

  @Test("No id is used twice")
  func unique() { #expect(Set(app.purposes.map(\.id)).count == app.purposes.count) }

  @Test("Every mutant that the page names is there, breaks that clause, and every mutant has its row")
  func mutants() {
    let listed = Dictionary(page.mutants.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    #expect(app.mutants.map(\.name).sorted() == listed.keys.sorted())
    for mutant in app.mutants {
      #expect(listed[mutant.name]?.clause == mutant.clause, "\(mutant.name)")
    }
    let failed = page.rows.flatMap(\.mutants)
    #expect(Set(failed) == Set(listed.keys))
    for row in page.rows {
      #expect(!row.mutants.isEmpty, "\(row.id)")
      for name in row.mutants { #expect(app.mutant(name)?.role == app.purpose(row.id)?.role, "\(row.id) \(name)") }
    }
  }

  @Test("Every clause with MUST has a purpose and a mutant, and every clause that is named is there")
  func clauses() {
    let open = ClauseCoverage(of: app).open
    #expect(
      open.map { "\($0.clause.id): \($0.purposes.count) purposes, \($0.mutants.count) mutants" } == [])
    for clause in app.purposes.flatMap(\.clauses) + app.mutants.map(\.clause) {
      #expect(app.clause(clause) != nil, "\(clause)")
    }
  }

  @Test("A purpose needs what an implementation can claim")
  func needs() {
    for purpose in app.purposes {
      for item in purpose.needs { #expect(app.ics.contains(item), "\(purpose.id)") }
      if purpose.group == "MPC" { #expect(purpose.needs == [.beamMPC], "\(purpose.id)") }
    }
  }
}
