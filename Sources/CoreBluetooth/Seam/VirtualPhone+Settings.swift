public import AppSeam
public import BluetoothWire

extension VirtualPhone {
  /// What a phone is told before its app runs; plain values, so that a run can be repeated.
  public struct Settings: Hashable, Sendable {
    /// The seed of the run; identifiers of peers follow from it.
    public var seed: UInt64
    /// The phone's own address.
    public var address: BluetoothAddress
    /// Whether its person allows Bluetooth.
    public var authorization = CBManagerAuthorization.allowedAlways
    /// Values that one link takes from the app before the stack has answered; 1 and more.
    public var transmitDepth = 15
    /// What an Objective-C exception of the real framework becomes.
    public var exceptions = Exceptions.trap

    /// What a call does here that raises an exception on phones.
    public enum Exceptions: Hashable, Sendable {
      /// The process ends with a message, as the app does.
      case trap
      /// A remark of kind `exception`; the call has no effect, and the app runs on.
      case record
    }

    /// Settings with the values of a phone that allows everything.
    public init(seed: UInt64, address: BluetoothAddress) {
      self.seed = seed
      self.address = address
    }

    /// Settings of a device of a scenario.
    public init(_ configuration: AppConfiguration, address: BluetoothAddress) {
      self.init(seed: configuration.seed, address: address)
    }
  }

  /// How this phone calls a peer.
  func identifier(of peer: BluetoothAddress) -> UUID {
    PhoneIdentity.identifier(seed: settings.seed, own: settings.address, peer: peer)
  }
}
