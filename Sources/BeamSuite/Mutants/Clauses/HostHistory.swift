import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects of the history and of its seam with the live text (BEAM 5.6).
extension BeamMutants {
  static let hostHistory: [Mutant] = [
    .beam(
      "no-empty-history", .beamHost, "5.6.1", failedBy: HistoryThenLive.id, "sends no history when there is none",
      outgoing: { _, _, packet in
        if case .fullHistory(let history) = packet, history.upToSequence == 0 { [] } else { [.packet(packet)] }
      }),
    .beam(
      "history-off-by-one", .beamHost, "5.6.3", failedBy: HistoryThenLive.id,
      "leaves the newest final out of the history",
      outgoing: { _, _, packet in
        guard case .fullHistory(var history) = packet, history.upToSequence > 0 else { return [.packet(packet)] }
        history.upToSequence -= 1
        history.chunks.removeAll { $0.sequence > history.upToSequence }
        return history.chunks.isEmpty && history.upToSequence > 0 ? [] : [.packet(.fullHistory(history))]
      }),
    .beam(
      "seam-twice", .beamHost, "5.6.3", failedBy: HistoryThenLive.id, "sends the newest final as history and live",
      outgoing: { _, _, packet in
        guard case .fullHistory(let history) = packet, let last = history.chunks.last,
          last.sequence == history.upToSequence
        else { return [.packet(packet)] }
        let chunk = BeamPacket.LiveChunk(isFinal: true, sequence: last.sequence, text: last.text)
        return [.packet(packet), .packet(.liveChunk(chunk))]
      }),
    .beam(
      "history-once", .beamHost, "5.6.10", failedBy: HistoryThenLive.id, "sends a guest that it knows what is new only",
      asking: { mutant, effect in
        if effect.shows(.hosting) { mutant.sent = [] }
        return [effect]
      },
      outgoing: { mutant, stream, packet in
        let place = mutant.sent.firstIndex { $0.peer == stream.peer } ?? mutant.sent.count
        if place == mutant.sent.count { mutant.sent.append((stream.peer, 0)) }
        switch packet {
        case .fullHistory(var history):
          if !stream.isMarked { stream.count = mutant.sent[place].upTo }
          stream.isMarked = true
          history.chunks.removeAll { $0.sequence <= stream.count }
          if history.chunks.isEmpty, history.upToSequence > 0 { return [] }
          mutant.sent[place].upTo = max(mutant.sent[place].upTo, history.chunks.last?.sequence ?? 0)
          return [.packet(.fullHistory(history))]
        case .liveChunk(let chunk):
          if chunk.isFinal { mutant.sent[place].upTo = chunk.sequence }
          return [.packet(packet)]
        case .alert: return [.packet(packet)]
        }
      }),
    .beam(
      "last-guest-behind", .beamHost, "5.6.9", failedBy: TranscriptConverges.id,
      "stops to send to the last guest after 500 finals",
      outgoing: { mutant, stream, packet in
        guard case .liveChunk(let chunk) = packet, chunk.sequence > 500, stream === mutant.streams.last else {
          return [.packet(packet)]
        }
        return []
      }),
  ]
}
