package import SimKernel

/// What laws about several links need to know of them.
extension RadioWorld {
  /// The anchor of the present or next event of each connection there was, in the order in which they were made.
  package var anchors: [SimInstant] { connections.map(\.anchor) }

  /// When the steps of a connection's idle events come: from one of its anchors on, every `step`.
  package struct Rhythm: Hashable, Sendable {
    package var anchor: SimInstant
    package var step: SimDuration
    /// From an anchor to the end of the central's PDU, and to that of the peripheral's.
    package var centralEnd: SimDuration
    package var peripheralEnd: SimDuration
  }

  /// The rhythm of each connection there was, whether its idle events are skipped or not.
  package var rhythms: [Rhythm] {
    connections.map {
      Rhythm(anchor: $0.anchor, step: $0.step, centralEnd: idleCentral($0), peripheralEnd: idleSpan($0))
    }
  }
}
