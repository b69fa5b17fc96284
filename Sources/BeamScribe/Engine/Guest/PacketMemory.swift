/// Remembers the newest live chunk that came as one piece, with what it says: a host hands the same octets to all its
/// guests, and each of them is mostly told them as they were, so that one reading is as good as seven.
///
/// What it answers follows from the octets alone, whoever asked before.
package final class PacketMemory: @unchecked Sendable {
  private var piece: [UInt8] = []
  private var format = Frame.Format.length
  private var known: KnownChunk?

  package init() {}

  /// The live chunk whose frame a piece is, from its first octet to its last; nil for every other piece, whatever it
  /// has, and for a body that is longer than the limit.
  package func chunk(of piece: [UInt8], _ format: Frame.Format, limit: Int) -> KnownChunk? {
    guard piece.count - format.headerOctets <= limit else { return nil }
    // Who asks first mostly hands over the array that the others do: it is equal to itself without a look inside.
    if let known, piece.count == self.piece.count, format == self.format, piece == self.piece { return known }
    var rest = piece[...]
    guard let frame = FrameReader(format, limit: limit).wholeMessage(&rest), rest.isEmpty,
      let chunk = BeamPacket.LiveChunk(canonical: frame.body)
    else { return nil }
    let known = KnownChunk(chunk, octets: piece.count)
    (self.piece, self.format, self.known) = (piece, format, known)
    return known
  }
}
