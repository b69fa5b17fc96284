import BluetoothWire
import SimKernel

/// The advertiser's side of the secondary advertising channels (Vol 6, Part B, 4.4.2.2.2, 4.4.2.4 … 4.4.2.7): when and
/// where AUX_ADV_IND is, and the chain of PDUs that continue it.
extension RadioWorld {
  /// ADV_EXT_IND with ADI and AuxPtr.
  private static func announcementTime(_ set: Advertiser) -> SimDuration {
    SimDuration(nanoseconds: LL.airTime(payloadLength: 7, phy: set.setup.extended?.primaryPHY ?? .le1M))
  }
  /// Events whose ADV_EXT_IND points at one AUX_ADV_IND may be so far apart: an offset has 13 bits of 300 µs.
  private static let longestGroup = SimDuration.milliseconds(2_400)

  /// From the start of a PDU to that of the one that it points at: T_MAFS after its end, in whole units of 30 µs.
  private static func auxiliarySpan(after duration: SimDuration) -> SimDuration {
    .nanoseconds((duration.nanoseconds + LL.minimumAuxiliarySpace + 29_999) / 30_000 * 30_000)
  }
  /// The same after the longest PDU that there can be.
  static func longestSpan(_ phy: LL.AirPHY) -> SimDuration {
    auxiliarySpan(after: .nanoseconds(LL.airTime(payloadLength: LL.ExtendedPDU.maximumPayload, phy: phy)))
  }

  // MARK: ADV_EXT_IND

  /// An advertising event begins: it points at the AUX_ADV_IND of the event before, or at a new one. That one comes
  /// after as many events as the host allows, and as the offset can tell.
  func planAuxiliary(_ set: Advertiser) {
    guard let extended = set.setup.extended else { return }
    if set.auxiliary.eventsLeft > 0 {
      set.auxiliary.eventsLeft -= 1
      return
    }
    let interval = advertisingInterval(set)
    var events = min(
      Int(extended.maximumSkip), Int(Self.longestGroup.nanoseconds / (interval.nanoseconds + 10_000_000)))
    if set.maximumEvents > 0 { events = min(events, Int(set.maximumEvents) - Int(set.completedEvents) - 1) }
    let delays = (0..<max(0, events)).map { _ in drawDelay(set) }
    let last = delays.reduce(set.eventStart) { $0 + interval + $1 }
    let channels = Int64((set.setup.channelMap & 0x07).nonzeroBitCount)
    set.auxiliary.plan(delays)
    set.auxiliary.kind = .auxAdvInd
    set.auxiliary.channelIndex = set.auxiliary.drawChannel(set.radio.controller.hostChannelMap)
    let duration = Self.announcementTime(set)
    set.auxiliary.start =
      last + (duration + Self.channelGap) * max(0, channels - 1) + Self.auxiliarySpan(after: duration)
  }

  /// When the ADV_EXT_IND of the present channel is sent: at fixed times, since its successor is at one.
  func announcementStart(_ set: Advertiser) -> SimInstant {
    let before = (set.setup.channelMap & ((1 << (set.channelIndex - 37)) - 1)).nonzeroBitCount
    return max(timeline.now, set.eventStart + (Self.announcementTime(set) + Self.channelGap) * Int64(before))
  }

  func announcement(_ set: Advertiser, _ extended: ExtendedSetup) -> [UInt8] {
    var pdu = LL.ExtendedPDU(mode: extended.mode)
    pdu.dataInfo = .init(did: set.auxiliary.did, sid: extended.sid)
    pdu.pointer = pointer(set, extended, from: timeline.now)
    return pdu.octets
  }

  /// Points from a PDU that starts then to the next one, by the advertiser's own clock.
  private func pointer(_ set: Advertiser, _ extended: ExtendedSetup, from start: SimInstant) -> LL.ExtendedPDU.Pointer {
    let span = set.radio.ownTime(set.auxiliary.start - start).nanoseconds
    let isAccurate = set.radio.claimedAccuracy <= 50
    return LL.ExtendedPDU.Pointer(
      to: set.auxiliary.channelIndex, after: span, isAccurate: isAccurate, phy: extended.secondaryPHY.phy)
      ?? .init(
        channelIndex: set.auxiliary.channelIndex, isAccurate: isAccurate, hasLongUnits: true, offset: 0x1FFF,
        phy: extended.secondaryPHY.phy)
  }

  /// What a primary PDU of a set says as one of extended advertising; nil: it is another one.
  func announcement(on set: Advertiser) -> LL.ExtendedPDU? {
    if set.setup.extended == nil, set.heard === set { return nil }
    return try? LL.ExtendedPDU(decoding: set.pdu, as: .advExtInd)
  }

  // MARK: The secondary channels

