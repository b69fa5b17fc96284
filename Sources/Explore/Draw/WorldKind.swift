import AppSeam
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
  /// The same as the command line says them.
  package var placements: [Placement] = []

  /// An option that puts an engine or a program on devices.
  package struct Placement: Sendable {
    package var option: String
    package var who: String
    package var value: String
    /// Nil: a program.
    package var engine: String?

    package init(_ option: String, who: String, value: String, engine: String?) {
      (self.option, self.who, self.value, self.engine) = (option, who, value, engine)
    }

    /// The option with its value, under which worlds that have such a device are counted.
    package var name: String { "\(option) \(who)=\(value)" }

    /// Whether it put something on one of these devices.
    func isPlaced(in devices: [Device]) -> Bool {
      devices.contains { device in
        let isOwn = [device.group, device.role.rawValue, String(device.name.prefix { $0 != "@" })].contains(who)
        return isOwn && (engine.map { $0 == device.engine && device.program == nil } ?? (device.program != nil))
      }
    }
  }

  package init(kind: WorldKind, protocols: [String]) {
    self.kind = kind
    self.protocols = protocols
  }
}
