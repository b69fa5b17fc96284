import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects in whom a host takes (BEAM 1, 5.9.7, 5.11.5).
extension BeamMutants {
  static let hostCapacity: [Mutant] = [
    .number("six-guests", .beamHost, "1.3", "counts itself twice") { $0.guestLimit = 6 },
    .number("eighth-guest-taken", .beamHost, "1.3", failedBy: GuestsWithinCapacity.id, "takes whoever comes") {
      if !$0.isMPC { $0.guestLimit = .max }
    },
    .beam(
      "eighth-replaces-first", .beamHost, "1.4", "cancels its first stream for the eighth",
      hearing: { mutant, input in
        guard case .incoming(_, _, let peer)? = input.network, let first = mutant.streams.first,
          mutant.others(than: peer).count >= mutant.configuration.guestLimit
        else { return [input] }
        mutant.ask(.cancel(first.id))
        return [.network(.failed(first.id, .reset)), input]
      }),
    .beam(
      "seat-not-freed", .beamHost, "5.9.7", "frees a seat when the event ends",
      hearing: { mutant, input in
        if case .startEvent = input.beam, mutant.state != BeamState.hosting.rawValue { mutant.words = [] }
        guard case .incoming(let id, _, let peer)? = input.network, mutant.state == BeamState.hosting.rawValue,
          !mutant.words.contains(peer)
        else { return [input] }
        if mutant.words.count >= mutant.configuration.guestLimit {
          mutant.refuse(id, .full)
          return []
        }
        mutant.words.append(peer)
        return [input]
      }),
    .beam(
      "streams-counted", .beamHost, "1.5", "counts streams against capacity",
      hearing: { mutant, input in
        guard case .incoming(let id, _, _)? = input.network, mutant.streams.count > mutant.configuration.guestLimit
        else {
          return [input]
        }
        mutant.refuse(id, .full)
        return []
      }),
    .beam(
      "both-streams-kept", .beamHost, "5.11.5", "keeps every stream of a guest",
      hearing: { mutant, input in
        guard case .incoming(let id, let interface, let peer)? = input.network else { return [input] }
        let isThere = mutant.streams.contains { $0.id != id && $0.peer == peer && $0.interface == interface }
        let other = interface == .infrastructure ? NetworkInterface.peerToPeer : .infrastructure
        return [.network(.incoming(id, isThere ? other : interface, peer: peer))]
      }),
  ]
}

extension DefectEngine {
  /// Guests with a stream, this one not counted.
  func others(than peer: String) -> [String] {
    var peers: [String] = []
    for stream in streams where stream.peer != peer && !peers.contains(stream.peer) { peers.append(stream.peer) }
    return peers
  }
}
