public import VirtualRadio

/// How a session is at the moment, for whoever shows it.
extension LiveSession {
  /// One device that is there.
  public struct Standing: Hashable, Sendable {
    /// Index in the trace's header.
    public var device: Int
    public var name: String
    public var phone: String
    public var position: Position
    /// Its radio sends and receives.
    public var isOnAir: Bool
    /// Its host is external.
    public var isExternal: Bool
  }

  public var standings: [Standing] {
    present.map { device, name in
      Standing(
        device: device, name: name, phone: header.devices[device].phone, position: world.radio.position(of: device),
        isOnAir: world.radio.isOn(device), isExternal: isExternal(device))
    }
  }

  /// Central and peripheral of each link on our air, as indices.
  public var links: [(central: Int, peripheral: Int)] { world.radio.linkedDevices }
}
