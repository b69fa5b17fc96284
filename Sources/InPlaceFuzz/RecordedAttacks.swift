import Foundation
import Judging

/// Attacks from one state of one scenario, each with what it came to when it was recorded.
///
/// `{"scenario": "two-peers", "when": "…", "from": "client-1", "seam": "att", "span": 2000000000, "attacks":
/// [{"attack": "…", "digest": "…", "events": 280, "findings": []}]}`; spans are nanoseconds.
package struct RecordedAttacks: Codable, Sendable {
  package var scenario: String
  package var when: String
  package var from: String
  package var seam: String
  /// How long each is played on, nanoseconds.
  package var span: Int64
  package var attacks: [Entry]

  package struct Entry: Codable, Sendable {
    /// In its file it is what `--input` takes, as a text.
    package var attack: Attack
    /// Empty: not played yet.
    package var digest: String
    package var events: Int
    /// The names of its causes.
    package var findings: [String]

    /// What is different of an execution; empty: nothing.
    package func differences(from execution: Execution) -> [String] {
      let found = execution.findings.map(\.cause.name)
      var words: [String] = []
      if found != findings { words.append("findings \(Self.list(findings)), now \(Self.list(found))") }
      if execution.events != events { words.append("events \(events), now \(execution.events)") }
      if execution.digest != digest { words.append("digest \(digest), now \(execution.digest)") }
      return words
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

    package mutating func take(_ execution: Execution) {
      (digest, events) = (execution.digest, execution.events)
      findings = execution.findings.map(\.cause.name)
    }
  }

  /// - Throws: `AttackFile.Refusal`.
  package static func read(_ path: String) throws -> RecordedAttacks {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw AttackFile.Refusal(description: "\(path): the file cannot be read")
    }
    do {
      return try JSONDecoder().decode(RecordedAttacks.self, from: data)
    } catch {
      throw AttackFile.Refusal(description: "\(path): these are no attacks that babbench fuzz replay can play")
    }
  }

  package func octets() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(self)) + [0x0A]
  }
}
