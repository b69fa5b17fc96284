package import Bench
import SimKernel

/// What is done to one device at a place.
package enum FaultKind: String, CaseIterable, Sendable {
  case vanish
  case radioOff = "radio-off"
  case kill
  case background
  case disconnect
  case outOfRange = "out-of-range"
  case leave
  case wifiOff = "wifi-off"
  /// What is sent on the device's links comes later than so many deliveries to others.
  case late1 = "late-1"
  case late2 = "late-2"
  case late3 = "late-3"

  /// For people: what the device does.
  package var title: String {
    switch self {
    case .vanish: "vanishes and appears"
    case .radioOff: "switches its radio off and on"
    case .kill: "is killed and launched again"
    case .background: "is in the background"
    case .disconnect: "ends its links"
    case .outOfRange: "goes out of range and comes back"
    case .leave: "leaves and joins again"
    case .wifiOff: "switches Wi-Fi off and on"
    case .late1: "is one delivery late"
    case .late2: "is two deliveries late"
    case .late3: "is three deliveries late"
    }
  }

  /// For columns of tables.
  package var short: String {
    switch self {
    case .vanish: "vanish"
    case .radioOff: "radio off"
    case .kill: "kill"
    case .background: "background"
    case .disconnect: "disconnect"
    case .outOfRange: "out of range"
    case .leave: "leave"
    case .wifiOff: "wifi off"
    case .late1: "late by 1"
    case .late2: "late by 2"
    case .late3: "late by 3"
    }
  }

  /// Deliveries to others that come first; nil: it is a fault.
  package var lateness: Int? {
    switch self {
    case .late1: 1
    case .late2: 2
    case .late3: 3
    default: nil
    }
  }

  /// The words of scenario files for its beginning and its end; nil: it has no end, or it is not so simple.
  var words: (begins: String, ends: String)? {
    switch self {
    case .vanish: ("vanish", "appear")
    case .radioOff: ("radio off", "radio on")
    case .background: ("background", "foreground")
    case .outOfRange: ("go out of range", "come back")
    case .wifiOff: ("wifi off", "wifi on")
    case .kill, .disconnect, .leave, .late1, .late2, .late3: nil
    }
  }

  /// The kinds that make sense for a device.
  /// - Parameter leads: others join this device.
  package static func all(for device: Device, in scenario: Scenario, isHub: Bool) -> [FaultKind] {
    guard !device.isBare else { return [.vanish, .outOfRange] }
    return allCases.filter { kind in
      switch kind {
      // On the links of a hub all others would be late together; each of them is a link of somebody else, too.
      case .late1, .late2, .late3: !isHub
      case .wifiOff: scenario.network != nil && !device.interfaces.isEmpty
      case .leave: canLeave(device, in: scenario)
      default: true
      }
    }
  }

  private static func canLeave(_ device: Device, in scenario: Scenario) -> Bool {
    guard let words = scenario.app(named: device.app)?.app.words else { return false }
    guard words.plainActions.contains("leave") else { return false }
    return words.rolesOfActions["leave"]?.contains(device.role) ?? true
  }
}
