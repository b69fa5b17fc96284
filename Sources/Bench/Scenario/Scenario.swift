public import AppSeam
public import SimKernel
public import VirtualRadio

/// Everything a run is made of, decoded and expanded: the same scenario and seed give the same run everywhere.
///
/// Devices are named by their index in `devices`, which is the dense index of the trace too. In a scenario that the
/// reader has accepted those that lead a lobby come first, no lobby has two of them, and every index is valid.
public struct Scenario: Hashable, Sendable {
  public var name: String
  /// One or two sentences for people.
  public var summary = ""
  public var seed: UInt64 = 1
  /// How long the run goes on after the last step was done or the last `within` came true.
  public var duration = SimDuration.seconds(2)
  public var limits = Limits()
  public var radio = RadioEnvironment.ideal
  /// The preset the room began as.
  public var radioPreset = "ideal"
  /// What is beside the radio; nil: nothing.
  package var network: ScenarioNetwork? = nil
  public var dialect = DialectName(rawValue: "")
  /// The protocols that its devices speak, in the order of their first device.
  public var apps: [ScenarioApp] = []
  public var devices: [Device]
  /// With more than one, steps and expectations are there once for each.
  public var lobbies = Lobbies()
  public var steps: [Step] = []
  /// What is done beside the steps, in the order of the file.
  public var meanwhile: [Aside] = []
  public var expectations: [Expectation] = []
  /// What is claimed of measures.
  package var claims: [ScenarioClaim] = []

  public init(name: String, devices: [Device]) {
    self.name = name
    self.devices = devices
  }

  /// Where a run is stopped; hitting one is an outcome, never a hang.
  public struct Limits: Hashable, Sendable {
    public var simulatedTime = SimDuration.seconds(600)
    /// Events taken from the queue.
    public var events = 50_000_000
    public init() {}
  }
}

/// A claim of a scenario about measures.
package struct ScenarioClaim: Hashable, Sendable {
  /// `ScenarioLanguage.claimRefusal` has nothing against it.
  package var text: String
  package var source: SourceLocation
}

/// A protocol that devices of a scenario speak, with its settings there.
public struct ScenarioApp: Hashable, Sendable {
  public var app: any SimulatedApp
  public var settings: AppSettings

  /// A protocol with what all its apps of a run know.
  public init(app: any SimulatedApp, settings: AppSettings) {
    self.app = app
    self.settings = settings
  }

  public static func == (a: Self, b: Self) -> Bool { a.app.name == b.app.name && a.settings == b.settings }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(app.name)
    hasher.combine(settings)
  }
}

extension Scenario {
  /// The protocol of that name, as far as the scenario speaks it.
  public func app(named name: String?) -> ScenarioApp? { apps.first { $0.app.name == name } }

  /// The settings of a protocol.
  public func settings(of app: String) -> AppSettings? { self.app(named: app)?.settings }

  /// The device that leads the lobby of a device: itself when it leads, nil when there is none.
  public func leader(of device: Int) -> Int? { devices.leader(of: device) }

  /// Who takes part, as facts need it.
  /// - Parameters:
  ///   - isForeign: whether nobody knows what a device shows; of a program that reports nothing nobody does.
  ///   - isHostile: whether it does what it must not on purpose; nothing it shows is believed.
  public func cast(isForeign: (Int) -> Bool, isHostile: (Int) -> Bool = { _ in false }) -> AppCast {
    AppCast(
      members: devices.enumerated().map { index, device in
        AppCast.Member(
          app: device.app, role: device.role, lobby: device.lobby,
          isForeign: isForeign(index) || isHostile(index) || device.program?.isMute ?? false,
          isHostile: isHostile(index),
          isMute: device.program?.isMute ?? false && !isForeign(index) && !isHostile(index),
          isProgram: device.program != nil, toldPeerID: device.program == nil ? nil : device.peerID,
          leader: leader(of: index))
      })
  }
}

/// Where something is in a scenario file, for messages; both from 1. Line 0: the override with that number.
public struct SourceLocation: Hashable, Sendable {
  public var line: Int
  public var column: Int
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension Scenario {
  /// Sets what an app is set to, whether the scenario has it already or not.
  package mutating func set(_ settings: AppSettings, of app: any SimulatedApp) {
    let app = ScenarioApp(app: app, settings: settings)
    if let index = apps.firstIndex(where: { $0.app.name == app.app.name }) {
      apps[index] = app
    } else {
      apps.append(app)
    }
  }
}

extension [Device] {
  /// The devices with one app on each; those of a role lead.
  package func playing(_ app: any SimulatedApp, ledBy leader: AppRole) -> [Device] {
    map { device in
      var player = device
      player.app = app.name
      player.leads = device.role == leader
      if player.dialect.rawValue.isEmpty { player.dialect = app.defaultDialect }
      return player
    }
  }
}
