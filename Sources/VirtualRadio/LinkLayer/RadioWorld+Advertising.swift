import BluetoothWire
import SimKernel

/// The advertiser's side of advertising (Vol 6, Part B, 4.4.2): what is on the three primary channels. What ADV_EXT_IND
/// leads to is in `RadioWorld+Auxiliary`.
extension RadioWorld {
  /// From the end of one advertising PDU to the next channel when there is no answer.
  static let channelGap = SimDuration.microseconds(400)
  /// CONNECT_IND on 1M.
  static let connectTime = SimDuration(nanoseconds: LL.airTime(payloadLength: 34, phy: .le1M))
  /// The longest time between two events of high duty cycle directed advertising, and how long it lasts
  /// (Vol 6, Part B, 4.4.2.4.3).
  private static let highDutyInterval = SimDuration.microseconds(3_750)
  static let highDutyLimit = SimDuration.milliseconds(1_280)

  /// Begins advertising; for a set that advertises already, its duration starts again.
  func startAdvertising(_ set: Advertiser) {
    set.completedEvents = 0
    if let timeout = set.timeout { timeline.cancel(timeout) }
    set.timeout = advertisingLimit(set).map {
      schedule(
        .advertisingTimeout, set.radio.index, at: timeline.now + set.radio.trueTime($0), argument: UInt64(set.index))
    }
    set.isEnabled = true
    guard set.handle == nil else { return }
    if set.setup.extended != nil { set.auxiliary.begin() }
    // The first event does not begin immediately, so that devices switched on together do not advertise in step.
    let offset = SimDuration(nanoseconds: Int64(set.stream.below(10_000_000)))
    set.handle = schedule(
      .advertisingEvent, set.radio.index, at: timeline.now + offset, argument: UInt64(set.index))
  }

  private func advertisingLimit(_ set: Advertiser) -> SimDuration? {
    let duration = SimDuration.milliseconds(10) * Int64(set.duration)
    if set.setup.kind == .connectableDirectedHighDuty {
      return set.duration > 0 ? min(duration, Self.highDutyLimit) : Self.highDutyLimit
    }
    return set.duration > 0 ? duration : nil
  }

  func stopAdvertising(_ set: Advertiser) {
    if set.isEnabled, set.setup.extended != nil { loseFollowers(set) }
    set.isEnabled = false
    for handle in [set.handle, set.timeout] {
      if let handle { timeline.cancel(handle) }
    }
    set.handle = nil
    set.timeout = nil
    set.answerDue = nil
    set.responses.removeAll()
  }

  /// The duration is over (Vol 4, Part E, 7.8.9 and 7.8.56).
  func advertisingTimeout(_ set: Advertiser) {
    set.timeout = nil
    stopAdvertising(set)
    set.radio.controller.advertisingEnded(set, .advertisingTimeout)
  }

  func advertisingEvent(_ set: Advertiser) {
    set.eventStart = timeline.now
    set.channelIndex = 36
    set.address = set.radio.controller.advertisingAddress(of: set)
    if set.setup.isDirected { set.target = set.radio.controller.addressOnAir(ofPeer: set.setup.peer) }
    set.phy = set.setup.extended?.primaryPHY ?? .le1M
    if set.setup.extended != nil { planAuxiliary(set) }
    nextChannel(set, after: .zero)
  }

  /// Goes on to the next channel of the map, or to the next advertising event.
  private func nextChannel(_ set: Advertiser, after gap: SimDuration) {
    let now = timeline.now
    let map = set.setup.channelMap
    let isExtended = set.setup.extended != nil
    var index = set.channelIndex + 1
    while index < 40, map >> (index - 37) & 1 == 0 { index += 1 }
    if index < 40 {
      set.channelIndex = index
      let start = isExtended ? announcementStart(set) : now + gap
      set.handle = schedule(.advertisingPDU, set.radio.index, at: start, argument: UInt64(set.index))
      return
    }
    if isExtended, set.auxiliary.eventsLeft == 0 { return awaitAuxiliary(set) }
    eventOver(set, after: gap)
  }

  /// Goes on to the next advertising event, unless that was the last one.
  func eventOver(_ set: Advertiser, after gap: SimDuration) {
    if set.completedEvents < .max { set.completedEvents += 1 }
    if set.maximumEvents > 0, set.completedEvents >= set.maximumEvents {
      set.handle = nil
      stopAdvertising(set)
      set.radio.controller.advertisingEnded(set, .limitReached)
      return
    }
    let next = max(set.eventStart + timeToNextEvent(set), timeline.now + gap)
    set.handle = schedule(.advertisingEvent, set.radio.index, at: next, argument: UInt64(set.index))
  }

