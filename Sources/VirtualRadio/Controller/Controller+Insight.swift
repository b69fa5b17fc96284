public import BluetoothWire

/// What the owner of a world may know of a controller that has no host stack of this world.
extension Controller {
  /// The device at the other end of a connection, nil for a handle that is none.
  public func peer(of handle: HCI.ConnectionHandle) -> Int? {
    link(handle).map { connection, end in connection.peer(of: end).radio.index }
  }

  /// Connections that are up.
  public var linkCount: Int { radio.links.count }

  /// Whether this is an address of the device now: its public one, a random one that its host has set for the device or
  /// for an advertising set, or the resolvable private one that the controller has generated towards a peer.
  public func uses(_ address: BluetoothAddress) -> Bool {
    address == self.address || address == randomAddress
      || radio.advertisers.contains { $0.randomAddress == address }
      || resolvingList.entries.contains { $0.local == address }
  }
}
