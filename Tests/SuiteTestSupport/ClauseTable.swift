package import Conformance
import Expectations
import Foundation

/// The table of an app's clauses in the sources, a row for each, as its documents have them.
package enum ClauseTable {
  /// The clauses of a document that is written as rules, in its order.
  package static func clauses(of document: String) throws -> [(id: String, text: String)] {
    var found: [(id: String, text: String)] = []
    var isOpen = false
    for line in try Repository.text(document).components(separatedBy: "\n") {
      if let match = line.wholeMatch(of: /- \*\*([A-Z]+ [0-9.]+)\*\* (.*)/) {
        found.append((String(match.1), String(match.2)))
        isOpen = true
      } else if let match = line.wholeMatch(of: /\| \*\*([A-Z]+ [0-9.]+)\*\* \| (.*) \| (.*) \|/) {
        found.append((String(match.1), "\(match.2): \(match.3)"))
        isOpen = false
      } else if isOpen, line.hasPrefix("  ") {
        found[found.count - 1].text += " " + line
      } else {
        isOpen = false
      }
    }
    return found
  }

  /// `id [origin] text`, without the document's marks: emphasis, links, line breaks.
  package static func row(id: String, text: String) -> String {
    let plain = text.replacing(/\s+/, with: " ").replacing(/\*([^*]+)\*/) { $0.1 }
      .replacing(/\[([^\]]+)\]\([^)]*\)/) { $0.1 }
    guard let match = plain.wholeMatch(of: /(.*) \[([A-Za-z,; ]+)\]/) else { return "\(id) has no origin" }
    return "\(id) [\(match.2)] \(match.1)"
  }

  /// The same of a clause that the suite knows.
  package static func row(of clause: ClauseText) -> String {
    let documents = clause.origin.documents.joined(separator: ", ")
    let decision = clause.origin.isDecision ? (documents.isEmpty ? "decision" : "; decision") : ""
    return "\(clause.id) [\(documents)\(decision)] \(clause.text)"
  }

  /// Writes the table into its source where `BABBENCH_WRITE=1` asks for that.
  /// - Returns: whether it was asked.
  package static func write(_ rows: [String], to source: String) throws -> Bool {
    guard ProcessInfo.processInfo.environment["BABBENCH_WRITE"] == "1" else { return false }
    let lines = try Repository.text(source).components(separatedBy: "\n")
    let start = try required(lines.firstIndex { $0.contains("rows: [String] = [") })
    let table = rows.map { "    #\"\($0)\"#," }
    let text = (lines[...start] + table + ["  ]", "}", ""]).joined(separator: "\n")
    try text.write(toFile: Repository.path(source), atomically: true, encoding: .utf8)
    print("\(source): \(rows.count) clauses written")
    return true
  }
}
