import AppSeam
import BabMutants
import BabSim
import BabSuite
import Conformance
import Judging
import ProtocolPairs
import Testing

@testable import ProtocolFiles

/// A part of Bab as a protocol file says the same of Bab's engines as Bab in Swift.
@Suite("Test purposes of Bab, as a file and in Swift")
struct BabPurposeTests {
  static let purposes = BabPart.app.purposes.map(\.id)

  /// Broken engines whose clauses the purposes of the file are about.
  static let mutants: [Mutant] = {
    let clauses = Set(BabPart.app.purposes.flatMap(\.clauses))
    return Mutants.all.filter { clauses.contains($0.clause) }
  }()

  @Test("The file has at least forty purposes of lobby and turns, each by its name in Swift")
  func names() {
    #expect(Self.purposes.count >= 40)
    for id in Self.purposes {
      let swift = AppProtocol.bab.purpose(id)
      #expect(swift != nil, "\(id)")
      #expect(swift?.clauses == BabPart.app.purpose(id)?.clauses, "\(id)")
    }
    #expect(Self.mutants.count >= 60)
  }

  @Test("The reference, and each broken engine, has the same verdict by the file and in Swift", arguments: purposes)
  func verdicts(id: String) throws {
    let file = try #require(BabPart.app.purpose(id))
    let swift = try #require(AppProtocol.bab.purpose(id))
    let reference = result(file, BabPart.implementation("reference", file.role, AppProtocol.bab.makeReference))
    #expect(reference.verdict == .pass, "\(reference.finding.map { "\($0)" } ?? "")")
    #expect(run(swift, .reference(file.role, of: .bab)) == .pass)
    var differences: Set<String> = []
    var details: [String] = []
    let own = Self.mutants.filter { $0.role == file.role }
    for mutant in own {
      let said = result(file, BabPart.implementation(mutant.name, mutant.role, mutant.makeEngine))
      let one = said.verdict
      let other = run(swift, .mutant(mutant, of: .bab))
      if one != other, let finding = said.finding {
        details.append("\(mutant.name): \(finding.expected), \(finding.actual.prefix(80))")
      }
      if one != other { differences.insert("\(id) | \(mutant.name) | \(one.name) | \(other.name)") }
    }
    let known = try PairTable(under: "Bab: test purposes").rows.filter { $0.hasPrefix(id + " ") }
    #expect(differences == known, "\(details)")
  }

  @Test("Each row of the table is about a purpose of the file and a broken engine")
  func rows() throws {
    for row in try PairTable(under: "Bab: test purposes").rows {
      let words = row.split(separator: " | ").map(String.init)
      #expect(Self.purposes.contains(words[0]) && Self.mutants.contains { $0.name == words[1] }, "\(row)")
    }
  }

  private func run(_ purpose: TestPurpose, _ implementation: ImplementationUnderTest) -> Verdict {
    result(purpose, implementation).verdict
  }

  private func result(_ purpose: TestPurpose, _ implementation: ImplementationUnderTest) -> CaseResult {
    let dialect: DialectName = purpose.dialects.contains(.sdk) ? .sdk : purpose.dialects[0]
    return CaseRunner.run(purpose, CaseID(purpose: purpose.id, dialect: dialect, seed: 1), on: implementation)
  }
}
