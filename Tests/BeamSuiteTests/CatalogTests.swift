import AppSeam
import BeamSuite
import Conformance
import Expectations
import Testing

@Suite("The catalogue of BeamScribe and its page")
struct CatalogTests {
  private let app = AppProtocol.beamscribe
  private let page: PurposePage

  init() throws { page = try PurposePage() }

  @Test("The page lists every purpose with its clauses and its text, in the order of the catalogue")
  func purposes() {
    func line(_ id: String, _ clauses: [String], _ text: String) -> String {
      "\(id) \(clauses.joined(separator: ", ")): \(text)"
    }
    let listed = page.rows.map { line($0.id, $0.clauses, $0.text) }
    let written = app.purposes.map { line($0.id, $0.clauses, $0.purpose) }
    expect(listed.count > 100)
    for (place, text) in written.enumerated() { equal(text, (place < listed.count ? listed[place] : "")) }
    equal(listed.count, written.count)
    let (all, hosts) = (app.purposes.count, app.purposes(role: app.roles[0]).count)
    let sum = "\(all) purposes: \(hosts) for hosts, \(all - hosts) for guests."
    let isSaid = page.lines.contains(sum)
    expect(isSaid, "\(sum)")
  }

  @Test("No id is used twice")
  func unique() {
    let ids = app.purposes.map(\.id)
    equal(Set(ids).count, ids.count)
  }

  @Test("Every mutant that the page names is there, breaks that clause, and every mutant has its row")
  func mutants() {
    let listed = Dictionary(page.mutants.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let names = listed.keys.sorted()
    let engines = app.mutants.map { "\($0.name) \($0.clause)" }.sorted()
    let written = names.map { "\($0) \(listed[$0]?.clause ?? "")" }
    equal(engines, written)
    let failed = Set(page.rows.flatMap(\.mutants)).sorted()
    equal(failed, names)
    for row in page.rows {
      expect(!row.mutants.isEmpty, "\(row.id)")
      let role = app.purpose(row.id)?.role.rawValue
      for name in row.mutants {
        let other = app.mutant(name)?.role.rawValue
        equal(other, role, "\(row.id) \(name)")
      }
    }
  }

  @Test("Every clause with MUST has a purpose and a mutant, and every clause that is named is there")
  func clauses() {
    let open = ClauseCoverage(of: app).open.map {
      "\($0.clause.id): \($0.purposes.count) purposes, \($0.mutants.count) mutants"
    }
    equal(open, [])
    let unknown = (app.purposes.flatMap(\.clauses) + app.mutants.map(\.clause)).filter { app.clause($0) == nil }
    equal(unknown, [])
  }

  @Test("A purpose needs what an implementation can claim")
  func needs() {
    let known = app.ics.map(\.name)
    for purpose in app.purposes {
      let needs = purpose.needs.map(\.name)
      expect(needs.allSatisfy(known.contains), "\(purpose.id)")
      if purpose.group == "MPC" { expect(needs.contains("mpc"), "\(purpose.id)") }
    }
  }
}
