import Expectations
import Foundation

/// A table of `Docs/protocol-pairs.md`: what a file and Swift do not say alike, each row with its reason.
struct PairTable {
  /// `purpose | engine | file | Swift`.
  let rows: Set<String>

  /// - Parameter heading: of the section that has the table.
  init(under heading: String) throws {
    let lines = try Self.page().components(separatedBy: "\n")
    let start = lines.firstIndex(of: "## \(heading)").map { $0 + 1 } ?? lines.count
    let section = lines[start...].prefix { !$0.hasPrefix("## ") }
    rows = Set(
      section.filter { $0.hasPrefix("| `") }.map { row in
        row.split(separator: "|").prefix(4).map {
          $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "`", with: "")
        }.joined(separator: " | ")
      })
  }

  static func page() throws -> String { try Repository.text("Docs/protocol-pairs.md") }
}
