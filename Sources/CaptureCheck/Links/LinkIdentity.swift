import BluetoothWire

/// Between whom a connection is, as far as its capture says.
struct LinkIdentity {
  /// Addresses that a device keeps: public and static ones. A private address says nothing, because another capture may
  /// show the identity that it stands for.
  private var central: [BluetoothAddress]
  private var peripheral: [BluetoothAddress]
  private var accessAddress: UInt32?
  /// The controller at whose HCI it was captured; −1 on the air.
  private(set) var adapter: Int

  init(_ link: TrafficLink) {
    central = [link.central, link.centralPrivate].compactMap { $0 }.filter(Self.isKept)
    peripheral = [link.peripheral, link.peripheralPrivate].compactMap { $0 }.filter(Self.isKept)
    accessAddress = link.accessAddress
    adapter = link.adapter.map { Int($0.number) } ?? -1
  }

  /// Spec: Core v5.4, Vol 6, Part B, 1.3.2: the two most significant bits of a static address are 1.
  private static func isKept(_ address: BluetoothAddress) -> Bool {
    address.kind == .publicDevice || address.bits >> 46 == 3
  }

  /// Whether both ends are named.
  var isNamed: Bool { !central.isEmpty && !peripheral.isEmpty }

  /// Whether the two cannot be the same connection.
  func isAnother(than other: Self) -> Bool {
    if let own = accessAddress, let theirs = other.accessAddress, own != theirs { return true }
    return Self.differ(central, other.central) || Self.differ(peripheral, other.peripheral)
  }

  /// Whether both captures name both ends, and name the same.
  func hasEnds(of other: Self) -> Bool {
    central.contains(where: other.central.contains) && peripheral.contains(where: other.peripheral.contains)
  }

  private static func differ(_ a: [BluetoothAddress], _ b: [BluetoothAddress]) -> Bool {
    !a.isEmpty && !b.isEmpty && !a.contains(where: b.contains)
  }
}
