package import SimKernel

/// What laws about several links need to know of them.
extension RadioWorld {
  /// The anchor of the present or next event of each connection there was, in the order in which they were made.
  package var anchors: [SimInstant] { connections.map(\.anchor) }
}
