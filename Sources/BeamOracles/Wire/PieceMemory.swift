import BeamScribe

/// Remembers the newest piece of a stream that was whole frames and nothing else, with the bodies of its messages: a
/// host hands the same octets to all its guests, and each of them is mostly told them as they were, so that one look
/// is as good as fourteen.
final class PieceMemory {
  private var piece: [UInt8] = []
  private var format = Frame.Format.length
  private var bodies: [[UInt8]] = []

  /// The bodies of the messages in a piece that begins at the border of a frame; nil: another piece is remembered, or a
  /// body is longer than the limit.
  func bodies(of piece: [UInt8], _ format: Frame.Format, limit: Int) -> [[UInt8]]? {
    guard piece == self.piece, format == self.format, bodies.allSatisfy({ $0.count <= limit }) else { return nil }
    return bodies
  }

  /// A piece began and ended at borders of frames.
  func keep(_ piece: [UInt8], _ format: Frame.Format, _ bodies: [[UInt8]]) {
    (self.piece, self.format, self.bodies) = (piece, format, bodies)
  }
}
