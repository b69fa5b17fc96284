/// What is wrong with some world, without names, instants and numbers: two worlds that fail in one way have one cause.
package struct WorldCause: Hashable, Sendable, Codable {
  package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// An oracle accuses somebody.
    case oracle
    /// A condition does not hold that holds whatever the radio does.
    case expectation
    /// An app broke down.
    case breakdown
    /// The same world is another one when it is played in another way.
    case mode
    /// Captures of the run say what the run does not.
    case capture
    /// The reader refuses what was drawn.
    case refusal
    /// The bench itself failed.
    case bench
  }

  package var kind: Kind
  /// The id of the oracle or rule, or the condition.
  package var rule: String
  /// Empty: none is broken.
  package var clause: String
  /// The role of the device that is blamed; empty: none is.
  package var role: String

  package init(_ kind: Kind, rule: String, clause: String = "", role: String = "") {
    self.kind = kind
    self.rule = rule
    self.clause = clause
    self.role = role
  }

  /// One line for people.
  package var text: String {
    let blame = (clause.isEmpty ? "" : " (\(clause))") + (role.isEmpty ? "" : " by a \(role)")
    return switch kind {
    case .oracle: rule + blame
    case .breakdown: "an app broke down" + blame
    case .expectation: "expected: \(rule)"
    case .mode: "the mode changes the run: \(rule)"
    case .capture: "captures say more than the run: " + rule + blame
    case .refusal: "the reader refuses what was drawn: \(rule)"
    case .bench: "the bench failed: \(rule)"
    }
  }
}

extension WorldCause {
  /// The condition of an expectation, digits left out, so that `client-2` and `client-5` are one.
  /// - Parameter text: as reasons have it, `expect: always after “point 3”: host has at most 4 links`.
  static func rule(ofExpectation text: String) -> String {
    let condition = text.split(separator: ": ").last.map(String.init) ?? text
    return String(condition.filter { !$0.isNumber && $0 != "@" })
  }
}

/// A cause as one world shows it.
package struct CauseSighting: Hashable, Sendable, Codable {
  package var cause: WorldCause
  /// Who, when and what, for people.
  package var detail: String
}
