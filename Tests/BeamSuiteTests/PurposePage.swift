import Expectations
import Foundation

/// Docs/Protocol/beamscribe-purposes.md as a table.
struct PurposePage {
  struct Row: Sendable {
    var id: String
    var clauses: [String]
    var text: String
    var mutants: [String]
  }

  /// A defect as the page lists it.
  struct Defect: Sendable {
    var name: String
    var clause: String
    var text: String
  }

  let lines: [String]
  let rows: [Row]
  /// Those of hosts, and those of guests after them.
  let mutants: [Defect]

  init() throws {
    lines = try Repository.text("Docs/Protocol/beamscribe-purposes.md").components(separatedBy: "\n")
    rows = lines.compactMap { line in
      let match = line.wholeMatch(of: /\| `(BEAM\/[A-Z0-9\/-]+)` \| ([^|]*) \| (.*) \| ([^|]*) \|/)
      guard let match else { return nil }
      return Row(
        id: String(match.1),
        clauses: match.2.split(separator: ", ").map { $0.hasPrefix("BEAM") ? String($0) : "BEAM \($0)" },
        text: String(match.3), mutants: match.4.matches(of: /`([a-z0-9-]+)`/).map { String($0.1) })
    }
    mutants = lines.compactMap { line in
      line.wholeMatch(of: /\| `([a-z0-9-]+)` \| (BEAM [0-9.]+) \| (.*) \|/).map {
        Defect(name: String($0.1), clause: String($0.2), text: String($0.3))
      }
    }
  }
}
