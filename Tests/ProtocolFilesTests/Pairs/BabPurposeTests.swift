import BabSim
import BabSuite
import Conformance
import Expectations
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
    expect(Self.purposes.count >= 40)
    for id in Self.purposes {
      let swift = AppProtocol.bab.purpose(id)
      expect(swift != nil, "\(id)")
      equal(swift?.clauses, BabPart.app.purpose(id)?.clauses, "\(id)")
    }
    expect(Self.mutants.count >= 60)
  }

  private static let pair = PurposePair(
    file: BabPart.app, swift: .bab, dialect: .sdk, mutants: mutants, heading: "Bab: test purposes",
    implementation: BabPart.implementation)

  @Test(
    "The reference, and each broken engine, has the same verdict by the file and in Swift",
    arguments: Part.of(purposes, 6))
  func verdicts(id: String) throws { try Self.pair.judge(id) }

  @Test("Each row of the table is about a purpose of the file and a broken engine")
  func rows() throws { try Self.pair.checkRows() }
}
