import BeamScribe
package import Fuzzing
import SimKernel

/// What takes octets from outside in BeamScribe: packets, the frames of its streams, and what a host kept.
extension FuzzedDecoder {
  package static let beamScribe: [FuzzedDecoder] = [
    packet, frames("beam-frames", .length), frames("beam-mpc-frames", .kindAndLength), kept,
  ]

  private static let packet = FuzzedDecoder(
    "beam-packet", "BeamScribe packets",
    in: ["Sources/BeamScribe/Wire/Packets/BeamPacket+Decoding.swift"], form: .text, limit: 8_192,
    words: [
      "isFinal", "sentTimestamp", "sequence", "text", "type", "chunks", "upToSequence", "alert", "liveChunk",
      "fullHistory", "hostDisconnected", "batteryLow", "sessionResumed",
    ].map { Array("\"\($0)\"".utf8) },
    valid: { stream in
      var generator = BeamPacketGenerator(stream)
      _ = stream.next()
      let packet = generator.packet()
      return generator.below(2) == 0 ? packet.encoded() : generator.looseText(of: packet)
    },
    decode: { input in
      do throws(PacketRefusal) {
        let packet = try BeamPacket(decoding: input)
        return .accepted(kind: kind(packet), canonical: packet.encoded())
      } catch {
        return .refused(reason: error.reason.rawValue, offset: error.offset)
      }
    })

  private static func kind(_ packet: BeamPacket) -> UInt64 {
    switch packet {
    case .fullHistory(let history): history.chunks.isEmpty ? 0 : 1
    case .liveChunk(let chunk): (chunk.isFinal ? 2 : 3) + (chunk.sentMilliseconds == nil ? 0 : 2)
    case .alert: 6
    }
  }

  /// A stream in pieces: the first octet says how long they are.
  private static func frames(_ name: String, _ format: Frame.Format) -> FuzzedDecoder {
    FuzzedDecoder(
      name, "streams of BeamScribe" + (format == .length ? "" : ", the old transport"),
      in: ["Sources/BeamScribe/Wire/Framing/FrameReader.swift", "Sources/BeamScribe/Wire/Framing/Frame.swift"],
      limit: 4_096,
      valid: { stream in
        var generator = BeamPacketGenerator(stream)
        _ = stream.next()
        var octets = [UInt8(generator.below(256))]
        for _ in 0...generator.below(4) { octets += Frame(body: generator.packet().encoded()).encoded(format) }
        return octets
      },
      decode: { input in
        guard let first = input.first else { return .refused(reason: "nothing", offset: 0) }
        let limit = 512
        var reader = FrameReader(format, limit: limit)
        var rest = input.dropFirst()
        var frames: UInt64 = 0
        do throws(FrameRefusal) {
          while !rest.isEmpty {
            var piece = rest.prefix(Int(first) + 1)
            rest = rest.dropFirst(piece.count)
            while let frame = try reader.next(&piece) {
              frames += 1
              if frame.body.count > limit { return .broken("a frame is longer than the limit") }
            }
            if !piece.isEmpty { return .broken("octets of a piece are left") }
            if reader.heldOctets >= limit + 5 { return .broken("more is held than the limit") }
          }
        } catch {
          return .refused(reason: reason(error), offset: nil)
        }
        return .accepted(kind: min(frames, 15) << 1 | (reader.isWithinFrame ? 1 : 0), canonical: nil)
      })
  }

  private static func reason(_ refusal: FrameRefusal) -> String {
    switch refusal {
    case .empty: "empty"
    case .tooLong: "too long"
    case .unknownKind: "unknown kind"
    }
  }

  private static let kept = FuzzedDecoder(
    "beam-kept", "what a BeamScribe host kept", in: ["Sources/BeamScribe/Engine/Host/KeptSession.swift"], limit: 4_096,
    valid: { stream in
      var generator = BeamPacketGenerator(stream)
      _ = stream.next()
      return generator.session().encoded()
    },
    decode: { input in
      KeptSession(decoding: input).map { .accepted(kind: UInt64(min($0.finals.count, 15)), canonical: $0.encoded()) }
        ?? .refused(reason: "nothing kept", offset: nil)
    })
}
