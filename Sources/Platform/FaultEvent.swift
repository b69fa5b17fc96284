public import AppSeam
public import BluetoothWire
public import VirtualNetwork

/// Something the bench did to a device on purpose.
public enum FaultEvent: Hashable, Sendable {
  /// No more transmissions or receptions, as a battery pull or a walk into a lift.
  case vanish
  case appear
  case radioOff
  case radioOn
  /// The app is killed: links end, state is lost.
  case kill
  /// The system ends the app and keeps what it has of Bluetooth.
  case reclaim
  case relaunch
  case background
  case foreground
  case screenOff
  case screenOn
  /// The stack ends a link cleanly.
  case disconnect(LinkID)
  case move(x: Int, y: Int, z: Int)
  /// Something of the network beside the radio.
  case network(NetworkFault)
  /// Bonds with a device (by index; nil: all of them) are removed on this side only.
  case forgetBonds(with: Int?)
  /// What was asked for has failed on order: the link that it was asked on, and the code.
  case failure(FailingOperation, LinkID?, asker: FailureRule.Asker, code: UInt8)
  /// A broken stack: what was done to which value.
  case message(MessageFault, LinkID, characteristic: BluetoothUUID, octets: [UInt8])
}
