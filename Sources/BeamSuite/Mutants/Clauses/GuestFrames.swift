import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects in how a guest finds frames (BEAM 3).
extension BeamMutants {
  static let guestFrames: [Mutant] = [
    .pieces(
      "length-in-one-piece", "3.4", "expects the four octets of the length in one piece"
    ) { mutant, stream, octets in
      var rest = octets[...]
      var passed: [UInt8] = []
      while !rest.isEmpty {
        if !stream.reader.isWithinFrame, rest.count < 4 { break }
        let before = rest
        guard (try? stream.reader.next(&rest)) != nil else { rest = []; passed += before; break }
        passed += before.dropLast(rest.count)
      }
      return passed
    },
    .pieces("one-frame-per-piece", "3.4", "reads one frame for each piece") { _, stream, octets in
      var rest = octets[...]
      _ = try? stream.reader.next(&rest)
      return Array(octets.dropLast(rest.count))
    },
    .number("limit-one-less", .beamGuest, "3.3", "refuses a frame of exactly 1 MiB") { $0.frameLimit -= 1 },
    .pieces("empty-frame-skipped", "3.5", "skips a frame of no octets") { mutant, stream, octets in
      // The length of a frame is kept until it is whole; everything else goes on as it comes.
      stream.held += octets
      var passed: [UInt8] = []
      while !stream.held.isEmpty {
        if stream.count > 0 {
          let part = stream.held.prefix(stream.count)
          stream.count -= part.count
          stream.held.removeFirst(part.count)
          passed += part
          continue
        }
        guard stream.held.count >= 4 else { break }
        let header = Array(stream.held.prefix(4))
        stream.held.removeFirst(4)
        stream.count = header.reduce(0) { $0 << 8 | Int($1) }
        if stream.count > 0 { passed += header }
      }
      return passed
    },
    .number("long-frame-read", .beamGuest, "3.5", "reads a frame of any length") { $0.frameLimit = .max },
    .beam(
      "ignores-bad-frame", .beamGuest, "3.6", failedBy: BadFramesCloseTheirStream.id,
      "goes on after a body that is no packet",
      reading: { _, _, body in (try? BeamPacket(decoding: body)) == nil ? [] : [body] }),
    .beam(
      "half-frame-shown", .beamGuest, "3.7", "reads what is there when the stream ends",
      hearing: { mutant, input in
        guard let (id, octets) = input.piece else {
          switch input.network {
          case .ended(let id), .failed(let id, _):
            guard let stream = mutant.stream(id), stream.held.count > 4 else { break }
            let text = String(decoding: stream.held.dropFirst(4), as: UTF8.self)
            mutant.show(.finalShown(sequence: mutant.finals.count + 1, text: text))
          default: break
          }
          return [input]
        }
        guard let stream = mutant.stream(id) else { return [input] }
        stream.held += octets
        var rest = octets[...]
        while (try? stream.reader.next(&rest)) != nil { stream.held = Array(rest) }
        return [input]
      }),
    .number("waits-for-rest", .beamGuest, "3.8", "waits for the rest of a frame without end") {
      $0.stallTime = .seconds(1_000_000)
    },
    .beam(
      "buffers-all", .beamGuest, "3.9", "copies each piece to a buffer that it never shortens",
      hearing: { mutant, input in
        mutant.count += input.piece?.octets.count ?? 0
        if mutant.count > 8 << 20 { mutant.fail(.memory, "\(mutant.count) octets are kept of what was read long ago") }
        return [input]
      }),
    .beam(
      "reads-after-refusal", .beamGuest, "3.10", "shows what follows a bad frame in the same piece",
      hearing: { mutant, input in
        guard let (id, octets) = input.piece, let stream = mutant.stream(id) else { return [input] }
        var rest = octets[...]
        while let frame = try? stream.reader.next(&rest) {
          let packet = try? BeamPacket(decoding: frame.body)
          if packet == nil { stream.isBroken = true }
          guard stream.isBroken, case .liveChunk(let chunk)? = packet, chunk.isFinal else { continue }
          mutant.show(.finalShown(sequence: chunk.sequence, text: chunk.text))
        }
        return [input]
      }),
  ]
}

extension AppInput {
  /// Octets of a stream.
  var piece: (id: ConnectionID, octets: [UInt8])? {
    if case .network(.received(let id, let octets)) = self { return (id, octets) }
    return nil
  }
}

extension Mutant {
  /// A guest that reads other pieces than those that come.
  fileprivate static func pieces(
    _ name: String, _ clause: String, _ summary: String,
    _ rewrite: @escaping @Sendable (DefectEngine, DefectStream, [UInt8]) -> [UInt8]
  ) -> Mutant {
    beam(
      name, .beamGuest, clause, summary,
      hearing: { mutant, input in
        guard !mutant.configuration.isMPC, let (id, octets) = input.piece, let stream = mutant.stream(id) else {
          return [input]
        }
        let rest = rewrite(mutant, stream, octets)
        return rest.isEmpty ? [] : [.network(.received(id, octets: rest))]
      })
  }
}
