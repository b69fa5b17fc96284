import AppSeam
import BeamScribe
import Expectations
import Testing

@Suite("What guests remember of chunks")
struct PacketMemoryTests {
  private static func frame(_ packet: BeamPacket, _ format: Frame.Format = .length) -> [UInt8] {
    Frame(body: packet.encoded()).encoded(format)
  }

  private static func chunk(_ number: Int, _ text: String, isFinal: Bool = true) -> BeamPacket {
    .liveChunk(.init(isFinal: isFinal, sentMilliseconds: 1_700_000_000_000, sequence: number, text: text))
  }

  /// Chunks, other packets, pieces of frames and what is none.
  private static let pieces: [[UInt8]] = {
    let first = frame(chunk(1, "café \"quoted\""))
    let second = frame(chunk(2, "two", isFinal: false))
    var damaged = first
    damaged[20] ^= 0xFF
    return [
      first, first, second, frame(chunk(1, "cafe \"quoted\" ")), first + second, Array(first.dropLast()),
      Array(first.dropFirst()), first + [0], damaged, [], [0, 0, 0, 0], [0, 0, 0, 1, 0x7B], frame(.alert(.batteryLow)),
      frame(.fullHistory(.init(chunks: [], upToSequence: 0))), frame(chunk(1, "café \"quoted\""), .kindAndLength),
      first,
    ]
  }()

  /// What a reader without a memory says of a piece that is to be one live chunk and nothing else.
  private static func reading(_ piece: [UInt8], _ format: Frame.Format, limit: Int) -> BeamPacket.LiveChunk? {
    var reader = FrameReader(format, limit: limit)
    var rest = piece[...]
    guard let frame = try? reader.next(&rest), rest.isEmpty, frame.kind == .message,
      case .liveChunk(let chunk)? = try? BeamPacket(decoding: frame.body)
    else { return nil }
    return chunk
  }

  @Test("It answers what a reading without it would, whoever asked before and for what")
  func pure() {
    let memory = PacketMemory()
    for first in Self.pieces {
      for second in Self.pieces {
        for format in [Frame.Format.length, .kindAndLength] {
          for limit in [1, 60, BeamLimits.body] {
            _ = memory.chunk(of: first, .length, limit: BeamLimits.body)
            let expected = Self.reading(second, format, limit: limit)
            equal(memory.chunk(of: second, format, limit: limit)?.chunk, expected)
          }
        }
      }
    }
    expect(Self.pieces.contains { Self.reading($0, .length, limit: BeamLimits.body) != nil })
  }

  private final class Shelf {}

  @Test("Apps of one world remember together, and two worlds do not")
  func shared() {
    let (one, other) = (SharedReadings(), SharedReadings())
    expect(one.memory { Shelf() } === one.memory { Shelf() })
    expect(one.memory { Shelf() } !== other.memory { Shelf() })
    equal(one, other)
  }
}
