import BeamScribe
import Expectations
import SimKernel
import Testing

@Suite("The frame reader")
struct FrameReaderTests {
  /// All frames of pieces, and the most octets that were held between them.
  private func read(_ pieces: [[UInt8]], _ format: Frame.Format = .length) throws -> (frames: [Frame], held: Int) {
    var reader = FrameReader(format)
    var (frames, held): ([Frame], Int) = ([], 0)
    for piece in pieces {
      var piece = piece[...]
      while let frame = try reader.next(&piece) { frames.append(frame) }
      expect(piece.isEmpty)
      held = max(held, reader.heldOctets)
    }
    return (frames, held)
  }

  private let frames = [Frame(body: [1]), Frame(body: Array(0..<200)), Frame(body: [7, 8]), Frame(body: [0])]

  @Test("Frames are the same wherever the stream is cut", arguments: [Frame.Format.length, .kindAndLength])
  func cuts(_ format: Frame.Format) throws {
    let octets = frames.flatMap { $0.encoded(format) }
    for length in 1...octets.count {
      let pieces = stride(from: 0, to: octets.count, by: length).map {
        Array(octets[$0..<min($0 + length, octets.count)])
      }
      try equal(read(pieces, format).frames, frames)
    }
  }

  @Test("A frame of the limit is read, a longer one is refused before its body")
  func limit() throws {
    let body = [UInt8](repeating: 0x20, count: BeamLimits.body)
    let octets = Frame(body: body).encoded(.length)
    let (frames, held) = try read([Array(octets.dropLast()), [octets[octets.count - 1]]])
    equal(frames, [Frame(body: body)])
    equal(held, BeamLimits.body + 3)
    #expect(throws: FrameRefusal.tooLong(1_048_577)) { try read([[0, 16, 0, 1]]) }
    #expect(throws: FrameRefusal.tooLong(4_294_967_295)) { try read([[255, 255, 255], [255]]) }
  }

  @Test("A message of nothing is refused, and a control frame of something")
  func empty() throws {
    #expect(throws: FrameRefusal.empty) { try read([[0, 0, 0, 0]]) }
    #expect(throws: FrameRefusal.empty) { try read([[1, 0, 0, 0, 0]], .kindAndLength) }
    #expect(throws: FrameRefusal.empty) { try read([[3, 0, 0, 0, 1]], .kindAndLength) }
    #expect(throws: FrameRefusal.unknownKind(6)) { try read([[6, 0, 0, 0, 0]], .kindAndLength) }
    try equal(read([[3, 0, 0, 0, 0]], .kindAndLength).frames, [Frame(.accepted)])
  }

  @Test("A length that promises much takes no memory")
  func promises() throws {
    try equal(read([[0, 16, 0, 0, 1]]).held, 5)
  }
}
