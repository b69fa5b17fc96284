import BluetoothWire
import SimKernel

/// Connection events (Vol 6, Part B, 4.5): anchor, exchanges T_IFS apart, acknowledgement, closing.
///
/// Three steps in the queue for an event with one exchange: the anchor, the end of the central's PDU, the end of the
/// peripheral's. Each PDU is judged at its end.
extension RadioWorld {
  static let interFrameSpace = SimDuration(nanoseconds: LL.interFrameSpace)
  /// An empty PDU on 1M.
  static let emptyAirTime = SimDuration(nanoseconds: LL.airTime(payloadLength: 0, phy: .le1M))
  /// Preamble and access address on 1M, after which a receiver knows whether there is a transmitter.
  static let detection = SimDuration.microseconds(40)
  /// The same on LE Coded.
  private static let codedDetection = SimDuration(nanoseconds: LL.detectionTime(phy: .codedS8))

  /// The same on a PHY. Decision: on LE 2M as long as on LE 1M.
  static func detection(_ phy: LL.AirPHY) -> SimDuration { phy.isCoded ? codedDetection : detection }

  /// PDUs in a row with a bad CRC after which an end closes the event (Vol 6, Part B, 4.5.6).
  private static let badCRCLimit = 2

  /// One step of a connection event, and those after it as long as nothing else happens before them and no host has
  /// anything to hear. Where a step goes through the queue or not, it is the same step at the same instant.
  func exchange(_ c: Connection, _ first: Kind) {
    var step = first
    while true {
      c.nextStep = nil
      assert(!c.isParked && (c.central.isPresent || c.peripheral.isPresent), "a link with a step is there, and awake")
      switch step {
      case .anchor: anchor(c)
      case .centralEnd: centralEnd(c)
      default: peripheralEnd(c)
      }
      guard let next = c.nextStep else { return }
      guard !hasWaiting, timeline.runAhead(to: c.pduEnd, turn: UInt32(c.index)) else {
        c.handle = scheduleStep(next, c, at: c.pduEnd)
        return
      }
      step = next
    }
  }

  /// A connection event begins.
  private func anchor(_ c: Connection) {
    let now = timeline.now
    c.handle = nil
    if c.pending != nil, applyInstant(c) { return }
    if c.isSubrated, passes(c) { return }
    beginEvent(c)
    c.centralSleeps = c.isSubrated && !uses(c.central, c)
    statistics.connectionEvents += 1
    let span = firstExchange(c)
    let centralSends =
      c.central.isPresent && c.central.radio.isOn && !c.centralSleeps && claim(c.central, c, from: now, for: span)
    c.peripheralListens = peripheralOpens(c, now) && claim(c.peripheral, c, from: now, for: span)
    guard centralSends else {
      c.centralListens = false
      if c.programEnd == .central, c.peripheralListens { return awaitAnchor(c) }
      if c.peripheralListens {
        c.peripheralListens = false
        c.peripheral.radio.busyUntil = now + Self.detection(c.centralPHY)
        enterSilentWindow(c, at: now)
      }
      closeEvent(c)
      return
    }
    // Who takes a radio wakes its other links; a peripheral that has no part in the event takes none.
    if !c.peripheralListens { wakeParked(on: c.peripheral.radio, except: nil, from: now, to: now + span) }
    startCentralPDU(c, at: now)
  }

  /// What an event starts from, and its channel.
  func beginEvent(_ c: Connection) {
    c.exchanges = 0
    c.central.badCRCs = 0
    c.peripheral.badCRCs = 0
    c.hasFailed = false
    c.peripheralSleeps = false
    c.centralSleeps = false
    c.missesWindow = false
    c.rfChannel = Int(LL.rfChannel(dataChannelIndex: dataChannel(c)))
  }

  private func dataChannel(_ c: Connection) -> UInt8 {
    if c.usesChannelSelection2 {
      return LL.ChannelSelection2.channel(
        eventCounter: c.eventCounter, accessAddress: c.accessAddress, map: c.channelMap)
    }
    var hop = c.hop
    let index = hop.next(map: c.channelMap)
    c.hop = hop
    return index
  }

  /// How long the first exchange of the next event can last, with what is queued now.
  func firstExchange(_ c: Connection) -> SimDuration {
    airTime(of: c.central, c) + Self.interFrameSpace + airTime(of: c.peripheral, c)
  }

