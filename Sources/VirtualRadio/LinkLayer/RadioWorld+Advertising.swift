import BluetoothWire
import SimKernel

/// Advertising, scanning and initiating (Vol 6, Part B, 4.4): legacy PDUs on the three primary channels.
extension RadioWorld {
  /// From the end of one advertising PDU to the next channel when nobody answers.
  private static let channelGap = SimDuration.microseconds(400)
  /// SCAN_REQ and CONNECT_IND on 1M.
  private static let scanRequestTime = SimDuration(nanoseconds: LL.airTime(payloadLength: 12, phy: .le1M))
  private static let connectTime = SimDuration(nanoseconds: LL.airTime(payloadLength: 34, phy: .le1M))

  // MARK: The advertiser's side

  func startAdvertising(_ radio: Radio) {
    guard radio.advertiser.handle == nil else { return }
    // The first event does not begin at once, so that devices switched on together do not advertise in step.
    let offset = SimDuration(nanoseconds: Int64(radio.advertiser.stream.below(10_000_000)))
    radio.advertiser.handle = schedule(.advertisingEvent, radio.index, at: timeline.now + offset)
  }

  func stopAdvertising(_ radio: Radio) {
    radio.advertiser.isEnabled = false
    if let handle = radio.advertiser.handle { timeline.cancel(handle) }
    radio.advertiser.handle = nil
    radio.advertiser.responses.removeAll()
  }

  func advertisingEvent(_ radio: Radio) {
    radio.advertiser.eventStart = timeline.now
    radio.advertiser.channelIndex = 36
    nextChannel(radio, after: .zero)
  }

  /// Goes on to the next channel of the map, or to the next advertising event.
  private func nextChannel(_ radio: Radio, after gap: SimDuration) {
    let now = timeline.now
    let map = radio.advertiser.parameters.channelMap
    var index = radio.advertiser.channelIndex + 1
    while index < 40, map >> (index - 37) & 1 == 0 { index += 1 }
    if index < 40 {
      radio.advertiser.channelIndex = index
      radio.advertiser.handle = schedule(.advertisingPDU, radio.index, at: now + gap)
      return
    }
    let interval = SimDuration.microseconds(625) * Int64(radio.advertiser.parameters.intervalMinimum)
    let delay = SimDuration(nanoseconds: Int64(radio.advertiser.stream.below(UInt64(LL.maximumAdvertisingDelay))))
    let next = max(radio.advertiser.eventStart + radio.trueTime(interval) + delay, now + gap)
    radio.advertiser.handle = schedule(.advertisingEvent, radio.index, at: next)
  }

  /// Sends the advertising PDU on the current channel unless the radio has something better to do.
  func advertisingPDU(_ radio: Radio) {
    radio.advertiser.handle = nil
    let now = timeline.now
    let pdu = advertisingOctets(radio)
    let end = now + SimDuration(nanoseconds: LL.airTime(payloadLength: pdu.count - 2, phy: .le1M))
    let worst = end + Self.interFrameSpace + Self.connectTime
    wakeParked(on: radio, except: nil, from: now, to: now + .nanoseconds(1))
    guard radio.isOn, radio.busyUntil <= now, isFree(radio, except: nil, until: worst) else {
      nextChannel(radio, after: .microseconds(1_250))
      return
    }
    statistics.advertisingPDUs += 1
    let channel = radio.advertiser.channelIndex
    radio.advertiser.pdu = pdu
    radio.advertiser.pduStart = now
    radio.busyUntil = end + Self.interFrameSpace + Self.detection
    medium.register(
      radio: radio.index, channel: Int(LL.rfChannel(dataChannelIndex: channel)), start: now, end: end)
    radio.advertiser.handle = schedule(.advertisingEnd, radio.index, at: end)
  }

  private func advertisingOctets(_ radio: Radio) -> [UInt8] {
    let address = radio.controller.ownAddress(radio.advertiser.parameters.ownAddressType)
    let chSel = radio.configuration.supportsChannelSelection2
    return switch radio.advertiser.parameters.kind {
    case .connectableUndirected:
      LL.AdvertisingPDU.advInd(advertiser: address, data: radio.advertiser.data, chSel: chSel).octets
    case .scannableUndirected: LL.AdvertisingPDU.advScanInd(advertiser: address, data: radio.advertiser.data).octets
    case .nonConnectableUndirected:
      LL.AdvertisingPDU.advNonconnInd(advertiser: address, data: radio.advertiser.data).octets
    case .connectableDirectedHighDuty, .connectableDirectedLowDuty:
      LL.AdvertisingPDU.advDirectInd(
        advertiser: address, target: radio.advertiser.parameters.peerAddress ?? address, chSel: chSel
      ).octets
    }
  }

