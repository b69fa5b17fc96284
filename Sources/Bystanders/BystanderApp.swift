package import AppSeam
package import Bench

/// Devices that are only in the room: they advertise, scan or keep a link busy, and nobody judges them. Those with raw
/// traffic measure a link.
package struct BystanderApp: UnjudgedApp {
  /// The protocol as scenarios write it.
  static let word = "bystander"

  package init() {}

  package var name: String { Self.word }
  package let roles = [
    RoleDescription(.advertiser, plural: "advertisers", leads: false),
    RoleDescription(.central, plural: "centrals", leads: false),
    RoleDescription(.headset, plural: "headsets", leads: false),
    RoleDescription(.peripheral, plural: "peripherals", leads: false),
    RoleDescription(.relay, plural: "relays", leads: false),
    RoleDescription(.player, plural: "players", leads: false),
    RoleDescription(.scanner, plural: "scanners", leads: false),
  ]
  package let words: AppWords = {
    var words = AppWords()
    words.settingsKey = KeyTable.Key(
      "traffic", .list(.table(KeyTable.flowID)), "values between centrals and peripherals")
    words.tables = [.flow]
    return words
  }()

  package func settings(_ tree: YAMLTree?, _ decoder: ScenarioDecoder) -> AppSettings {
    AppSettings(tree.map(decoder.traffic) ?? .empty)
  }

  package var worlds: (any AppWorlds)? { BystanderWorlds() }

  /// The app of a device, by its role.
  package static func makeEngine(_ configuration: AppConfiguration) -> any AppEngine {
    let traffic = configuration.settings.record as? Traffic ?? .empty
    return switch configuration.role {
    case .central: TrafficCentral(configuration, traffic)
    case .peripheral: TrafficPeripheral(configuration, traffic)
    case .headset: BusyHeadset(name: configuration.displayName)
    case .player: BusyPlayer(configuration)
    case .relay: BusyRelay(configuration)
    case .scanner: IdleScanner()
    default: PlainAdvertiser(name: configuration.displayName)
    }
  }
}

extension AppRole {
  /// Advertises and is never connected to.
  static let advertiser = AppRole(rawValue: "advertiser")
  /// Scans without a filter and connects to nobody.
  static let scanner = AppRole(rawValue: "scanner")
  /// Waits for a player, then notifies without pause.
  static let headset = AppRole(rawValue: "headset")
  /// Both at once: a headset for its player, and a player to another headset.
  static let relay = AppRole(rawValue: "relay")
  /// Connects to the peripherals that the scenario's traffic names.
  static let central = AppRole(rawValue: "central")
  /// Waits for the centrals that the scenario's traffic names.
  static let peripheral = AppRole(rawValue: "peripheral")
  /// Looks for a headset, then writes to it without pause.
  static let player = AppRole(rawValue: "player")
}
