public import BluetoothWire

/// What the owner of a world may know of a controller that has no host stack of this world.
extension Controller {
  /// The device at the other end of a connection, nil for a handle that is none.
  public func peer(of handle: HCI.ConnectionHandle) -> Int? {
    link(handle).map { connection, end in connection.peer(of: end).radio.index }
  }

  /// Connections that are up.
  public var linkCount: Int { radio.links.count }

  /// Whether this is the controller's public address or the random one that its host has set.
  public func uses(_ address: BluetoothAddress) -> Bool {
    address == radio.configuration.address || address == randomAddress
  }
}
