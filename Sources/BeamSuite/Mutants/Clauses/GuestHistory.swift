import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects in what a guest makes of histories (BEAM 5.6, 5.9.8, 7.7).
extension BeamMutants {
  static let guestHistory: [Mutant] = [
    .beam(
      "clears-when-lost", .beamGuest, "5.9.8", "shows nothing from the loss to its return",
      hearing: { mutant, input in
        mutant.words = mutant.finals
        return [input]
      },
      asking: { mutant, effect in
        switch effect.beam {
        case .state(BeamState.lost.rawValue):
          if mutant.isMarked || mutant.finals.isEmpty { return [effect] }
          mutant.isMarked = true
          return [effect, .report(.transcriptCleared)]
        case .transcriptCleared where mutant.isMarked:
          mutant.isMarked = false
          return []
        case .finalShown, .historyShown:
          guard mutant.isMarked else { return [effect] }
          mutant.isMarked = false
          return shown(mutant.words) + [effect]
        default: return [effect]
        }
      }),
    .histories("history-appended", "5.6.4", failedBy: FinalsExactlyOnce.id, "adds a whole history to what it shows") {
      mutant, _, history in
      let shown = mutant.finals.count
      for chunk in history.chunks where chunk.sequence <= shown {
        mutant.show(.finalShown(sequence: chunk.sequence, text: chunk.text))
      }
      return [history]
    },
    .histories("one-page-only", "5.6.2", "takes the first page for all") { _, stream, history in
      if stream.isOpen { return [] }
      var history = history
      history.upToSequence = history.chunks.last?.sequence ?? history.upToSequence
      return [history]
    },
    .silent(
      "sessions-joined", .beamGuest, "5.6.8", failedBy: FinalsExactlyOnce.id, "keeps the finals of the session before"
    ) {
      _, effect in effect.beam == .transcriptCleared
    },
    .histories("second-history", "5.6.11", "starts over with a second history") { mutant, stream, history in
      guard stream.isOpen else { return [history] }
      mutant.show(.transcriptCleared)
      for chunk in history.chunks { mutant.show(.finalShown(sequence: chunk.sequence, text: chunk.text)) }
      return []
    },
    .beam(
      "keeps-last-thousand", .beamGuest, "7.7", "drops finals beyond the last thousand, and shows them again on return",
      adjust: { $0.transcriptLimit = .max },
      reading: { mutant, stream, body in
        guard case .fullHistory(let history)? = try? BeamPacket(decoding: body) else { return [body] }
        if stream.count == 0 { stream.count = mutant.finals.count - 1_000 }
        for chunk in history.chunks where chunk.sequence <= stream.count {
          mutant.show(.finalShown(sequence: chunk.sequence, text: chunk.text))
        }
        return [body]
      }),
    .beam(
      "forgets-at-the-end", .beamGuest, "5.8.4", "drops the transcript at the end",
      asking: { _, effect in effect.shows(.ended) ? [effect, .report(.transcriptCleared)] : [effect] }),
  ]

  private static func shown(_ finals: [String]) -> [AppEffect] {
    finals.enumerated().map { .report(.finalShown(sequence: $0.offset + 1, text: $0.element)) }
  }
}

extension Mutant {
  /// A guest that reads other histories than those that come.
  fileprivate static func histories(
    _ name: String, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    _ rewrite: @escaping @Sendable (DefectEngine, DefectStream, BeamPacket.History) -> [BeamPacket.History]
  ) -> Mutant {
    beam(
      name, .beamGuest, clause, failedBy: oracle, summary,
      reading: { mutant, stream, body in
        guard case .fullHistory(let history)? = try? BeamPacket(decoding: body) else { return [body] }
        return rewrite(mutant, stream, history).map { $0 == history ? body : BeamPacket.fullHistory($0).encoded() }
      })
  }
}
