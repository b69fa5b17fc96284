package import AppSeam
package import BluetoothWire

/// A connection as the platform knows it for an app.
package final class AppLink {
  package let id: LinkID
  let handle: HCI.ConnectionHandle
  package let peer: BluetoothAddress
  /// The device at the other end; nil for a stranger.
  package let peerDevice: Int?
  let role: HCI.Role
  package internal(set) var attMTU = 23
  /// An exchange has ended, whatever came of it.
  var hasExchangedMTU = false
  /// Writes whose answer is out, oldest first.
  var writes: [PendingWrite] = []
  // What was asked about attributes and has no answer yet, oldest first; nil: the platform asked for itself.
  var serviceQuestions: [[BluetoothUUID]] = []
  var serviceAsks: [FoundService?] = []
  var characteristicAsks: [FoundCharacteristic] = []
  var typeAsks: [BluetoothUUID?] = []
  /// What was refused while the link is not encrypted, and is made again.
  var unsecured: [UnsecuredRequest] = []
  /// The platform has looked for Service Changed.
  var watchesServices = false

  init(id: LinkID, handle: HCI.ConnectionHandle, peer: BluetoothAddress, peerDevice: Int?, role: HCI.Role) {
    self.id = id
    self.handle = handle
    self.peer = peer
    self.peerDevice = peerDevice
    self.role = role
  }
}

/// A write whose answer the app has not seen.
enum PendingWrite: Equatable {
  case ofApp(Value)
  /// A broken stack's own, whose answer the app must not see.
  case echo
  /// Kept from the link by a broken stack: the app sees success when its turn comes.
  case swallowed(Value)
}