  /// The advertising PDU is over: scanners report it, and some answer T_IFS later.
  func advertisingEnd(_ radio: Radio) {
    radio.advertiser.handle = nil
    let now = timeline.now
    let start = radio.advertiser.pduStart
    radio.advertiser.responses.removeAll(keepingCapacity: true)
    var isHeard = false
    if radio.isOn {
      for listener in radios where listener !== radio && listener.scanner.isTuned {
        guard hears(listener, radio, from: start, to: now) else { continue }
        let fate = medium.judge(
          from: radio.index, to: listener.index,
          channel: Int(LL.rfChannel(dataChannelIndex: radio.advertiser.channelIndex)), start: start, end: now,
          phy: .le1M, octets: radio.advertiser.pdu.count + 3)
        guard fate == .received else { continue }
        isHeard = true
        respond(listener, to: radio)
      }
    }
    traceAdvertising(
      radio, pdu: radio.advertiser.pdu, start: start, end: now, channelIndex: radio.advertiser.channelIndex,
      receiver: nil, fate: isHeard ? .received : .unheard)
    guard let last = radio.advertiser.responses.map(\.end).max() else {
      radio.busyUntil = min(radio.busyUntil, now + Self.interFrameSpace + Self.detection)
      nextChannel(radio, after: Self.channelGap)
      return
    }
    radio.busyUntil = last
    radio.advertiser.handle = schedule(.advertisingResponse, radio.index, at: last)
  }

  /// Whether a scanner was tuned and free for all of a PDU.
  private func hears(_ listener: Radio, _ radio: Radio, from start: SimInstant, to end: SimInstant) -> Bool {
    guard listener.isOn, listener.busyUntil <= start else { return false }
    for link in listener.links where link.isParked && isOnAir(parked: link, from: start, to: end) { return false }
    return listener.scanner.listens(channelIndex: radio.advertiser.channelIndex, from: start, to: end)
  }

  private func respond(_ listener: Radio, to radio: Radio) {
    let now = timeline.now
    let advertiser = radio.controller.ownAddress(radio.advertiser.parameters.ownAddressType)
    let start = now + Self.interFrameSpace
    let kind = radio.advertiser.parameters.kind
    let isConnectable = kind != .scannableUndirected && kind != .nonConnectableUndirected
    if listener.scanner.isScanning { listener.controller.advertisingReport(from: radio, address: advertiser) }
    if let creation = listener.scanner.creation, isConnectable, accepts(listener, creation, advertiser, radio) {
      let end = start + Self.connectTime
      guard isFree(listener, except: nil, until: end) else { return }
      let connect = connectInd(listener, to: radio, creation, advertiser)
      transmit(
        Advertiser.Response(radio: listener.index, connect: connect, pdu: connect.octets, start: start, end: end),
        from: listener, to: radio)
      return
    }
    let isScannable = kind == .connectableUndirected || kind == .scannableUndirected
    guard listener.scanner.isScanning, listener.scanner.parameters.isActive, isScannable,
      !listener.controller.hasScanResponse(of: advertiser)
    else { return }
    listener.scanner.backoffCount -= 1
    guard listener.scanner.backoffCount <= 0 else { return }
    let end = start + Self.scanRequestTime
    guard isFree(listener, except: nil, until: end + Self.interFrameSpace + Self.connectTime) else {
      listener.scanner.backoffCount = 1
      return
    }
    let scanner = listener.controller.ownAddress(listener.scanner.parameters.ownAddressType)
    transmit(
      Advertiser.Response(
        radio: listener.index, connect: nil,
        pdu: LL.AdvertisingPDU.scanReq(scanner: scanner, advertiser: advertiser).octets, start: start, end: end),
      from: listener, to: radio)
  }

  private func transmit(_ response: Advertiser.Response, from listener: Radio, to radio: Radio) {
    listener.busyUntil = response.end
    medium.register(
      radio: listener.index, channel: Int(LL.rfChannel(dataChannelIndex: radio.advertiser.channelIndex)),
      start: response.start, end: response.end)
    radio.advertiser.responses.append(response)
  }

  private func accepts(
    _ listener: Radio, _ creation: HCI.CreateConnection, _ advertiser: BluetoothAddress, _ radio: Radio
  ) -> Bool {
    if let target = radio.advertiser.parameters.peerAddress, radio.advertiser.parameters.kind != .connectableUndirected,
      target != listener.controller.ownAddress(creation.ownAddressType)
    {
      return false
    }
    return creation.usesFilterAcceptList
      ? listener.controller.filterAcceptList.contains(advertiser) : creation.peer == advertiser
  }

  private func connectInd(
    _ listener: Radio, to radio: Radio, _ creation: HCI.CreateConnection, _ advertiser: BluetoothAddress
  ) -> LL.ConnectInd {
    var accessAddress: UInt32
    repeat {
      accessAddress = UInt32(truncatingIfNeeded: listener.anchorStream.next())
    } while !LL.isValidAccessAddress(accessAddress) || connections.contains { $0.accessAddress == accessAddress }
    let interval = creation.parameters.intervalMinimum
    return LL.ConnectInd(
      initiator: listener.controller.ownAddress(creation.ownAddressType), advertiser: advertiser,
      channelSelectionAlgorithm2: listener.configuration.supportsChannelSelection2
        && radio.configuration.supportsChannelSelection2,
      accessAddress: accessAddress, crcInit: UInt32(truncatingIfNeeded: listener.anchorStream.next()) & 0xFF_FFFF,
      windowSize: UInt8(min(2, max(1, interval - 1))),
      windowOffset: UInt16(listener.anchorStream.below(UInt64(interval))), interval: interval,
      latency: creation.parameters.peripheralLatency, timeout: creation.parameters.supervisionTimeout,
      channelMap: listener.controller.hostChannelMap, hop: UInt8(listener.anchorStream.within(5...16)),
      sleepClockAccuracy: listener.clockAccuracyCode)
  }

