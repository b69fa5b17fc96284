import BluetoothWire
import SimKernel

/// What programs send: on the air as any other PDU, for whoever listens for it (ADR 0044).
extension RadioWorld {
  /// The instant of a PDU of a program has come.
  func airStart(_ device: Int, _ serial: UInt64) {
    guard let seat = airSeat(device) else { return }
    let now = timeline.now
    // One that ends at this instant ends first.
    if let before = seat.sendings.first(where: { $0.hasBegun && $0.end <= now }), let handle = before.handle {
      timeline.cancel(handle)
      airEnd(device, before.serial)
    }
    guard let place = seat.sendings.firstIndex(where: { $0.serial == serial }) else { return }
    let sending = seat.sendings[place]
    sending.handle = nil
    guard seat.radio.isOn, !seat.sendings.contains(where: \.hasBegun) else {
      seat.sendings.remove(at: place)
      return seat.tell(seat.radio.isOn ? .isSending : .isOff, of: sending, duration: .zero)
    }
    sending.hasBegun = true
    seat.radio.meter.add(transmit: sending.end - now, receive: .zero, from: now, to: sending.end)
    register(device, channelIndex: sending.channelIndex, start: now, end: sending.end)
    sending.handle = schedule(.airEnd, device, at: sending.end, argument: serial)
    if !sending.isAdvertising { return startOnLink(sending, seat) }
    statistics.advertisingPDUs += 1
    sending.set.say(sending.packet.pdu)
    if sending.type == 0b0011 || sending.type == 0b0101 {
      if sending.packet.hasRightCRC, answer(sending, seat) { sending.part = .answer }
    } else {
      holdWaiters(sending, seat)
    }
  }

  /// A PDU of a program is over.
  func airEnd(_ device: Int, _ serial: UInt64) {
    guard let seat = airSeat(device), let place = seat.sendings.firstIndex(where: { $0.serial == serial }) else {
      return
    }
    let sending = seat.sendings.remove(at: place)
    switch sending.part {
    // The advertiser sees to it.
    case .answer: break
    case .link(let c): endOnLink(sending, c, seat)
    case .train(let train): endOfTrain(sending, train, seat)
    case .awaited(let waiters): endAwaited(sending, waiters, seat)
    case .alone:
      let isPrimary = sending.channelIndex >= 37
      if sending.isAdvertising, isPrimary, sending.packet.hasRightCRC {
        endAdvertising(sending, seat)
      } else {
        trace(sending, seat, isHeard: false)
      }
    }
    seat.tell(.sent, of: sending, duration: sending.end - sending.start)
  }

  func trace(
    _ sending: AirSending, _ seat: AirSeat, isHeard: Bool, listeners: [AirPDU.Listener] = [],
    auxiliary: LL.ExtendedPDU.Kind? = nil
  ) {
    let packet = sending.packet
    traceAdvertising(
      seat.radio, pdu: packet.pdu, start: sending.start, end: sending.end, channelIndex: packet.channelIndex,
      phy: sending.phy, receiver: nil, fate: isHeard ? .received : .unheard, listeners: listeners,
      auxiliary: auxiliary, accessAddress: packet.accessAddress, crcInit: packet.crcInit,
      hasRightCRC: packet.hasRightCRC)
  }

  // MARK: Answers to our advertisers

  /// Whether an advertiser listens for this SCAN_REQ, CONNECT_IND or what corresponds to them on secondary channels; it
  /// judges it when all answers are over.
  private func answer(_ sending: AirSending, _ seat: AirSeat) -> Bool {
    var response = Advertiser.Response(
      radio: seat.radio.index, address: .none, connect: nil, pdu: sending.packet.pdu, start: sending.start,
      end: sending.end, phy: sending.phy)
    response.say(sending.packet.pdu)
    guard let disguise = response.disguise, let target = disguise.advertiser,
      let set = listeningAdvertiser(at: target, sending), disguise.connect != nil || set.setup.isScannable
    else { return false }
    set.responses.append(response)
    let last = set.responses.map(\.end).max() ?? sending.end
    if let handle = set.handle { timeline.cancel(handle) }
    set.radio.busyUntil = max(set.radio.busyUntil, last)
    set.handle = schedule(
      set.setup.extended == nil ? .advertisingResponse : .auxiliaryResponse, set.radio.index, at: last,
      argument: UInt64(set.index))
    return true
  }

  private func listeningAdvertiser(at address: BluetoothAddress, _ sending: AirSending) -> Advertiser? {
    for radio in radios where radio.isOn {
      for set in radio.advertisers where set.isEnabled && set.address == address {
        guard let due = set.answerDue, set.channelIndex == sending.channelIndex, set.phy == sending.phy,
          sending.start >= due - Self.interFrameTolerance, sending.start <= due + Self.interFrameTolerance
        else { continue }
        return set
      }
    }
    return nil
  }

  /// With a program on the air an advertiser listens for an answer that nobody has announced.
  /// - Returns: when that is over; nil: nobody could answer.
  func awaitAnswer(_ set: Advertiser) -> SimInstant? {
    guard hasAirSeats, set.setup.isConnectable || set.setup.isScannable else { return nil }
    set.answerDue = timeline.now + Self.interFrameSpace
    return timeline.now + Self.interFrameSpace + Self.detection(set.phy)
  }

  /// From the end of listening for answers to the next PDU: as long after the one that nobody has answered as without
  /// programs.
  func gap(after set: Advertiser, isAnswered: Bool) -> SimDuration {
    defer { set.answerDue = nil }
    guard let due = set.answerDue, !isAnswered else { return Self.channelGap }
    return Self.channelGap - (timeline.now - (due - Self.interFrameSpace))
  }
}
