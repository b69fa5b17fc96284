import AppSeam
import BabMutants
import BabSim
import BabSuite
import Conformance
import Judging
import SuiteTestSupport
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
    #expect(run(file, BabPart.implementation("reference", file.role, AppProtocol.bab.makeReference)) == .pass)
    #expect(run(swift, .reference(file.role, of: .bab)) == .pass)
    var differences: Set<String> = []
    let own = Self.mutants.filter { $0.role == file.role }
    // Those of its own clauses always.
    let tried = own.filter { file.clauses.contains($0.clause) } + Part.of(own.filter { !file.clauses.contains($0.clause) }, 6)
    for mutant in tried {
      let one = run(file, BabPart.implementation(mutant.name, mutant.role, mutant.makeEngine))
      let other = run(swift, .mutant(mutant, of: .bab))
      if one != other { differences.insert("\(id) | \(mutant.name) | \(one.rawValue) | \(other.rawValue)") }
    }
    let known = try PairTable(under: "Bab: test purposes").rows.filter { row in
      row.hasPrefix(id + " ") && tried.contains { row.hasPrefix("\(id) | \($0.name) |") }
    }
    #expect(differences == known)
  }

  private func run(_ purpose: TestPurpose, _ implementation: ImplementationUnderTest) -> Verdict {
    let dialect: DialectName = purpose.dialects.contains(.sdk) ? .sdk : purpose.dialects[0]
    return CaseRunner.run(purpose, CaseID(purpose: purpose.id, dialect: dialect, seed: 1), on: implementation).verdict
  }
}
