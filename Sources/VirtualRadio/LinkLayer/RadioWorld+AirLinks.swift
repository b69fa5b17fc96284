import BluetoothWire
import SimKernel

/// Links of which a program is one end: our end listens for it, and takes what comes in time (ADR 0044).
///
/// The absent end of the link holds what the program has on the air. Our end keeps the link layer's rules; the program
/// has to keep them itself: hopping, acknowledgement, procedures, encryption.
extension RadioWorld {
  /// Which end of a new link is a program's.
  func noteProgram(_ c: Connection) {
    guard hasAirSeats else { return }
    for end in [c.central, c.peripheral] where !end.isPresent {
      guard let seat = airSeat(end.radio.index) else { continue }
      c.programEnd = end.role
      seat.links.removeAll { !$0.central.isPresent && !$0.peripheral.isPresent }
      seat.links.append(c)
    }
  }

  /// Our end listens for a PDU of the program that begins between two instants.
  private func listen(_ c: Connection, from start: SimInstant, to end: SimInstant) {
    let detection = Self.detection(c.programEnd == .central ? c.centralPHY : c.peripheralPHY)
    c.listensFrom = start
    c.listensTo = end
    let own = c.programEnd == .central ? c.peripheral : c.central
    own.radio.busyUntil = end + detection
    c.handle = schedule(.airLinkSilence, c.index, at: max(timeline.now, end + detection))
  }

  /// T_IFS after the PDU of our end, the program may go on.
  func awaitProgram(_ c: Connection) {
    let due = c.pduEnd + Self.interFrameSpace
    listen(c, from: due - Self.interFrameTolerance, to: due + Self.interFrameTolerance)
  }

  /// The peripheral's window for the first PDU of a program that is the central (Vol 6, Part B, 4.2.4, 4.5.3).
  func awaitAnchor(_ c: Connection) {
    let window = programWindow(c)
    listen(c, from: window.from, to: window.to)
  }

  private func programWindow(_ c: Connection) -> (from: SimInstant, to: SimInstant) {
    let missed = Int64(c.eventNumber - c.peripheral.heardEvent)
    let widening = windowWidening(c, events: missed)
    let expected = c.peripheral.heardAnchor + c.peripheralStep * missed
    return (expected - widening, expected + c.firstWindow + widening)
  }

  /// The program has not sent anything in time.
  func airLinkSilence(_ c: Connection) {
    c.handle = nil
    let isFirst = c.programEnd == .central && c.exchanges == 0
    c.listensTo = .zero
    let end = c.programEnd == .central ? c.peripheral : c.central
    end.radio.busyUntil = min(end.radio.busyUntil, timeline.now)
    if isFirst { enterSilentWindow(c, at: c.anchor) }
    if c.programEnd == .central { c.peripheralListens = false }
    closeEvent(c)
  }

  // MARK: PDUs of the program

  /// A PDU with another access address than that of advertising begins.
  func startOnLink(_ sending: AirSending, _ seat: AirSeat) {
    guard let c = seat.links.first(where: { $0.accessAddress == sending.packet.accessAddress && isOpen($0) }) else {
      return startOfTrain(sending, seat)
    }
    openEarly(c, sending)
    let phy = c.programEnd == .central ? c.centralPHY : c.peripheralPHY
    guard c.listensFrom <= sending.start, sending.start <= c.listensTo, sending.phy.phy == phy.phy,
      Int(LL.rfChannel(dataChannelIndex: sending.channelIndex)) == c.rfChannel
    else { return }
    if let handle = c.handle { timeline.cancel(handle) }
    c.handle = nil
    c.listensTo = .zero
    c.pduStart = sending.start
    c.pduEnd = sending.end
    if c.programEnd == .central {
      if c.exchanges == 0 { c.anchor = sending.start }
      c.exchangeStart = sending.start
      c.setCoding(of: c.central, sending.phy)
    } else {
      c.setCoding(of: c.peripheral, sending.phy)
    }
    let own = c.programEnd == .central ? c.peripheral : c.central
    own.radio.busyUntil = sending.end
    sending.part = .link(c)
  }