  /// Time on air of what an end would send next, at most.
  func airTime(of end: LinkEnd, _ c: Connection) -> SimDuration {
    let phy = c.transmitPHY(of: end)
    let isEmpty = !end.hasTraffic && end.inFlight?.isEmpty ?? true
    if isEmpty, !phy.isCoded { return Self.emptyAirTime }
    let longest = max(end.effectiveTx, end.radio.configuration.longestControlPDU)
    let length = isEmpty ? 0 : longest + end.micLength
    return SimDuration(nanoseconds: LL.airTime(payloadLength: length, phy: phy))
  }

  /// Whether the peripheral opens its receive window at this anchor.
  private func peripheralOpens(_ c: Connection, _ now: SimInstant) -> Bool {
    let end = c.peripheral
    guard end.isPresent, end.radio.isOn else { return false }
    if c.isSubrated, !uses(end, c) {
      c.peripheralSleeps = true
      return false
    }
    let latency = end.subrating.latency
    if latency > 0, !c.peripheralLost, end.skipped < latency, end.isEstablished, !end.hasTraffic, c.pending == nil,
      end.misses == 0, end.inFlight?.isEmpty ?? true, !c.isSubrated || end.subrating.events.contains(c.eventNumber)
    {
      end.skipped += 1
      c.peripheralSleeps = true
      return false
    }
    planWindow(c, anchor: now)
    if !c.peripheralLost, c.peripheralLead >= .zero,
      c.peripheralLead <= c.peripheralWindow - Self.detection(c.centralPHY)
    {
      return true
    }
    // It listens at the wrong time.
    c.missesWindow = !c.peripheralLost
    if end.radio.busyUntil <= now { enterSilentWindow(c, at: now) }
    return false
  }

  /// How much earlier and later than expected a peripheral listens that heard an anchor so many events ago
  /// (Vol 6, Part B, 4.2.4): what both clocks claim, and 16 µs.
  func windowWidening(_ c: Connection, events: Int64) -> SimDuration {
    SimDuration(nanoseconds: c.interval.nanoseconds / 1_000 * events * c.claimedAccuracy / 1_000 + 16_000)
  }

  private func startCentralPDU(_ c: Connection, at start: SimInstant) {
    let header = choosePDU(c.central, c)
    c.centralHeader = header
    let duration = SimDuration(nanoseconds: LL.airTime(payloadLength: header.length, phy: c.centralPHY))
    c.exchangeStart = start
    c.pduStart = start
    c.pduEnd = start + duration
    c.centralListens = true
    register(c, c.central, from: start)
    c.central.radio.busyUntil = c.pduEnd + Self.interFrameSpace + Self.detection(c.peripheralPHY)
    if c.peripheralListens { c.peripheral.radio.busyUntil = c.pduEnd }
    c.nextStep = .centralEnd
  }

  /// A PDU goes on the air, until `pduEnd`. Parked links that it may disturb, or be disturbed by, are woken.
  private func register(_ c: Connection, _ end: LinkEnd, from start: SimInstant) {
    if !parked.isEmpty { wakeDisturbed(by: c, from: start, to: c.pduEnd) }
    medium.register(
      radio: end.radio.index, channel: c.rfChannel, start: start, end: c.pduEnd, cut: end.power.cut)
  }

  /// The central's PDU is over: the peripheral acknowledges and answers, or was not there.
  private func centralEnd(_ c: Connection) {
    c.handle = nil
    guard c.peripheralListens, c.peripheral.radio.isOn, c.peripheral.isPresent else {
      statistics.pdusLost += 1
      if c.programEnd == .peripheral, c.central.isPresent {
        let fate = judge(c, from: c.central, to: c.peripheral)
        traceData(c, from: c.central, to: c.peripheral, header: c.centralHeader, fate: fate, heard: true)
        return awaitProgram(c)
      }
      let isThere = c.peripheral.radio.isOn && c.peripheral.isPresent
      traceData(
        c, from: c.central, to: c.peripheral, header: c.centralHeader, fate: .unheard, heard: false,
        loss: !isThere ? .receiverGone : c.missesWindow ? driftLoss(c) : .notListening)
      giveUp(c, heard: false)
      return
    }
    let fate = judge(c, from: c.central, to: c.peripheral)
    traceData(
      c, from: c.central, to: c.peripheral, header: c.centralHeader, fate: fate, heard: true,
      loss: overlongLoss(c.central, to: c.peripheral))
    takeFromCentral(c, fate)
  }

