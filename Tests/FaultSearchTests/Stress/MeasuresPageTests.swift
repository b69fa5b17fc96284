import BabSuite
import BeamSuite
import Conformance
import Expectations
import Foundation
@testable import Stress
import Testing

@Suite("Docs/measures.md and stress.md")
struct MeasuresPageTests {
  @Test("The table has every measure as the bench defines it, in its order")
  func table() throws {
    let rows = try Repository.text("Docs/measures.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
    let expected = RunMeasure.all([.bab, .beamscribe]).map { measure in
      "| `\(measure.name)`\(measure.hasToHappen ? "*" : "") | \(measure.unit.rawValue) | \(measure.definition) |"
    }
    equal(rows.map(String.init), expected)
  }

  @Test("The claims in the documents are claims")
  func claims() throws {
    let lines = try Repository.text("Docs/measures.md").split(separator: "\n")
    let claims = lines.drop { $0 != "claims:" }.dropFirst().prefix { $0.hasPrefix("  - ") }.map {
      String($0.dropFirst(4))
    }
    equal(claims.count, 3)
    for claim in claims { _ = try Claim(claim, among: RunMeasure.all([.bab, .beamscribe])) }
  }

  @Test("The figures about worlds that a claim needs")
  func needed() throws {
    let text = try Repository.text("Docs/measures.md")
    expect(text.contains("99 % need \(BinomialInterval.worlds(for: 0.99)) worlds"))
    expect(text.contains("99.9 % need 3 688") && BinomialInterval.worlds(for: 0.999) == 3_688)
  }
}
