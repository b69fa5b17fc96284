import SimKernel

@testable import VirtualRadio

/// When the steps of a connection's idle events come: from one of its anchors on, every `step`.
struct LinkRhythm {
  var anchor: SimInstant
  var step: SimDuration
  /// From an anchor to the end of the central's PDU, and to that of the peripheral's.
  var centralEnd: SimDuration
  var peripheralEnd: SimDuration
}

extension RadioWorld {
  /// The rhythm of each connection there was, whether its idle events are skipped or not.
  var rhythms: [LinkRhythm] {
    connections.map {
      LinkRhythm(anchor: $0.anchor, step: $0.step, centralEnd: idleCentral($0), peripheralEnd: idleSpan($0))
    }
  }
}
