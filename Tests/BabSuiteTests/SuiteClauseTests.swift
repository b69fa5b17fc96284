import AppSeam
import BabMutants
import BabOracles
import BabSuite
import Conformance
import Expectations
import Foundation
import Testing

@Suite("The table of clauses")
struct SuiteClauseTests {
  private static let table = "Sources/BabSuite/Protocol/ClauseTexts.swift"

  private static func lines(_ path: String) throws -> [String] {
    try Repository.text(path).components(separatedBy: "\n")
  }

  /// Sentences of a document without its marks: emphasis, links, line breaks.
  private static func plain(_ text: String) -> String {
    text.replacing(/\s+/, with: " ").replacing(/\*([^*]+)\*/) { $0.1 }.replacing(/\[([^\]]+)\]\([^)]*\)/) { $0.1 }
  }

  /// Every clause of both documents as `id [origin] text`, by number.
  private static func clauses() throws -> [String] {
    var found: [(id: String, text: String)] = []
    var isOpen = false
    for line in try lines("Docs/Protocol/bab.md") {
      if let match = line.wholeMatch(of: /- \*\*(BAB [0-9.]+)\*\* (.*)/) {
        found.append((String(match.1), String(match.2)))
        isOpen = true
      } else if let match = line.wholeMatch(of: /\| \*\*(BAB [0-9.]+)\*\* \| (.*) \| (.*) \|/) {
        found.append((String(match.1), "\(match.2): \(match.3)"))
        isOpen = false
      } else if isOpen, line.hasPrefix("  ") {
        found[found.count - 1].text += " " + line
      } else {
        isOpen = false
      }
    }
    for line in try lines("Docs/Protocol/wire.md") {
      guard let match = line.wholeMatch(of: /\| ([0-9]+\.[0-9]+) \| (.*) \| ([^|]*) \|/) else { continue }
      // A published section of the Core Specification is the Core Specification.
      let origin = match.3.replacing(/Core v[^;]*/, with: "Core").trimmingCharacters(in: .whitespaces)
      found.append(("BAB \(match.1)", "\(match.2) [\(origin)]"))
    }
    let sorted = found.sorted { numbers($0.id).lexicographicallyPrecedes(numbers($1.id)) }
    return sorted.map { clause in
      let text = plain(clause.text)
      guard let match = text.wholeMatch(of: /(.*) \[([A-Za-z,; ]+)\]/) else { return "\(clause.id) has no origin" }
      return "\(clause.id) [\(match.2)] \(match.1)"
    }
  }

  private static func numbers(_ id: String) -> [Int] { id.dropFirst(4).split(separator: ".").compactMap { Int($0) } }

  @Test("The table says what the documents say")
  func current() throws {
    let clauses = try Self.clauses()
    expect(clauses.count > 200)
    if ProcessInfo.processInfo.environment["BABBENCH_WRITE"] == "1" { return try write(clauses) }
    equal(clauses.filter { $0.hasSuffix("has no origin") }, [])
    let table = ClauseTexts.all.map { clause in
      let origin = clause.origin
      let documents = origin.documents.joined(separator: ", ")
      let decision = origin.isDecision ? (documents.isEmpty ? "decision" : "; decision") : ""
      return "\(clause.id) [\(documents)\(decision)] \(clause.text)"
    }
    equal(table, clauses, "write it again: BABBENCH_WRITE=1 swift test --filter SuiteClauseTests")
  }

  private func write(_ clauses: [String]) throws {
    let lines = try Self.lines(Self.table)
    let start = try required(lines.firstIndex { $0.contains("rows: [String] = [") })
    let rows = clauses.map { "    #\"\($0)\"#," }
    let text = (lines[...start] + rows + ["  ]", "}", ""]).joined(separator: "\n")
    try text.write(to: Repository.root.appendingPathComponent(Self.table), atomically: true, encoding: .utf8)
    print("\(Self.table): \(rows.count) clauses written")
  }

  @Test("A clause is found by its id, and says whether it binds")
  func look() throws {
    let clause = try required(AppProtocol.bab.clause("BAB 5.1.8"))
    equal(clause.text, "The roster MUST be in the order of the first joins, the host first.")
    expect(clause.isRequirement)
    try equal(
      required(AppProtocol.bab.clause("BAB 8.9")).text, "packets queued for one link: 4 096, then the link is ended")
    try equal(required(AppProtocol.bab.clause("BAB 5.1.3")).isRequirement, false)
    expect(AppProtocol.bab.clause("BAB 99.1") == nil)
  }

  @Test("Every clause that the catalogue, a mutant or an oracle names is in the table")
  func named() {
    let catalogue = Catalog.all.flatMap(\.clauses)
    for clause in catalogue + Mutants.all.map(\.clause) + OracleRegistry.all.map({ $0.clause }) {
      expect(AppProtocol.bab.clause(clause) != nil, "\(clause) is not in Docs/Protocol")
    }
  }
}
