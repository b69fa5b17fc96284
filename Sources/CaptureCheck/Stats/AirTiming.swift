import BluetoothWire
import CaptureFormats
import SimKernel

/// Follows the PDUs of one connection on the air: anchors, connection events, sequence numbers, acknowledgements.
///
/// Spec: Core v5.4, Vol 6, Part B, 4.5.1 and 4.5.9. A header is taken as it stands even when the CRC is wrong: bit
/// errors hit payloads more often than the one octet that is read here.
struct AirTiming {
  /// Half of this is T_IFS and its tolerance; what comes later than that begins a new event.
  private static let eventGap = SimDuration.microseconds(400)
  /// How far an anchor may be from where the interval puts it, and still be one that measures it.
  private static let anchorTolerance = SimDuration.microseconds(500)

  /// The last PDU of one end.
  private struct End {
    var sequenceNumber: Bool?
    /// It waits for the other end to say whether it came.
    var isPending = false
    /// What this end expects next, as it said last.
    var nextExpected: Bool?
    /// PDUs that this end sent in this event.
    var sent: Int64 = 0
    var moreData = false
    /// When the PDU with this sequence number was sent first; nil when it was empty.
    var firstSent: SimInstant?
    var lastSent: SimInstant?
    /// New PDUs with data in this event.
    var packets: Int64 = 0

    mutating func endEvent() {
      packets = 0
      sent = 0
      moreData = false
    }
  }

  private var central = End()
  private var peripheral = End()
  private var lastEnd: SimInstant?
  private var lastWasCentral = false
  private var channel: UInt8?
  private var anchor: SimInstant?
  /// Events in a row in which the central was heard and the peripheral was not.
  private var silentEvents = 0
  /// The last event was such a one, and the peripheral latency lets the peripheral leave it out.
  private var mayHaveSlept = false
  /// Exchanges of an event that ended early; it counts when the last PDU of it turns out to have come.
  private var cut: Int64?

  mutating func read(
    _ octets: ArraySlice<UInt8>, _ header: AirHeader, fromCentral: Bool, at instant: SimInstant, _ stats: LinkStats
  ) {
    guard octets.count >= 2 else { return }
    let fields = LL.DataHeader(octets[octets.startIndex], octets[octets.startIndex + 1])
    if isNewEvent(header, at: instant, fromCentral: fromCentral) {
      endEvent(stats)
      stats.connectionEvents += 1
      if fromCentral { readAnchor(instant, stats) }
    }
    channel = header.rfChannel ?? channel
    judge(by: fields, fromCentral: fromCentral, at: instant, stats)
    count(fields, header, fromCentral: fromCentral, at: instant, stats)
    let duration = LL.airTime(payloadLength: octets.count - 2, phy: header.phy)
    lastEnd = instant + .nanoseconds(duration)
    lastWasCentral = fromCentral
  }

  private func isNewEvent(_ header: AirHeader, at instant: SimInstant, fromCentral: Bool) -> Bool {
    guard let lastEnd else { return true }
    if let channel, let new = header.rfChannel, new != channel { return true }
    // Two PDUs of one end never follow each other within an event (4.5.1).
    return instant - lastEnd > Self.eventGap || fromCentral == lastWasCentral
  }

  /// The event is over, as far as can be seen.
  mutating func endEvent(_ stats: LinkStats) {
    if central.sent > 0 {
      silentEvents = peripheral.sent > 0 ? 0 : silentEvents + 1
      mayHaveSlept = silentEvents > 0 && silentEvents <= Int(stats.link.peripheralLatency ?? 0)
    }
    if lastEnd != nil, lastWasCentral, central.isPending {
      stats.central.unanswered += 1
      if mayHaveSlept { stats.central.unansweredInLatency += 1 }
    }
    if central.packets > 0 { stats.central.packetsPerEvent.record(central.packets) }
    if peripheral.packets > 0 { stats.peripheral.packetsPerEvent.record(peripheral.packets) }
    if central.moreData || peripheral.moreData, central.sent == peripheral.sent, central.sent > 0, let anchor,
      let lastEnd, let units = stats.link.interval, lastEnd - anchor < .microseconds(Int64(units) * 625)
    {
      cut = central.sent
    } else {
      cut = nil
    }
    central.endEvent()
    peripheral.endEvent()
    central.isPending = false
  }

