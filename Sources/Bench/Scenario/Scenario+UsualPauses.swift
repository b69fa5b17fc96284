extension Scenario {
  /// A pause that is meant where a mapping of an app's settings says nothing of it.
  package struct UsualPause: Hashable, Sendable {
    /// The key of the mapping.
    package var table: String
    package var key: String
    /// As a scenario writes it, a time or a range.
    package var text: String
  }

  /// Those of all apps that are spoken here.
  package var usualPauses: [UsualPause] {
    apps.flatMap { spoken in
      spoken.app.words.tables.flatMap { table in
        table.keys.compactMap { key in key.usual.map { UsualPause(table: table.id, key: key.name, text: $0) } }
      }
    }
  }
}
