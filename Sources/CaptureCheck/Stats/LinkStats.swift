public import BluetoothWire
public import SimKernel

/// What was measured of one connection.
public final class LinkStats {
  /// A connection interval that came into force.
  public struct IntervalChange: Hashable, Sendable {
    public var instant: SimInstant
    /// Units of 1.25 ms.
    public var interval: UInt16
  }

  public static let changeLimit = 1_024
  /// ACL packets whose completion is waited for; a controller has fewer buffers.
  private static let outstandingLimit = 1_024

  public let link: TrafficLink
  public internal(set) var central = DirectionStats()
  public internal(set) var peripheral = DirectionStats()
  /// The first intervals that were in force, at most `changeLimit`.
  public internal(set) var intervals: [IntervalChange] = []
  public internal(set) var endReason: HCI.ErrorCode?
  /// The last instant at which something of it was seen.
  public internal(set) var lastSeen: SimInstant
  public internal(set) var gaps = 0
  public internal(set) var usedChannelSelection2: Bool?

  // On the air only.
  public internal(set) var connectionEvents = 0
  /// From anchor to anchor of neighbouring events, nanoseconds.
  public internal(set) var anchorIntervals = Histogram()
  /// The same over time; the mean of a slot is its sum over its count.
  public internal(set) var intervalSeries = StatsSeries()
  /// Events that passed between two anchors without a PDU of the central.
  public internal(set) var missedEvents = 0
  /// What an end said in LL_LENGTH_REQ or LL_LENGTH_RSP that it can receive, octets; 27 when it refused to.
  public internal(set) var centralDataLength: Int?
  public internal(set) var peripheralDataLength: Int?
  /// Exchanges of events that ended in their first half though an end had said that it had more.
  public internal(set) var cutEvents = Histogram()
  /// The central asked for LE 2M.
  public internal(set) var centralAskedFor2M = false
  /// What the ends say of their controllers.
  public internal(set) var centralIdentity = EndIdentity()
  public internal(set) var peripheralIdentity = EndIdentity()
  var timing = AirTiming()

  /// ATT requests and indications that wait for their answer, by who sent them.
  private var centralRequest: SimInstant?
  private var peripheralRequest: SimInstant?
  private var centralIndication: SimInstant?
  private var peripheralIndication: SimInstant?
  private var centralValue: SimInstant?
  private var peripheralValue: SimInstant?
  private var outstanding = Fifo<SimInstant>()
  private var burst: (count: Int64, last: SimInstant)?

  /// As the connection began, when the capture shows it.
  public let initialLatency: UInt16?
  public let initialTimeout: UInt16?

  init(_ link: TrafficLink) {
    self.link = link
    initialLatency = link.isFromStart ? link.peripheralLatency : nil
    initialTimeout = link.isFromStart ? link.supervisionTimeout : nil
    lastSeen = link.openedAt
  }

  public var isOnAir: Bool { link.handle == nil }

  public var duration: SimDuration { max(link.closedAt ?? lastSeen, lastSeen) - link.openedAt }

  public func sent(byCentral: Bool) -> DirectionStats { byCentral ? central : peripheral }

  /// What of the supervision timeout was left in the longest silence of either end; nil from HCI, which does not show
  /// empty PDUs, and when the timeout is not known.
  public var supervisionMargin: SimDuration? {
    guard isOnAir, let timeout = link.supervisionTimeout, central.pdus > 1, peripheral.pdus > 1 else { return nil }
    return .milliseconds(Int64(timeout) * 10) - max(central.longestSilence, peripheral.longestSilence)
  }

  /// Whether the captured host sends what goes in a direction; nil on the air.
  func isSentByHost(fromCentral: Bool) -> Bool? {
    switch link.viewpoint {
    case .air: nil
    case .host(.peripheral): !fromCentral
    case .host(.central), .hostOfUnknownRole: fromCentral
    }
  }

  private func change(_ fromCentral: Bool, _ body: (inout DirectionStats) -> Void) {
    if fromCentral { body(&central) } else { body(&peripheral) }
  }

  func change(identityOfCentral isCentral: Bool, _ body: (inout EndIdentity) -> Void) {
    if isCentral { body(&centralIdentity) } else { body(&peripheralIdentity) }
  }

  /// What the captured controller measured of its peer.
  func record(levelOfPeer level: Int8, at instant: SimInstant) {
    guard let isCentral = isPeerCentral else { return }
    change(isCentral) { $0.record(level, at: instant) }
  }

  /// Whether the end that is not captured is the central; nil on the air.
  var isPeerCentral: Bool? { isSentByHost(fromCentral: true).map { !$0 } }

