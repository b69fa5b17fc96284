import BluetoothWire
import SimKernel

/// Skipping idle connection events.
///
/// A link is parked when its next events cannot differ from one another: both queues empty, nothing pending, nothing
/// missed, no other link of either radio that comes in its way, and no loss that is known to come (`foresee`). A parked
/// link has no event in the queue; its anchors are a formula. Whatever could touch it (data, a procedure, another use
/// of a radio at that time, a PDU on its channel, a fault) wakes it, in the middle of an exchange if need be, in the
/// state that stepping would have reached.
extension RadioWorld {
  /// Air time of an idle exchange on the PHYs of a link.
  func idleSpan(_ c: Connection) -> SimDuration { idleCentral(c) + Self.interFrameSpace + idlePeripheral(c) }
  func idleCentral(_ c: Connection) -> SimDuration {
    SimDuration(nanoseconds: LL.airTime(payloadLength: 0, phy: c.centralPHY))
  }
  private func idlePeripheral(_ c: Connection) -> SimDuration {
    SimDuration(nanoseconds: LL.airTime(payloadLength: 0, phy: c.peripheralPHY))
  }

  /// Parks a link whose next anchor has just been fixed; false when it must be stepped.
  func park(_ c: Connection) -> Bool {
    assert(!c.isParked && c.handle == nil, "a link is parked once, after its event")
    // An exchange that has lasted beyond the next anchor makes the next event late, which the formula does not know.
    guard c.anchor >= max(timeline.now, secondaryUntil), c.eventNumber >= c.noParkingBefore, isIdle(c) else {
      return false
    }
    guard let safeUntil = safeUntil(c) else {
      c.noParkingBefore = c.eventNumber + 64
      return false
    }
    c.parkedAnchor = c.anchor
    c.silentFrom = .distantFuture
    c.silentUntil = c.anchor
    c.skipsEntered = 0
    c.safeUntil = safeUntil
    guard beginForesight(c) else { return false }
    c.isParked = true
    c.handle = nil
    if linksMayCollide { parked.append(c) }
    scheduleParkEnd(c)
    return true
  }

  private func scheduleParkEnd(_ c: Connection) {
    assert(c.parkEnd == nil, "a parked link has one end in the queue")
    let end = min(c.safeUntil, foreseenEnd(c))
    if end != .distantFuture { c.parkEnd = scheduleStep(.parkEnd, c, at: end) }
  }

  /// A link can be skipped no further, or only after another look ahead.
  func parkEnds(_ c: Connection) {
    c.parkEnd = nil
    if timeline.now < c.safeUntil, foresee(c) {
      scheduleParkEnd(c)
    } else {
      unpark(c)
    }
  }

  private func isIdle(_ c: Connection) -> Bool {
    let central = c.central
    let peripheral = c.peripheral
    lookAtLevels(c)
    return central.inFlight == nil && (peripheral.inFlight?.isEmpty ?? false) && !central.hasTraffic
      && !peripheral.hasTraffic && central.misses == 0 && peripheral.misses == 0 && c.pending == nil && !c.isSubrated
      && central.subrating.latency == 0 && peripheral.subrating.latency == 0
      && central.isPresent && peripheral.isPresent && central.isEstablished && peripheral.isEstablished
      && abs((c.step - c.peripheralStep).nanoseconds) <= windowWidening(c, events: 1).nanoseconds
      && central.radio.isOn && peripheral.radio.isOn && !c.peripheralLost && central.terminatedByPeer == nil
      && peripheral.terminatedByPeer == nil
      && c.coveredUntil <= c.anchor
      && central.radio.streams.isEmpty && peripheral.radio.streams.isEmpty && !central.managesPower
      && !peripheral.managesPower && !reportsChannels(c)
      && c.levelAtPeripheral >= medium.sensitivity(of: peripheral.radio.index, c.centralPHY)
      && c.levelAtCentral >= medium.sensitivity(of: central.radio.index, c.peripheralPHY)
  }

  /// Until when no other link of either radio can come in the way; nil when that is too soon to be worth it.
  private func safeUntil(_ c: Connection) -> SimInstant? {
    guard let one = safeUntil(c, at: c.central.radio), let other = safeUntil(c, at: c.peripheral.radio) else {
      return nil
    }
    return min(one, other)
  }

  private func safeUntil(_ c: Connection, at radio: Radio) -> SimInstant? {
    var earliest = SimInstant.distantFuture
    for place in 0..<radio.links.count {
      guard let until = radio.links.with(place, { $0 === c ? .distantFuture : apart(c, $0) }) else { return nil }
      earliest = min(earliest, until)
    }
    return earliest
  }

