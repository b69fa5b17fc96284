import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects in how a guest finds its event, and in the states that it shows (BEAM 2, 5.3).
extension BeamMutants {
  static let guestFinding: [Mutant] = [
    .beam(
      "lost-unshown", .beamGuest, "5.9.1", "shows SHOWING until a retry has failed",
      asking: { mutant, effect in
        if effect.shows(.showing) { mutant.count = 0 }
        if effect.shows(.lost) { mutant.count += 1 }
        return mutant.count == 1 && (effect.shows(.lost) || effect.shows(.connecting)) ? [] : [effect]
      }),
    .beam(
      "waits-for-ble", .beamGuest, "5.3.2", "connects only to hosts that it has heard",
      hearing: { mutant, input in
        if input.joins { (mutant.isMarked, mutant.heard) = (false, []) }
        if case .discovered = input, !mutant.isMarked {
          mutant.isMarked = true
          let heard = mutant.heard
          mutant.heard = []
          return [input] + heard
        }
        guard case .found? = input.network, !mutant.isMarked else { return [input] }
        mutant.heard.append(input)
        return []
      }),
    .number("wrong-type", .beamGuest, "2.3", "browses for `_beamscribe._udp`") { $0.serviceType = "_beamscribe._udp" },
    .beam(
      "first-event-wins", .beamGuest, "2.4", "joins the first event whatever its person said",
      hearing: { _, input in input.joins ? [.user(BeamAction.join)] : [input] }),
    .beam(
      "prefix-matches", .beamGuest, "2.4", "takes a name that begins with the wanted one",
      hearing: { mutant, input in
        if case .joinEvent(let name)? = input.beam { mutant.words = [name] }
        guard case .found(let endpoint, let type, let name, let interfaces, _)? = input.network,
          let wanted = mutant.words.first, name.hasPrefix(wanted)
        else { return [input] }
        return [.network(.found(endpoint, type: type, name: wanted, interfaces: interfaces))]
      }),
    .beam(
      "attempt-for-each-result", .beamGuest, "5.3.5", failedBy: OneAttemptAtATime.id, "connects for each result",
      hearing: { mutant, input in
        if mutant.takesOwnAttempt(input) { return [] }
        switch input.network {
        case .found(let endpoint, _, _, _, _), .changed(let endpoint, _):
          if !mutant.attempts.isEmpty { mutant.attemptOfItsOwn(endpoint) }
        default: break
        }
        return [input]
      }),
    .beam(
      "showing-too-early", .beamGuest, "5.3.7", "shows SHOWING when the stream is ready",
      asking: { _, effect in
        if effect.shows(.connected) { return [.report(.state(BeamState.showing.rawValue))] }
        return effect.shows(.showing) ? [] : [effect]
      }),
    .beam(
      "comes-back-after-leaving", .beamGuest, "5.8.5", "leaves its retry timer set when its person leaves",
      hearing: { mutant, input in
        if mutant.takesOwnAttempt(input) { return [] }
        if input.joins { mutant.isMarked = false }
        if input == .timer(BeamTimer.retry), mutant.isMarked, let request = mutant.request {
          mutant.isMarked = false
          mutant.attemptOfItsOwn(request.endpoint)
          return []
        }
        return [input]
      },
      asking: { mutant, effect in
        if case .connect(_, let request)? = effect.network { mutant.request = request }
        guard effect == .cancelTimer(BeamTimer.retry), mutant.input.beam == .leave else { return [effect] }
        mutant.isMarked = true
        return []
      }),
    .beam(
      "says-hello", .beamGuest, "1.2", failedBy: GuestsSendNothing.id, "sends a packet when it is connected",
      hearing: { mutant, input in
        switch input.network {
        case .ready(let id, _) where !mutant.configuration.isMPC:
          mutant.ask(.send(id, octets: Frame(body: BeamPacket.alert(.sessionResumed).encoded()).encoded(.length)))
          return [input]
        case .submitted where !mutant.configuration.isMPC: return []
        default: return [input]
        }
      }),
  ]
}

extension DefectEngine {
  /// The first number of connections that the inner engine does not know of; even, and beyond its own.
  private static var firstOwn: Int { 1_000_000 }

  /// Connects beside whatever the inner engine does.
  func attemptOfItsOwn(_ endpoint: EndpointID) {
    count += 1
    let interfaces = configuration.interfaces
    ask(
      .connect(
        ConnectionID(Self.firstOwn + 2 * count),
        ConnectRequest(endpoint: endpoint, interfaces: interfaces, timeout: .seconds(10))))
  }

  /// Whether an input is about a connection of its own; one that is ready is given up.
  func takesOwnAttempt(_ input: AppInput) -> Bool {
    switch input.network {
    case .ready(let id, _) where id.rawValue > Self.firstOwn:
      ask(.cancel(id))
      return true
    case .waiting(let id, _), .failed(let id, _), .cancelled(let id), .received(let id, _), .viable(let id, _),
      .betterPath(let id, _), .ended(let id):
      return id.rawValue > Self.firstOwn
    default: return false
    }
  }
}