  func changed(interval: UInt16?, at instant: SimInstant) {
    guard let interval, intervals.last?.interval != interval, intervals.count < Self.changeLimit else { return }
    intervals.append(IntervalChange(instant: instant, interval: interval))
  }

  // MARK: ATT and L2CAP

  func readATT(_ octets: ArraySlice<UInt8>, fromCentral: Bool, at instant: SimInstant) {
    countFrame(octets.count, fromCentral: fromCentral, at: instant)
    guard let opcode = octets.first else { return }
    change(fromCentral) {
      $0.attPDUs += 1
      $0.attOctets += octets.count
    }
    switch opcode {
    case 0x1B, 0x23: readValue(fromCentral, at: instant)
    case 0x1D:
      readValue(fromCentral, at: instant)
      if fromCentral { centralIndication = instant } else { peripheralIndication = instant }
    case 0x1E:
      let begun = fromCentral ? peripheralIndication : centralIndication
      answer(begun, fromCentral: fromCentral, at: instant) { $0.confirmationTimes.record($1) }
      if fromCentral { peripheralIndication = nil } else { centralIndication = nil }
    case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20:
      if fromCentral { centralRequest = instant } else { peripheralRequest = instant }
    case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x21:
      let begun = fromCentral ? peripheralRequest : centralRequest
      answer(begun, fromCentral: fromCentral, at: instant) { $0.requestTimes.record($1) }
      if fromCentral { peripheralRequest = nil } else { centralRequest = nil }
    default: break
    }
  }

  /// An answer, and when what it answers was seen. At the HCI of the end that answers, only its own time shows.
  private func answer(
    _ begun: SimInstant?, fromCentral: Bool, at instant: SimInstant,
    _ record: (inout DirectionStats, SimDuration) -> Void
  ) {
    guard let begun, instant >= begun else { return }
    if isSentByHost(fromCentral: fromCentral) == true {
      change(fromCentral) { $0.answerTimes.record(instant - begun) }
    } else {
      change(!fromCentral) { record(&$0, instant - begun) }
    }
  }

  private func readValue(_ fromCentral: Bool, at instant: SimInstant) {
    let last = fromCentral ? centralValue : peripheralValue
    if fromCentral { centralValue = instant } else { peripheralValue = instant }
    change(fromCentral) {
      $0.values += 1
      if let last, instant >= last { $0.valueGaps.record(instant - last) }
    }
  }

  func countFrame(_ octets: Int, fromCentral: Bool, at instant: SimInstant) {
    change(fromCentral) {
      $0.frames += 1
      $0.frameOctets += Int64(octets)
      $0.throughput.add(Int64(octets), at: instant)
    }
  }

  // MARK: HCI

  func readACL(_ octets: Int, fromCentral: Bool, at instant: SimInstant) {
    change(fromCentral) {
      $0.packets += 1
      $0.packetOctets += Int64(octets)
    }
    if isSentByHost(fromCentral: fromCentral) == true {
      if outstanding.count < Self.outstandingLimit { outstanding.append(instant) }
    } else {
      extendBurst(fromCentral, at: instant)
    }
  }

  /// Packets whose distance is less than half an interval came in one event, as far as HCI can tell.
  private func extendBurst(_ fromCentral: Bool, at instant: SimInstant) {
    let limit = SimDuration.microseconds(Int64(link.interval ?? 6) * 625)
    if let last = burst, instant - last.last < limit {
      burst = (last.count + 1, instant)
    } else {
      endBurst(fromCentral)
      burst = (1, instant)
    }
  }

  private func endBurst(_ fromCentral: Bool) {
    if let burst { change(fromCentral) { $0.packetsPerEvent.record(burst.count) } }
    burst = nil
  }

  /// Number Of Completed Packets said so many of this connection.
  func complete(_ count: Int, at instant: SimInstant) {
    guard count > 0, let fromCentral = [true, false].first(where: { isSentByHost(fromCentral: $0) == true }) else {
      return
    }
    change(fromCentral) { $0.packetsPerEvent.record(Int64(count)) }
    for _ in 0..<min(count, Self.outstandingLimit) {
      guard let sent = outstanding.popFirst() else { return }
      if instant >= sent { change(fromCentral) { $0.completionTimes.record(instant - sent) } }
    }
  }

  var outstandingPackets: Int { outstanding.count }

  func finish() {
    if isOnAir {
      timing.endEvent(self)
    } else if let received = [true, false].first(where: { isSentByHost(fromCentral: $0) == false }) {
      endBurst(received)
    }
  }
}