  /// The peripheral has listened to the central's PDU: it acknowledges and answers.
  func takeFromCentral(_ c: Connection, _ fate: Reception) {
    if fate == .unheard {
      giveUp(c, heard: false)
      return
    }
    if c.exchanges == 0 {
      c.peripheral.heardAnchor = c.pduStart
      c.peripheral.heardEvent = c.eventNumber
      c.peripheral.skipped = 0
      c.firstWindow = .zero
    }
    if fate == .received {
      c.peripheral.badCRCs = 0
      receive(c.peripheral, c, from: c.central, header: c.centralHeader)
    } else {
      c.peripheral.badCRCs += 1
    }
    if c.peripheral.badCRCs == Self.badCRCLimit || !c.peripheral.isPresent {
      giveUp(c, heard: true)
    } else {
      startPeripheralPDU(c)
    }
  }

  /// Nobody answers the central's PDU: its radio listens no longer, and the event is over.
  /// - Parameter heard: whether the peripheral listened to it.
  private func giveUp(_ c: Connection, heard: Bool) {
    enterUnanswered(c, heard: heard)
    c.central.radio.busyUntil = timeline.now
    closeEvent(c)
  }

  private func startPeripheralPDU(_ c: Connection) {
    let header = choosePDU(c.peripheral, c)
    c.peripheralHeader = header
    c.pduStart = c.pduEnd + Self.interFrameSpace
    c.pduEnd =
      c.pduStart + SimDuration(nanoseconds: LL.airTime(payloadLength: header.length, phy: c.peripheralPHY))
    register(c, c.peripheral, from: c.pduStart)
    c.peripheral.radio.busyUntil = c.pduEnd
    c.central.radio.busyUntil = c.pduEnd
    if !header.isEmpty {
      wakeNeighbours(c, at: c.peripheral, to: c.pduEnd)
      wakeNeighbours(c, at: c.central, to: c.pduEnd)
    }
    c.nextStep = .peripheralEnd
  }

  /// The peripheral's PDU is over: the central acknowledges, and the event goes on or closes.
  private func peripheralEnd(_ c: Connection) {
    c.handle = nil
    let hears = (c.central.isPresent || c.programEnd == .central) && c.central.radio.isOn
    let fate = hears && c.peripheral.radio.isOn ? judge(c, from: c.peripheral, to: c.central) : .unheard
    traceData(
      c, from: c.peripheral, to: c.central, header: c.peripheralHeader, fate: fate, heard: hears,
      loss: hears && c.peripheral.radio.isOn ? overlongLoss(c.peripheral, to: c.central) : .receiverGone)
    if c.programEnd == .central, c.peripheral.isPresent { return goOnWithProgram(c) }
    finishExchange(c, fate)
  }

  /// The peripheral has answered a program that is the central: it listens on if there is more.
  private func goOnWithProgram(_ c: Connection) {
    enterExchange(c, heard: true)
    c.exchanges += 1
    let isOver = c.peripheral.terminatedByPeer != nil || !peripheralExpectsMore(c)
    let next = timeline.now + Self.interFrameSpace + firstExchange(c)
    if isOver || next > c.anchor + c.step { return closeEvent(c) }
    awaitProgram(c)
  }

  /// The central has listened to the peripheral's PDU: it acknowledges, and the event goes on or closes.
  func finishExchange(_ c: Connection, _ fate: Reception) {
    enterExchange(c, heard: fate != .unheard)
    c.exchanges += 1
    if fate == .received {
      c.central.badCRCs = 0
      receive(c.central, c, from: c.peripheral, header: c.peripheralHeader)
    } else {
      c.central.badCRCs += fate == .corrupted ? 1 : 0
      c.hasFailed = true
    }
    if fate == .unheard || c.central.badCRCs == Self.badCRCLimit || !c.central.isPresent
      || c.peripheral.terminatedByPeer != nil || c.central.terminatedByPeer != nil || !goesOn(c)
    {
      closeEvent(c)
      return
    }
    c.peripheralListens = peripheralExpectsMore(c)
    startCentralPDU(c, at: c.pduEnd + Self.interFrameSpace)
  }

  /// Whether the peripheral listens on after its PDU: either MD bit is set, or it could not read the central's
  /// (Vol 6, Part B, 4.5.6, table 4.1).
  private func peripheralExpectsMore(_ c: Connection) -> Bool {
    c.peripheralHeader.moreData || c.centralHeader.moreData || c.peripheral.badCRCs > 0
  }

  /// Whether another exchange is wanted and fits before the next anchor of this link and of every other one on
  /// either radio. A central that could not read the peripheral's PDU asks for it again.
  private func goesOn(_ c: Connection) -> Bool {
    guard peripheralExpectsMore(c) || c.central.badCRCs > 0 else { return false }
    let now = timeline.now
    if c.exchanges >= c.maximumExchanges { return false }
    let end = now + Self.interFrameSpace + firstExchange(c)
    if end + Self.interFrameSpace > c.anchor + c.step || end - c.anchor > c.maximumLength { return false }
    return isFree(c.central.radio, except: c, until: end) && isFree(c.peripheral.radio, except: c, until: end)
  }

