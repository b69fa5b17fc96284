import AppSeam
import BabSim
import Expectations
import Foundation
import Judging
import Testing

@testable import BabSuite
@testable import Conformance

@Suite("The suite's proof")
struct SelftestTests {
  /// `./check` fills the matrix; this sees at once that its document leaves nothing out.
  @Test("The kill matrix lists exactly the purposes and the mutants there are")
  func matrixIsWhole() {
    let matrix = KillMatrix(purposes: Catalog.all, mutants: Mutants.all)
    let lines = KillMatrixDocument.text(matrix, of: .bab).split(separator: "\n")
    let rows = lines.filter { $0.hasPrefix("BAB/") }.map { String($0.prefix { $0 != " " }) }
    equal(rows, Catalog.all(role: .host).map(\.id) + Catalog.all(role: .client).map(\.id))
    let mutants = lines.filter { $0.hasPrefix("| ") && $0.contains(" | `") }
      .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    let all = [AppRole.host, .client].flatMap { role in Mutants.all.filter { $0.role == role } }
    equal(mutants, all.map(\.name))
    equal(lines.filter { $0.contains("**nobody**") }.count, all.count, "nothing was booked")
  }

  @Test("Docs/clause-coverage.md is what the catalogue says, and no requirement is open")
  func coverageIsCurrent() throws {
    let coverage = ClauseCoverage(of: .bab)
    equal(coverage.open.map(\.clause.id), [])
    try equal(Repository.text("Docs/clause-coverage.md"), coverage.document, "babbench selftest --write Docs")
  }

  @Test("Every purpose has its form, and an id of its own")
  func purposesHaveTheirForm() {
    equal(Set(Catalog.all.map(\.id)).count, Catalog.all.count)
    expect(Catalog.all.count >= 160)
    for purpose in Catalog.all {
      let parts = purpose.id.split(separator: "/")
      expect(parts.count == 4 && parts[0] == "BAB" && ["HOST", "CLIENT"].contains(parts[1]), "\(purpose.id)")
      let name = parts.last.map { $0.split(separator: "-") } ?? []
      expect(name.count == 3 && ["BV", "BI"].contains(name[0]) && name[2] == "C", "\(purpose.id)")
      expect(!purpose.expectedOutcomes.isEmpty && !purpose.dialects.isEmpty && !purpose.seeds.isEmpty)
      for clause in purpose.clauses { expect(AppProtocol.bab.clause(clause) != nil, "\(purpose.id) cites \(clause)") }
    }
  }

  @Test("Every mutant has a name of its own and breaks a clause there is")
  func mutantsHaveTheirForm() {
    equal(Set(Mutants.all.map(\.name)).count, Mutants.all.count)
    for mutant in Mutants.all {
      expect(AppProtocol.bab.clause(mutant.clause) != nil, "\(mutant.name): \(mutant.clause)")
    }
  }

  @Test("An exemption names a requirement and gives a reason")
  func exemptionsHaveReasons() {
    for exemption in ClauseExemptions.all {
      equal(AppProtocol.bab.clause(exemption.clause)?.isRequirement, true, "\(exemption.clause)")
      expect(exemption.reason.count > 20)
    }
  }

  @Test("A matrix with a reference that fails, a toothless purpose or a survivor is no pass")
  func gapsAreFound() throws {
    let purpose = try required(Catalog.all.first { $0.role == .host })
    let mutant = try required(Mutants.all.first { $0.role == .host })
    let reference = Selftest.run(.reference(purpose), of: .bab)
    var matrix = KillMatrix(purposes: [purpose], mutants: [mutant])
    expect(matrix.toothless == [purpose.id] && matrix.survivors.map(\.name) == [mutant.name])
    matrix.book(reference)
    equal(matrix.verdict, .fail, "nobody was killed")
    var outcome = Selftest.Outcome(engine: mutant.name, purpose: purpose.id, verdict: .inconclusive)
    matrix.book([outcome])
    equal(matrix.verdict, .fail, "inconclusive is no kill")
    outcome.verdict = .fail
    matrix.book([outcome])
    equal(matrix.verdict, .pass)
    let id = CaseID(purpose: purpose.id, dialect: .sdk, seed: 1)
    let failure = CaseRunner.run(purpose, id, on: .mutant(mutant, of: .bab))
    matrix.book([Selftest.Outcome(engine: "reference", purpose: purpose.id, verdict: .fail, failure: failure)])
    equal(matrix.verdict, .fail, "the reference does not pass")
    equal(KillMatrix(purposes: [], mutants: []).verdict, .none)
  }

  @Test("Patterns select what they say")
  func selection() {
    let ids = ["BAB/HOST/LOBBY/BV-01-C", "BAB/HOST/FRAG/BI-02-C", "BAB/CLIENT/FRAG/BI-02-C"]
    func selected(_ select: [String], skip: [String] = []) -> [Int] {
      let selection = CaseSelection(select: select, skip: skip)
      return ids.indices.filter { selection.contains(ids[$0]) }
    }
    equal(selected([]), [0, 1, 2])
    equal(selected(["BAB/HOST/**"]), [0, 1])
    equal(selected(["BAB/HOST"]), [0, 1])
    equal(selected(["BAB/*/FRAG/*"]), [1, 2])
    equal(selected(["BAB/*"]), [], "one star does not cross a slash")
    equal(selected(["**/BI-0?-C"]), [1, 2])
    equal(selected(["BAB/HOST/LOBBY/BV-01-C"]), [0])
    equal(selected(["BAB/HOST/LOB"]), [], "a plain pattern ends where a part ends")
    equal(selected(["BAB/**"], skip: ["BAB/HOST/FRAG"]), [0, 2])
    equal(CaseSelection(select: ["BAB/HOSt/**", "BAB"]).idle(among: ids), ["BAB/HOSt/**"])
  }
}
