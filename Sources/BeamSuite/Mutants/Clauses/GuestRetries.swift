import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects of attempts and retries (BEAM 5.3.6, 5.9, 5.10.3, 5.11.6, 7.3).
extension BeamMutants {
  static let guestAttempts: [Mutant] = [
    .number("waits-forever", .beamGuest, "5.3.6", "waits for the platform to give up") {
      if !$0.isMPC { $0.attemptTime = nil }
    },
    .number("retries-at-once", .beamGuest, "5.9.2", failedBy: RetriesWait.id, "tries again without waiting") {
      $0.retryWaits = $0.retryWaits.map { _ in .zero }
    },
    .number("constant-retry", .beamGuest, "5.9.2", failedBy: RetriesWait.id, "waits 1 s each time") {
      $0.retryWaits = $0.retryWaits.map { _ in .seconds(1) }
    },
    .number("retries-on", .beamGuest, "5.9.3", failedBy: RetriesWait.id, "goes on with 8 s, 16 s") {
      $0.retryWaits += [.seconds(8), .seconds(16)]
    },
    .number("viability-is-loss", .beamGuest, "5.11.6", "cancels a stream that is not viable") {
      $0.viabilityTime = .zero
    },
    .number(
      "guest-without-keep-alive", .beamGuest, "5.9.9", failedBy: VanishedHostsAreNoticed.id, "asks for no keep-alive"
    ) { $0.keepAlive = nil },
  ]

  static let guestRetries: [Mutant] = [
    .silent(
      "gives-up", .beamGuest, "5.9.3", failedBy: LostGuestsReturn.id, "does nothing after the third failure"
    ) { mutant, effect in
      guard case .browse? = effect.network, mutant.input.beam == nil else { return false }
      if case .discovered = mutant.input { return false }
      return true
    },
    .beam(
      "ready-resets-retries", .beamGuest, "5.9.4", "counts from the start with each ready stream",
      hearing: { mutant, input in
        guard case .ready? = input.network, mutant.streams.count == 1 else { return [input] }
        mutant.isMarked = true
        return [.background(false), input]
      },
      asking: { mutant, effect in
        // The inner engine believes that it came to the front, and scans again.
        guard mutant.isMarked, effect.isScan else { return [effect] }
        mutant.isMarked = false
        return []
      }),
    .deaf("retries-a-ghost", .beamGuest, "5.9.5", "tries to reach an event that is gone") { _, input in
      if case .lost? = input.network { true } else { false }
    },
    .beam(
      "two-at-once", .beamGuest, "5.9.6", failedBy: OneAttemptAtATime.id, "connects for the timer and for the browser",
      hearing: { mutant, input in
        if mutant.takesOwnAttempt(input) { return [] }
        if case .found? = input.network { mutant.isMarked = mutant.state == BeamState.lost.rawValue }
        return [input]
      },
      asking: { mutant, effect in
        guard case .connect(_, let request)? = effect.network, mutant.isMarked else { return [effect] }
        mutant.isMarked = false
        mutant.attemptOfItsOwn(request.endpoint)
        return [effect]
      }),
    .beam(
      "refusal-is-final", .beamGuest, "7.3", failedBy: LostGuestsReturn.id, "stays away from a host that it refused",
      hearing: { mutant, input in
        if input.joins { mutant.isMarked = false }
        if case .found? = input.network, mutant.isMarked { return [] }
        return [input]
      },
      asking: { mutant, effect in
        if case .refused? = effect.beam { mutant.isMarked = true }
        if case .setTimer(BeamTimer.retry, _) = effect, mutant.isMarked { return [] }
        return [effect]
      }),
    .deaf("waits-in-front", .beamGuest, "5.10.3", "continues the wait that it had") { mutant, input in
      input == .background(false) && mutant.state == BeamState.lost.rawValue
    },
  ]
}
