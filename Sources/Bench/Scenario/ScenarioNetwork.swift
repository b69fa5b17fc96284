package import VirtualNetwork
package import VirtualRadio

/// The network of a scenario: its room as the network knows it, and where its access point stands.
package struct ScenarioNetwork: Hashable, Sendable {
  package var room: NetworkRoom
  package var accessPoint = Position(x: 0, y: 0)
  /// Whether there is Wi-Fi from peer to peer.
  package var hasPeerToPeer = true
  /// The preset that the room began as.
  package var preset: String

  package init(room: NetworkRoom, preset: String) {
    self.room = room
    self.preset = preset
  }

  /// The rooms that a scenario can name.
  package static let presets: [ScenarioNetwork] = [
    ScenarioNetwork(room: .ideal, preset: "ideal"),
    ScenarioNetwork(room: NetworkRoom(), preset: "home"),
    ScenarioNetwork(room: .crowded, preset: "crowded"),
    ScenarioNetwork(room: .withoutInfrastructure, preset: "no infrastructure"),
  ]

  package static func named(_ name: String) -> ScenarioNetwork? { presets.first { $0.preset == name } }
}

extension NetworkRoom {
  /// An old access point on channel 6 of the 2.4 GHz band.
  fileprivate static let crowded: NetworkRoom = {
    var room = NetworkRoom()
    room.accessPoint?.channel = .social6
    room.accessPoint?.rate = .ofdm(megabits: 24)
    return room
  }()

  fileprivate static let withoutInfrastructure: NetworkRoom = {
    var room = NetworkRoom()
    room.accessPoint = nil
    return room
  }()
}
