public import SimKernel

extension RadioEnvironment {
  /// What changes in a room while devices live in it; nil: it stays as it is.
  public struct Change: Hashable, Sendable {
    public var packetLoss: Ratio?
    public var bitErrorRate: Ratio?
    /// By RF channel, 0 … 39; empty: none.
    public var channelLoss: [Ratio]?
    /// In place of those that were there. Those whose activity is external stay.
    public var interferers: [Interferer]?

    public init() {}
  }

  mutating func take(_ change: Change) {
    packetLoss = change.packetLoss ?? packetLoss
    bitErrorRate = change.bitErrorRate ?? bitErrorRate
    channelLoss = change.channelLoss ?? channelLoss
    if let own = change.interferers { interferers = own + interferers.filter { $0.activity == .external } }
  }
}

extension RadioWorld {
  /// Changes the room from now on. A PDU that is on the air is judged by the room in which it ends.
  ///
  /// Interferers that the change names begin now, with draws of their own; those whose activity is external keep their
  /// times, and have the numbers after the new ones.
  public func change(_ change: RadioEnvironment.Change) {
    // What was skipped went well in the room as it was.
    settle()
    for connection in connections { connection.noParkingBefore = connection.eventNumber }
    medium.take(change, at: timeline.now)
    roomChanged()
  }
}
