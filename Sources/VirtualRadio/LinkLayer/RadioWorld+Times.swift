import BluetoothWire
import SimKernel

/// Keeps the books on when radios are on. An exchange of a connection event is entered when it is over, as a whole and
/// at both ends, so that skipped exchanges can be entered in the same way.
extension RadioWorld {
  /// How long a radio was on since the start; exact after `settle`.
  public func radioTimes(of device: Int) -> RadioTimes {
    var times = radios[device].meter.times(at: timeline.now)
    // A scan that ends within the last 190 µs of something else has lost them twice.
    times.scan = max(.zero, times.scan)
    return times
  }

  /// What a radio is tuned to has changed, or whether it is on: what its parked links did so far was done while the old
  /// tuning held.
  func retune(_ radio: Radio) {
    let tuning = radio.isOn ? radio.scanner.tunings : ScanTunings()
    if radio.meter.scansAs(tuning) { return }
    for link in radio.links where link.isParked { enterSkipped(link, until: completedSkips(link)) }
    radio.meter.tune(tuning, at: timeline.now)
  }

  /// The peripheral listened for the central and heard nothing.
  func enterSilentWindow(_ c: Connection, at anchor: SimInstant) {
    let start = anchor - c.peripheralLead
    c.peripheral.radio.meter.add(
      transmit: .zero, receive: c.peripheralWindow, from: start, to: start + c.peripheralWindow)
  }

  /// The central's PDU was answered by nobody.
  /// - Parameter heard: what the peripheral listened to, if it did, without its window up to the PDU.
  func enterUnanswered(_ c: Connection, heard: Bool) {
    let end = c.pduEnd + Self.interFrameSpace + Self.detection(c.peripheralPHY)
    c.central.radio.meter.add(
      transmit: c.pduEnd - c.exchangeStart, receive: Self.detection(c.peripheralPHY), from: c.exchangeStart, to: end)
    guard c.peripheralListens else { return }
    if heard {
      c.peripheral.radio.meter.add(
        transmit: .zero, receive: c.peripheralLead + (c.pduEnd - c.exchangeStart),
        from: c.exchangeStart - c.peripheralLead, to: c.pduEnd)
    } else if c.exchanges == 0 {
      enterSilentWindow(c, at: c.exchangeStart)
    } else {
      c.peripheral.radio.meter.add(
        transmit: .zero, receive: Self.detection(c.centralPHY), from: c.exchangeStart,
        to: c.exchangeStart + Self.detection(c.centralPHY))
    }
  }

  /// Both PDUs of an exchange were sent.
  /// - Parameter heard: whether the central noticed the peripheral's.
  @inline(__always)
  func enterExchange(_ c: Connection, heard: Bool) {
    let first = c.pduStart - Self.interFrameSpace - c.exchangeStart
    let second = c.pduEnd - c.pduStart
    c.central.radio.meter.add(
      transmit: first, receive: heard ? second : Self.detection(c.peripheralPHY), from: c.exchangeStart, to: c.pduEnd)
    c.peripheral.radio.meter.add(
      transmit: second, receive: c.peripheralLead + first, from: c.exchangeStart - c.peripheralLead, to: c.pduEnd)
    c.peripheralLead = .zero
  }

  /// When the peripheral of a link begins to listen before the anchor of its next event, and for how long at most
  /// (Vol 6, Part B, 4.2.4): the window, and the preamble and access address of a PDU that begins at its end.
  func planWindow(_ c: Connection, anchor: SimInstant) {
    let missed = Int64(c.eventNumber - c.peripheral.heardEvent)
    let widening = windowWidening(c, events: missed)
    c.peripheralLead = widening + (anchor - (c.peripheral.heardAnchor + c.peripheralStep * missed))
    c.peripheralWindow = widening * 2 + c.firstWindow + Self.detection(c.centralPHY)
  }

  // MARK: Skipped events

  /// Events of a parked link that are over.
  private func completedSkips(_ c: Connection) -> Int64 { skippedPDUs(c, of: c.peripheral) }

  /// Enters the skipped events of a parked link from the first that was not entered up to a number of them.
  func enterSkipped(_ c: Connection, until count: Int64) {
    guard count > c.skipsEntered else { return }
    let first = SimDuration(nanoseconds: LL.airTime(payloadLength: 0, phy: c.centralPHY))
    let second = SimDuration(nanoseconds: LL.airTime(payloadLength: 0, phy: c.peripheralPHY))
    if c.skipsEntered == 0 {
      planWindow(c, anchor: c.parkedAnchor)
      enterIdle(c, first, second, at: c.parkedAnchor, count: 1)
      c.skipsEntered = 1
    }
    // From then on every anchor is heard at the same distance from the one before.
    c.peripheralLead = windowWidening(c, events: 1) + (c.step - c.peripheralStep)
    enterIdle(c, first, second, at: c.parkedAnchor + c.step * c.skipsEntered, count: count - c.skipsEntered)
    c.peripheralLead = .zero
    c.skipsEntered = count
  }

  private func enterIdle(
    _ c: Connection, _ first: SimDuration, _ second: SimDuration, at anchor: SimInstant, count: Int64
  ) {
    let end = anchor + first + Self.interFrameSpace + second
    c.central.radio.meter.add(transmit: first, receive: second, from: anchor, to: end, step: c.step, count: count)
    c.peripheral.radio.meter.add(
      transmit: second, receive: c.peripheralLead + first, from: anchor - c.peripheralLead, to: end, step: c.step,
      count: count)
  }
}
