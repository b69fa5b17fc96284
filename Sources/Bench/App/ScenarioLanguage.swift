package import AppSeam

/// The protocols and engines that scenario files may name.
public struct ScenarioLanguage: Sendable {
  /// The first is spoken where a device names none.
  package let apps: [any SimulatedApp]
  /// Engines besides `reference`; empty: any name is taken, and whoever runs the scenario decides.
  public var engines: [String]
  /// What speaks and plays which of these engines, once for each protocol that has one of the name; one that is not
  /// here goes with any device.
  package var engineOwners: [String: [EngineOwner]] = [:]
  /// The protocols whose apps may be programs.
  package var programmable: [String] = []
  /// Those among them for which the bench has a BLE half (`EngineSeam.messages`).
  package var glued: [String] = []
  package let tables: ScenarioTables
  /// What is wrong with a text that should be a claim about measures; nil: nothing. The layer that measures knows.
  package var claimRefusal: @Sendable (String) -> String? = { _ in nil }

  /// - Parameters:
  ///   - apps: the protocols; the first is spoken where a device names none.
  ///   - engines: what devices may play beside `reference`; empty: any name is taken.
  public init(apps: [any SimulatedApp], engines: [String] = []) {
    self.apps = apps
    self.engines = engines
    tables = ScenarioTables(apps)
  }

  /// The engine that every protocol has.
  static let reference = "reference"

  /// Devices that an engine is made for.
  package struct EngineOwner: Hashable, Sendable {
    package var app: String
    package var role: AppRole

    package init(app: String, role: AppRole) {
      self.app = app
      self.role = role
    }
  }

  /// No protocol: rooms of bare controllers only.
  public static let bare = ScenarioLanguage(apps: [])

  package func app(named name: String) -> (any SimulatedApp)? {
    apps.first { $0.name == name || $0.spellings.contains(name) }
  }

  /// All that may name a protocol.
  var appNames: [String] { apps.flatMap { [$0.name] + $0.spellings } }
}
