public import AppSeam
public import BluetoothWire
package import Platform

/// A place in a device at which a tap sees whole units on their way out.
public enum Seam: String, Hashable, Sendable, CaseIterable {
  /// A value that the app gives its stack: one notification or write.
  case fragment
  /// An ATT PDU, Core v5.4, Vol 3, Part F, 3.3.
  case att
  /// An L2CAP frame with its header, Core v5.4, Vol 3, Part A, 3.1; those of ATT too.
  case l2cap
  /// An HCI packet from the host with its H4 indicator, Core v5.4, Vol 4, Part A, 2.
  case hci
  /// A PDU of a connection that is not empty: one octet with the LLID, and the payload before its encryption, Core
  /// v5.4, Vol 6, Part B, 2.4. The link layer numbers it, and sends it until it is acknowledged.
  case ll
  /// A PDU with its header of two octets as a radio sends it, Core v5.4, Vol 6, Part B, 2.3 and 2.4: on a connection,
  /// before its encryption, those that are not empty; and all of the advertising channels.
  case air
}

/// Where a unit goes: what a tap needs to send another one the same way.
public enum UnitRoute: Hashable, Sendable {
  /// On a link of the app, to a characteristic.
  case value(LinkID, BluetoothUUID, UnitCarrier)
  /// On a connection of the host stack.
  case frame(HCI.ConnectionHandle)
  /// To the controller.
  case controller
  /// On the advertising channels. A unit of its own goes in place of the next PDU that the device sends there.
  case advertising
}

/// What carries a value.
public enum UnitCarrier: Hashable, Sendable {
  case notification, writeCommand, write

  package init(_ carrier: ValueCarrier) {
    self =
      switch carrier {
      case .notification: .notification
      case .writeCommand: .writeCommand
      case .write: .write
      }
  }

  var carrier: ValueCarrier {
    switch self {
    case .notification: .notification
    case .writeCommand: .writeCommand
    case .write: .write
    }
  }
}

/// A unit that passes a tap.
public struct TappedUnit: Hashable, Sendable {
  public var device: Int
  public var route: UnitRoute
  public var octets: [UInt8]

  public init(device: Int, route: UnitRoute, octets: [UInt8]) {
    self.device = device
    self.route = route
    self.octets = octets
  }
}
