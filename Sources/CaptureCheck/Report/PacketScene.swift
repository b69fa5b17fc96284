public import SimKernel

/// A packet with what comes before and after it on its link, in the words of `babbench inspect`.
public struct PacketScene: Sendable {
  /// One packet as a line.
  public struct Line: Sendable {
    public var place: PacketPlace
    public var instant: SimInstant
    /// `out` and `in` at an HCI, `C→P` and `P→C` on the air.
    public var direction: String
    public var text: String
  }

  public var packet: Line
  /// Packets of the same link, or of no link when the packet has none; empty PDUs are left out.
  public var before: [Line] = []
  public var after: [Line] = []
  /// Every layer with its fields, indented, the lowest first.
  public var layers: [String]
  /// As many as the recorder keeps.
  public var octets: [UInt8]
  /// How many the record has.
  public var octetCount: Int
}
