/// What is on either side of a device's HCI seam.
public enum Seat: String, Hashable, Sendable, CaseIterable {
  /// Controller, host stack and app are ours.
  case simulated
  /// The controller is ours; an external host uses it, and the device has none of our apps.
  case foreignHost = "foreign-host"
  /// The radio is ours; a program from outside is its link layer (ADR 0044), and the device has none of our apps.
  case foreignLinkLayer = "foreign-link-layer"
  /// Host stack and app are ours, over a controller from outside; the device has no place on our air.
  case foreignController = "foreign-controller"

  /// The device has one of our radios, and neither stack nor app.
  package var isOnlyRadio: Bool { self == .foreignHost || self == .foreignLinkLayer }

  /// Who is there in place of the bench's own, in words.
  package var outsider: String {
    switch self {
    case .simulated: "nobody from outside"
    case .foreignHost: "an external host"
    case .foreignLinkLayer: "a program as its link layer"
    case .foreignController: "an external controller"
    }
  }
}

/// What comes in from outside at a seat.
public enum ForeignEvent: Hashable, Sendable {
  /// An outsider has taken the seat.
  case attached
  /// The outsider has left: a host (its controller is reset without any event), or a controller (its host's radio is
  /// off).
  case detached
  /// One whole H4 packet, or a message of a program for the air, indicator included: any octets, at most
  /// `ForeignEvent.maximumPacket` of them.
  case packet([UInt8])

  /// Indicator, header and the longest ACL data that a length field can count.
  public static let maximumPacket = 5 + 0xFFFF
}
