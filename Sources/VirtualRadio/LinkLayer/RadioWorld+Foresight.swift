import BluetoothWire
import SimKernel

/// Looking ahead at idle events: which of them go well at both ends, so that they can be skipped.
///
/// What becomes of a PDU is drawn by its transmitter, receiver, channel and start alone. So a PDU of a later event can be
/// judged now, as long as no other radio sends on its channel at its time: other links that are skipped are looked at
/// here, and those that are not wake this one when they send. In rooms with bursts or interferers nothing is skipped:
/// to look ahead at them costs more than to step.
extension RadioWorld {
  /// Links in a world up to which those that may collide are skipped. Decision, by what the look at each of them costs.
  static let mostLinksThatCollide = 1_000
  /// How many events are looked at first, and at most together. Twice as many as the last time; few at first, because
  /// traffic may come at any time and make it useless.
  private static let firstForesight: Int64 = 4
  private static let mostForesight: Int64 = 4_096
  /// No PDU on the air is longer or announced earlier.
  private static let longestAhead = SimDuration.microseconds(2_500)

  /// Whether something can happen to the PDUs of an idle link at all, without any traffic.
  private var needsForesight: Bool { !medium.isLossless || linksMayCollide }

  /// Looks ahead at the events of a link that is about to be parked; false when the first must be stepped.
  func beginForesight(_ c: Connection) -> Bool {
    guard needsForesight else { return true }
    // What is on the air now was sent when this link could not be woken by it.
    if linksMayCollide, c.anchor < timeline.now + Self.longestAhead { return false }
    c.foreseen = 0
    c.foresight = Self.firstForesight
    return foresee(c)
  }

  /// When the last event that is known to go well is over.
  func foreseenEnd(_ c: Connection) -> SimInstant {
    needsForesight ? c.parkedAnchor + c.step * (c.foreseen - 1) + idleSpan(c) : .distantFuture
  }

  /// Looks at more events; false when the next one must be stepped.
  func foresee(_ c: Connection) -> Bool {
    guard needsForesight else { return false }
    let first = c.foreseen
    var limit = first + c.foresight
    c.foresight = min(c.foresight * 2, Self.mostForesight)
    if assessesChannels(of: c) {
      limit = min(limit, Int64(c.assessment.eventsBeforeJudgement(used: c.channelMap.bits)))
    }
    let rivals = linksMayCollide ? rivals(of: c, until: c.parkedAnchor + c.step * limit) : []
    if medium.isLossless, rivals.isEmpty {
      c.foreseen = max(first, limit)
      return c.foreseen > first
    }
    while c.foreseen < limit, goesWell(c, c.foreseen, rivals) { c.foreseen += 1 }
    return c.foreseen > first
  }

  private func goesWell(_ c: Connection, _ event: Int64, _ rivals: [Connection]) -> Bool {
    let anchor = c.parkedAnchor + c.step * event
    let channel = rfChannel(c, skipped: event)
    let end = anchor + idleSpan(c)
    for rival in rivals where self.channel(ofParked: rival, from: anchor, to: end) == channel { return false }
    if medium.isLossless { return true }
    let (central, peripheral) = (c.central.radio.index, c.peripheral.radio.index)
    let middle = anchor + idleCentral(c)
    return medium.foresees(
      from: central, to: peripheral, channel: channel, start: anchor, end: middle, phy: c.centralPHY)
      && medium.foresees(
        from: peripheral, to: central, channel: channel, start: middle + Self.interFrameSpace, end: end,
        phy: c.peripheralPHY)
  }

  /// Parked links that may be on the air at the same time as this one, before an instant.
  private func rivals(of c: Connection, until end: SimInstant) -> [Connection] {
    parked.filter { other in other !== c && apart(c, other).map { $0 < end } ?? true }
  }

  /// The RF channel of an event after the one at which a link was parked.
  private func rfChannel(_ c: Connection, skipped events: Int64) -> Int {
    if c.usesChannelSelection2 {
      return Int(
        LL.rfChannel(
          dataChannelIndex: LL.ChannelSelection2.channel(
            eventCounter: UInt16(truncatingIfNeeded: c.eventNumber &+ UInt64(events)), accessAddress: c.accessAddress,
            map: c.channelMap)))
    }
    var hop = c.hop
    return Int(LL.rfChannel(dataChannelIndex: hop.next(map: c.channelMap, by: Int(events) + 1)))
  }

  /// The RF channel that a parked link uses at any time within `start ..< end`; nil when it is silent.
  private func channel(ofParked c: Connection, from start: SimInstant, to end: SimInstant) -> Int? {
    guard isOnAir(parked: c, from: start, to: end) else { return nil }
    return rfChannel(c, skipped: ((end - c.parkedAnchor).nanoseconds - 1) / c.step.nanoseconds)
  }

  /// Wakes the parked links that are on the channel of this one at the time of a PDU of it.
  @inline(never)
  func wakeDisturbed(by c: Connection, from start: SimInstant, to end: SimInstant) {
    // The last one takes the place of one that was woken.
    for place in parked.indices.reversed() {
      let other = parked[place]
      if other !== c, channel(ofParked: other, from: start, to: end) == c.rfChannel { unpark(other) }
    }
  }
}
