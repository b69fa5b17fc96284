import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects in which interface a guest uses, and how it changes (BEAM 5.11).
extension BeamMutants {
  private static let pollTimer = TimerID(Int(Int32.max) - 4)

  static let guestPaths: [Mutant] = [
    .number("awdl-first", .beamGuest, "5.11.1", failedBy: InfrastructurePreferred.id, "prefers AWDL") {
      if !$0.isMPC { $0.interfaces = [.peerToPeer, .infrastructure] }
    },
    .number("needs-infrastructure", .beamGuest, "5.11.2", "connects over infrastructure only") {
      if !$0.isMPC { $0.interfaces = [.infrastructure] }
    },
    .beam(
      "switches-hard", .beamGuest, "5.11.3", "cancels the old stream when the new one is ready",
      hearing: { mutant, input in
        guard case .ready? = input.network, mutant.streams.count > 1, let old = mutant.streams.first?.id else {
          return [input]
        }
        mutant.ask(.cancel(old))
        return [input, .network(.failed(old, .reset))]
      }),
    .deaf("ignores-better-path", .beamGuest, "5.11.3", "stays on AWDL") { _, input in
      if case .betterPath? = input.network { true } else { false }
    },
    .beam(
      "second-failure-is-loss", .beamGuest, "5.11.4", "counts the failure of the second stream as a loss",
      hearing: { mutant, input in
        let second = mutant.attempts.last
        let isFailure: Bool
        switch input {
        case .network(.failed(let id, _)): isFailure = id == second
        case .timer(BeamTimer.attempt): isFailure = second != nil
        default: isFailure = false
        }
        guard isFailure, let first = mutant.streams.first?.id else { return [input] }
        mutant.ask(.cancel(first))
        return [input, .network(.failed(first, .reset))]
      }),
  ]

  static let guestRest: [Mutant] = [
    .beam(
      "polls", .beamGuest, "7.6", "asks its browser again each millisecond",
      hearing: { mutant, input in
        guard input == .timer(pollTimer) else { return [input] }
        if mutant.state == BeamState.looking.rawValue {
          mutant.ask(.browse(type: mutant.configuration.serviceType, peerToPeer: mutant.configuration.peerToPeer))
          mutant.ask(.setTimer(pollTimer, at: mutant.now + .milliseconds(1)))
        }
        return []
      },
      asking: { mutant, effect in
        effect.shows(.looking) ? [effect, .setTimer(pollTimer, at: mutant.now + .milliseconds(1))] : [effect]
      })
  ]

  /// Defects of the old transport (BEAM 6).
  static let guestMPC: [Mutant] = [
    .number("invites-forever", .beamGuest, "6.1", "invites without a timeout") { if $0.isMPC { $0.attemptTime = nil } },
    .beam(
      "declined-is-final", .beamGuest, "6.3", "does not come back after a decline",
      hearing: { mutant, input in
        if input.joins { mutant.isMarked = false }
        if case .found? = input.network, mutant.isMarked { return [] }
        if let (_, octets) = input.piece, mutant.configuration.isMPC,
          octets.starts(with: Frame(.declined).encoded(.kindAndLength))
        {
          mutant.isMarked = true
        }
        return [input]
      },
      asking: { mutant, effect in
        if case .setTimer(BeamTimer.retry, _) = effect, mutant.isMarked { return [] }
        return [effect]
      }),
    .number("primes-in-mpc", .beamGuest, "6.4", "scans and primes in `mpc`") { $0.usesBluetooth = true },
  ]
}
