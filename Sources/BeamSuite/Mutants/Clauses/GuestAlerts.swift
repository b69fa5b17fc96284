import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects in what a guest shows and does of alerts (BEAM 5.7, 5.8.4).
extension BeamMutants {
  static let guestAlerts: [Mutant] = [
    .beam(
      "alert-as-text", .beamGuest, "5.7.6", failedBy: AlertsChangeNoText.id, "shows an alert as a final",
      asking: { mutant, effect in
        guard case .alertShown(let alert, isOwn: false)? = effect.beam else { return [effect] }
        return [.report(.finalShown(sequence: mutant.finals.count + 1, text: alert))]
      }),
    .beam(
      "alert-swallowed", .beamGuest, "5.7.4", failedBy: AlertsReachAll.id, "shows the first alert of a stream only",
      asking: { mutant, effect in
        guard case .alertShown(_, isOwn: false)? = effect.beam, let (id, _) = mutant.input.piece,
          let stream = mutant.stream(id)
        else { return [effect] }
        stream.count += 1
        return stream.count == 1 ? [effect] : []
      }),
    .silent(
      "vanished-unnoticed", .beamGuest, "5.7.5", failedBy: VanishedHostsAreNoticed.id,
      "shows no alert that it was not sent"
    ) { _, effect in
      if case .alertShown(_, isOwn: true)? = effect.beam { true } else { false }
    },
    .beam(
      "retries-after-the-end", .beamGuest, "5.8.4", "retries whatever ended the stream",
      asking: { mutant, effect in
        if effect.shows(.showing) { mutant.isMarked = false }
        if case .alertShown(_, isOwn: true)? = effect.beam, mutant.isMarked { return [] }
        return [effect]
      },
      reading: { mutant, _, body in
        guard (try? BeamPacket(decoding: body)) == .alert(.hostDisconnected) else { return [body] }
        mutant.isMarked = true
        mutant.show(.alertShown(BeamAlert.hostDisconnected.rawValue, isOwn: false))
        return []
      }),
  ]
}
