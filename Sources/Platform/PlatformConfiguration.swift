package import BluetoothWire
package import VirtualRadio

/// What one device's platform is made of.
package struct PlatformConfiguration: Sendable {
  /// The dense number of the device in its world.
  package var index: Int
  package var phone: PhonePreset
  package var address: BluetoothAddress
  package var position: Position
  package var seat: Seat
  /// From which its resolvable private addresses are made, most significant octet first, and the seed of what is drawn
  /// for them; nil: it keeps its address.
  package var privacy: PlatformPrivacy?
  /// For every host stack that comes up on the device.
  package var host: HostConfiguration

  package init(
    index: Int, phone: PhonePreset, address: BluetoothAddress, position: Position, seat: Seat,
    host: HostConfiguration, privacy: PlatformPrivacy? = nil
  ) {
    self.privacy = privacy
    self.index = index
    self.phone = phone
    self.address = address
    self.position = position
    self.seat = seat
    self.host = host
  }
}
