package import AppSeam
package import BluetoothWire
package import SimKernel
package import VirtualNetwork
package import VirtualRadio

/// What is around a device's platform: whoever keeps time, room and trace. Calls come within an instant and must not
/// call back into the platform.
package protocol PlatformSurroundings: AnyObject {
  /// The device at the other end of a link, nil when it is none of this world.
  func peerDevice(of device: Int, _ handle: HCI.ConnectionHandle, _ address: BluetoothAddress) -> Int?
  /// The device that has, or has had, an address; nil when it is none of this world.
  func device(at address: BluetoothAddress) -> Int?
  func setRadio(_ device: Int, isOn: Bool)
  func moveRadio(_ device: Int, to position: Position)
  func coverLinks(of device: Int, with other: Int?, until end: SimInstant)

  /// The device's network does what its app asks for; `tell` hands its answers to the app.
  func perform(_ effect: NetworkEffect, device: Int)
  func applyToNetwork(_ fault: NetworkFault, device: Int)
  /// The app of a device was launched; its network may tell it something.
  func appStarted(_ device: Int)
  /// The app of a device has ended, and with it what it had asked the network for.
  func appEnded(_ device: Int)

  // What is observed, in the order in which it happens.
  func observe(_ input: AppInput, device: Int)
  func observe(_ effect: AppEffect, device: Int)
  func observe(_ report: AppReport, device: Int)
  func observe(_ fault: FaultEvent, device: Int)
  func observe(_ remark: PlatformRemark, device: Int)
}
