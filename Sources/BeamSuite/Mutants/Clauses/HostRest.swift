import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Hosts that break down, grow, never rest, or let one stream ruin others (BEAM 7).
extension BeamMutants {
  private static let restless = TimerID(Int(Int32.max) - 3)

  static let hostRest: [Mutant] = [
    .beam(
      "one-bad-closes-all", .beamHost, "7.4", failedBy: BadFramesCloseTheirStream.id,
      "ends the event when a guest breaks a rule",
      hearing: { mutant, input in
        mutant.isMarked = false
        return [input]
      },
      asking: { mutant, effect in
        if case .refused(_, RefusalReason.unexpectedData.rawValue)? = effect.beam, !mutant.isMarked {
          mutant.isMarked = true
          mutant.tell(.user(.endEvent))
        }
        return [effect]
      }),
    .beam(
      "remembers-every-stream", .beamHost, "7.5", "keeps a queue for every stream that there ever was",
      hearing: { mutant, input in
        if case .incoming? = input.network { mutant.count += 1 }
        if mutant.count > 1_000 { mutant.fail(.memory, "the queues of \(mutant.count) streams are too many") }
        return [input]
      }),
    .beam(
      "never-rests", .beamHost, "7.6", failedBy: NoCrashNoHang.id,
      "sets a timer for the present instant whenever it is due",
      hearing: { mutant, input in
        guard input == .launched || input == .timer(restless) else { return [input] }
        mutant.ask(.setTimer(restless, at: mutant.now))
        return input == .launched ? [input] : []
      }),
  ]

  /// Defects of the old transport (BEAM 6).
  static let hostMPC: [Mutant] = [
    .number("accepts-all", .beamHost, "6.2", "accepts every invitation") { if $0.isMPC { $0.guestLimit = .max } },
    .number("gate-in-mpc", .beamHost, "6.5", "waits 4 s in `mpc` too") { if $0.isMPC { $0.gate = .seconds(4) } },
    .beam(
      "length-in-mpc", .beamHost, "6.6", "writes the length before a message",
      outgoing: { mutant, _, packet in
        let body = packet.encoded()
        return [mutant.configuration.isMPC ? .body(Frame(body: body).encoded(.length)) : .packet(packet)]
      }),
    .beam(
      "mpc-without-end", .beamHost, "6.7", "sends no alert at the end in `mpc`",
      outgoing: { mutant, _, packet in
        mutant.configuration.isMPC && packet == .alert(.hostDisconnected) ? [] : [.packet(packet)]
      }),
  ]
}
