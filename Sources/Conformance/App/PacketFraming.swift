package import AppSeam

/// How whole packets of a protocol travel in values: what a hostile peer needs that sends packets of its own.
package struct PacketFraming: Sendable {
  /// Which part of which packet a value is.
  package struct Place: Hashable, Sendable {
    package var packetID: Int
    /// From 0.
    package var index: Int
    package var count: Int

    package init(packetID: Int, index: Int, count: Int) {
      self.packetID = packetID
      self.index = index
      self.count = count
    }
  }

  /// Finds out no more than that, for a dialect that is looked up once; nil for a value that carries no part.
  package let place: @Sendable (DialectName) -> @Sendable (_ value: [UInt8]) -> Place?
  /// Takes a value apart; nil for one that carries no part of a packet. A value that is a whole packet has count 1.
  package let part: @Sendable (_ value: [UInt8], DialectName) -> ChartWords.Fragment?
  /// Cuts a packet for a link; empty when it cannot be sent.
  package let cut: @Sendable (_ packet: [UInt8], _ packetID: Int, _ attMTU: Int, DialectName) -> [[UInt8]]

  package init(
    place: @escaping @Sendable (DialectName) -> @Sendable ([UInt8]) -> Place?,
    part: @escaping @Sendable ([UInt8], DialectName) -> ChartWords.Fragment?,
    cut: @escaping @Sendable (_ packet: [UInt8], _ packetID: Int, _ attMTU: Int, DialectName) -> [[UInt8]]
  ) {
    self.place = place
    self.part = part
    self.cut = cut
  }
}
