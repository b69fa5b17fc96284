import BluetoothWire
import SimKernel

/// Programs that advertise: our scanners and initiators report it, follow it and answer it.
extension RadioWorld {
  /// A PDU on a primary channel is over.
  func endAdvertising(_ sending: AirSending, _ seat: AirSeat) {
    let set = sending.set
    let (isHeard, listeners) = offer(set)
    trace(sending, seat, isHeard: isHeard, listeners: listeners)
    takeUp(set, seat, next: .auxAdvInd)
  }

  /// Answers to a PDU of the program, and those that listen for the next one because of it.
  /// - Parameter next: what an AuxPtr in it leads to.
  private func takeUp(_ set: Advertiser, _ seat: AirSeat, next: LL.ExtendedPDU.Kind) {
    var followers = set.auxiliary.followers
    for response in set.responses {
      let place = followers.firstIndex { $0.radio == response.radio }
      let answer = AirAnswer(
        serial: seat.newSerial(), set: set, response: response, follower: place.map { followers.remove(at: $0) })
      seat.answers.append(answer)
      _ = schedule(.airAnswer, seat.radio.index, at: response.end, argument: answer.serial)
    }
    set.responses.removeAll()
    set.auxiliary.followers.removeAll()
    for follower in followers {
      expectNext(
        AirWaiter(
          kind: .auxiliary(next), radio: follower.radio, set: set, follower: follower, from: follower.from,
          to: follower.to), seat, on: LL.AirPHY(follower.phy))
    }
  }

  private func expectNext(_ waiter: AirWaiter, _ seat: AirSeat, on phy: LL.AirPHY) {
    seat.waiters.removeAll { $0.radio == waiter.radio && $0.hasAsked == waiter.hasAsked }
    seat.waiters.append(waiter)
    let over = max(timeline.now, waiter.to + Self.detection(phy))
    _ = schedule(.airSilence, seat.radio.index, at: over)
  }

  /// One of our devices has answered a PDU of the program, and its answer is over.
  func airAnswer(_ device: Int, _ serial: UInt64) {
    guard let seat = airSeat(device), let place = seat.answers.firstIndex(where: { $0.serial == serial }) else {
      return
    }
    let answer = seat.answers.remove(at: place)
    let (response, set) = (answer.response, answer.set)
    let listener = radios[response.radio]
    let fate =
      seat.radio.isOn
      ? medium.judge(
        from: response.radio, to: device, channel: Int(LL.rfChannel(dataChannelIndex: set.channelIndex)),
        start: response.start, end: response.end, phy: response.phy) : medium.lose(.level, .unheard)
    traceAdvertising(
      listener, pdu: response.pdu, start: response.start, end: response.end, channelIndex: set.channelIndex,
      phy: response.phy, receiver: device, fate: fate.fate, isJudged: seat.radio.isOn)
    let due = response.end + Self.interFrameSpace
    var waiter = AirWaiter(
      kind: .scanResponse, radio: response.radio, set: set, follower: answer.follower, request: response,
      from: due - Self.interFrameTolerance, to: due + Self.interFrameTolerance)
    if answer.follower != nil {
      waiter.kind = .auxiliary(response.connect == nil ? .auxScanRsp : .auxConnectRsp)
    } else if let connect = response.connect {
      guard let initiation = listener.scanner.initiation else { return }
      listener.scanner.initiation = nil
      return makeConnection(
        connect, central: listener, by: initiation, peripheral: set, heard: false,
        anchorWithin: response.anchorWithin)
    }
    listener.busyUntil = max(listener.busyUntil, waiter.to + Self.detection(response.phy))
    expectNext(waiter, seat, on: response.phy)
  }

  // MARK: What was announced, or asked for

