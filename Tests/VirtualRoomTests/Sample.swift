import AppSeam
import LobbyRules
import VirtualRoom

@testable import sound_host

/// The host of Examples/corebluetooth without the mistakes of guides, and with one of them, as apps of a test.
enum Sample {
  /// The app's object, of what its phone is told.
  static func host(_ told: AppConfiguration, mistake: Mistake? = nil) -> HostManager {
    let manager = mistake.map { MistakenHost($0) } ?? HostManager()
    manager.lobby = Lobby(
      id: told.peerID, name: told.displayName, scenarios: ["coffee-shop", "first-date"], carrier: manager)
    return manager
  }

  /// What its person does with it.
  static func use(_ manager: HostManager, _ action: RoomAction) {
    if action.name == "startHosting" { manager.startHosting() }
    manager.lobby.perform(action.name, action.text)
  }
}
