import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects of a host's frames and of what it makes of the platform's answers (BEAM 3, 5.5.5, 7.1).
extension BeamMutants {
  static let hostFrames: [Mutant] = [
    .beam(
      "little-endian-length", .beamHost, "3.1", failedBy: FramesAreWhole.id, "writes the length little-endian",
      outgoing: { mutant, _, packet in
        let body = packet.encoded()
        let frame = Frame(body: body).encoded(mutant.format)
        let length = frame.prefix(frame.count - body.count).suffix(4)
        return [.octets(frame.prefix(frame.count - body.count - 4) + length.reversed() + body, packet.kind)]
      }),
    .beam(
      "frames-mixed", .beamHost, "3.2", failedBy: FramesAreWhole.id, "sends a chunk while a frame is half taken",
      asking: { mutant, effect in
        guard case .finalShown(let sequence, let text)? = effect.beam else { return [effect] }
        let chunk = BeamPacket.LiveChunk(isFinal: true, sequence: sequence, text: text)
        for stream in mutant.streams where stream.isWithinFrame { mutant.interrupt(stream, with: .liveChunk(chunk)) }
        return [effect]
      },
      outgoing: { _, _, packet in [.packet(packet)] }),
    .number(
      "history-unpaged", .beamHost, "5.6.2", failedBy: FramesWithinLimit.id, "sends any history in one frame"
    ) { $0.pageOctets = .max },
    .beam(
      "history-padded", .beamHost, "3.3", failedBy: FramesWithinLimit.id,
      "pads a history with spaces to an octet more than 1 MiB",
      outgoing: { mutant, _, packet in
        guard case .fullHistory(let history) = packet, !history.chunks.isEmpty else { return [.packet(packet)] }
        let body = packet.encoded()
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: BeamLimits.body + 1 - body.count)
        return [.octets(Frame(body: body + padding).encoded(mutant.format), packet.kind)]
      }),
    .number("pages-of-one", .beamHost, "5.6.2", "sends a frame for each chunk") { $0.pageChunks = 1 },
    .beam(
      "drops-when-full", .beamHost, "5.5.5", "takes a refused send for a sent one",
      hearing: { _, input in
        guard case .submitted(let id, false)? = input.network else { return [input] }
        return [.network(.submitted(id, accepted: true))]
      }),
    .silent("refused-stream-kept", .beamHost, "7.2", "reports the refusal and leaves the stream up") { mutant, effect in
      if case .refused(let id, _)? = effect.beam { mutant.refused = id }
      guard case .cancel(let id)? = effect.network, id == mutant.refused else { return false }
      mutant.refused = nil
      return true
    },
    .deaf("reads-guests", .beamHost, "7.1", "ignores what guests send") { mutant, input in
      if case .received? = input.network { !mutant.configuration.isMPC } else { false }
    },
  ]
}