  /// ADV_EXT_IND is out on all channels.
  func awaitAuxiliary(_ set: Advertiser) {
    set.handle = schedule(
      .auxiliaryPDU, set.radio.index, at: max(timeline.now, set.auxiliary.start), argument: UInt64(set.index))
  }

  /// Sends AUX_ADV_IND or AUX_CHAIN_IND, unless the radio is busy or needed for a link.
  func auxiliaryPDU(_ set: Advertiser) {
    set.handle = nil
    guard let extended = set.setup.extended else { return }
    let (radio, now) = (set.radio, timeline.now)
    set.channelIndex = set.auxiliary.channelIndex
    set.phy = extended.secondaryPHY
    if set.auxiliary.kind == .auxAdvInd {
      set.auxiliary.rest = extended.mode == .scannable ? [] : set.data
    }
    let pdu = nextAuxiliary(set, extended, at: now)
    let end = now + .nanoseconds(LL.airTime(payloadLength: pdu.payloadLength, phy: set.phy))
    guard hasTime(radio, from: now, to: end + answerSpan(set, extended)) else { return auxiliaryOver(set) }
    transmit(pdu, set, at: now, to: nil)
    if set.auxiliary.kind == .auxAdvInd, extended.mode != .neither {
      radio.busyUntil = radio.busyUntil + Self.interFrameSpace + Self.detection(set.phy)
    }
  }

  /// For how long the radio is needed after an AUX_ADV_IND at most.
  private func answerSpan(_ set: Advertiser, _ extended: ExtendedSetup) -> SimDuration {
    guard set.auxiliary.kind == .auxAdvInd else { return .zero }
    func time(_ octets: Int) -> SimDuration { .nanoseconds(LL.airTime(payloadLength: octets, phy: set.phy)) }
    return switch extended.mode {
    case .neither: .zero
    case .connectable: Self.interFrameSpace * 2 + time(LL.ConnectInd.payloadLength) + time(14)
    case .scannable: Self.interFrameSpace * 2 + time(12) + time(min(255, set.scanResponse.count + 13))
    }
  }

  /// The next PDU of a chain, with as much of the data as it takes.
  func nextAuxiliary(_ set: Advertiser, _ extended: ExtendedSetup, at start: SimInstant) -> LL.ExtendedPDU {
    var pdu = LL.ExtendedPDU()
    pdu.dataInfo = .init(did: set.auxiliary.did, sid: extended.sid)
    switch set.auxiliary.kind {
    case .auxAdvInd:
      pdu.mode = extended.mode
      pdu.advertiser = extended.isAnonymous ? nil : set.address
      pdu.target = extended.isDirected ? set.target : nil
      pdu.txPower = extended.includesTxPower ? set.radio.controller.transmitPower : nil
      if let train = set.train, train.isOnAir {
        pdu.syncInfo = syncInfo(set, train, from: start)
        pdu.controllerData = train.plan?.controllerData ?? []
      }
    case .auxScanRsp: pdu.advertiser = set.address
    default: break
    }
    set.auxiliary.continues = set.auxiliary.rest.count > pdu.room
    if set.auxiliary.continues {
      set.auxiliary.start = start + Self.longestSpan(set.phy)
      set.auxiliary.channelIndex = set.auxiliary.drawChannel(set.radio.controller.hostChannelMap)
      pdu.pointer = pointer(set, extended, from: start)
    }
    let count = min(pdu.room, set.auxiliary.rest.count)
    pdu.data = Array(set.auxiliary.rest.prefix(count))
    set.auxiliary.rest.removeFirst(count)
    return pdu
  }

  /// Puts a PDU on the air and keeps those who listen for it from doing anything else.
  func transmit(_ pdu: LL.ExtendedPDU, _ set: Advertiser, at start: SimInstant, to receiver: Int?) {
    say(pdu.octets, set)
    set.pduStart = start
    let end = send(set.pdu, from: set.radio, on: set.channelIndex, set.phy, at: start)
    holdFollowers(set, from: start, to: end)
    set.handle = schedule(
      .auxiliaryEnd, set.radio.index, at: end, argument: UInt64((receiver ?? -1) + 1) << 8 | UInt64(set.index))
  }

  /// Whether a radio is on and free for all of a time from now on or later. Its links that are skipped are looked at
  /// first.
  func hasTime(_ radio: Radio, from start: SimInstant, to end: SimInstant) -> Bool {
    wakeParked(on: radio, except: nil, from: timeline.now, to: timeline.now + .nanoseconds(1))
    return radio.isOn && radio.busyUntil <= start && isFree(radio, except: nil, until: end)
  }