  private func timeToNextEvent(_ set: Advertiser) -> SimDuration {
    if set.setup.kind == .connectableDirectedHighDuty { return set.radio.trueTime(Self.highDutyInterval) }
    let delay = set.setup.extended == nil ? nil : set.auxiliary.takeDelay()
    return advertisingInterval(set) + (delay ?? drawDelay(set))
  }

  /// In true time, without advDelay.
  func advertisingInterval(_ set: Advertiser) -> SimDuration {
    set.radio.trueTime(SimDuration.microseconds(625) * Int64(set.setup.interval))
  }

  /// advDelay.
  func drawDelay(_ set: Advertiser) -> SimDuration {
    SimDuration(nanoseconds: Int64(set.stream.below(UInt64(LL.maximumAdvertisingDelay))))
  }

  /// Sends the advertising PDU on the current channel unless the radio is busy or needed for a link.
  func advertisingPDU(_ set: Advertiser) {
    set.handle = nil
    let radio = set.radio
    let now = timeline.now
    let pdu = advertisingOctets(set)
    let isExtended = set.setup.extended != nil
    let answer = isExtended ? .zero : Self.interFrameSpace + Self.connectTime
    let worst = now + SimDuration(nanoseconds: LL.airTime(payloadLength: pdu.count - 2, phy: set.phy)) + answer
    wakeParked(on: radio, except: nil, from: now, to: now + .nanoseconds(1))
    guard radio.isOn, radio.busyUntil <= now, isFree(radio, except: nil, until: worst) else {
      nextChannel(set, after: .microseconds(1_250))
      return
    }
    statistics.advertisingPDUs += 1
    say(pdu, set)
    let end = now + SimDuration(nanoseconds: LL.airTime(payloadLength: set.pdu.count - 2, phy: set.phy))
    set.pduStart = now
    radio.meter.add(transmit: end - now, receive: .zero, from: now, to: end)
    radio.busyUntil = isExtended ? end : end + Self.interFrameSpace + Self.detection
    medium.register(
      radio: radio.index, channel: Int(LL.rfChannel(dataChannelIndex: set.channelIndex)), start: now, end: end)
    set.handle = schedule(.advertisingEnd, radio.index, at: end, argument: UInt64(set.index))
  }

  /// Puts a PDU of a set on the air, or what a tap has in its place.
  func say(_ pdu: [UInt8], _ set: Advertiser) {
    set.pdu = pdu
    set.heard = set
    if let octets = replacement(forAdvertising: pdu, set.radio) { set.say(octets) }
  }

  private func advertisingOctets(_ set: Advertiser) -> [UInt8] {
    if let extended = set.setup.extended { return announcement(set, extended) }
    let chSel = set.radio.configuration.supportsChannelSelection2
    return switch set.setup.kind {
    case .connectableUndirected:
      LL.AdvertisingPDU.advInd(advertiser: set.address, data: set.data, chSel: chSel).octets
    case .scannableUndirected: LL.AdvertisingPDU.advScanInd(advertiser: set.address, data: set.data).octets
    case .nonConnectableUndirected: LL.AdvertisingPDU.advNonconnInd(advertiser: set.address, data: set.data).octets
    case .connectableDirectedHighDuty, .connectableDirectedLowDuty:
      LL.AdvertisingPDU.advDirectInd(advertiser: set.address, target: set.target, chSel: chSel).octets
    }
  }

  /// The advertising PDU is over: scanners report it, and some answer T_IFS later.
  func advertisingEnd(_ set: Advertiser) {
    set.handle = nil
    let radio = set.radio
    let now = timeline.now
    let start = set.pduStart
    set.responses.removeAll(keepingCapacity: true)
    let (isHeard, listeners) = offer(set)
    traceAdvertising(
      radio, pdu: set.pdu, start: start, end: now, channelIndex: set.channelIndex, phy: set.phy, receiver: nil,
      fate: isHeard ? .received : .unheard, listeners: listeners)
    guard let last = set.responses.map(\.end).max() ?? (set.setup.extended == nil ? awaitAnswer(set) : nil) else {
      if set.setup.extended != nil { return nextChannel(set, after: Self.channelGap) }
      radio.busyUntil = min(radio.busyUntil, now + Self.interFrameSpace + Self.detection)
      if set.setup.isConnectable || set.setup.isScannable { listenForNothing(set, from: now) }
      nextChannel(set, after: Self.channelGap)
      return
    }
    if hasAirSeats { set.answerDue = now + Self.interFrameSpace }
    radio.busyUntil = last
    if set.responses.isEmpty {
      listenForNothing(set, from: now)
    } else {
      radio.meter.add(transmit: .zero, receive: last - now - Self.interFrameSpace, from: now, to: last)
    }
    set.handle = schedule(.advertisingResponse, radio.index, at: last, argument: UInt64(set.index))
  }

