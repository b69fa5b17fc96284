public import AppSeam
public import BluetoothWire
public import SimKernel
public import VirtualRadio

/// One simulated peer: a phone at a place with an app on it.
public struct Device: Hashable, Sendable {
  /// Unique, for example `host` or `client-3`, or `client-3@2` in the second of several lobbies side by side.
  public var name: String
  /// Which of the lobbies side by side it is in, from 0; nil: there is one lobby, or it is in the room once for all.
  public var copy: Int? = nil
  /// The key it was declared under; `client-1` … `client-7` share `client`.
  public var group: String
  public var role: AppRole
  /// The protocol that its app speaks; nil: none that the scenario knows.
  public var app: String? = nil
  /// No app runs on it, whatever the factory could make: it is a controller and nothing more.
  public var isBare = false
  /// Devices of one protocol and lobby belong together; empty unless the scenario names one.
  public var lobby = ""
  /// Whether others join it.
  public var leads = false
  /// Whether `everyone` means it too.
  public var takesPart = true
  /// The preset with this device's overrides applied.
  public var phone: PhonePreset
  public var position = Position(x: 0, y: 0)
  /// Its random static or public address; nil: the world draws a random static one. A device whose host is external
  /// needs a public one: a random one that is written here is then left to that host.
  public var address: BluetoothAddress? = nil
  /// Its phone changes to other private addresses; one that the scenario gives stays.
  var changesAddress: Bool { address == nil && phone.advertising.rotatesAddress != nil && app != nil }
  /// The name of the device at which it directs its advertising, when the kind of its advertising is a directed one.
  public var directedTo: String? = nil
  /// The error of its clock, parts per million; nil: the world draws it from `phone.radio.clockDrift`.
  public var clockPartsPerMillion: Int? = nil
  /// What it reaches others over, beside Bluetooth, where the scenario has a network.
  public var interfaces = NetworkInterface.allCases
  /// How far its clock of the day is ahead of the others', milliseconds.
  public var clockOffsetMilliseconds = 0
  /// When its app is launched.
  public var starts = SimInstant.zero
  /// `reference`, the name of a mutant, or that of the program.
  public var engine = "reference"
  /// Its app, where that is a program; nil: an engine of the bench.
  public var program: ScenarioProgram? = nil
  /// How often it is hostile, and what it does then; nil: never.
  public var hostility: Hostility? = nil
  /// The player's name as the others see it.
  public var displayName: String
  public var dialect = DialectName(rawValue: "")
  /// What its app knows in place of what all apps of its protocol know; nil: nothing else.
  public var settings: AppSettings? = nil
  /// What clients read as its GAP Device Name; nil: `name`.
  public var gapName: String? = nil

  public init(name: String, group: String, role: AppRole, phone: PhonePreset) {
    self.name = name
    self.group = group
    self.role = role
    self.phone = phone
    displayName = name
  }

  /// Its name among those of its own lobby.
  var ownName: Substring { copy == nil ? name[...] : name.prefix { $0 != "@" } }

  /// What its app is told to call itself; unique among the devices of a run.
  public var peerID: String { "peer-" + name }
}

extension [Device] {
  /// The index of the device that leads the lobby of a device: itself when it leads, nil when there is none.
  func leader(of device: Int) -> Int? {
    let (app, lobby) = (self[device].app, self[device].lobby)
    return firstIndex { $0.leads && $0.app == app && $0.lobby == lobby }
  }
}
