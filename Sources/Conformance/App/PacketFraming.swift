public import AppSeam

/// How whole packets of a protocol travel in values: what a hostile peer needs that sends packets of its own.
public struct PacketFraming: Sendable {
  /// Which part of which packet a value is.
  public struct Place: Hashable, Sendable {
    public var packetID: Int
    /// From 0.
    public var index: Int
    public var count: Int
    /// Octets of the value before its part of the packet.
    public var header: Int

    public init(packetID: Int, index: Int, count: Int, header: Int) {
      self.packetID = packetID
      self.index = index
      self.count = count
      self.header = header
    }

    /// The part itself.
    /// - Parameter value: whose place this is.
    public func part(of value: [UInt8]) -> ChartWords.Fragment {
      ChartWords.Fragment(packetID: packetID, index: index, count: count, body: Array(value.dropFirst(header)))
    }
  }

  /// For a dialect that is looked up once; nil for a value that carries no part. A value that is a whole packet has
  /// count 1.
  public let place: @Sendable (DialectName) -> @Sendable (_ value: [UInt8]) -> Place?
  /// Cuts a packet for a link; empty when it cannot be sent.
  public let cut: @Sendable (_ packet: [UInt8], _ packetID: Int, _ attMTU: Int, DialectName) -> [[UInt8]]

  /// - Parameters:
  ///   - place: which part of which packet a value is.
  ///   - cut: the values that carry a packet; empty when it cannot be sent.
  public init(
    place: @escaping @Sendable (DialectName) -> @Sendable ([UInt8]) -> Place?,
    cut: @escaping @Sendable (_ packet: [UInt8], _ packetID: Int, _ attMTU: Int, DialectName) -> [[UInt8]]
  ) {
    self.place = place
    self.cut = cut
  }
}