  private func listenForNothing(_ set: Advertiser, from now: SimInstant) {
    let end = now + Self.interFrameSpace + Self.detection
    set.radio.meter.add(transmit: .zero, receive: Self.detection, from: now, to: end)
  }

  /// A PDU on a primary channel is over: those who have heard it follow it, or answer.
  func offer(_ set: Advertiser) -> (isHeard: Bool, listeners: [AirPDU.Listener]) {
    let (radio, start, now) = (set.radio, set.pduStart, timeline.now)
    var isHeard = false
    var listeners: [AirPDU.Listener] = []
    let announcement = announcement(on: set)
    if radio.isOn {
      asked.removeAll(keepingCapacity: true)
      medium.listeners(on: set.phy).collect(
        near: radio.index, channelIndex: set.channelIndex, from: start, to: now, into: &asked)
      statistics.radiosAsked += asked.count
      let channel = Int(LL.rfChannel(dataChannelIndex: set.channelIndex))
      for index in asked {
        radios.with(index) { listener in
          guard isFree(listener, from: start, to: now) else { return }
          let fate = medium.judge(
            from: radio.index, to: index, channel: channel, start: start, end: now, phy: set.phy)
          if wantsAir { listeners.append(self.listener(index, fate, from: set)) }
          guard fate == .received else { return }
          isHeard = true
          if let announcement {
            follow(listener, announcement, of: set)
          } else if let heard = set.heard, heard.setup.extended == nil {
            respond(listener, to: heard, of: set)
          }
        }
      }
    }
    if wantsAir, radio.isOn, radios.count <= 64 { addFar(to: &listeners, set) }
    return (isHeard, listeners)
  }

  /// A device that has listened to a PDU that was judged just now; without a fate, to one that nobody can hear there.
  func listener(
    _ device: Int, _ fate: Reception?, from set: Advertiser, on phy: LL.AirPHY? = nil
  ) -> AirPDU.Listener {
    let transmitter = set.radio.index
    return AirPDU.Listener(
      device, fate == .received ? nil : fate == nil ? .level : medium.latestLoss,
      rssi: rssi(from: transmitter, to: device), sensitivity: sensitivity(of: device, phy ?? set.phy),
      distance: medium.position(of: transmitter).distance(to: medium.position(of: device)))
  }

  /// Those that have listened to a PDU where nobody can hear it; in a crowd most are there, and nobody asks.
  private func addFar(to listeners: inout [AirPDU.Listener], _ set: Advertiser) {
    let (start, now, own) = (set.pduStart, timeline.now, set.radio.index)
    for index in medium.listeners(on: set.phy).collectFar(
      from: own, channelIndex: set.channelIndex, from: start, to: now)
    where radios.with(index, { isFree($0, from: start, to: now) }) {
      listeners.append(listener(index, nil, from: set))
    }
  }

  /// The answers to an advertising PDU are over: at most one got through.
  func advertisingResponse(_ set: Advertiser) {
    set.handle = nil
    let radio = set.radio
    let responses = set.responses
    set.responses.removeAll(keepingCapacity: true)
    let accepted = accepted(of: responses, set)
    if accepted?.heardConnect != nil { stopAdvertising(set) }
    for response in responses {
      let heard = response.radio == accepted?.radio ? response.heardConnect : nil
      guard let connect = heard ?? response.connect else { continue }
      let listener = radios[response.radio]
      let initiation = response.connect == nil ? nil : listener.scanner.initiation
      if initiation == nil, heard == nil || response.connect != nil { continue }
      if initiation != nil { listener.scanner.initiation = nil }
      makeConnection(
        connect, central: listener, by: initiation, peripheral: set, heard: heard != nil,
        anchorWithin: response.anchorWithin)
    }
    if let accepted, accepted.heardConnect != nil { return }
    if let accepted, set.isEnabled {
      if set.setup.reportsScanRequests { radio.controller.scanRequested(set, by: accepted.address) }
      sendScanResponse(set, to: radios[accepted.radio], notBefore: accepted.end + Self.interFrameSpace)
      return
    }
    radio.busyUntil = min(radio.busyUntil, timeline.now)
    nextChannel(set, after: gap(after: set, isAnswered: !responses.isEmpty))
  }