  private func isOpen(_ c: Connection) -> Bool { c.central.isPresent || c.peripheral.isPresent }

  /// The window of the peripheral opens before the anchor that it expects, and steps come last at an instant.
  private func openEarly(_ c: Connection, _ sending: AirSending) {
    guard c.programEnd == .central, c.listensTo == .zero, let handle = c.handle, c.anchor >= sending.start,
      programWindow(c).from <= sending.start
    else { return }
    timeline.cancel(handle)
    exchange(c, .anchor)
  }

  /// A PDU of the program on a link is over: our end takes it, and goes on.
  func endOnLink(_ sending: AirSending, _ c: Connection, _ seat: AirSeat) {
    let isCentral = c.programEnd == .central
    let (sender, receiver) = isCentral ? (c.central, c.peripheral) : (c.peripheral, c.central)
    let header = LinkHeader(of: sending.packet.pdu)
    _ = sender.land()
    let payload = Array(sending.packet.pdu.dropFirst(2))
    sender.launch(OutgoingPDU(kind: header.kind, octets: payload.isEmpty ? nil : payload))
    if isCentral { c.centralHeader = header } else { c.peripheralHeader = header }
    guard receiver.isPresent, receiver.radio.isOn else {
      traceData(
        c, from: sender, to: receiver, header: header, fate: .unheard, heard: false, loss: .receiverGone)
      return closeEvent(c)
    }
    var fate = judge(c, from: sender, to: receiver)
    let isSound = sending.packet.flags & 1 == 0 && sending.packet.crcInit == c.crcInit
    if fate == .received, !isSound { fate = .corrupted }
    traceData(c, from: sender, to: receiver, header: header, fate: fate, heard: true, hasRightCRC: isSound)
    if isCentral { takeFromCentral(c, fate) } else { finishExchange(c, fate) }
    if fate == .received, isCentral, header.kind == .control { takeInstant(c, payload) }
    guard let next = c.nextStep else { return }
    c.nextStep = nil
    c.handle = scheduleStep(next, c, at: c.pduEnd)
  }

  /// What a program that is the central announces for an instant happens then; our centrals see to that themselves.
  private func takeInstant(_ c: Connection, _ payload: [UInt8]) {
    guard case .ofPeripheralAlone? = c.pending?.change, c.peripheral.security == nil,
      let pdu = try? LL.ControlPDU(decoding: payload), let instant = c.pending?.instant
    else { return }
    let change: PendingInstant.Change
    switch pdu {
    case .channelMapInd(let map, instant): change = .channelMap(map)
    case .connectionUpdateInd(let windowSize, let windowOffset, let interval, let latency, let timeout, instant):
      let parameters = HCI.ConnectionParameters(
        intervalMinimum: interval, intervalMaximum: interval, peripheralLatency: latency, supervisionTimeout: timeout)
      guard parameters.areValid, windowSize >= 1, windowSize <= min(8, interval - 1), windowOffset <= interval else {
        return
      }
      change = .parameters(
        windowSize: windowSize, windowOffset: windowOffset, interval: interval, latency: latency, timeout: timeout,
        eventLength: 0)
    default: return
    }
    c.pending = PendingInstant(change: change, instant: instant, isKnownToPeripheral: true)
  }
}

extension LinkHeader {
  /// The header of a PDU as it was on the air.
  init(of pdu: [UInt8]) {
    let header = LL.DataHeader(pdu[0], pdu[1])
    self.init(
      kind: OutgoingPDU.Kind(llid: pdu[0]), length: Int(header.length), sequenceNumber: header.sn,
      nextExpected: header.nesn, moreData: header.moreData)
  }
}

extension Connection {
  /// On LE Coded a PDU says itself how it is coded.
  func setCoding(of end: LinkEnd, _ phy: LL.AirPHY) {
    guard phy.isCoded else { return }
    if end.role == .central { centralPHY = phy } else { peripheralPHY = phy }
  }
}
