package import SimKernel
package import VirtualNetwork

/// A packet of the network as one interface saw it.
package struct SeenPacket: Sendable {
  /// From 1, as in `network.pcapng`.
  package var number: Int
  /// When its last octet passed.
  package var instant: SimInstant
  /// Dense index of the device whose interface it is.
  package var device: Int
  package var packet: NetworkPacket
}
