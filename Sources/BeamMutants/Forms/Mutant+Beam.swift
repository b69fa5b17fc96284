import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// The forms in which engines of BeamScribe are broken (Docs/Decisions/0008).
extension Mutant {
  /// A number that the engine is told is another one.
  static func adjusted(
    _ name: String, _ role: AppRole, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    adjust: @escaping @Sendable (inout BeamConfiguration) -> Void
  ) -> Mutant {
    Mutant(name, role, clause: "BEAM " + clause, failedBy: oracle, summary) { app in
      var configuration = BeamConfiguration(app)
      adjust(&configuration)
      return BeamEngines.reference(role, configuration)
    }
  }

  /// What it hears, or what it asks for and shows, is changed.
  static func seam(
    _ name: String, _ role: AppRole, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    adjust: @escaping @Sendable (inout BeamConfiguration) -> Void = { _ in },
    hearing: @escaping SeamMutant.Hearing = { input, _ in [input] },
    asking: @escaping SeamMutant.Asking = { effect, _ in [effect] }
  ) -> Mutant {
    Mutant(name, role, clause: "BEAM " + clause, failedBy: oracle, summary) { app in
      var configuration = BeamConfiguration(app)
      adjust(&configuration)
      return SeamMutant(
        configuration, BeamEngines.reference(role, configuration), hearing: hearing, asking: asking)
    }
  }

  /// A host's bodies, or their frames, are changed on their way out.
  static func frames(
    _ name: String, _ clause: String, failedBy oracle: String? = nil, _ summary: String, mixes: Bool = false,
    framing: @escaping FrameMutant.Framing = { Frame(body: $0).encoded($1) },
    rewriting: @escaping FrameMutant.Rewriting = { body, _, _ in [body] }
  ) -> Mutant {
    Mutant(name, .beamHost, clause: "BEAM " + clause, failedBy: oracle, summary) { app in
      let configuration = BeamConfiguration(app)
      return FrameMutant(
        configuration, BeamEngines.reference(.beamHost, configuration), mixes: mixes, framing: framing,
        rewriting: rewriting)
    }
  }

  /// A host's packets are changed on their way out; what is no packet goes as it is.
  static func packets(
    _ name: String, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    rewriting: @escaping @Sendable (BeamPacket, ConnectionID, inout SeamNotes) -> [BeamPacket]
  ) -> Mutant {
    frames(
      name, clause, failedBy: oracle, summary,
      rewriting: { body, id, notes in
        guard let packet = try? BeamPacket(decoding: body) else { return [body] }
        return rewriting(packet, id, &notes).map { $0.encoded() }
      })
  }

  /// A host's bodies are written in another way.
  static func texts(
    _ name: String, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    rewriting: @escaping @Sendable (String) -> String
  ) -> Mutant {
    frames(
      name, clause, failedBy: oracle, summary,
      rewriting: { body, _, _ in [Array(rewriting(String(decoding: body, as: UTF8.self)).utf8)] })
  }

  /// A guest reads other frames than those that came.
  static func reading(
    _ name: String, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    ending: @escaping ReadingMutant.Reading = { _, _, _ in [] }, reading: @escaping ReadingMutant.Reading
  ) -> Mutant {
    Mutant(name, .beamGuest, clause: "BEAM " + clause, failedBy: oracle, summary) { app in
      let configuration = BeamConfiguration(app)
      return ReadingMutant(
        configuration, BeamEngines.reference(.beamGuest, configuration), reading: reading, ending: ending)
    }
  }

  /// A guest takes packets for others than they are; what is no packet goes as it is.
  static func readingPackets(
    _ name: String, _ clause: String, failedBy oracle: String? = nil, _ summary: String,
    reading: @escaping @Sendable (BeamPacket, ConnectionID, inout SeamNotes) -> [BeamPacket]
  ) -> Mutant {
    self.reading(name, clause, failedBy: oracle, summary) { bodies, id, notes in
      bodies.flatMap { body -> [[UInt8]] in
        guard let packet = try? BeamPacket(decoding: body) else { return [body] }
        return reading(packet, id, &notes).map { $0.encoded() }
      }
    }
  }
}