  /// Whether no other link of a radio has its anchor between now and `end`.
  func isFree(_ radio: Radio, except c: Connection?, until end: SimInstant) -> Bool {
    if radio.links.count <= (c == nil ? 0 : 1) { return true }
    let now = timeline.now
    return !radio.links.contains { other in
      if other === c { return false }
      let next = other.isParked ? nextParkedAnchor(other, after: now) : other.anchor
      return (other.isParked || other.handle != nil) && next >= now && next < end
    }
  }

  /// Asks the medium for the levels between the ends, if a device has moved since that was asked last.
  @inline(__always)
  func lookAtLevels(_ c: Connection) {
    if c.movesBefore != medium.moves { lookAtLevelsAgain(c) }
  }

  @inline(never)
  private func lookAtLevelsAgain(_ c: Connection) {
    c.movesBefore = medium.moves
    let (central, peripheral) = (c.central.radio.index, c.peripheral.radio.index)
    c.levelAtPeripheral = medium.level(from: central, to: peripheral) - c.central.power.cut
    c.levelAtCentral = medium.level(from: peripheral, to: central) - c.peripheral.power.cut
  }

  func judge(_ c: Connection, from sender: LinkEnd, to receiver: LinkEnd) -> Reception {
    lookAtLevels(c)
    var fate = medium.judge(
      from: sender.radio.index, to: receiver.radio.index,
      withoutFading: sender.role == .central ? c.levelAtPeripheral : c.levelAtCentral, channel: c.rfChannel,
      start: c.pduStart, end: c.pduEnd, phy: c.transmitPHY(of: sender))
    if fate == .received, overlongLoss(sender, to: receiver) != nil { fate = .corrupted }
    if c.pduStart < c.coveredUntil { fate = medium.lose(.cover, .unheard) }
    sender.judgedPDUs += 1
    if fate != .received {
      sender.failedPDUs += 1
      statistics.pdusLost += 1
    }
    return fate
  }

  /// What loses a PDU whose receiver has opened its window at another time.
  private func driftLoss(_ c: Connection) -> PDULoss {
    let clocks = [c.central, c.peripheral].map(\.radio.configuration.clockPartsPerMillion)
    return .outsideWindow(drift: abs(clocks[0] - clocks[1]), claimed: Int(c.claimedAccuracy))
  }

  /// What loses a PDU that is too long for its receiver, whatever the medium does; nil: the medium decides.
  private func overlongLoss(_ sender: LinkEnd, to receiver: LinkEnd) -> PDULoss? {
    sender.lengthInFlight > 27 && !receiver.canRead(sender.lengthInFlight) ? .tooLong : nil
  }

  /// Chooses what an end sends now: the unacknowledged PDU again, control, data, or an empty PDU. It is in flight then.
  private func choosePDU(_ end: LinkEnd, _ c: Connection) -> LinkHeader {
    statistics.pdusSent += 1
    if let pdu = end.inFlight {
      if !pdu.isEmpty { statistics.retransmissions += 1 }
    } else {
      launchNext(end, c)
    }
    let pdu = end.inFlight ?? PDUInFlight()
    if pdu.length > 0 { end.activeEvent = c.eventNumber }
    var header = LinkHeader(
      kind: pdu.kind, length: pdu.length, sequenceNumber: end.sequenceNumber, nextExpected: end.nextExpected,
      moreData: end.hasTraffic)
    if pdu.flags != OutgoingPDU.noFlags {
      header.take(flags: pdu.flags)
      end.forgetFlags()
    }
    return header
  }

  private func launchNext(_ end: LinkEnd, _ c: Connection) {
    if isTapped { return launchUntaken(end, c) }
    guard let pdu = nextPDU(end) else { return launchNothing(end) }
    end.launch(end.sealed(consume pdu))
  }

  /// The first PDU that no tap takes.
  private func launchUntaken(_ end: LinkEnd, _ c: Connection) {
    while let pdu = nextPDU(end) {
      if !tapTakes(pdu, end, c) { return end.launch(end.sealed(pdu)) }
    }
    launchNothing(end)
  }

  private func launchNothing(_ end: LinkEnd) {
    end.noteQuiet()
    end.launchEmpty()
  }

  /// A new PDU; nil: there is nothing to send.
  private func nextPDU(_ end: LinkEnd) -> OutgoingPDU? {
    if let control = end.control.popFirst() { return control }
    return end.acl.isEmpty || end.holdsTraffic ? nil : nextFragment(end)
  }

