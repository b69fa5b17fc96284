import BluetoothWire
import SimKernel

/// The scanner's and the initiator's side (Vol 6, Part B, 4.4.3 and 4.4.4).
extension RadioWorld {
  /// SCAN_REQ on 1M.
  private static let scanRequestTime = SimDuration(nanoseconds: LL.airTime(payloadLength: 12, phy: .le1M))

  // MARK: Duration and period (Vol 4, Part E, 7.8.65)

  /// Begins scanning; when it is on already, its duration starts again.
  func startScanning(_ radio: Radio) {
    if !radio.scanner.isScanning {
      radio.scanner.restart(at: timeline.now)
      radio.scanner.upperLimit = 1
      radio.scanner.backoffCount = 1
    }
    radio.scanner.isScanning = true
    radio.scanner.pauses = false
    armScanTimeout(radio)
  }

  func stopScanning(_ radio: Radio) {
    radio.scanner.isScanning = false
    radio.scanner.pauses = false
    cancelScanTimeout(radio)
  }

  func cancelScanTimeout(_ radio: Radio) {
    if let timeout = radio.scanner.timeout { timeline.cancel(timeout) }
    radio.scanner.timeout = nil
  }

  private func armScanTimeout(_ radio: Radio) {
    cancelScanTimeout(radio)
    guard radio.scanner.duration > 0 else { return }
    let duration = SimDuration.milliseconds(10) * Int64(radio.scanner.duration)
    let period = SimDuration.milliseconds(1_280) * Int64(radio.scanner.period)
    let span = radio.scanner.pauses ? period - duration : duration
    radio.scanner.timeout = schedule(.scanTimeout, radio.index, at: timeline.now + radio.trueTime(span))
  }

  /// A scan duration is over, for good or until the next period.
  func scanTimeout(_ radio: Radio) {
    radio.scanner.timeout = nil
    if radio.scanner.period == 0 {
      radio.scanner.isScanning = false
      radio.controller.scanTimedOut()
      return
    }
    radio.scanner.pauses.toggle()
    if !radio.scanner.pauses {
      if radio.scanner.forgetsEachPeriod { radio.controller.scanningBegins() }
      radio.scanner.restart(at: timeline.now)
    }
    armScanTimeout(radio)
  }

  // MARK: An advertising PDU came in

  /// Whether the radio of a scanner that is tuned to a PDU was free for all of it.
  func isFree(_ listener: Radio, from start: SimInstant, to end: SimInstant) -> Bool {
    guard listener.isOn, listener.busyUntil <= start else { return false }
    return !listener.links.contains { $0.isParked && isOnAir(parked: $0, from: start, to: end) }
  }

  /// Reports, connects, or asks for the scan response.
  /// - Parameters:
  ///   - set: whom the PDU tells of.
  ///   - sender: whose PDU it is; the same, unless that is a hostile device.
  func respond(_ listener: Radio, to set: Advertiser, of sender: Advertiser) {
    guard let peer = listener.controller.identify(set.address) else { return }
    let start = timeline.now + Self.interFrameSpace
    var isWanted = false
    if listener.scanner.isReceiving { isWanted = listener.controller.advertisingReport(from: set, peer) }
    let target = set.setup.isDirected ? set.target : nil
    if let initiation = listener.scanner.initiation, set.setup.isConnectable,
      accepts(listener, initiation, set.address, target: target, peer)
    {
      let end = start + Self.connectTime
      guard isFree(listener, except: nil, until: end) else { return }
      let place = firstAnchor(of: listener, interval: initiation.parameters.intervalMinimum, after: end)
      let connect = connectInd(
        listener, to: set.address, algorithm2: set.radio.configuration.supportsChannelSelection2, initiation, peer,
        place)
      transmit(
        Advertiser.Response(
          radio: listener.index, address: connect.initiator, connect: connect, anchorWithin: place?.within,
          pdu: connect.octets, start: start, end: end), from: listener, to: sender)
      return
    }
    guard isWanted, listener.scanner.setup.isActive(on: .le1M), set.setup.isScannable,
      !listener.controller.hasScanResponse(of: peer.address)
    else { return }
    listener.scanner.backoffCount -= 1
    guard listener.scanner.backoffCount <= 0 else { return }
    let end = start + Self.scanRequestTime
    guard isFree(listener, except: nil, until: end + Self.interFrameSpace + Self.connectTime) else {
      listener.scanner.backoffCount = 1
      return
    }
    let scanner = listener.controller.ownAddress(listener.scanner.setup.ownAddress, peer: peer.address)
    transmit(
      Advertiser.Response(
        radio: listener.index, address: scanner, connect: nil,
        pdu: LL.AdvertisingPDU.scanReq(scanner: scanner, advertiser: set.address).octets, start: start, end: end),
      from: listener, to: sender)
  }

