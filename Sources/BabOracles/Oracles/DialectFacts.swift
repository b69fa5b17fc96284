/// What the protocol fixes per dialect and an oracle must know, taken from the protocol text and not from an engine.
package struct DialectFacts: Hashable, Sendable {
  /// How experience points are counted.
  package enum Formula: Hashable, Sendable { case guide, sdk }

  package var name: String
  /// Peers of one lobby, the host among them.
  package var capacity: Int
  package var formula: Formula

  /// The facts of a dialect, nil for a name the protocol does not know.
  package static func named(_ name: String) -> DialectFacts? { all.first { $0.name == name } }

  /// Spec: BAB 2 and 6.
  package static let all = [
    DialectFacts(name: "guide", capacity: 8, formula: .guide),
    DialectFacts(name: "sdk", capacity: 8, formula: .sdk),
    DialectFacts(name: "app", capacity: 4, formula: .guide),
  ]
}
