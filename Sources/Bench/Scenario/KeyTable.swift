/// The keys one kind of mapping may have: the reader, the JSON Schema and a test of the documentation read this.
package struct KeyTable: Sendable {
  /// The name of its definition in the schema.
  var id: String
  /// How messages call such a mapping.
  var title: String
  var keys: [Key]
  /// What other keys (device names, selections) hold; nil: there are none.
  var others: ValueKind? = nil

  package init(id: String, title: String, keys: [Key], others: ValueKind? = nil) {
    self.id = id
    self.title = title
    self.keys = keys
    self.others = others
  }

  package struct Key: Sendable {
    package let name: String
    var kind: ValueKind
    var help: String
    var isRequired = false
    /// The pause that is meant where none is written; nil: it is none, or there is no such pause.
    var usual: String? = nil

    package init(
      _ name: String, _ kind: ValueKind, _ help: String, isRequired: Bool = false, usual: String? = nil
    ) {
      self.name = name
      self.kind = kind
      self.help = help
      self.isRequired = isRequired
      self.usual = usual
    }
  }

  package var names: [String] { keys.map(\.name) }
}

/// What a value may be, for the schema.
package indirect enum ValueKind: Sendable {
  case text, boolean, seed, duration, durationRange, share, shareRange, loss, decibel, level, length, clock
  case factor, current
  /// `profile.yaml`, or `profile.yaml#name`.
  case profile
  case integer(Int, Int)
  case integerRange
  case point
  case word([String])
  /// A mapping described by the table of that id.
  case table(String)
  /// Something the schema describes by hand under that id.
  case definition(String)
  case list(ValueKind)
  case either([ValueKind])
  case mapping(of: ValueKind)
}
