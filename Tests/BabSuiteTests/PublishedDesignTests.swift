import AppSeam
import BabSim
import Expectations
import Foundation
import Judging
import Testing

@testable import BabSuite
@testable import Conformance

@Suite("The published designs under test")
struct PublishedDesignTests {
  /// A row of the page's table: the engine, and the test purposes that it says fail it.
  struct Row: CustomTestStringConvertible {
    var engine: String
    var purposes: [String]
    var testDescription: String { engine }
  }

  static let rows: [Row] = {
    let text = (try? Repository.text("Docs/published-designs.md")) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("| `published-") }.map { line in
      let words = line.split(separator: "`").map(String.init)
      return Row(
        engine: words.first { $0.hasPrefix("published-") } ?? "", purposes: words.filter { $0.hasPrefix("BAB/") })
    }
  }()

  @Test("The page's table names every design, each with a purpose")
  func tableIsComplete() {
    equal(Self.rows.map(\.engine), PublishedDesigns.all.map(\.engine))
    for row in Self.rows { expect(!row.purposes.isEmpty, "\(row.engine)") }
  }

  @Test("Each design fails where the page says, and the reference passes there", arguments: rows)
  func failsWhereTold(row: Row) throws {
    let mutant = try required(Mutants.named(row.engine))
    for id in row.purposes {
      let purpose = try required(Catalog.named(id), "\(id)")
      let sdk = CaseID(purpose: id, dialect: .sdk, seed: purpose.seeds[0])
      let result = CaseRunner.run(purpose, sdk, on: .mutant(mutant, of: .bab))
      equal(result.verdict, .fail, "\(row.engine) \(id): \(result.finding?.actual ?? "")")
      equal(CaseRunner.run(purpose, sdk, on: .reference(mutant.role, of: .bab)).verdict, .pass, "\(id)")
    }
  }
}
