import Bench

/// The network beside the radio that a room of phones has, by the names that scenario files use.
public struct RoomNetwork: Hashable, Sendable {
  let network: ScenarioNetwork

  private init(_ name: String) {
    guard let network = ScenarioNetwork.named(name) else { preconditionFailure("there is no network \(name)") }
    self.network = network
  }

  /// Every packet takes a millisecond, and interfaces are always awake.
  public static let ideal = RoomNetwork("ideal")
  /// An access point at 5 GHz, and peer to peer that sleeps until somebody asks.
  public static let home = RoomNetwork("home")
  /// An old access point at 2.4 GHz, where Bluetooth is.
  public static let crowded = RoomNetwork("crowded")
  /// Peer to peer alone.
  public static let withoutInfrastructure = RoomNetwork("no infrastructure")
}