  /// The answers to an advertising PDU are over: at most one got through.
  func advertisingResponse(_ radio: Radio) {
    radio.advertiser.handle = nil
    let responses = radio.advertiser.responses
    radio.advertiser.responses.removeAll(keepingCapacity: true)
    let channelIndex = radio.advertiser.channelIndex
    let channel = Int(LL.rfChannel(dataChannelIndex: channelIndex))
    var accepted: Advertiser.Response?
    for response in responses {
      let fate =
        radio.isOn && radio.advertiser.isEnabled
        ? medium.judge(
          from: response.radio, to: radio.index, channel: channel, start: response.start, end: response.end,
          phy: .le1M, octets: response.pdu.count + 3) : .unheard
      if fate == .received, accepted == nil, admits(radio, response) { accepted = response }
      traceAdvertising(
        radios[response.radio], pdu: response.pdu, start: response.start, end: response.end,
        channelIndex: channelIndex, receiver: radio.index,
        fate: fate.fate)
    }
    for response in responses where response.connect == nil && response.radio != accepted?.radio {
      radios[response.radio].scanner.noteScanResponse(received: false)
    }
    if accepted?.connect != nil { stopAdvertising(radio) }
    for response in responses {
      guard let connect = response.connect else { continue }
      let listener = radios[response.radio]
      guard listener.scanner.creation != nil else { continue }
      listener.scanner.creation = nil
      makeConnection(
        connect, central: listener, peripheral: radio, heard: response.radio == accepted?.radio)
    }
    if let accepted, accepted.connect != nil { return }
    if let accepted, radio.advertiser.isEnabled {
      sendScanResponse(radio, to: radios[accepted.radio], notBefore: accepted.end + Self.interFrameSpace)
      return
    }
    radio.busyUntil = min(radio.busyUntil, timeline.now)
    nextChannel(radio, after: Self.channelGap)
  }

  /// Whether the advertiser takes an answer: a free link for CONNECT_IND, and the filter policy
  /// (bit 0: scan requests, bit 1: connection requests only from the filter accept list).
  private func admits(_ radio: Radio, _ response: Advertiser.Response) -> Bool {
    let policy = radio.advertiser.parameters.filterPolicy
    if let connect = response.connect {
      if radio.links.count >= radio.configuration.maximumLinks { return false }
      return policy & 2 == 0 || radio.controller.filterAcceptList.contains(connect.initiator)
    }
    let scanner = radios[response.radio].controller.ownAddress(
      radios[response.radio].scanner.parameters.ownAddressType)
    return policy & 1 == 0 || radio.controller.filterAcceptList.contains(scanner)
  }

  private func sendScanResponse(_ radio: Radio, to requester: Radio, notBefore earliest: SimInstant) {
    let start = max(earliest, timeline.now)
    let address = radio.controller.ownAddress(radio.advertiser.parameters.ownAddressType)
    let pdu = LL.AdvertisingPDU.scanRsp(advertiser: address, data: radio.advertiser.scanResponse).octets
    let end = start + SimDuration(nanoseconds: LL.airTime(payloadLength: pdu.count - 2, phy: .le1M))
    radio.advertiser.pdu = pdu
    radio.advertiser.pduStart = start
    radio.busyUntil = end
    requester.busyUntil = max(requester.busyUntil, end)
    medium.register(
      radio: radio.index, channel: Int(LL.rfChannel(dataChannelIndex: radio.advertiser.channelIndex)),
      start: start, end: end)
    radio.advertiser.handle = schedule(
      .scanResponseEnd, radio.index, at: end, argument: UInt64(requester.index))
  }

  func scanResponseEnd(_ radio: Radio, requester: Radio) {
    radio.advertiser.handle = nil
    let now = timeline.now
    let start = radio.advertiser.pduStart
    let fate =
      requester.isOn && radio.isOn
      ? medium.judge(
        from: radio.index, to: requester.index,
        channel: Int(LL.rfChannel(dataChannelIndex: radio.advertiser.channelIndex)), start: start, end: now,
        phy: .le1M, octets: radio.advertiser.pdu.count + 3) : .unheard
    traceAdvertising(
      radio, pdu: radio.advertiser.pdu, start: start, end: now, channelIndex: radio.advertiser.channelIndex,
      receiver: requester.index, fate: fate.fate)
    requester.scanner.noteScanResponse(received: fate == .received)
    if fate == .received, requester.scanner.isScanning { requester.controller.scanResponseReport(from: radio) }
    nextChannel(radio, after: Self.channelGap)
  }
}