  func transmit(_ response: consuming Advertiser.Response, from listener: Radio, to set: Advertiser) {
    if let octets = replacement(forAdvertising: response.pdu, listener) { response.say(octets) }
    listener.busyUntil = response.end
    listener.meter.add(
      transmit: response.end - response.start, receive: .zero, from: response.start, to: response.end)
    register(listener.index, channelIndex: set.channelIndex, start: response.start, end: response.end)
    set.responses.append(response)
  }

  /// - Parameter target: TargetA of directed advertising.
  func accepts(
    _ listener: Radio, _ initiation: Initiation, _ address: BluetoothAddress, target: BluetoothAddress?,
    _ peer: Controller.PeerIdentity
  ) -> Bool {
    let controller = listener.controller
    // A connection may have come in by advertising since the host asked for this one.
    if listener.links.count >= listener.configuration.maximumLinks || controller.isConnected(to: peer.address) {
      return false
    }
    if let target, !controller.isOwn(target, as: initiation.ownAddress, peer: peer.address, initiating: true) {
      return false
    }
    guard let wanted = initiation.peer else {
      return controller.filterAcceptList.contains(peer.address)
    }
    return wanted == peer.address || wanted == address
  }

  /// One that nothing in the world has had.
  func newAccessAddress(_ stream: inout RandomStream, hasCoded: Bool) -> UInt32 {
    var address: UInt32
    repeat {
      address = UInt32(truncatingIfNeeded: stream.next())
    } while !LL.isValidAccessAddress(address, hasCoded: hasCoded) || !accessAddresses.insert(address).inserted
    return address
  }

  /// - Parameter algorithm2: the advertiser can use channel selection algorithm #2.
  func connectInd(
    _ listener: Radio, to advertiser: BluetoothAddress, algorithm2: Bool, _ initiation: Initiation,
    _ peer: Controller.PeerIdentity, _ place: FirstAnchor?
  ) -> LL.ConnectInd {
    let accessAddress = newAccessAddress(
      &listener.anchorStream, hasCoded: listener.configuration.supportsCoded)
    let interval = initiation.parameters.intervalMinimum
    let crcInit = UInt32(truncatingIfNeeded: listener.anchorStream.next()) & 0xFF_FFFF
    let offset = UInt16(listener.anchorStream.below(UInt64(interval)))
    let hop = UInt8(listener.anchorStream.within(5...16))
    return LL.ConnectInd(
      initiator: listener.controller.ownAddress(initiation.ownAddress, peer: peer.address), advertiser: advertiser,
      channelSelectionAlgorithm2: listener.configuration.supportsChannelSelection2 && algorithm2,
      accessAddress: accessAddress, crcInit: crcInit,
      windowSize: UInt8(min(2, max(1, interval - 1))),
      windowOffset: place?.windowOffset ?? offset, interval: interval,
      latency: initiation.parameters.peripheralLatency, timeout: initiation.parameters.supervisionTimeout,
      channelMap: listener.controller.hostChannelMap, hop: listener.configuration.hopIncrement ?? hop,
      sleepClockAccuracy: listener.clockAccuracyCode)
  }
}
