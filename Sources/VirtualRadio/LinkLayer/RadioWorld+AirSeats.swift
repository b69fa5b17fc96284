import BluetoothWire
import SimKernel

/// Radios whose link layer is a program from outside: it hears what they hear, and they send what it says (ADR 0044).
extension RadioWorld {
  /// How far the start of a PDU may be from T_IFS after the one before (Vol 6, Part B, 4.2.4).
  static let interFrameTolerance = SimDuration.microseconds(2)

  func airSeat(_ device: Int) -> AirSeat? { airSeats.first { $0.radio.index == device } }

  /// A program has come to, or left, the radio of a device.
  package func airProgram(isThere: Bool, device: Int) {
    guard let seat = airSeat(device) else { return }
    if isThere {
      seat.isTaken = true
      return
    }
    seat.forget()
    for sending in seat.sendings where !sending.hasBegun {
      if let handle = sending.handle { timeline.cancel(handle) }
    }
    seat.sendings.removeAll { !$0.hasBegun }
  }

  /// The next message for the program of a device.
  package func popForProgram(_ device: Int) -> [UInt8]? { airSeat(device)?.pop() }

  /// A program says something: any octets.
  package func enterAir(_ octets: [UInt8], device: Int) {
    guard let seat = airSeat(device) else { return }
    switch AirMessage(ofProgram: octets) {
    case nil: refuse(AirMessage.tag(of: octets), .malformed, seat)
    case .listen(let filter): seat.filter = filter
    case .send(let tag, let instant, let packet): plan(tag, packet, at: instant, seat)
    case .answer(let tag, let pattern, let packet):
      guard seat.rules.count < AirSeat.maximumRules else { return refuse(tag, .tooMany, seat) }
      seat.rules.append(AirRule(tag: tag, pattern: pattern, packet: packet))
    case .forget(let tag): seat.rules.removeAll { $0.tag == tag }
    // These are of a port.
    case .heard, .done: refuse(AirMessage.tag(of: octets), .malformed, seat)
    }
  }

  private func refuse(_ tag: UInt16, _ status: AirStatus, _ seat: AirSeat) {
    seat.tell(.done(tag: tag, status, start: timeline.now, duration: .zero))
  }

  /// A PDU is to be sent at an instant.
  private func plan(_ tag: UInt16, _ packet: AirPacket, at start: SimInstant, _ seat: AirSeat) {
    guard let phy = LL.AirPHY(rawValue: packet.phy) else { return refuse(tag, .malformed, seat) }
    guard start >= timeline.now else { return refuse(tag, .tooLate, seat) }
    guard seat.sendings.count < AirSeat.maximumSendings else { return refuse(tag, .tooMany, seat) }
    let sending = AirSending(
      serial: seat.newSerial(), session: seat.session, tag: tag, packet: packet, phy: phy, start: start,
      radio: seat.radio)
    sending.handle = schedule(.airStart, seat.radio.index, at: start, argument: sending.serial)
    seat.sendings.append(sending)
  }

  // MARK: Hearing

  /// A PDU of another radio is over: programs hear it whose radio does.
  ///
  /// Their radios listen on all channels at once, except on one on which they send. Decision: octets are those that
  /// were sent, also where the CRC is wrong.
  func overhear(
    _ pdu: @autoclosure () -> [UInt8], from transmitter: Int, cut: Int = 0, on channelIndex: UInt8, _ phy: LL.AirPHY,
    _ accessAddress: UInt32, start: SimInstant, end: SimInstant, hasRightCRC: Bool = true
  ) {
    guard radios[transmitter].isOn else { return }
    for seat in airSeats where seat.isTaken && seat.radio.index != transmitter && seat.radio.isOn {
      let isWanted = seat.filter.takes(channelIndex, phy, accessAddress)
      guard isWanted || !seat.rules.isEmpty else { continue }
      let stage = medium.lossStage
      let fate = medium.judge(
        from: transmitter, to: seat.radio.index,
        withoutFading: medium.level(from: transmitter, to: seat.radio.index) - cut,
        channel: Int(LL.rfChannel(dataChannelIndex: channelIndex)), start: start, end: end, phy: phy)
      medium.lossStage = stage
      if fate == .unheard { continue }
      let isValid = fate == .received && hasRightCRC
      let packet = AirPacket(channelIndex: channelIndex, phy: phy, accessAddress: accessAddress, pdu: pdu())
      if isWanted {
        seat.tell(
          .heard(
            start: start, duration: end - start, rssi: rssi(from: transmitter, to: seat.radio.index, cut: cut),
            isValid: isValid, packet))
      }
      if isValid { applyRules(to: packet, end: end, seat) }
    }
  }

  private func applyRules(to heard: AirPacket, end: SimInstant, _ seat: AirSeat) {
    guard
      let place = seat.rules.firstIndex(where: { rule in
        (rule.packet.channelIndex == 0xFF || rule.packet.channelIndex == heard.channelIndex)
          && rule.pattern.fits(heard.pdu)
      })
    else { return }
    let rule = seat.rules[place]
    if !rule.packet.isRepeated { seat.rules.remove(at: place) }
    var packet = rule.packet
    packet.channelIndex = heard.channelIndex
    if packet.phy == 0 { packet.phy = heard.phy }
    plan(rule.tag, packet, at: end + Self.interFrameSpace, seat)
  }
}
