import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects of the gate (BEAM 5.4).
extension BeamMutants {
  private static let gateTimer = TimerID(Int(Int32.max) - 2)

  static let hostGate: [Mutant] = [
    .number(
      "gate-of-three-seconds", .beamHost, "5.4.1", failedBy: NothingBeforeTheGate.id, "opens the gate after 3 s"
    ) { if $0.gate != nil { $0.gate = .seconds(3) } },
    .number("gate-of-zero", .beamHost, "5.4.2", failedBy: NothingBeforeTheGate.id, "has no gate") {
      if $0.gate != nil { $0.gate = .zero }
    },
    .beam(
      "gate-skipped", .beamHost, "5.4.2", failedBy: NothingBeforeTheGate.id, "sends live chunks from ready on",
      asking: { mutant, effect in
        guard case .finalShown(let sequence, let text)? = effect.beam, !mutant.configuration.isMPC else {
          return [effect]
        }
        let chunk = BeamPacket.LiveChunk(isFinal: true, sequence: sequence, text: text)
        for stream in mutant.streams where !stream.isOpen { mutant.say(.packet(.liveChunk(chunk)), on: stream) }
        return [effect]
      },
      outgoing: { _, _, packet in [.packet(packet)] }),
    .beam(
      "gate-for-all", .beamHost, "5.4.4", "holds everything back while any stream is gated",
      holding: { mutant, _ in mutant.streams.contains { !$0.isOpen } }),
    .beam(
      "history-of-ready", .beamHost, "5.4.7", failedBy: GatesOpen.id, "takes the history when the stream is ready",
      hearing: { mutant, input in
        if case .incoming(let id, _, _)? = input.network { mutant.stream(id)?.count = mutant.finals.count }
        return [input]
      },
      outgoing: { _, stream, packet in
        guard case .fullHistory(var history) = packet else { return [.packet(packet)] }
        history.chunks.removeAll { $0.sequence > stream.count }
        history.upToSequence = stream.count
        return history.chunks.isEmpty && stream.count > 0 ? [] : [.packet(.fullHistory(history))]
      }),
    .deaf(
      "gate-ignores-viability", .beamHost, "5.4.3", failedBy: GatesOpen.id,
      "opens the gate of a stream that is not viable"
    ) { mutant, input in
      if case .viable(let id, _)? = input.network { !(mutant.stream(id)?.isOpen ?? true) } else { false }
    },
    .number(
      "counts-stable", .beamHost, "5.4.5", failedBy: UnstableAreCounted.id, "counts every stream that ends"
    ) { if $0.unstableBefore != nil { $0.unstableBefore = .seconds(1_000_000) } },
    .number("never-counts", .beamHost, "5.4.5", failedBy: UnstableAreCounted.id, "counts nothing") {
      $0.unstableBefore = nil
    },
    .beam(
      "counts-own-endings", .beamHost, "5.4.5", "counts streams that it ended itself",
      hearing: { mutant, input in
        mutant.before = mutant.streams
        return [input]
      },
      asking: { mutant, effect in
        if case .unstable(let peer, _)? = effect.beam {
          mutant.words.append(peer)
          return [.report(.unstable(peer: peer, count: mutant.words.count { $0 == peer }))]
        }
        guard let id = effect.ended, mutant.input.endsNoStream,
          let stream = mutant.before.first(where: { $0.id == id }),
          mutant.now - stream.since < .seconds(5)
        else { return [effect] }
        mutant.words.append(stream.peer)
        return [effect, .report(.unstable(peer: stream.peer, count: mutant.words.count { $0 == stream.peer }))]
      }),
    .beam(
      "bans-unstable", .beamHost, "5.4.6", "refuses a guest with three unstable streams",
      hearing: { mutant, input in
        guard case .incoming(let id, _, let peer)? = input.network, mutant.words.count(where: { $0 == peer }) >= 3
        else {
          return [input]
        }
        mutant.refuse(id, .full)
        return []
      },
      asking: { mutant, effect in
        if case .unstable(let peer, _)? = effect.beam { mutant.words.append(peer) }
        return [effect]
      }),
    .beam(
      "gate-timer-kept", .beamHost, "5.4.8", "leaves the gate timer of the lost stream for the next one",
      hearing: { mutant, input in
        switch input {
        case .network(.failed(let id, _)), .network(.ended(let id)):
          guard let stream = mutant.stream(id), !stream.isOpen, let gate = mutant.configuration.gate else { break }
          mutant.words = [stream.peer]
          mutant.times = [stream.since + gate]
          mutant.ask(.setTimer(gateTimer, at: stream.since + gate))
        case .timer(gateTimer):
          guard let stream = mutant.streams.last(where: { $0.peer == mutant.words.first && !$0.isOpen }) else {
            return []
          }
          return [.timer(BeamTimer.id(.gate, stream.id))]
        default: break
        }
        return [input]
      }),
  ]
}

extension AppEffect {
  /// The connection that the app itself ends with this.
  fileprivate var ended: ConnectionID? {
    switch network {
    case .cancel(let id), .finish(let id): id
    default: nil
    }
  }
}

extension AppInput {
  /// Not the end of a stream that an app only answers.
  fileprivate var endsNoStream: Bool {
    switch network {
    case .ended, .failed: false
    default: true
    }
  }
}
