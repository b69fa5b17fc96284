package import NetworkWire

/// A packet on its way, with who sends it over which channel.
package struct NetworkFrame: Hashable, Sendable {
  package enum Payload: Hashable, Sendable {
    /// Of a connection, from one of its ends: 0 opened it.
    case stream(connection: Int, from: Int, StreamSegment)
    /// Multicast DNS.
    case names(DNSMessage)
    case datagram(sourcePort: UInt16, destinationPort: UInt16, [UInt8])
  }

  package var source: InterfaceID
  /// nil: everybody on the network of the source.
  package var destination: InterfaceID?
  package var payload: Payload
  /// Of the packet with its IP header.
  package var octets: Int

  package init(source: InterfaceID, destination: InterfaceID?, payload: Payload, octets: Int) {
    self.source = source
    self.destination = destination
    self.payload = payload
    self.octets = octets
  }
}

/// An interface of a device.
package struct InterfaceID: Hashable, Sendable {
  package var device: Int
  package var bearer: Bearer

  package init(device: Int, bearer: Bearer) {
    self.device = device
    self.bearer = bearer
  }
}

/// What carries packets between devices.
package enum Bearer: UInt8, Hashable, Sendable, CaseIterable {
  /// Wi-Fi through an access point.
  case infrastructure
  /// Wi-Fi from device to device: AWDL.
  case peerToPeer
}
