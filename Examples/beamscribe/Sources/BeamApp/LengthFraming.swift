/// Length framing of BEAM 3: four octets, big-endian, and so many octets.
enum LengthFraming {
  static func frame(_ body: [UInt8]) -> [UInt8] {
    let count = UInt32(body.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + body
  }

  enum Refusal: String, Error {
    case frameEmpty, frameTooLong
  }

  /// Puts pieces together, wherever the stream was cut.
  struct Decoder {
    private var header: [UInt8] = []
    private var body: [UInt8] = []
    private var length: Int?

    /// Whether a frame has begun.
    var isWithinFrame: Bool { !header.isEmpty }

    /// The next whole body, and what of the piece is after it; nil: more octets are needed.
    mutating func next(_ piece: inout ArraySlice<UInt8>) throws -> [UInt8]? {
      while length == nil {
        guard let octet = piece.popFirst() else { return nil }
        header.append(octet)
        guard header.count == 4 else { continue }
        let count = header.reduce(0) { $0 << 8 | Int($1) }
        if count == 0 { throw Refusal.frameEmpty }
        if count > Beam.longestBody { throw Refusal.frameTooLong }
        length = count
      }
      guard let length else { return nil }
      let part = piece.prefix(length - body.count)
      body.append(contentsOf: part)
      piece = piece.dropFirst(part.count)
      guard body.count == length else { return nil }
      defer { (header, body, self.length) = ([], [], nil) }
      return body
    }
  }
}