  /// Until when the anchors of two links stay further apart than an idle exchange lasts.
  func apart(_ a: Connection, _ b: Connection) -> SimInstant? {
    // A claim assumes an exchange on LE 1M, whatever the PHY is.
    let claimed = Self.emptyAirTime * 2 + Self.interFrameSpace
    let guardTime = max(idleSpan(a), idleSpan(b), claimed).nanoseconds + 50_000
    // The anchor at which a link was parked may be long ago, and its clock has drifted since.
    let mine = a.isParked ? nextParkedAnchor(a, after: timeline.now) : a.anchor
    let next = b.isParked ? nextParkedAnchor(b, after: timeline.now) : b.anchor
    // Anchors lie on the grid of the intervals' common divisor, and clocks that differ move one grid along the other.
    var (divisor, rest) = (a.interval.nanoseconds, b.interval.nanoseconds)
    if divisor != rest {
      while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    }
    let phase = modulo((next - mine).nanoseconds, divisor)
    let room = min(phase - guardTime, divisor - guardTime - phase)
    if room < 0 { return nil }
    let drift = abs(a.partsPerBillion - b.partsPerBillion)
    if drift == 0, a.step == a.interval || a.step == b.step { return .distantFuture }
    // One part per billion more, because both rates were rounded.
    let time = SimDuration(nanoseconds: min(room, 1_000_000_000) * 1_000_000_000 / (drift + 2))
    return time > (a.step + b.step) * 64 ? timeline.now + (time - a.step - b.step) : nil
  }

