/// Finds the frames of a stream, wherever it is cut into pieces (BEAM 3.4).
///
/// It holds no more than the frame that has begun: at most its header and `limit` octets less one, in memory that grows
/// with what has arrived and not with what a length promises (BEAM 3.9).
package struct FrameReader: Sendable {
  package let format: Frame.Format
  /// Octets of a body.
  package let limit: Int
  private var header: [UInt8] = []
  private var kind = Frame.Kind.message
  /// The length of the body that has begun; nil until its header is complete.
  package private(set) var length: Int?
  private var body: [UInt8] = []

  package init(_ format: Frame.Format, limit: Int = BeamLimits.body) {
    self.format = format
    self.limit = limit
  }

  /// Octets of the frame that has begun.
  package var heldOctets: Int { header.count + body.count }
  package var isWithinFrame: Bool { heldOctets > 0 }

  /// Takes what one frame needs off the front of a piece.
  ///
  /// - Returns: the frame, or nil when the whole piece was taken and more is needed.
  /// - Throws: as soon as the header is there (BEAM 3.5); the stream has no frames after that.
  package mutating func next(_ piece: inout ArraySlice<UInt8>) throws(FrameRefusal) -> Frame? {
    if !isWithinFrame, let frame = wholeMessage(&piece) { return frame }
    if length == nil {
      let part = piece.prefix(format.headerOctets - header.count)
      header.append(contentsOf: part)
      piece = piece.dropFirst(part.count)
      if header.count < format.headerOctets { return nil }
      length = try readHeader()
    }
    guard let length else { return nil }
    let part = piece.prefix(length - body.count)
    body.append(contentsOf: part)
    piece = piece.dropFirst(part.count)
    if body.count < length { return nil }
    let frame = Frame(kind, body: body)
    header.removeAll(keepingCapacity: true)
    body = []
    self.length = nil
    return frame
  }

  /// A message that the piece has from its first octet to its last, as nearly all do; nil for whatever else is there.
  func wholeMessage(_ piece: inout ArraySlice<UInt8>) -> Frame? {
    let start = piece.startIndex + format.headerOctets
    guard piece.endIndex > start else { return nil }
    if format == .kindAndLength, piece[piece.startIndex] != Frame.Kind.message.rawValue { return nil }
    var length = 0
    for place in start - 4..<start { length = length << 8 | Int(piece[place]) }
    guard length > 0, length <= limit, length <= piece.endIndex - start else { return nil }
    let frame = Frame(body: Array(piece[start..<start + length]))
    piece = piece[(start + length)...]
    return frame
  }

  private mutating func readHeader() throws(FrameRefusal) -> Int {
    if format == .kindAndLength {
      guard let kind = Frame.Kind(rawValue: header[0]) else { throw .unknownKind(header[0]) }
      self.kind = kind
    }
    let length = header.suffix(4).reduce(0) { $0 << 8 | Int($1) }
    if kind == .message ? length == 0 : length != 0 { throw .empty }
    if length > limit { throw .tooLong(length) }
    return length
  }
}
