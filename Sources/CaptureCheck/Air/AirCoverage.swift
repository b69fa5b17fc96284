/// How much may have been on the air, unheard, between the PDUs of a connection that were heard.
///
/// Sequence numbers of one bit prove that nothing is missing only where at most one PDU can be: two of a side that are
/// missing leave them as they were. Spec: Core v5.4, Vol 6, Part B, 4.5.1, 4.5.6 and 4.5.9.
struct AirCoverage {
  enum Lack: Comparable {
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

  /// The longest time from the start of an empty PDU to that of its answer, on LE 1M and on LE 2M: one octet more would
  /// take 8 or 4 us.
  private static let empty1M: Int64 = 235_000
  private static let empty2M: Int64 = 197_000

  /// PDUs with a wrong CRC since the newest one that was received well.
  private var damaged = 0
  /// Such PDUs of a side since its newest one that was received well, if they may have had a payload and nobody told
  /// what became of them: the other side's next PDU that was received well does.
  private var untold = PerSide(0)
  /// Octets of the newest PDU of a side with a wrong CRC since its newest one that was received well, whatever is known
  /// of it.
  private var damagedLength = PerSide<Int?>(nil)
  /// The PDU before, if its CRC is wrong.
  private var newestDamaged: (fromCentral: Bool?, start: Int64)?
  /// What may be missing in front of a damaged one since then.
  private var lackBefore = Lack.nothing
  private var newest: Bool?
  private var newestStart = Int64.min
  /// Start of the newest event's first PDU, and the shortest distance of two such: the interval, where none is known.
  private var eventStart: Int64?
  private var shortest = Int64.max

  /// Takes a PDU.
  ///
  /// - Parameters:
  ///   - length: its octets.
  ///   - fromCentral: nil when its direction is not known.
  ///   - idle: nanoseconds of silence in front of it.
  ///   - step: events since the PDU before; nil when they are not counted.
  ///   - closesBefore: the event before it was heard to its end.
  ///   - isLate: it is the first of an event that was heard, and too late in it.
  /// - Returns: what may be missing, and how many damaged PDUs of this side nobody told about. One of another length
  ///   than this PDU was none of its repeats: it counts whatever its answer said, since it may have come again,
  ///   unheard.
  mutating func hear(
    isIntact: Bool, length: Int, fromCentral: Bool?, at start: Int64, _ spacing: AirClock.Spacing, idle: Int64,
    step: Int?, closesBefore: Bool, isLate: Bool, isLE2M: Bool
  ) -> (lack: Lack, untold: Int) {
    if let newestDamaged, spacing == .answer,
      start - newestDamaged.start < (isLE2M ? Self.empty2M : Self.empty1M)
    {
      tell(of: newestDamaged.fromCentral)
      self.newestDamaged = nil
    }
    var lack = lack(
      fromCentral: fromCentral, at: start, spacing, idle: idle, step: step, closesBefore: closesBefore)
    if isLate, lack != .event { lack = .pdus }
    newestStart = start
    if spacing == .apart {
      if let eventStart, start > eventStart { shortest = min(shortest, start - eventStart) }
      eventStart = start
    }
    guard isIntact else {
      lackBefore = max(lackBefore, lack)
      damaged += 1
      if fromCentral != false { (untold.central, damagedLength.central) = (untold.central + 1, length) }
      if fromCentral != true { (untold.peripheral, damagedLength.peripheral) = (untold.peripheral + 1, length) }
      newestDamaged = (fromCentral, start)
      return (lack == .event ? .event : .nothing, 0)
    }
    if let newestDamaged, newestDamaged.fromCentral != fromCentral { tell(of: newestDamaged.fromCentral) }
    newestDamaged = nil
    damaged = 0
    lack = max(lack, lackBefore)
    lackBefore = .nothing
    newest = fromCentral
    guard let fromCentral else { return (lack, 0) }
    defer { (untold[isCentral: fromCentral], damagedLength[isCentral: fromCentral]) = (0, nil) }
    let isAfterAnother = damagedLength[isCentral: fromCentral].map { $0 != length } ?? false
    return (lack, max(untold[isCentral: fromCentral], isAfterAnother ? 1 : 0))
  }

  /// The newest damaged PDU was empty, or its answer tells whether it was received.
  private mutating func tell(of fromCentral: Bool?) {
    if fromCentral != false { untold.central = max(0, untold.central - 1) }
    if fromCentral != true { untold.peripheral = max(0, untold.peripheral - 1) }
  }

  private func lack(
    fromCentral: Bool?, at start: Int64, _ spacing: AirClock.Spacing, idle: Int64, step: Int?, closesBefore: Bool
  ) -> Lack {
    switch spacing {
    case .answer: return .nothing
    case .later:
      let isOne = damaged == 0 && fromCentral != nil && fromCentral == newest && idle < Self.roomForThree
      return isOne ? .nothing : .pdus
    case .apart:
      // Records out of order tell nothing of what was between them.
      if start < newestStart { return .event }
      if let step, step > 1 { return .event }
      guard let eventStart else { return .nothing }
      let isWholeBefore = damaged == 0 && closesBefore
      guard let step else {
        if shortest < .max, start - eventStart > shortest + shortest / 2 { return .event }
        return fromCentral == false && !isWholeBefore ? .pdus : .end
      }
      // Later in the same event, after more silence than an event has.
      if step < 1 { return .pdus }
      // Only the peripheral is heard: what it answers was missed, and perhaps the end of the event before, too.
      if fromCentral == false { return isWholeBefore ? .end : .pdus }
      return isWholeBefore ? .nothing : .end
    }
  }
}
