import AppSeam
import BeamSuite
import Conformance
import Expectations
import Foundation
import Testing

@Suite("The table of BeamScribe's clauses")
struct BeamClauseTests {
  private static let table = "Sources/BeamSuite/Protocol/ClauseTexts.swift"

  private static func lines(_ path: String) throws -> [String] {
    try Repository.text(path).components(separatedBy: "\n")
  }

  /// A sentence of the document without its marks: emphasis, links, line breaks.
  private static func plain(_ text: String) -> String {
    text.replacing(/\s+/, with: " ").replacing(/\*([^*]+)\*/) { $0.1 }.replacing(/\[([^\]]+)\]\([^)]*\)/) { $0.1 }
  }

  /// Every clause of the document as `id [origin] text`, in its order.
  private static func clauses() throws -> [String] {
    var found: [(id: String, text: String)] = []
    var isOpen = false
    for line in try lines("Docs/Protocol/beamscribe.md") {
      if let match = line.wholeMatch(of: /- \*\*(BEAM [0-9.]+)\*\* (.*)/) {
        found.append((String(match.1), String(match.2)))
        isOpen = true
      } else if let match = line.wholeMatch(of: /\| \*\*(BEAM [0-9.]+)\*\* \| (.*) \| (.*) \|/) {
        found.append((String(match.1), "\(match.2): \(match.3)"))
        isOpen = false
      } else if isOpen, line.hasPrefix("  ") {
        found[found.count - 1].text += " " + line
      } else {
        isOpen = false
      }
    }
    return found.map { clause in
      let text = plain(clause.text)
      guard let match = text.wholeMatch(of: /(.*) \[([A-Za-z,; ]+)\]/) else { return "\(clause.id) has no origin" }
      return "\(clause.id) [\(match.2)] \(match.1)"
    }
  }

  @Test("The table says what the document says")
  func current() throws {
    let clauses = try Self.clauses()
    expect(clauses.count > 100)
    equal(clauses.filter { $0.hasSuffix("has no origin") }, [])
    if ProcessInfo.processInfo.environment["BABBENCH_WRITE"] == "1" { return try write(clauses) }
    let table = AppProtocol.beamscribe.clauses.map { clause in
      let origin = clause.origin
      let documents = origin.documents.joined(separator: ", ")
      let decision = origin.isDecision ? (documents.isEmpty ? "decision" : "; decision") : ""
      return "\(clause.id) [\(documents)\(decision)] \(clause.text)"
    }
    equal(table, clauses, "write it again: BABBENCH_WRITE=1 swift test --filter BeamClauseTests")
  }

  private func write(_ clauses: [String]) throws {
    let lines = try Self.lines(Self.table)
    let start = try required(lines.firstIndex { $0.contains("rows: [String] = [") })
    let rows = clauses.map { "    #\"\($0)\"#," }
    let text = (lines[...start] + rows + ["  ]", "}", ""]).joined(separator: "\n")
    try text.write(to: Repository.root.appendingPathComponent(Self.table), atomically: true, encoding: .utf8)
    print("\(Self.table): \(rows.count) clauses written")
  }
}
