package import BluetoothWire

/// Another device. Source: Apple, `CBPeer`.
open class CBPeer: NSObject, NSCopying {
  package let address: BluetoothAddress
  package let peerIdentifier: UUID

  package init(address: BluetoothAddress, identifier: UUID) {
    self.address = address
    peerIdentifier = identifier
    super.init()
  }

  /// How this phone calls the device: the same in every launch, and another one on other phones.
  ///
  /// Derived from the seed and both addresses. Not modelled: devices that change their address.
  open var identifier: UUID { peerIdentifier }

  /// A property by its name: `identifier`, as an `NSUUID`; nil for others.
  open func value(forKey key: String) -> Any? {
    key == "identifier" ? NSUUID(uuidString: identifier.uuidString) : nil
  }

  /// From the address, so that a set of peripherals has the same order in each run; that of an object's place in memory
  /// has not.
  open override var hash: Int { Int(truncatingIfNeeded: address.bits) }

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
