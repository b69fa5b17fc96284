import Bench
import BluetoothWire

/// Where a hostile device sends what it must not.
package enum FuzzSeam: String, Hashable, Sendable, CaseIterable {
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
  /// A PDU of a connection: LLID and payload.
  case ll
  /// A PDU with its header, of a connection or of the advertising channels.
  case air

  /// Where the world is tapped for it.
  var seam: Seam {
    switch self {
    case .packet, .fragment: .fragment
    case .att: .att
    case .l2cap: .l2cap
    case .hci: .hci
    case .ll: .ll
    case .air: .air
    }
  }
}

extension FuzzSeam {
  /// What tells a unit from others of the seam: its opcode, and why it refuses where it does. Nil where only what an
  /// app shows is looked at.
  func kind(of unit: TappedUnit) -> UInt64? {
    let octets = unit.octets
    func octet(_ place: Int) -> UInt64 { place < octets.count ? UInt64(octets[place]) : 0x100 }
    switch self {
    case .packet, .fragment: return nil
    // ATT_ERROR_RSP: the request and the reason, Core v5.4, Vol 3, Part F, 3.4.1.1.
    case .att: return 1 << 48 | octet(0) | (octet(0) == 0x01 ? octet(1) << 9 | octet(4) << 18 : 0)
    case .l2cap: return 2 << 48 | octet(2) | octet(3) << 9 | octet(4) << 18
    case .hci: return octet(0) == 0x01 ? 3 << 48 | octet(1) | octet(2) << 9 : nil
    case .ll:
      if octet(0) == 3 { return 4 << 48 | octet(1) | octet(2) << 9 }
      // The channel of a frame, and what it begins with.
      return octet(0) == 2 ? 7 << 48 | octet(3) | octet(4) << 9 | octet(5) << 18 : nil
    case .air:
      if unit.route == .advertising { return 5 << 48 | octet(0) & 0x0F }
      return octet(0) & 0b11 == 3 ? 6 << 48 | octet(2) | octet(3) << 9 : nil
    }
  }
}

extension FuzzSeam {
  /// Rows of the table of decoders whose inputs are units of the seam, each with what comes before an input.
  /// - Parameter isToHost: units of `hci` are events, else commands.
  package func grammars(isToHost: Bool) -> [(name: String, prefix: [UInt8])] {
    switch self {
    case .att: [("att", [])]
    case .l2cap: [("l2cap", [])]
    case .hci: [(isToHost ? "hci-event" : "hci-to-controller", [])]
    case .ll: [("ll-control", [LL.LLID.control.rawValue]), ("l2cap", [LL.LLID.start.rawValue])]
    case .air: [("ll-advertising", [])]
    case .packet, .fragment: []
    }
  }
}