  /// Which of the answers that are over now got through, and is one that the advertiser takes.
  func accepted(of responses: [Advertiser.Response], _ set: Advertiser) -> Advertiser.Response? {
    let radio = set.radio
    let channel = Int(LL.rfChannel(dataChannelIndex: set.channelIndex))
    var accepted: Advertiser.Response?
    for response in responses {
      let fate =
        radio.isOn && set.isEnabled
        ? medium.judge(
          from: response.radio, to: radio.index, channel: channel, start: response.start, end: response.end,
          phy: response.phy) : .unheard
      if fate == .received, accepted == nil, admits(set, response) { accepted = response }
      traceAdvertising(
        radios[response.radio], pdu: response.pdu, start: response.start, end: response.end,
        channelIndex: set.channelIndex, phy: response.phy, receiver: radio.index, fate: fate.fate,
        isJudged: radio.isOn && set.isEnabled)
    }
    for response in responses where response.connect == nil && response.radio != accepted?.radio {
      radios[response.radio].scanner.noteScanResponse(received: false)
    }
    return accepted
  }

  /// Whether the advertiser takes an answer: a free link for CONNECT_IND, the target of directed advertising, and the
  /// filter policy.
  private func admits(_ set: Advertiser, _ response: Advertiser.Response) -> Bool {
    let controller = set.radio.controller
    if let disguise = response.disguise, disguise.advertiser != set.address { return false }
    guard let peer = controller.identify(response.address) else { return false }
    guard let connect = response.heardConnect else {
      return set.setup.filterPolicy & 1 == 0 || controller.filterAcceptList.contains(peer.address)
    }
    if !connect.isAcceptable || !set.setup.isConnectable
      || set.radio.links.count >= set.radio.configuration.maximumLinks
    {
      return false
    }
    if set.setup.isDirected { return peer.address == set.setup.peer }
    return set.setup.filterPolicy & 2 == 0 || controller.filterAcceptList.contains(peer.address)
  }

  private func sendScanResponse(_ set: Advertiser, to requester: Radio, notBefore earliest: SimInstant) {
    let start = max(earliest, timeline.now)
    say(LL.AdvertisingPDU.scanRsp(advertiser: set.address, data: set.scanResponse).octets, set)
    let end = start + SimDuration(nanoseconds: LL.airTime(payloadLength: set.pdu.count - 2, phy: .le1M))
    set.pduStart = start
    // The room for it was asked for with the advertising PDU; a response takes longer than a connection request.
    wakeParked(on: set.radio, except: nil, from: timeline.now, to: end)
    wakeParked(on: requester, except: nil, from: timeline.now, to: end)
    set.radio.busyUntil = end
    set.radio.meter.add(transmit: end - start, receive: .zero, from: start, to: end)
    requester.busyUntil = max(requester.busyUntil, end)
    medium.register(
      radio: set.radio.index, channel: Int(LL.rfChannel(dataChannelIndex: set.channelIndex)), start: start, end: end)
    set.handle = schedule(
      .scanResponseEnd, set.radio.index, at: end, argument: UInt64(requester.index) << 8 | UInt64(set.index))
  }

  func scanResponseEnd(_ set: Advertiser, requester: Radio) {
    set.handle = nil
    let radio = set.radio
    let now = timeline.now
    let start = set.pduStart
    let fate =
      requester.isOn && radio.isOn
      ? medium.judge(
        from: radio.index, to: requester.index, channel: Int(LL.rfChannel(dataChannelIndex: set.channelIndex)),
        start: start, end: now, phy: .le1M) : .unheard
    traceAdvertising(
      radio, pdu: set.pdu, start: start, end: now, channelIndex: set.channelIndex, phy: .le1M,
      receiver: requester.index,
      fate: fate.fate, isJudged: requester.isOn && radio.isOn)
    let heard = fate == .received ? set.heard : nil
    requester.scanner.noteScanResponse(received: heard != nil)
    if let heard, requester.scanner.isReceiving { requester.controller.scanResponseReport(from: heard) }
    nextChannel(set, after: Self.channelGap)
  }
}
