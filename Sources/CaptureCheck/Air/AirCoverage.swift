/// How much may have been on the air, unheard, between the PDUs of a connection that were heard.
///
/// Sequence numbers of one bit prove that nothing is missing only where at most one PDU can be: two of a side that are
/// missing leave them as they were. Spec: Core v5.4, Vol 6, Part B, 4.5.1, 4.5.6 and 4.5.9.
struct AirCoverage {
  enum Lack {
    /// Sequence numbers tell what there was.
    case nothing
    /// The end of an event was not heard: most sniffers hear all of it, one that is known to miss PDUs need not.
    case end
    /// Two PDUs or more may have been there.
    case pdus
    /// A whole event.
    case event
  }

  /// Silence in which one PDU fits and three do not: four times T_IFS and three empty PDUs on LE 2M.
  private static let roomForThree: Int64 = 732_000

  /// PDUs with a wrong CRC since the newest one that was received well.
  private var damaged = 0
  /// Since then, something was missed in front of a damaged one.
  private var isBroken = false
  private var newest: Bool?
  private var newestStart = Int64.min
  /// Start of the newest event's first PDU, and the shortest distance of two such: the interval, where none is known.
  private var eventStart: Int64?
  private var shortest = Int64.max

  /// Takes a PDU.
  ///
  /// - Parameters:
  ///   - fromCentral: nil when its direction is not known.
  ///   - idle: nanoseconds of silence in front of it.
  ///   - step: events since the PDU before; nil when they are not counted.
  ///   - closesBefore: the event before it was heard to its end.
  mutating func hear(
    isIntact: Bool, fromCentral: Bool?, at start: Int64, _ spacing: AirClock.Spacing, idle: Int64, step: Int?,
    closesBefore: Bool
  ) -> Lack {
    let lack = lack(
      fromCentral: fromCentral, at: start, spacing, idle: idle, step: step, closesBefore: closesBefore)
    newestStart = start
    if spacing == .apart {
      if let eventStart, start > eventStart { shortest = min(shortest, start - eventStart) }
      eventStart = start
    }
    guard isIntact else {
      if lack != .nothing { isBroken = true }
      damaged += 1
      return lack == .event ? .event : .nothing
    }
    damaged = 0
    isBroken = false
    newest = fromCentral
    return lack
  }

  private func lack(
    fromCentral: Bool?, at start: Int64, _ spacing: AirClock.Spacing, idle: Int64, step: Int?, closesBefore: Bool
  ) -> Lack {
    switch spacing {
    case .answer: return damaged < 2 && !isBroken ? .nothing : .pdus
    case .later:
      let isOne = damaged == 0 && fromCentral != nil && fromCentral == newest && idle < Self.roomForThree
      return isOne ? .nothing : .pdus
    case .apart:
      // Records out of order tell nothing of what was between them.
      if start < newestStart { return .event }
      if let step, step > 1 { return .event }
      guard let eventStart else { return .nothing }
      guard let step else {
        return shortest < .max && start - eventStart > shortest + shortest / 2 ? .event : .end
      }
      // Later in the same event, after more silence than an event has.
      if step < 1 { return .pdus }
      return damaged == 0 && closesBefore && fromCentral == true ? .nothing : .end
    }
  }
}
