/// The keys one kind of mapping may have: the reader, the JSON Schema and a test of the documentation read this.
public struct KeyTable: Sendable {
  /// The name of its definition in the schema.
  var id: String
  /// How messages call such a mapping.
  var title: String
  var keys: [Key]
  /// What other keys (device names, selections) hold; nil: there are none.
  var others: ValueKind? = nil

  /// - Parameters:
  ///   - id: of its definition in the schema; unique among all tables.
  ///   - title: how messages call such a mapping.
  ///   - others: what keys hold that have other names; nil: there are none.
  public init(id: String, title: String, keys: [Key], others: ValueKind? = nil) {
    self.id = id
    self.title = title
    self.keys = keys
    self.others = others
  }

  /// One key, and what it may hold.
  public struct Key: Sendable {
    public let name: String
    var kind: ValueKind
    var help: String
    var isRequired = false
    /// The pause that is meant where none is written; nil: it is none, or there is no such pause.
    var usual: String? = nil

    /// - Parameters:
    ///   - help: for the schema and the documentation, without a full stop.
    ///   - usual: the pause that is meant where none is written.
    public init(
      _ name: String, _ kind: ValueKind, _ help: String, isRequired: Bool = false, usual: String? = nil
    ) {
      self.name = name
      self.kind = kind
      self.help = help
      self.isRequired = isRequired
      self.usual = usual
    }
  }

  /// The names of its keys, in their order.
  public var names: [String] { keys.map(\.name) }
}

/// What a value may be, for the schema.
public indirect enum ValueKind: Sendable {
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
