import Bench

/// Where a hostile device sends what it must not.
public enum FuzzSeam: String, Hashable, Sendable, CaseIterable {
  /// A packet of its app, before it is cut into values.
  case packet
  /// A value: one notification or write.
  case fragment
  /// An ATT PDU.
  case att
  /// An L2CAP frame.
  case l2cap
  /// An HCI packet from its host to its controller.
  case hci

  /// Where the world is tapped for it.
  var seam: Seam {
    switch self {
    case .packet, .fragment: .fragment
    case .att: .att
    case .l2cap: .l2cap
    case .hci: .hci
    }
  }
}
