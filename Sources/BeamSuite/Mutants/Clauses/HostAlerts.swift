import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects of alerts and of the end of an event (BEAM 5.7, 5.8).
extension BeamMutants {
  static let hostAlerts: [Mutant] = [
    .beam(
      "alert-to-first-only", .beamHost, "5.7.2", failedBy: AlertsReachAll.id, "sends alerts to its first guest",
      outgoing: { mutant, stream, packet in
        if case .alert = packet, stream !== mutant.streams.first(where: \.isOpen) { [] } else { [.packet(packet)] }
      }),
    .beam(
      "alert-repeated", .beamHost, "5.7.1", "sends the alert with every final while the battery is low",
      hearing: { mutant, input in
        if input.beam == .batteryLow { mutant.isMarked = true }
        if input.beam == .batteryOK { mutant.isMarked = false }
        return [input]
      },
      outgoing: { mutant, _, packet in
        guard mutant.isMarked, case .liveChunk(let chunk) = packet, chunk.isFinal else { return [.packet(packet)] }
        return [.packet(packet), .packet(.alert(.batteryLow))]
      }),
    .beam(
      "alert-lost-in-gate", .beamHost, "5.7.1", "sends alerts to those who are open then, and to nobody later",
      hearing: { mutant, input in
        if input.beam == .batteryLow { mutant.isMarked = true }
        if input.beam == .batteryOK { mutant.isMarked = false }
        return [input]
      },
      asking: { mutant, effect in
        if case .gateOpened(let id, _)? = effect.beam { mutant.stream(id)?.isMarked = mutant.isMarked }
        return [effect]
      },
      outgoing: { _, stream, packet in
        guard packet == .alert(.batteryLow), stream.isMarked else { return [.packet(packet)] }
        stream.isMarked = false
        return []
      }),
    .unsaid("resumes-silently", "5.7.3", .sessionResumed, "sends no `sessionResumed`") { _ in true },
    .unsaid("ends-without-a-word", "5.8.1", .hostDisconnected, "finishes its streams without an alert") { _ in true },
    .beam(
      "alert-through-gate", .beamHost, "5.8.2", "sends the last alert on gated streams too",
      asking: { mutant, effect in
        if case .finish(let id)? = effect.network, mutant.input.beam == .endEvent, let stream = mutant.stream(id),
          !stream.isOpen
        {
          mutant.say(.packet(.alert(.hostDisconnected)), on: stream)
        }
        return [effect]
      },
      outgoing: { _, _, packet in [.packet(packet)] }),
    .number("half-closed-forever", .beamHost, "5.8.3", "waits for the other end without limit") {
      $0.finishTime = .seconds(1_000_000)
    },
    .number("host-without-keep-alive", .beamHost, "5.9.9", "asks for no keep-alive") { $0.keepAlive = nil },
  ]
}

extension Mutant {
  /// A host that never sends an alert.
  static func unsaid(
    _ name: String, _ clause: String, _ alert: BeamAlert, _ summary: String,
    where isMeant: @escaping @Sendable (DefectEngine) -> Bool
  ) -> Mutant {
    beam(
      name, .beamHost, clause, summary,
      outgoing: { mutant, _, packet in packet == .alert(alert) && isMeant(mutant) ? [] : [.packet(packet)] })
  }
}