  private func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }

  /// The first anchor of a parked link that is not before `instant`.
  func nextParkedAnchor(_ c: Connection, after instant: SimInstant) -> SimInstant {
    let elapsed = (instant - c.parkedAnchor).nanoseconds
    if elapsed <= 0 { return c.parkedAnchor }
    if instant <= c.silentUntil, instant > c.silentUntil - c.step { return c.silentUntil }
    let events = (elapsed + c.step.nanoseconds - 1) / c.step.nanoseconds
    return c.parkedAnchor + c.step * events
  }

  /// Whether a parked link is on the air at any time within `start ..< end`.
  func isOnAir(parked c: Connection, from start: SimInstant, to end: SimInstant) -> Bool {
    if start >= c.silentFrom, end <= c.silentUntil { return false }
    let elapsed = (end - c.parkedAnchor).nanoseconds - 1
    if elapsed < 0 { return false }
    let last = c.parkedAnchor + c.step * (elapsed / c.step.nanoseconds)
    if last + idleSpan(c) > start { return true }
    c.silentFrom = last + idleSpan(c)
    c.silentUntil = last + c.step
    return false
  }

  /// Wakes a parked link if it would be on the air within `start ..< end`.
  func wake(_ c: Connection, from start: SimInstant, to end: SimInstant) {
    if isOnAir(parked: c, from: start, to: end) { unpark(c) }
  }

  func wakeParked(on radio: Radio, except c: Connection?, from start: SimInstant, to end: SimInstant) {
    if radio.links.count <= (c == nil ? 0 : 1) { return }
    for index in 0..<radio.links.count {
      radio.links.with(index) { if $0 !== c, $0.isParked { wake($0, from: start, to: end) } }
    }
  }

  /// Wakes the other links at a radio that would be on the air from now to `instant`.
  @inline(never)
  func wakeNeighbours(_ c: Connection, at end: LinkEnd, to instant: SimInstant) {
    wakeParked(on: end.radio, except: c, from: timeline.now, to: instant)
  }

  func unparkAll(on radio: Radio) {
    for link in radio.links {
      if link.isParked { unpark(link) }
      link.noParkingBefore = link.eventNumber
    }
  }

  /// PDUs of an end of a parked link that are over and not in its counts yet.
  func skippedPDUs(_ c: Connection, of end: LinkEnd) -> Int64 {
    stepsDone(c, end.role == .central ? idleCentral(c) : idleSpan(c))
  }

  /// In how many events of a parked link the step has been done by now that comes `offset` after the anchor.
  private func stepsDone(_ c: Connection, _ offset: SimDuration) -> Int64 {
    let elapsed = (timeline.now - c.parkedAnchor - offset).nanoseconds
    if elapsed < 0 { return 0 }
    let count = elapsed / c.step.nanoseconds
    return isDone(c, at: c.parkedAnchor + c.step * count + offset) ? count + 1 : count
  }

  /// Whether a step of a link at an instant has been done by now. One of this very instant has been done if it would
  /// have had its turn (`scheduleStep`).
  private func isDone(_ c: Connection, at instant: SimInstant) -> Bool {
    instant < timeline.now || instant == timeline.now && timeline.hasPassed(turn: UInt32(c.index))
  }

  /// Brings a parked link to the state that stepping would have reached now.
  func unpark(_ c: Connection) {
    guard c.isParked else { return }
    assert(c.handle == nil, "a parked link has no step in the queue")
    c.isParked = false
    if linksMayCollide { parked.remove(c) }
    if let handle = c.parkEnd {
      timeline.cancel(handle)
      c.parkEnd = nil
    }
    account(c, skipped: stepsDone(c, idleSpan(c)))
    guard isDone(c, at: c.anchor) else {
      c.handle = scheduleStep(.anchor, c, at: c.anchor)
      return
    }
    resume(c)
  }

  /// Takes whole idle events into the state of both ends.
  private func account(_ c: Connection, skipped events: Int64) {
    guard events > 0 else { return }
    assert((medium.isLossless && !linksMayCollide) || events <= c.foreseen, "skipped events were foreseen")
    enterSkipped(c, until: events)
    statistics.connectionEvents += Int(events)
    statistics.skippedConnectionEvents += Int(events)
    statistics.pdusSent += 2 * Int(events)
    c.central.judgedPDUs += Int(events)
    c.peripheral.judgedPDUs += Int(events)
    if assessesChannels(of: c) { c.assessment.pass(Int(events), used: c.channelMap.bits) }
    let last = c.parkedAnchor + c.step * (events - 1)
    assert(last + idleSpan(c) <= timeline.now, "skipped events are over")
    c.anchor = c.parkedAnchor + c.step * events
    c.peripheral.heardAnchor = last
    c.peripheral.heardEvent = c.eventNumber + UInt64(events) - 1
    c.peripheral.lastValid = last + idleCentral(c)
    c.central.lastValid = last + idleSpan(c)
    c.central.lastServed = last
    c.peripheral.lastServed = last
    // A PDU may be on the air that began before this exchange was over: its listeners were busy.
    occupy(c.central.radio, until: last + idleSpan(c))
    occupy(c.peripheral.radio, until: last + idleSpan(c))
    c.eventNumber += UInt64(events)
    if !c.usesChannelSelection2 {
      var hop = c.hop
      _ = hop.next(map: c.channelMap, by: Int(events))
      c.hop = hop
    }
    if events & 1 == 1 {
      toggle(c.central)
      toggle(c.peripheral)
    }
  }

  private func occupy(_ radio: Radio, until instant: SimInstant) {
    if radio.busyUntil < instant { radio.busyUntil = instant }
  }

  private func toggle(_ end: LinkEnd) {
    end.sequenceNumber.toggle()
    end.nextExpected.toggle()
  }

  /// Re-creates the idle exchange that is on the air now.
  private func resume(_ c: Connection) {
    statistics.connectionEvents += 1
    beginEvent(c)
    planWindow(c, anchor: c.anchor)
    c.exchangeStart = c.anchor
    c.central.lastServed = c.anchor
    c.peripheral.lastServed = c.anchor
    c.peripheralListens = true
    c.centralListens = true
    let anchor = c.anchor
    let centralEnd = anchor + idleCentral(c)
    c.centralHeader = LinkHeader(
      sequenceNumber: c.central.sequenceNumber, nextExpected: c.central.nextExpected)
    c.central.launchEmpty()
    statistics.pdusSent += 1
    guard isDone(c, at: centralEnd) else {
      c.pduStart = anchor
      c.pduEnd = centralEnd
      c.central.radio.busyUntil = centralEnd + Self.interFrameSpace + Self.detection(c.peripheralPHY)
      c.peripheral.radio.busyUntil = centralEnd
      medium.register(radio: c.central.radio.index, channel: c.rfChannel, start: anchor, end: centralEnd)
      c.handle = scheduleStep(.centralEnd, c, at: centralEnd)
      return
    }
    // The peripheral has heard the central, acknowledged, and chosen its empty PDU.
    c.central.judgedPDUs += 1
    let peripheral = c.peripheral
    peripheral.heardAnchor = anchor
    peripheral.heardEvent = c.eventNumber
    peripheral.lastValid = centralEnd
    peripheral.sequenceNumber.toggle()
    peripheral.nextExpected.toggle()
    peripheral.launchEmpty()
    c.peripheralHeader = LinkHeader(
      sequenceNumber: peripheral.sequenceNumber, nextExpected: peripheral.nextExpected)
    c.pduStart = centralEnd + Self.interFrameSpace
    c.pduEnd = c.pduStart + idlePeripheral(c)
    statistics.pdusSent += 1
    peripheral.radio.busyUntil = c.pduEnd
    c.central.radio.busyUntil = c.pduEnd
    medium.register(radio: peripheral.radio.index, channel: c.rfChannel, start: c.pduStart, end: c.pduEnd)
    c.handle = scheduleStep(.peripheralEnd, c, at: c.pduEnd)
  }
}
