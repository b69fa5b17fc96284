import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// Hosts that are wrong about gates, stability, slow guests and the end of streams.
extension BeamMutants {
  static let hostStreams: [Mutant] = [
    .adjusted(
      "gate-of-three-seconds", .beamHost, "5.4.1", failedBy: "NothingBeforeTheGate", "opens the gate after 3 s"
    ) { if $0.gate != nil { $0.gate = .seconds(3) } },
    .adjusted(
      "gate-skipped", .beamHost, "5.4.2", failedBy: "NothingBeforeTheGate", "sends live chunks from ready on"
    ) { if $0.gate != nil { $0.gate = .zero } },
    .seam(
      "gate-for-all", .beamHost, "5.4.4", "holds everything back while any stream is gated",
      hearing: { input, notes in
        if case .user(let action) = input {
          switch action.beam {
          case .speakFinal, .speakPartial, .batteryLow:
            if notes.streams.contains(where: { !notes.open.contains($0.id) }) {
              notes.held.append(input)
              return []
            }
          default: break
          }
        }
        return [input]
      },
      asking: { effect, notes in
        let isGated = notes.streams.contains { !notes.open.contains($0.id) }
        if !isGated, !notes.held.isEmpty {
          notes.fed += notes.held
          notes.held = []
        }
        return [effect]
      }),
    .seam(
      "gate-ignores-viability", .beamHost, "5.4.3", failedBy: "GatesOpen",
      "opens the gate of a stream that is not viable",
      hearing: { input, _ in
        if case .network(.viable) = input { return [] }
        return [input]
      }),
    .adjusted(
      "counts-stable", .beamHost, "5.4.5", failedBy: "UnstableAreCounted", "counts every stream that ends"
    ) { if $0.unstableBefore != nil { $0.unstableBefore = .seconds(1_000_000) } },
    .adjusted("never-counts", .beamHost, "5.4.5", failedBy: "UnstableAreCounted", "counts nothing") {
      $0.unstableBefore = nil
    },
    .seam(
      "counts-own-endings", .beamHost, "5.4.5", "counts streams that it ended itself",
      asking: { effect, notes in
        switch effect {
        case .network(.cancel(let id)), .network(.finish(let id)):
          guard let stream = notes.streams.first(where: { $0.id == id }), notes.now - stream.since < .seconds(5) else {
            return [effect]
          }
          notes[1] += 1
          return [effect, .report(.unstable(peer: stream.peer, count: notes[1]))]
        default: return [effect]
        }
      }),
    .seam(
      "bans-unstable", .beamHost, "5.4.6", "refuses a guest with three unstable streams",
      hearing: { input, notes in
        guard case .network(.incoming(let id, _, let peer)) = input, notes.texts[1] == peer else { return [input] }
        notes.ask(.cancel(id))
        return []
      },
      asking: { effect, notes in
        if case .unstable(let peer, let count)? = effect.beam, count >= 3 { notes.texts[1] = peer }
        return [effect]
      }),
    .seam(
      "gate-timer-kept", .beamHost, "5.4.8", "leaves the gate timer of the lost stream for the next one",
      hearing: { input, notes in
        switch input {
        case .network(.incoming(_, _, let peer)):
          // Set when a stream of that peer was lost within its gate.
          notes[2] = notes.texts[1] == peer ? notes[1] : 0
        default: break
        }
        return [input]
      },
      asking: { effect, notes in
        guard case .setTimer(let id, let instant) = effect, let gate = notes.configuration.gate,
          instant == notes.now + gate, let newest = notes.streams.last, newest.since == notes.now
        else { return [effect] }
        let kept = SimInstant(nanoseconds: Int64(notes[2]))
        notes.texts[1] = newest.peer
        notes[1] = Int(instant.nanoseconds)
        return [.setTimer(id, at: kept > notes.now ? kept : instant)]
      }),
    .seam(
      "drops-when-full", .beamHost, "5.5.5", "takes a refused send for a sent one",
      hearing: { input, _ in
        if case .network(.submitted(let id, false)) = input { return [.network(.submitted(id, accepted: true))] }
        return [input]
      }),
    .seam(
      "refused-stream-kept", .beamHost, "7.2", "reports the refusal and leaves the stream up",
      asking: { effect, notes in
        guard case .network(.cancel(let id)) = effect else { return [effect] }
        notes.feed(.cancelled(id))
        return []
      }),
    .seam(
      "reads-guests", .beamHost, "7.1", "ignores what guests send",
      hearing: { input, notes in
        if case .network(.received) = input, !notes.configuration.isMPC { return [] }
        return [input]
      }),
    .adjusted("slow-guest-kept", .beamHost, "5.5.6", "queues for a slow guest without limit") {
      $0.slowTime = .seconds(1_000_000)
      $0.slowOctets = .max
    },
    .seam(
      "waits-for-slowest", .beamHost, "5.5.7", failedBy: "SlowGuestsDelayNobody",
      "sends the next chunk when all have taken the last one",
      hearing: { input, notes in
        switch input {
        case .network(.submitted(let id, false)): notes.texts[id.rawValue] = "waits"
        case .network(.room(let id)), .network(.failed(let id, _)), .network(.ended(let id)),
          .network(.cancelled(let id)):
          notes.texts[id.rawValue] = nil
        case .user(let action):
          switch action.beam {
          case .speakFinal, .speakPartial:
            if !notes.texts.isEmpty {
              notes.held.append(input)
              return []
            }
          default: break
          }
        default: break
        }
        if notes.texts.isEmpty, !notes.held.isEmpty {
          let held = notes.held
          notes.held = []
          return [input] + held
        }
        return [input]
      },
      asking: { effect, notes in
        if case .network(.cancel(let id)) = effect { notes.texts[id.rawValue] = nil }
        return [effect]
      }),
    .adjusted("half-closed-forever", .beamHost, "5.8.3", "waits for the other end without limit") {
      $0.finishTime = .seconds(1_000_000)
    },
    .adjusted("host-without-keep-alive", .beamHost, "5.9.9", "asks for no keep-alive") { $0.keepAlive = nil },
    .seam(
      "alert-through-gate", .beamHost, "5.8.2", "sends the last alert on gated streams too",
      hearing: { input, notes in
        guard case .user(let action) = input, case .endEvent? = action.beam else { return [input] }
        let frame = Frame(body: BeamPacket.alert(.hostDisconnected).encoded())
        for stream in notes.streams where !notes.open.contains(stream.id) {
          notes.ask(.send(stream.id, octets: frame.encoded(.length)))
        }
        return [input]
      }),
    .seam(
      "one-bad-closes-all", .beamHost, "7.4", failedBy: "BadFramesCloseTheirStream",
      "ends the event when a guest breaks a rule",
      asking: { effect, notes in
        if case .refused(_, RefusalReason.unexpectedData.rawValue)? = effect.beam {
          notes.fed.append(.user(BeamAction.endEvent))
        }
        return [effect]
      }),
    .adjusted("gate-in-mpc", .beamHost, "6.5", "waits 4 s in `mpc` too") { if $0.isMPC { $0.gate = .seconds(4) } },
  ]
}
