import AppSeam
import BeamScribe
import CaptureCheck
import Judging
import SimKernel

/// What a report says beside verdicts.
extension BeamVerdicts {
  /// The dialects, and how they were found.
  static func dialect(of connections: [BeamConnection], isGiven: Bool) -> String? {
    var texts: [String] = []
    for connection in connections {
      let how = isGiven ? "as given" : connection.isAnnounced ? "by its service type" : "by its frames"
      let text = "\(connection.dialect.rawValue), \(how)"
      if !texts.contains(text) { texts.append(text) }
    }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  static func notes(_ wires: [BeamWire], _ cast: BeamCast, isFull: Bool) -> [TrafficNote] {
    if wires.isEmpty { return [TrafficNote(text: "no stream on which BeamScribe is spoken")] }
    var notes = unseen.map { group in
      TrafficNote(text: "not judged: \(group.oracles.joined(separator: ", ")): \(group.why)")
    }
    notes.append(
      TrafficNote(
        text: "\(shown.joined(separator: ", ")) judge what guests are sent; what screens show of it is not captured"
      ))
    for wire in wires {
      let name = "stream of \(cast.name(wire.guestDevice))"
      if wire.isReady, !wire.connection.isFromStart {
        notes.append(
          TrafficNote(
            place: wire.connection.openedBy,
            text: "capture incomplete: \(name) begins earlier; its gate and what came before are not judged"))
      }
      if wire.hasGap {
        notes.append(
          TrafficNote(
            place: wire.connection.openedBy,
            text: "capture incomplete: octets of \(name) are missing; what depends on them is not called wrong"))
      }
    }
    if isFull {
      notes.append(
        TrafficNote(text: "more than \(StreamRecorder.limit >> 20) MiB of streams; what comes after them is not judged")
      )
    }
    return notes
  }
}
