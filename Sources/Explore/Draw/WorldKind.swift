package import Bench

/// How rough a drawn world is.
package enum WorldKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// An ideal room; a fault or none.
  case calm
  /// Rooms that lose packets, and faults at instants that hurt.
  case noisy
  /// The same with broken stacks and hostile devices.
  case hostile
}

/// What worlds are drawn of.
package struct WorldOptions: Sendable {
  package var kind: WorldKind
  /// The protocols that may be spoken, by name; in the order of the language.
  package var protocols: [String]
  /// What devices run in place of the reference: by device or role, the last that fits.
  package var engines: [(who: String, engine: String)] = []

  /// Programs in place of engines: by device or role, with the protocol that they speak, the last that fits.
  package var programs: [(who: String, app: String?, value: YAMLTree)] = []

  package init(kind: WorldKind, protocols: [String]) {
    self.kind = kind
    self.protocols = protocols
  }
}