  /// Cuts the next LL PDU from the ACL packets that the host handed down (Vol 6, Part B, 2.4.1).
  private func nextFragment(_ end: LinkEnd) -> OutgoingPDU {
    guard let (boundary, length) = end.acl.withFirst({ ($0.boundary, $0.octets.count) }) else { return .empty }
    assert(end.aclOffset < length, "a packet goes on where it was cut")
    let isStart = boundary != .continuing && end.aclOffset == 0
    let kind: OutgoingPDU.Kind = isStart ? .start : .continuation
    if end.aclOffset == 0, length <= end.effectiveTx {
      return OutgoingPDU(kind: kind, octets: end.acl.popFirst()?.octets, completesPacket: true)
    }
    let next = min(length, end.aclOffset + end.effectiveTx)
    let octets = end.acl.withFirst { Array($0.octets[end.aclOffset..<next]) }
    end.aclOffset = next == length ? 0 : next
    if next == length { _ = end.acl.popFirst() }
    return OutgoingPDU(kind: kind, octets: octets, completesPacket: next == length)
  }

  /// Acknowledgement and flow control (Vol 6, Part B, 4.5.9), then delivery of what the sender has in flight.
  private func receive(_ end: LinkEnd, _ c: Connection, from sender: LinkEnd, header: LinkHeader) {
    end.lastValid = timeline.now
    if header.length > 0 { end.activeEvent = c.eventNumber }
    end.misses = 0
    end.isEstablished = true
    end.supervisionDue = end.terminationDue
    if end.managesPower { noteLevel(end, c) }
    if header.nextExpected != end.sequenceNumber, end.inFlight != nil {
      end.sequenceNumber.toggle()
      acknowledged(end, c)
    }
    guard header.sequenceNumber == end.nextExpected else { return }
    if header.kind != .control, !header.isEmpty, !end.controller.with({ $0.hostFlow.hasRoom }) { return }
    if header.kind == .control, !end.hasRoomForAnswers { return }
    end.nextExpected.toggle()
    if header.isEmpty || header.kind == .reserved { return }
    guard let security = end.security else { return take(sender.octetsInFlight, header.kind, end, c) }
    if let opened = open(sender.octetsInFlight, header.kind, end, c, security) { take(opened, header.kind, end, c) }
  }

  /// New octets in plain.
  private func take(_ octets: consuming [UInt8], _ kind: OutgoingPDU.Kind, _ end: LinkEnd, _ c: Connection) {
    if kind == .control { return receiveControl(end, c, octets) }
    let boundary: HCI.ACLData.Boundary = kind == .start ? .firstFlushable : .continuing
    let data = HCI.ACLData(handle: end.handle, boundary: boundary, octets: consume octets)
    end.controller.with(taking: consume data) { $0.deliver($1) }
  }

  /// What an end had in flight has arrived.
  private func acknowledged(_ end: LinkEnd, _ c: Connection) {
    guard let pdu = end.land() else { return }
    if pdu.completesPacket { end.controller.with { $0.packetCompleted(end) } }
    if pdu.kind == .control { controlAcknowledged(end, c, pdu) }
  }

  /// Closes the event: counts misses, and fixes the next anchor. Its PDUs are over, and what else a radio may have
  /// begun at this very instant continues.
  func closeEvent(_ c: Connection) {
    let now = timeline.now
    settleEnd(c.central, c)
    settleEnd(c.peripheral, c)
    guard c.central.isPresent || c.peripheral.isPresent else { return }
    assert(c.handle == nil && c.nextStep == nil, "an event that closes has no further step")
    if c.central.misses > 0 || c.peripheral.misses > 0 { statistics.missedConnectionEvents += 1 }
    let channels = c.centralListens ? assessChannel(c) : nil
    if c.reports != nil { reportChannels(c) }
    c.eventNumber += 1
    c.anchor = c.anchor + c.step
    if c.isSubrated { passUnused(c) }
    if c.isCoded { takeCodings(c) }
    if let channels { useChannels(channels, c) }
    if mayPark, park(c) { return }
    c.handle = scheduleStep(.anchor, c, at: max(c.anchor, now))
  }

  private func settleEnd(_ end: LinkEnd, _ c: Connection) {
    guard end.isPresent else { return }
    if let reason = end.terminatedByPeer, end.role == .peripheral || c.eventNumber > end.terminatedEvent {
      drop(end, c, reason: reason)
      return
    }
    let heard = end.lastValid >= c.anchor
    if !heard {
      if end.role == .peripheral ? c.peripheralSleeps : c.centralSleeps { return }
      end.misses += 1
      armSupervision(end, c)
    }
  }
}
