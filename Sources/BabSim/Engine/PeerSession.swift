import AppSeam
import BluetoothWire

/// One link of the host, from connection to disconnection.
struct PeerSession {
  let link: LinkID
  let address: BluetoothAddress
  var receiver: PacketReceiver
  /// The id its HANDSHAKE bound to this link.
  var peerID: String?
  var displayName = ""
  var hasJoined = false
  /// Told to go; whatever it still sends is ignored.
  var isRefused = false

  init(link: LinkID, address: BluetoothAddress, framing: Framing) {
    self.link = link
    self.address = address
    receiver = PacketReceiver(framing: framing)
  }
}
