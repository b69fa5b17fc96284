import BluetoothWire
import SimKernel

/// Connection subrating as hosts ask for it (Vol 4, Part E, 7.8.115, 7.8.123, 7.8.124).
extension Controller {
  /// Bits of LE features that a host sets (Vol 6, Part B, 4.6).
  static let subratingHostBit: UInt8 = 38
  /// What a peer is told of this controller and its host.
  var linkFeatures: UInt64 {
    RadioWorld.features(of: radio.configuration)
      | hostSettings.features
  }

  /// Not while a link may have told the peer otherwise.
  func setHostFeature(_ command: HCI.Command, bit: UInt8, value: UInt8) {
    guard links.isEmpty else { return complete(command, status: .commandDisallowed) }
    let configuration = radio.configuration
    guard
      bit == Self.subratingHostBit && configuration.supportsSubrating
        || bit == RadioWorld.streamHostBit && configuration.supportsStreams
    else { return complete(command, status: .unsupportedFeature) }
    guard value <= 1 else { return complete(command, status: .invalidParameters) }
    hostSettings.set(bit, value == 1)
    complete(command)
  }

  func setDefaultSubrate(_ command: HCI.Command, _ wish: HCI.SubrateParameters) {
    guard wish.areValid else { return complete(command, status: .invalidParameters) }
    hostSettings.acceptedSubrate = wish
    complete(command)
  }

  /// A central changes the link, and lets the peripheral ask for the same from then on; a peripheral asks.
  ///
  /// Decision: while the peripheral's request for connection parameters is unanswered, the central's host is refused,
  /// because the two procedures exclude each other (Vol 6, Part B, 5.1.19).
  func requestSubrate(
    _ command: HCI.Command, _ wish: HCI.SubrateParameters, _ end: LinkEnd, _ connection: Connection
  ) {
    guard wish.areValid, wish.fits(interval: connection.intervalUnits) else {
      return status(command, .invalidParameters)
    }
    if end.role == .central {
      guard let peerSubrates = end.peerHostSubrates, !end.hasAskedHost else {
        return status(command, .commandDisallowed)
      }
      guard peerSubrates else { return status(command, .unsupportedRemoteFeature) }
      end.acceptedSubrate = wish
    } else if let features = end.peerFeatures, features & 1 << 37 == 0 {
      return status(command, .unsupportedRemoteFeature)
    }
    status(command)
    world.start(end.role == .central ? .subrateUpdate(wish, isOwn: true) : .subrateRequest(wish), end, connection)
  }
}
