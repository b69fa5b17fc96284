extension LL {
  /// Which events of a connection its ends use by connection subrating (Core v5.4, Vol 6, Part B, 4.5.1).
  ///
  /// Events have numbers that do not wrap; connection event counters are their lowest 16 bits.
  public struct SubratedEvents: Hashable, Sendable {
    /// `connSubrateFactor`, 1 … 500.
    public let factor: UInt16
    /// `connContinuationNumber`.
    public let continuation: UInt16
    /// What the number of a subrated event leaves when it is divided by the factor.
    private let phase: UInt64

    /// Every event.
    public init() { (factor, continuation, phase) = (1, 0, 0) }

    /// As many as the factor says, from an event on.
    ///
    /// - Precondition: a factor of 1 or more.
    public init(factor: UInt16, continuation: UInt16, from event: UInt64) {
      (self.factor, self.continuation, phase) = (factor, continuation, event % UInt64(factor))
    }

    /// What LL_SUBRATE_IND says that came in an event; nil: a factor of 0. A base in the last quarter of counters that
    /// comes in the first one was meant before the counter wrapped (5.1.19).
    public init?(factor: UInt16, continuation: UInt16, base: UInt16, receivedIn event: UInt64) {
      guard factor > 0 else { return nil }
      let counter = UInt16(truncatingIfNeeded: event)
      let isBeforeWrap = base >> 14 == 3 && counter >> 14 == 0
      let whole = Int64(truncatingIfNeeded: event) - Int64(counter) + Int64(base) - (isBeforeWrap ? 65_536 : 0)
      let rest = whole % Int64(factor)
      (self.factor, self.continuation) = (factor, continuation)
      phase = UInt64(rest < 0 ? rest + Int64(factor) : rest)
    }

    /// Whether some events are left out.
    public var areSubrated: Bool { factor > 1 }

    public func contains(_ event: UInt64) -> Bool { event % UInt64(factor) == phase }

    /// The first subrated event that is not before an event.
    public func first(from event: UInt64) -> UInt64 {
      let factor = UInt64(factor)
      return event + (phase + factor - event % factor) % factor
    }

    /// Whether an event that is not subrated is a continuation event.
    /// - Parameter active: the newest event in which a PDU with a payload was sent or received.
    public func continues(_ event: UInt64, after active: UInt64) -> Bool {
      let factor = UInt64(factor)
      let back = (event % factor + factor - phase) % factor
      // Where the base is still to come there has been no subrated event.
      guard back <= event else { return false }
      let last = event - back
      return active >= last && active + UInt64(continuation) >= event && active < event
    }
  }
}