  /// A PDU begins for which some of our devices listen.
  func holdWaiters(_ sending: AirSending, _ seat: AirSeat) {
    var waiters = seat.waiters.filter { $0.awaits(sending) }
    guard let first = waiters.first else { return }
    seat.waiters.removeAll { $0.awaits(sending) }
    let set = sending.set
    if case .auxiliary(let kind) = first.kind { set.auxiliary.kind = kind }
    if case .scanResponse = first.kind, let heard = first.set.heard {
      // A scan response is reported as one of what was scanned.
      set.setup.kind = heard.setup.kind
      set.say(sending.packet.pdu)
    }
    for place in waiters.indices {
      let listener = radios[waiters[place].radio]
      let isFree =
        waiters[place].hasAsked
        ? listener.isOn && isFree(listener, except: nil, until: sending.end)
        : hasTime(listener, from: sending.start, to: sending.end)
      let isWanted = listener.scanner.isReceiving || listener.scanner.initiation != nil
      waiters[place].listens = isFree && isWanted
      if waiters[place].listens { listener.busyUntil = sending.end }
    }
    sending.part = .awaited(waiters)
  }

  /// A PDU for which some of our devices listened is over.
  func endAwaited(_ sending: AirSending, _ waiters: [AirWaiter], _ seat: AirSeat) {
    let set = sending.set
    var listeners: [AirPDU.Listener] = []
    var isHeard = false
    for waiter in waiters {
      let listener = radios[waiter.radio]
      let fate = waiter.listens && sending.packet.hasRightCRC ? judge(set, at: listener) : nil
      if let fate, wantsAir { listeners.append(self.listener(waiter.radio, fate, from: set)) }
      isHeard = isHeard || fate == .received
      take(set, fate == .received, waiter, listener)
    }
    let kind = sending.channelIndex < 37 ? set.auxiliary.kind : nil
    trace(sending, seat, isHeard: isHeard, listeners: listeners, auxiliary: kind)
    takeUp(set, seat, next: .auxChainInd)
  }

  private func take(_ set: Advertiser, _ isHeard: Bool, _ waiter: AirWaiter, _ listener: Radio) {
    switch (waiter.kind, waiter.follower) {
    case (.scanResponse, _):
      let heard = isHeard && set.heard?.address == waiter.set.heard?.address ? set.heard : nil
      listener.scanner.noteScanResponse(received: heard != nil)
      if let heard, listener.scanner.isReceiving { listener.controller.scanResponseReport(from: heard) }
    case (.auxiliary(let kind), let follower?):
      let pdu = isHeard ? try? LL.ExtendedPDU(decoding: set.pdu, as: kind) : nil
      switch kind {
      case .auxConnectRsp: if let pdu { connect(waiter, pdu, listener, set) }
      case .auxAdvInd: if let pdu { hear(listener, pdu, of: set, follower) }
      default: hearMore(listener, pdu, of: set, follower)
      }
    case (.auxiliary, nil): break
    }
  }

  /// AUX_CONNECT_RSP of the program has come in: the initiator has a connection.
  private func connect(_ waiter: AirWaiter, _ pdu: LL.ExtendedPDU, _ listener: Radio, _ set: Advertiser) {
    guard let request = waiter.request, var connect = request.connect, pdu.advertiser == connect.advertiser,
      pdu.target == connect.initiator, let initiation = listener.scanner.initiation
    else { return }
    connect.channelSelectionAlgorithm2 = true
    listener.scanner.initiation = nil
    makeConnection(
      connect, central: listener, by: initiation.on(set.phy), peripheral: set, heard: false,
      anchorWithin: request.anchorWithin, earliest: request.end + Self.auxiliaryWindowDelay(set.phy),
      phy: set.phy.phy)
  }

  /// What some of our devices listened for does not come.
  func airSilence(_ device: Int) {
    guard let seat = airSeat(device) else { return }
    let now = timeline.now
    let over = seat.waiters.filter { $0.to < now }
    seat.waiters.removeAll { $0.to < now }
    for waiter in over {
      let scanner = radios[waiter.radio]
      switch waiter.kind {
      case .scanResponse, .auxiliary(.auxScanRsp): scanner.scanner.noteScanResponse(received: false)
      case .auxiliary(.auxChainInd):
        guard let report = waiter.follower?.report, scanner.scanner.isReceiving else { continue }
        scanner.controller.emit(report, [], .truncated)
      case .auxiliary: continue
      }
    }
  }
}
