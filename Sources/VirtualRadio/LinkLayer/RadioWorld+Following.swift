import BluetoothWire
import SimKernel

/// The scanner's and the initiator's side of extended advertising (Vol 6, Part B, 4.4.3 and 4.4.4): they follow AuxPtr.
///
/// A radio that follows is kept from everything else for the PDU itself; links go before it. Not modelled: the time in
/// which it listens for a PDU that does not come.
extension RadioWorld {
  /// An ADV_EXT_IND came in.
  func follow(_ listener: Radio, _ announcement: LL.ExtendedPDU, of set: Advertiser) {
    let scanner = listener.scanner
    let isScanning = scanner.isReceiving && listener.controller.advertisingCommands == .extended
    let isInitiating = announcement.mode == .connectable && scanner.initiation?.isExtended == true
    guard isScanning || isInitiating else { return }
    guard let pointer = announcement.pointer else {
      // It says everything itself.
      if isScanning, let report = report(listener, announcement, announcement, of: set, set.phy, on: nil), report.isNew
      {
        listener.controller.emit(report, [], .complete)
      }
      return
    }
    guard let follower = Follower(listener, announcement, on: set.phy, pointer, at: set.pduStart) else { return }
    set.auxiliary.followers.removeAll { $0.radio == listener.index }
    set.auxiliary.followers.append(follower)
  }

  /// The PDU that was pointed at begins: those of its followers listen that are free for all of it.
  func holdFollowers(_ set: Advertiser, from start: SimInstant, to end: SimInstant) {
    for place in set.auxiliary.followers.indices {
      let follower = set.auxiliary.followers[place]
      let listener = radios[follower.radio]
      let isAnswer = set.auxiliary.kind == .auxConnectRsp || set.auxiliary.kind == .auxScanRsp
      let isWanted = listener.scanner.isReceiving || listener.scanner.initiation != nil
      let listens =
        hasTime(listener, from: start, to: end) && isWanted
        && (isAnswer || follower.awaits(channelIndex: set.channelIndex, phy: set.phy.phy, at: start))
      set.auxiliary.followers[place].listens = listens
      if listens { listener.busyUntil = end }
    }
  }

  /// What a scanner has to report of an advertisement; nil: it does not want it.
  private func report(
    _ listener: Radio, _ pdu: LL.ExtendedPDU, _ announcement: LL.ExtendedPDU, of set: Advertiser,
    _ primaryPHY: LL.AirPHY, on phy: LL.AirPHY?
  ) -> AuxiliaryReport? {
    guard listener.scanner.isReceiving, listener.controller.advertisingCommands == .extended else { return nil }
    let level = listener.controller.atAntenna(rssi(from: set.radio.index, to: listener.index))
    return listener.controller.auxiliaryReport(pdu, announcement, primaryPHY.phy, on: phy?.phy, rssi: level)
  }

  /// AUX_ADV_IND came in: it is reported and followed, or answered.
  func hear(_ listener: Radio, _ pdu: LL.ExtendedPDU, of set: Advertiser, _ follower: Follower) {
    guard pdu.mode == follower.announcement.mode, pdu.dataInfo == follower.announcement.dataInfo else { return }
    let address = pdu.advertiser ?? follower.announcement.advertiser
    let peer = address.flatMap { listener.controller.identify($0) }
    var follower = follower
    follower.report = report(
      listener, pdu, follower.announcement, of: set, follower.primaryPHY, on: set.phy)
    let isFollowed = pdu.pointer.map { follower.aim(listener, $0, at: set.pduStart) } ?? false
    if let report = follower.report, report.isNew {
      listener.controller.emit(
        report, pdu.data, pdu.pointer == nil ? .complete : isFollowed ? .incomplete : .truncated)
      if isFollowed { set.auxiliary.followers.append(follower) }
    }
    guard let address, let peer else { return }
    synchronise(listener, pdu, peer, of: set)
    if pdu.mode == .connectable {
      requestConnection(listener, to: address, target: pdu.target, peer, set, follower)
    } else if pdu.mode == .scannable {
      requestScan(listener, of: address, peer, set, follower)
    }
  }

