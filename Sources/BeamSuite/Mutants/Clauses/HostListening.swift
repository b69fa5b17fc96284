import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// Defects in how a host listens and what its event is called (BEAM 2, 5.1, 5.10).
extension BeamMutants {
  static let hostListening: [Mutant] = [
    .beam(
      "listens-early", .beamHost, "5.1.1", "listens from its launch on",
      hearing: { mutant, input in
        if input == .launched { mutant.ask(listen(mutant, mutant.configuration.displayName)) }
        return [input]
      },
      asking: { mutant, effect in
        guard effect.isListen, !mutant.isMarked else { return [effect] }
        mutant.isMarked = true
        return [.network(.stopListening(type: mutant.configuration.serviceType)), effect]
      }),
    .number("no-peer-to-peer", .beamHost, "5.1.2", "listens on infrastructure only") { $0.peerToPeer = false },
    .beam(
      "name-cut-in-character", .beamHost, "2.1",
      "cuts the name after 63 octets, and has ? for what is left of a character",
      adjust: { $0.nameOctets = .max },
      asking: { _, effect in
        guard case .listen(var request)? = effect.network else { return [effect] }
        request.name = cut(request.name)
        return [.network(.listen(request))]
      }),
    .beam(
      "keeps-own-name", .beamHost, "2.2", "registers its own name again when it was renamed",
      hearing: { mutant, input in
        guard case .listenerReady(let type, let name, let port)? = input.network, let own = mutant.words.last,
          name != own
        else { return [input] }
        if mutant.count == 0 {
          mutant.count = 1
          mutant.ask(.stopListening(type: type))
          mutant.ask(listen(mutant, own))
        }
        return [.network(.listenerReady(type: type, name: own, port: port))]
      },
      asking: { mutant, effect in
        if case .listen(let request)? = effect.network {
          mutant.words = [request.name]
          mutant.count = 0
        }
        return [effect]
      }),
    .deaf("listener-given-up", .beamHost, "5.1.3", "goes on without a listener") { _, input in
      if case .listenerFailed? = input.network { true } else { false }
    },
    .deaf("listener-not-restored", .beamHost, "5.10.3", "believes that its listener is still there") { _, input in
      if case .listenerFailed(_, .reclaimed)? = input.network { true } else { false }
    },
    .beam(
      "second-start", .beamHost, "5.1.4", "starts a new transcript at a second start",
      hearing: { mutant, input in
        if case .startEvent = input.beam {
          mutant.count = mutant.state == BeamState.hosting.rawValue ? mutant.finals.count : 0
        }
        return [input]
      },
      asking: { mutant, effect in
        switch effect.beam {
        case .finalShown(let sequence, let text):
          [.report(.finalShown(sequence: sequence - mutant.count, text: text))]
        case .partialShown(let sequence, let text):
          [.report(.partialShown(sequence: sequence - mutant.count, text: text))]
        default: [effect]
        }
      },
      outgoing: { mutant, _, packet in [.packet(packet.renumbered(by: -mutant.count))] }),
  ]

  private static func listen(_ mutant: DefectEngine, _ name: String) -> NetworkEffect {
    let configuration = mutant.configuration
    return .listen(
      ListenRequest(
        type: configuration.serviceType, name: name, peerToPeer: configuration.peerToPeer,
        keepAlive: configuration.keepAlive))
  }

  private static func cut(_ name: String) -> String {
    let octets = Array(name.utf8.prefix(63))
    var whole = octets.count
    while whole > 0, String(validating: octets.prefix(whole), as: UTF8.self) == nil { whole -= 1 }
    return String(decoding: octets.prefix(whole), as: UTF8.self) + String(repeating: "?", count: octets.count - whole)
  }
}

extension BeamPacket {
  /// The same with other numbers; chunks of a history that get none are left out.
  func renumbered(by shift: Int) -> BeamPacket {
    switch self {
    case .fullHistory(var history):
      history.chunks = history.chunks.map { Chunk(sequence: $0.sequence + shift, text: $0.text) }
        .filter { $0.sequence > 0 }
      history.upToSequence = max(0, history.upToSequence + shift)
      return .fullHistory(history)
    case .liveChunk(var chunk):
      chunk.sequence += shift
      return .liveChunk(chunk)
    case .alert: return self
    }
  }
}
