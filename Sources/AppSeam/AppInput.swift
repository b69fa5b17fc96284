public import BluetoothWire

/// What the platform tells an app. An engine sees nothing else.
public enum AppInput: Hashable, Sendable {
  /// The app has been launched; first input of every engine, and again after a kill and relaunch (as a new engine).
  case launched
  /// The Bluetooth adapter went off or came back; off ends advertising, scanning and all links.
  case radioPower(Bool)
  /// Suspended (true) or in front again; a suspended app still gets the Bluetooth inputs its platform delivers.
  case background(Bool)
  /// Answer to `advertise`: false when the platform refused.
  case advertisingStarted(Bool)
  case discovered(Advertisement)
  /// For a client: the connection it asked for; for a host: a central has connected.
  case connected(LinkID, peer: BluetoothAddress)
  /// A connection attempt came to nothing.
  case connectFailed(BluetoothAddress, reason: HCI.ErrorCode)
  case disconnected(LinkID, reason: HCI.ErrorCode)
  case attMTU(LinkID, Int)
  /// Answer to `discover`: the characteristics of the service that were found; empty when there is no such service.
  case servicesDiscovered(LinkID, service: BluetoothUUID, characteristics: [ServiceDefinition.Characteristic])
  /// Host: a central wrote the CCCD. Client: answer to `subscribe`.
  case subscribed(LinkID, characteristic: BluetoothUUID, Bool)
  /// Host: a central wrote. Client: a notification or indication came.
  case valueReceived(LinkID, characteristic: BluetoothUUID, octets: [UInt8])
  /// Client: answer to `read`.
  case valueRead(LinkID, characteristic: BluetoothUUID, octets: [UInt8]?)
  /// The immediate answer to `notify` and `writeWithoutResponse`: false = transmit queue full, NOT sent; exactly one
  /// per effect, in order, before any other input of that link.
  case submitted(LinkID, characteristic: BluetoothUUID, accepted: Bool)
  /// The transmit queue that refused has room again.
  case readyToSend(LinkID)
  /// Answer to `write` (with response); nil is success, else the ATT error code.
  case writeCompleted(LinkID, characteristic: BluetoothUUID, error: UInt8?)
  case timer(TimerID)
  /// A person (a scenario step) does something.
  case user(AppAction)
  /// What an app is told about attributes that it names one by one.
  indirect case gatt(GATTInput)
  /// What an app is told of advertisers that wants them whole.
  indirect case gap(GAPInput)
  /// Channels of L2CAP beside the attributes.
  indirect case channel(ChannelInput)
  /// The network beside the radio, on devices that have one.
  case network(NetworkInput)
}