  private mutating func readAnchor(_ instant: SimInstant, _ stats: LinkStats) {
    defer { anchor = instant }
    guard let last = anchor, let units = stats.link.interval, units > 0 else { return }
    let interval = SimDuration.microseconds(Int64(units) * 1_250)
    let passed = (instant - last + interval / 2) / interval
    guard passed >= 1 else { return }
    let distance = instant - last - interval * passed
    guard max(distance, .zero - distance) <= Self.anchorTolerance else { return }
    // Which events of a subrated link are in use, a time does not tell.
    if stats.link.air?.subrating == nil { stats.missedEvents += Int(clamping: passed - 1) }
    if passed == 1 {
      stats.anchorIntervals.record(instant - last)
      stats.intervalSeries.add((instant - last).nanoseconds, at: instant)
    }
  }

  /// What this PDU says about the last one of the other end.
  ///
  /// The peripheral answers the central's PDU only within the event: in the next one, the central has sent again. The
  /// central speaks of the peripheral's whenever it sends next.
  private mutating func judge(
    by fields: LL.DataHeader, fromCentral: Bool, at instant: SimInstant, _ stats: LinkStats
  ) {
    if fromCentral {
      let lost = stats.peripheral.unacknowledged
      if let cut, peripheral.isPending {
        Self.judge(&peripheral, by: fields, at: instant, &stats.peripheral)
        if stats.peripheral.unacknowledged == lost { stats.cutEvents.record(cut) }
      } else {
        Self.judge(&peripheral, by: fields, at: instant, &stats.peripheral)
      }
      cut = nil
    } else {
      Self.judge(&central, by: fields, at: instant, &stats.central)
    }
  }

  private static func judge(
    _ end: inout End, by fields: LL.DataHeader, at instant: SimInstant, _ direction: inout DirectionStats
  ) {
    guard end.isPending, let sequenceNumber = end.sequenceNumber else { return }
    end.isPending = false
    direction.judged += 1
    guard fields.nesn != sequenceNumber else { return direction.unacknowledged += 1 }
    if let first = end.firstSent { direction.acknowledgementTimes.record(instant - first) }
    end.firstSent = nil
  }

  private mutating func count(
    _ fields: LL.DataHeader, _ header: AirHeader, fromCentral: Bool, at instant: SimInstant, _ stats: LinkStats
  ) {
    if fromCentral {
      // The first PDU after an event that the peripheral left out says again what nobody listened to.
      let isInLatency = mayHaveSlept && central.sent == 0
      // With the next sequence number: the peripheral did answer, and the sniffer missed it.
      if let last = central.sequenceNumber, last != fields.sn { silentEvents = 0 }
      Self.count(
        &central, other: peripheral.nextExpected, fields, header, isInLatency: isInLatency, at: instant, &stats.central)
    } else {
      Self.count(
        &peripheral, other: central.nextExpected, fields, header, isInLatency: false, at: instant, &stats.peripheral)
    }
  }

  private static func count(
    _ end: inout End, other: Bool?, _ fields: LL.DataHeader, _ header: AirHeader, isInLatency: Bool,
    at instant: SimInstant, _ direction: inout DirectionStats
  ) {
    let isRepeat = end.sequenceNumber == fields.sn
    let hasData = fields.length > 0 && fields.llid != .control
    direction.pdus += 1
    if fields.length == 0 { direction.emptyPDUs += 1 }
    if header.isCRCValid == false { direction.corrupted += 1 }
    if isRepeat {
      direction.repeats += 1
      if isInLatency { direction.repeatsInLatency += 1 } else { direction.repeatSeries.add(1, at: instant) }
    } else if hasData {
      direction.packets += 1
      direction.packetOctets += Int64(fields.length)
      end.packets += 1
    }
    if let last = end.lastSent { direction.longestSilence = max(direction.longestSilence, instant - last) }
    if let level = header.signalPower { direction.record(level, at: instant) }
    if !isRepeat { end.firstSent = hasData ? instant : nil }
    end.sequenceNumber = fields.sn
    // For a PDU that the other end has already, it cannot say whether this copy came.
    end.isPending = other == nil || other == fields.sn
    end.nextExpected = fields.nesn
    end.moreData = fields.moreData
    end.sent += 1
    end.lastSent = instant
  }
}