  /// A PDU of advertising, with its header, goes on the air on a secondary channel.
  /// - Returns: its end.
  func send(
    _ pdu: [UInt8], from radio: Radio, on channelIndex: UInt8, _ phy: LL.AirPHY, at start: SimInstant
  ) -> SimInstant {
    let end = start + .nanoseconds(LL.airTime(payloadLength: pdu.count - 2, phy: phy))
    statistics.advertisingPDUs += 1
    radio.meter.add(transmit: end - start, receive: .zero, from: start, to: end)
    radio.busyUntil = end
    register(radio.index, channelIndex: channelIndex, start: start, end: end)
    return end
  }

  /// Announces a transmission on any channel. Links that are skipped wake where it comes in their way.
  func register(_ radio: Int, channelIndex: UInt8, start: SimInstant, end: SimInstant, cut: Int = 0) {
    let channel = Int(LL.rfChannel(dataChannelIndex: channelIndex))
    if channelIndex < 37 {
      wakeDisturbed(onRFChannel: channel, from: start, to: end)
      secondaryUntil = max(secondaryUntil, end)
    }
    medium.register(radio: radio, channel: channel, start: start, end: end, cut: cut)
  }

  /// The PDU is over: whoever has heard it reports it, follows it or answers.
  func auxiliaryEnd(_ set: Advertiser) {
    set.handle = nil
    let (kind, followers) = (set.auxiliary.kind, set.auxiliary.followers)
    set.auxiliary.followers.removeAll(keepingCapacity: true)
    set.responses.removeAll(keepingCapacity: true)
    var listeners: [AirPDU.Listener] = []
    var fate = Reception.unheard
    let pdu = try? LL.ExtendedPDU(decoding: set.pdu, as: kind)
    for follower in followers {
      let listener = radios[follower.radio]
      let heard = follower.listens ? judge(set, at: listener) : nil
      if let heard, wantsAir { listeners.append(self.listener(follower.radio, heard, from: set)) }
      if heard == .received || fate == .unheard { fate = heard ?? fate }
      let understood = heard == .received ? pdu : nil
      switch kind {
      case .auxConnectRsp: connect(set, listener, understood)
      case .auxAdvInd: if let understood { hear(listener, understood, of: set, follower) }
      default: hearMore(listener, understood, of: set, follower)
      }
    }
    if kind == .auxConnectRsp, followers.isEmpty, let request = set.auxiliary.request {
      // A program has asked for the connection.
      connect(set, radios[request.radio], nil)
    }
    let receiver = kind == .auxConnectRsp || kind == .auxScanRsp ? followers.first?.radio : nil
    traceAdvertising(
      set.radio, pdu: set.pdu, start: set.pduStart, end: timeline.now, channelIndex: set.channelIndex, phy: set.phy,
      receiver: receiver, fate: receiver == nil && fate != .received ? .unheard : fate.fate,
      isJudged: followers.first?.listens ?? false, listeners: receiver == nil ? listeners : [], auxiliary: kind)
    goOn(set, after: kind)
  }

  func judge(_ set: Advertiser, at listener: Radio) -> Reception {
    let now = timeline.now
    listener.meter.add(transmit: .zero, receive: now - set.pduStart, from: set.pduStart, to: now)
    guard listener.isOn, set.radio.isOn else { return medium.lose(.level, .unheard) }
    return medium.judge(
      from: set.radio.index, to: listener.index, channel: Int(LL.rfChannel(dataChannelIndex: set.channelIndex)),
      start: set.pduStart, end: now, phy: set.phy)
  }

  /// Answers, the next PDU of the chain, or the end of the advertising event.
  private func goOn(_ set: Advertiser, after kind: LL.ExtendedPDU.Kind) {
    let (radio, now) = (set.radio, timeline.now)
    guard set.isEnabled else { return }
    if let last = set.responses.map(\.end).max() {
      if hasAirSeats { set.answerDue = now + Self.interFrameSpace }
      radio.busyUntil = last
      radio.meter.add(transmit: .zero, receive: last - now - Self.interFrameSpace, from: now, to: last)
      set.handle = schedule(.auxiliaryResponse, radio.index, at: last, argument: UInt64(set.index))
      return
    }
    if kind == .auxAdvInd, set.setup.isConnectable || set.setup.isScannable {
      let detection = Self.detection(set.phy)
      let end = now + Self.interFrameSpace + detection
      radio.meter.add(transmit: .zero, receive: detection, from: now, to: end)
      if let over = awaitAnswer(set) {
        radio.busyUntil = over
        set.handle = schedule(.auxiliaryResponse, radio.index, at: over, argument: UInt64(set.index))
        return
      }
    }
    guard set.auxiliary.continues else { return auxiliaryOver(set) }
    set.auxiliary.kind = .auxChainInd
    awaitAuxiliary(set)
  }

  /// There is nothing more in this advertising event.
  func auxiliaryOver(_ set: Advertiser) {
    loseFollowers(set)
    eventOver(set, after: Self.channelGap)
  }
}
