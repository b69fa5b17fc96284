import BluetoothWire
import SimKernel

/// Looking ahead at idle events: which of them go well at both ends, so that they can be skipped.
///
/// Whether a PDU is lost is drawn by its transmitter, receiver, channel and start alone. So a PDU of a later event can
/// be judged now, as long as no other radio sends on its channel at its time: other links that are skipped are looked
/// at here, and those that are not wake this one when they send. In rooms with bursts or interferers nothing is
/// skipped: to look ahead at them costs more than to step.
extension RadioWorld {
  /// Links in a world up to which those that may collide are skipped. Decision, by what the look at each of them costs.
  static let mostLinksThatCollide = 64
  /// How many events are looked at first, and at most together. Twice as many as the last time; few at first, because
  /// traffic may come at any time and make it useless.
  private static let firstForesight: Int64 = 4
  private static let mostForesight: Int64 = 4_096
  /// For how long rivals are looked for at a time.
  private static let rivalry = SimDuration.seconds(20)
  /// No PDU on the air is longer or announced earlier.
  private var longestAhead: SimDuration { medium.longest + .microseconds(380) }

  /// Whether something can happen to the PDUs of an idle link at all, without any traffic.
  private var needsForesight: Bool { assessesChannels || linksMayCollide }

  /// Looks ahead at the events of a link that is about to be parked; false when the first must be stepped.
  func beginForesight(_ c: Connection) -> Bool {
    guard needsForesight else { return true }
    // What is on the air now was sent when this link could not be woken by it.
    if linksMayCollide, c.anchor < timeline.now + longestAhead { return false }
    c.foreseen = 0
    c.foresight = Self.firstForesight
    c.rivalsUntil = .zero
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
    if linksMayCollide { limit = min(limit, findRivals(c, until: limit)) }
    if medium.isLossless, c.rivals.isEmpty { c.foreseen = max(first, limit) }
    while c.foreseen < limit, goesWell(c, c.foreseen) { c.foreseen += 1 }
    return c.foreseen > first
  }

  private func goesWell(_ c: Connection, _ event: Int64) -> Bool {
    let anchor = c.parkedAnchor + c.step * event
    let channel = rfChannel(c, skipped: event)
    let end = anchor + idleSpan(c)
    for rival in c.rivals {
      if connections.with(rival, { self.channel(ofParked: $0, from: anchor, to: end) }) == channel { return false }
    }
    if medium.isLossless { return true }
    let (central, peripheral) = (c.central.radio.index, c.peripheral.radio.index)
    let middle = anchor + idleCentral(c)
    return medium.foresees(
      from: central, to: peripheral, channel: channel, start: anchor, end: middle, phy: c.centralPHY)
      && medium.foresees(
        from: peripheral, to: central, channel: channel, start: middle + Self.interFrameSpace, end: end,
        phy: c.peripheralPHY)
  }

  /// Parked links that may be on the air at the same time as this one, for a while. A link that is parked after this
  /// one counts it among its own rivals, and looks at itself; so does one that was woken and is parked again.
  /// - Returns: up to which event they are known, at most `limit`.
  private func findRivals(_ c: Connection, until limit: Int64) -> Int64 {
    if c.parkedAnchor + c.step * limit > c.rivalsUntil {
      let next = max(timeline.now, c.parkedAnchor + c.step * c.foreseen)
      c.rivalsUntil = next + Self.rivalry
      c.rivals.removeAll(keepingCapacity: true)
      for other in parked where other !== c {
        if apart(c, other).map({ $0 < c.rivalsUntil }) ?? true { c.rivals.append(other.index) }
      }
    }
    return min(limit, (c.rivalsUntil - c.parkedAnchor).nanoseconds / c.step.nanoseconds)
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

  /// The RF channel that a link uses at any time within `start ..< end`; nil when it is silent, or not parked.
  private func channel(ofParked c: Connection, from start: SimInstant, to end: SimInstant) -> Int? {
    guard c.isParked, isOnAir(parked: c, from: start, to: end) else { return nil }
    return rfChannel(c, skipped: ((end - c.parkedAnchor).nanoseconds - 1) / c.step.nanoseconds)
  }

  /// Wakes the parked links that are on the channel of this one at the time of a PDU of it.
  @inline(never)
  func wakeDisturbed(by c: Connection, from start: SimInstant, to end: SimInstant) {
    for place in (0..<parked.count).reversed() {
      let isDisturbed = parked.with(place) { other in
        other !== c && channel(ofParked: other, from: start, to: end) == c.rfChannel
      }
      if isDisturbed { unpark(parked[place]) }
    }
  }

  /// Wakes the parked links that are on a channel at a time at which something else is sent there.
  func wakeDisturbed(onRFChannel rfChannel: Int, from start: SimInstant, to end: SimInstant) {
    for place in 0..<connections.count {
      let isDisturbed = connections.with(place) { link in
        link.isParked && channel(ofParked: link, from: start, to: end) == rfChannel
      }
      if isDisturbed { unpark(connections[place]) }
    }
  }
}
