import AppSeam
import BeamSuite
import Conformance
import Expectations
import Judging
import Judging
import Testing

@Suite("Mutants of BeamScribe")
struct MutantTests {
  private static let pairs: [(purpose: String, mutant: String)] =
    (try? PurposePage())?.rows.flatMap { row in row.mutants.map { (row.id, $0) } } ?? []

  @Test("There are pairs of a purpose and a mutant")
  func some() { expect(Self.pairs.count > 130) }

  @Test("A purpose fails the mutants of its row", arguments: pairs.map { "\($0.purpose) \($0.mutant)" })
  func fails(_ pair: String) throws {
    let names = pair.split(separator: " ").map(String.init)
    let app = AppProtocol.beamscribe
    let (purpose, mutant) = (try required(app.purpose(names[0])), try required(app.mutant(names[1])))
    let verdicts = Selftest.run(.pair(purpose, mutant), of: app).map(\.verdict.rawValue)
    equal(verdicts, [Verdict.fail.rawValue])
  }
}
