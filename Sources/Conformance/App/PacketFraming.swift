package import AppSeam

/// How whole packets of a protocol travel in values: what a hostile peer needs that sends packets of its own.
package struct PacketFraming: Sendable {
  /// Takes a value apart; nil for one that carries no part of a packet. A value that is a whole packet has count 1.
  package let part: @Sendable (_ value: [UInt8], DialectName) -> ChartWords.Fragment?
  /// Cuts a packet for a link; empty when it cannot be sent.
  package let cut: @Sendable (_ packet: [UInt8], _ packetID: Int, _ attMTU: Int, DialectName) -> [[UInt8]]

  package init(
    part: @escaping @Sendable ([UInt8], DialectName) -> ChartWords.Fragment?,
    cut: @escaping @Sendable (_ packet: [UInt8], _ packetID: Int, _ attMTU: Int, DialectName) -> [[UInt8]]
  ) {
    self.part = part
    self.cut = cut
  }
}