  private func requestConnection(
    _ listener: Radio, to address: BluetoothAddress, target: BluetoothAddress?, _ peer: Controller.PeerIdentity,
    _ set: Advertiser, _ follower: Follower
  ) {
    guard let initiation = listener.scanner.initiation?.on(set.phy), initiation.isExtended,
      accepts(listener, initiation, address, target: target, peer)
    else { return }
    let start = timeline.now + Self.interFrameSpace
    let end = start + .nanoseconds(LL.airTime(payloadLength: LL.ConnectInd.payloadLength, phy: set.phy))
    let answer = Self.interFrameSpace + .nanoseconds(LL.airTime(payloadLength: 14, phy: set.phy))
    guard isFree(listener, except: nil, until: end + answer) else { return }
    let place = firstAnchor(
      of: listener, interval: initiation.parameters.intervalMinimum, after: end,
      delay: Self.auxiliaryWindowDelay(set.phy))
    let connect = connectInd(listener, to: address, algorithm2: false, initiation, peer, place)
    var response = Advertiser.Response(
      radio: listener.index, address: connect.initiator, connect: connect, anchorWithin: place?.within,
      pdu: connect.octets, start: start, end: end)
    response.phy = set.phy
    set.auxiliary.followers.append(follower)
    transmit(response, from: listener, to: set)
  }

  private func requestScan(
    _ listener: Radio, of address: BluetoothAddress, _ peer: Controller.PeerIdentity, _ set: Advertiser,
    _ follower: Follower
  ) {
    guard listener.scanner.setup.isActive(on: follower.primaryPHY), var report = follower.report else { return }
    report.becomesScanResponse()
    guard !listener.controller.hasReported(report.key) else { return }
    listener.scanner.backoffCount -= 1
    guard listener.scanner.backoffCount <= 0 else { return }
    let start = timeline.now + Self.interFrameSpace
    let end = start + .nanoseconds(LL.airTime(payloadLength: 12, phy: set.phy))
    let answer = Self.interFrameSpace + .nanoseconds(LL.airTime(payloadLength: 255, phy: set.phy))
    guard isFree(listener, except: nil, until: end + answer) else {
      listener.scanner.backoffCount = 1
      return
    }
    let own = listener.controller.ownAddress(listener.scanner.setup.ownAddress, peer: peer.address)
    var response = Advertiser.Response(
      radio: listener.index, address: own, connect: nil,
      pdu: LL.AdvertisingPDU.scanReq(scanner: own, advertiser: address).octets, start: start, end: end)
    response.phy = set.phy
    var follower = follower
    follower.report = report
    set.auxiliary.followers.append(follower)
    transmit(response, from: listener, to: set)
  }

  /// AUX_SCAN_RSP or AUX_CHAIN_IND came in; nil: it did not.
  func hearMore(_ listener: Radio, _ pdu: LL.ExtendedPDU?, of set: Advertiser, _ follower: Follower) {
    let isResponse = set.auxiliary.kind == .auxScanRsp
    if isResponse { listener.scanner.noteScanResponse(received: pdu != nil) }
    guard let report = follower.report, listener.scanner.isReceiving else { return }
    guard let pdu else {
      // Without its first PDU there is nothing to report.
      if !isResponse { listener.controller.emit(report, [], .truncated) }
      return
    }
    var follower = follower
    let isFollowed = pdu.pointer.map { follower.aim(listener, $0, at: set.pduStart) } ?? false
    listener.controller.emit(report, pdu.data, pdu.pointer == nil ? .complete : isFollowed ? .incomplete : .truncated)
    if isFollowed { set.auxiliary.followers.append(follower) }
  }

  /// What followers listen for does not come: what they have reported so far remains a part.
  func loseFollowers(_ set: Advertiser) {
    let followers = set.auxiliary.followers
    set.auxiliary.followers.removeAll(keepingCapacity: true)
    guard set.auxiliary.kind == .auxChainInd else { return }
    for follower in followers {
      guard let report = follower.report, radios[follower.radio].scanner.isReceiving else { continue }
      radios[follower.radio].controller.emit(report, [], .truncated)
    }
  }
}
