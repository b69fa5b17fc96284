import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects in what a guest shows of the live text (BEAM 1.1, 5.5, 5.6, 9.2).
extension BeamMutants {
  static let guestText: [Mutant] = [
    .beam(
      "partial-kept", .beamGuest, "5.5.8", failedBy: PartialsAreReplaced.id, "keeps a partial after its final",
      asking: { mutant, effect in
        switch effect.beam {
        case .partialShown(let sequence, let text):
          (mutant.count, mutant.words) = (sequence, [text])
          return [effect]
        case .finalShown(let sequence, _):
          guard sequence == mutant.count, let text = mutant.words.first else { return [effect] }
          return [effect, .report(.partialShown(sequence: sequence, text: text))]
        default: return [effect]
        }
      }),
    .beam(
      "trims-text", .beamGuest, "1.1", failedBy: FinalsExactlyOnce.id, "cuts white space off the ends of a text",
      asking: { _, effect in
        guard case .finalShown(let sequence, let text)? = effect.beam else { return [effect] }
        return [.report(.finalShown(sequence: sequence, text: text.trimmed))]
      }),
    .live(
      "seam-repeats", "5.6.5", failedBy: FinalsExactlyOnce.id, "shows every live final"
    ) { mutant, _, chunk in chunk.sequence <= mutant.finals.count },
    .live(
      "gap-shown", "5.6.6", failedBy: FinalsExactlyOnce.id, "shows a final whatever its number"
    ) { mutant, stream, chunk in stream.isOpen && chunk.sequence > mutant.finals.count + 1 },
    .live("live-before-history", "5.6.7", "takes live chunks without a history") { _, stream, _ in !stream.isOpen },
    .beam(
      "latency-clamped", .beamGuest, "9.2", "reports zero for a negative latency",
      asking: { _, effect in
        guard case .latency(let sequence, let milliseconds)? = effect.beam, milliseconds < 0 else { return [effect] }
        return [.report(.latency(sequence: sequence, milliseconds: 0))]
      }),
  ]
}

extension String {
  /// Without spaces at its ends.
  fileprivate var trimmed: String {
    let space: (Character) -> Bool = { $0.isWhitespace }
    return String(drop(while: space).reversed().drop(while: space).reversed())
  }
}

extension Mutant {
  /// A guest that shows live finals which it must not, and does nothing else because of them.
  fileprivate static func live(
    _ name: String, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    where isShown: @escaping @Sendable (DefectEngine, DefectStream, BeamPacket.LiveChunk) -> Bool
  ) -> Mutant {
    beam(
      name, .beamGuest, clause, failedBy: oracle, summary,
      reading: { mutant, stream, body in
        guard case .liveChunk(let chunk)? = try? BeamPacket(decoding: body), isShown(mutant, stream, chunk) else {
          return [body]
        }
        if chunk.isFinal { mutant.show(.finalShown(sequence: chunk.sequence, text: chunk.text)) }
        return []
      })
  }
}
