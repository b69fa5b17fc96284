import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects in what a host sends of the live text (BEAM 5.5).
extension BeamMutants {
  static let hostText: [Mutant] = [
    .beam(
      "live-chunk-forgotten", .beamHost, "5.5.3", failedBy: TranscriptConverges.id,
      "leaves out every tenth final on the last stream",
      outgoing: { mutant, stream, packet in
        guard case .liveChunk(let chunk) = packet, chunk.isFinal, chunk.sequence % 10 == 0,
          stream === mutant.streams.last
        else { return [.packet(packet)] }
        return []
      }),
    .beam(
      "numbers-per-guest", .beamHost, "5.5.1", failedBy: HistoryThenLive.id, "numbers finals for each stream",
      outgoing: { _, stream, packet in
        guard case .liveChunk(var chunk) = packet else { return [.packet(packet)] }
        chunk.sequence = stream.count + 1
        if chunk.isFinal { stream.count += 1 }
        return [.packet(.liveChunk(chunk))]
      }),
    .beam(
      "partial-numbered", .beamHost, "5.5.2", failedBy: HistoryThenLive.id, "gives partials numbers of their own",
      asking: { mutant, effect in
        if case .partialShown? = effect.beam { mutant.count += 1 }
        return [effect]
      },
      outgoing: { mutant, _, packet in
        guard case .liveChunk(var chunk) = packet, !chunk.isFinal else { return [.packet(packet)] }
        chunk.sequence += mutant.count
        return [.packet(.liveChunk(chunk))]
      }),
    .number("slow-guest-kept", .beamHost, "5.5.6", "queues for a slow guest without limit") {
      $0.slowTime = .seconds(1_000_000)
      $0.slowOctets = .max
    },
    .beam(
      "waits-for-slowest", .beamHost, "5.5.7", failedBy: SlowGuestsDelayNobody.id,
      "sends the next chunk when all have taken the last one",
      holding: { mutant, stream in mutant.streams.contains { $0 !== stream && $0.isFull } }),
  ]
}
