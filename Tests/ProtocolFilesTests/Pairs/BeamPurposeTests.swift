import BeamScribe
import BeamSuite
import Conformance
import Expectations
import Judging
import ProtocolPairs
import Testing

@testable import ProtocolFiles

/// What BeamScribe does without a stream, as a protocol file, says the same of BeamScribe's engines as BeamScribe in
/// Swift.
@Suite("Test purposes of BeamScribe, as a file and in Swift")
struct BeamPurposeTests {
  static let purposes = BeamPart.app.purposes.map(\.id)

  /// Broken engines whose clauses the purposes of the file are about.
  static let mutants: [Mutant] = {
    let clauses = Set(BeamPart.app.purposes.flatMap(\.clauses))
    return BeamMutants.all.filter { clauses.contains($0.clause) }
  }()

  private static let pair = PurposePair(
    file: BeamPart.app, swift: .beamscribe, dialect: .beamNetwork, mutants: mutants,
    heading: "BeamScribe: test purposes", implementation: BeamPart.implementation)

  @Test("Each purpose of the file has its name and clauses from Swift, and the page counts them")
  func names() throws {
    for id in Self.purposes {
      let swift = AppProtocol.beamscribe.purpose(id)
      expect(swift != nil, "\(id)")
      equal(swift?.clauses, BeamPart.app.purpose(id)?.clauses, "\(id)")
    }
    let all = AppProtocol.beamscribe.purposes.count
    let page = try PairTable.page()
    expect(page.contains("\(Self.purposes.count) of its \(all) test purposes"))
    expect(page.contains("\(Self.mutants.count) broken engines"))
  }

  @Test("The reference, and each broken engine, has the same verdict by the file and in Swift", arguments: purposes)
  func verdicts(id: String) throws { try Self.pair.judge(id) }

  @Test("Each row of the table is about a purpose of the file and a broken engine")
  func rows() throws { try Self.pair.checkRows() }

  @Test("At least sixteen broken engines fail a purpose of the file")
  func kills() throws {
    let caught = Self.mutants.filter { mutant in
      BeamPart.app.purposes.contains { purpose in
        purpose.role == mutant.role
          && CaseRunner.run(
            purpose, CaseID(purpose: purpose.id, dialect: purpose.dialects[0], seed: 1),
            on: BeamPart.implementation(mutant.name, mutant.role, mutant.makeEngine)
          ).verdict == .fail
      }
    }
    expect(caught.count >= 16, "\(caught.map(\.name))")
  }
}
