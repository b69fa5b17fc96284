import CaptureTestSupport
import Expectations
import Foundation
import Testing

@testable import CaptureCheck

@Suite("Docs/Rules.md")
struct RuleDocumentTests {
  @Test("The table has exactly one current row for every rule")
  func table() throws {
    let rows = try Repository.text("Docs/Rules.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.map(String.init)
    let mutants = RuleMutants.all
    let expected = TrafficRules.all.map { rule in
      let summaries = mutants.filter { $0.rule.id == rule.id }.map(\.summary)
      return "| `\(rule.id)` | \(rule.claim) | \(rule.clause.dropFirst("Core v5.4, ".count)) | \(rule.leavesOpen) | "
        + "\(summaries.joined(separator: "; ")) |"
    }
    equal(rows, expected, "the table must read:\n\(expected.joined(separator: "\n"))")
  }
}
