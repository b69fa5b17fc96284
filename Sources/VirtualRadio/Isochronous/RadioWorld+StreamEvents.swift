import BluetoothWire
import LinkCrypto
import SimKernel

/// Events of connected isochronous streams (Vol 6, Part B, 4.5.13): subevents, in each of which the central sends and
/// the peripheral answers T_IFS later.
///
/// Three steps in the queue for a subevent, as for an exchange on a link. No event is skipped.
extension RadioWorld {
  /// Intervals without a PDU after which a stream that was never established is over (4.5.13.2).
  private static let establishmentEvents: Int64 = 6

  func streamStep(_ s: IsochronousStream, _ kind: Kind) {
    s.handle = nil
    switch kind {
    case .streamSubevent: beginSubevent(s)
    case .streamCentralEnd: streamCentralEnd(s)
    default: streamPeripheralEnd(s)
    }
  }

  func scheduleSubevent(_ s: IsochronousStream) {
    s.handle = schedule(.streamSubevent, s.index, at: max(timeline.now, s.nextStart))
  }

  private func beginSubevent(_ s: IsochronousStream) {
    let now = timeline.now
    if s.subevent == 0 {
      s.beginChannels()
      for end in [s.central, s.peripheral] where end.isPresent { end.beginEvent(s.eventNumber, anchor: s.anchor) }
    } else {
      s.channels.next()
    }
    s.rfChannel = Int(LL.rfChannel(dataChannelIndex: s.channels.channel))
    let span = SimDuration.microseconds(Int64(s.shape.exchange))
    for end in [s.central, s.peripheral] { wakeParked(on: end.radio, except: nil, from: now, to: now + span) }
    s.peripheralListens = isFree(s.peripheral) && !missesWindow(s)
    guard isFree(s.central) else {
      if s.peripheralListens { listenInVain(s.peripheral, phy: s.shape.phy(of: .central)) }
      return subeventOver(s)
    }
    send(s, from: s.central, at: now)
    s.central.radio.busyUntil = s.pduEnd + Self.interFrameSpace + Self.detection(s.shape.phy(of: .peripheral))
    if s.peripheralListens { s.peripheral.radio.busyUntil = s.pduEnd }
    s.handle = schedule(.streamCentralEnd, s.index, at: s.pduEnd)
  }

  private func isFree(_ end: StreamEnd) -> Bool {
    end.isPresent && !end.isClosed && end.radio.isOn && end.radio.busyUntil <= timeline.now
  }

  /// Nothing comes: the radio notices after preamble and access address.
  private func listenInVain(_ end: StreamEnd, phy: LL.AirPHY) {
    let until = timeline.now + Self.detection(phy)
    end.radio.meter.add(transmit: .zero, receive: until - timeline.now, from: timeline.now, to: until)
    end.radio.busyUntil = until
  }

  /// The clocks of both have drifted apart by more than they claim since the peripheral last heard the central, on the
  /// stream or on the link (4.2.4).
  private func missesWindow(_ s: IsochronousStream) -> Bool {
    let heard = max(s.heardAnchor, s.connection.peripheral.heardAnchor)
    let span = max(SimDuration.zero, timeline.now - heard).nanoseconds
    let clocks = [s.central, s.peripheral].map(\.radio.configuration.clockPartsPerMillion)
    return span / 1_000_000 * Int64(abs(clocks[0] - clocks[1]))
      > span / 1_000_000 * s.connection.claimedAccuracy + 16_000
  }

  /// An end sends what is next.
  private func send(_ s: IsochronousStream, from end: StreamEnd, at start: SimInstant) {
    let chosen = end.choose(in: s.eventNumber)
    s.header = chosen.header
    s.octets = chosen.octets
    if let cipher = s.cipher(of: end.role), !s.octets.isEmpty {
      s.octets = cipher.seal(s.octets, llid: s.header.kind.rawValue, counter: end.payload)
      s.header.length = UInt8(s.octets.count)
    }
    let phy = s.shape.phy(of: end.role)
    s.pduStart = start
    s.pduEnd = start + .nanoseconds(LL.airTime(payloadLength: s.octets.count, phy: phy))
    statistics.pdusSent += 1
    register(
      end.radio.index, channelIndex: s.channels.channel, start: start, end: s.pduEnd, cut: linkEnd(s, end).power.cut)
    end.radio.meter.add(transmit: s.pduEnd - start, receive: .zero, from: start, to: s.pduEnd)
  }

  private func linkEnd(_ s: IsochronousStream, _ end: StreamEnd) -> LinkEnd { s.connection.end(end.role) }

  private func streamCentralEnd(_ s: IsochronousStream) {
    let fate = receive(s, at: s.peripheral, from: s.central, listens: s.peripheralListens)
    if fate != .unheard { s.heardAnchor = s.pduStart - s.substep * Int64(s.subevent) }
    guard fate != .unheard, s.peripheral.isPresent else {
      // The central listens for an answer that does not come.
      s.central.radio.meter.add(
        transmit: .zero, receive: Self.detection(s.shape.phy(of: .peripheral)), from: timeline.now,
        to: s.central.radio.busyUntil)
      return subeventOver(s)
    }
    send(s, from: s.peripheral, at: s.pduEnd + Self.interFrameSpace)
    for end in [s.central, s.peripheral] { end.radio.busyUntil = s.pduEnd }
    s.handle = schedule(.streamPeripheralEnd, s.index, at: s.pduEnd)
  }

  private func streamPeripheralEnd(_ s: IsochronousStream) {
    _ = receive(s, at: s.central, from: s.peripheral, listens: true)
    subeventOver(s)
  }

  /// A PDU is over: its receiver takes it.
  private func receive(
    _ s: IsochronousStream, at end: StreamEnd, from sender: StreamEnd, listens: Bool
  ) -> Reception {
    let fate = listens ? judge(s, at: end, from: sender) : .unheard
    traceStream(s, from: sender, to: end, fate: fate, listens: listens)
    if listens {
      end.radio.meter.add(transmit: .zero, receive: s.pduEnd - s.pduStart, from: s.pduStart, to: s.pduEnd)
    }
    if fate != .received { statistics.pdusLost += 1 }
    if fate == .corrupted { end.quality.crcErrors &+= 1 }
    guard fate == .received, end.isPresent else { return fate }
    end.lastValid = timeline.now
    if !end.isEstablished {
      end.isEstablished = true
      end.radio.controller.established(end, s)
    }
    var octets = s.octets
    if let cipher = s.cipher(of: sender.role), !octets.isEmpty, s.header.sn == end.nextExpected, !s.header.isNull {
      guard let plain = cipher.open(octets, llid: s.header.kind.rawValue, counter: end.expected) else {
        dropStream(s, at: end.role, reason: .connectionTerminatedDueToMICFailure)
        return fate
      }
      octets = plain
    }
    let taken = end.take(s.header, octets, event: s.eventNumber)
    handOver(s, end, taken.done, taken.sdus)
    return fate
  }

  private func judge(_ s: IsochronousStream, at end: StreamEnd, from sender: StreamEnd) -> Reception {
    guard end.isPresent, end.radio.isOn, sender.radio.isOn else { return .unheard }
    lookAtLevels(s.connection)
    if s.pduStart < s.connection.coveredUntil { return medium.lose(.cover, .unheard) }
    return medium.judge(
      from: sender.radio.index, to: end.radio.index,
      withoutFading: sender.role == .central ? s.connection.levelAtPeripheral : s.connection.levelAtCentral,
      channel: s.rfChannel, start: s.pduStart, end: s.pduEnd, phy: s.shape.phy(of: sender.role))
  }

  /// What became of payloads, and SDUs, goes to the host.
  private func handOver(
    _ s: IsochronousStream, _ end: StreamEnd, _ done: [StreamPayload], _ sdus: [ReceivedSDU]
  ) {
    let packets = done.reduce(0) { $0 + $1.completes }
    if packets > 0 { end.radio.controller.isoCompleted(packets, of: end) }
    // What does not come while the stream ends is not lost.
    for sdu in sdus where sdu.status == .valid || !end.isTerminating {
      end.radio.controller.deliver(sdu, at: end, of: s)
    }
  }

  private func subeventOver(_ s: IsochronousStream) {
    s.subevent += 1
    flush(s, after: s.subevent)
    guard s.central.isPresent || s.peripheral.isPresent else { return }
    let goesOn =
      s.subevent < Int(s.shape.subevents) && [s.central, s.peripheral].contains { $0.isPresent && !$0.isClosed }
    if goesOn { scheduleSubevent(s) } else { closeStreamEvent(s) }
  }

  private func flush(_ s: IsochronousStream, after subevent: Int) {
    for end in [s.central, s.peripheral] where end.isPresent {
      let flushed = end.flush(event: s.eventNumber, subevent: subevent)
      handOver(s, end, flushed.done, flushed.sdus)
    }
  }

  private func closeStreamEvent(_ s: IsochronousStream) {
    if s.subevent < Int(s.shape.subevents) { flush(s, after: Int(s.shape.subevents)) }
    s.subevent = 0
    s.eventNumber += 1
    s.anchor = s.anchor + s.step
    for end in [s.central, s.peripheral] where end.isPresent {
      let limit =
        end.isEstablished
        ? linkEnd(s, end).supervisionTimeout : .microseconds(Int64(s.shape.intervalTime)) * Self.establishmentEvents
      guard timeline.now - end.lastValid >= limit, timeline.now >= s.firstAnchor + s.step else { continue }
      dropStream(
        s, at: end.role, reason: end.isEstablished ? .connectionTimeout : .connectionFailedToBeEstablished)
    }
    if s.central.isPresent || s.peripheral.isPresent { scheduleSubevent(s) }
  }

  // MARK: Trace

  private func traceStream(
    _ s: IsochronousStream, from sender: StreamEnd, to receiver: StreamEnd, fate: Reception, listens: Bool
  ) {
    let pdu = s.header.octets + s.octets
    if !s.header.isNull || fate != .received {
      var digest = digest
      digest.combine(UInt64(bitPattern: s.pduStart.nanoseconds))
      digest.combine(
        s.eventNumber << 32 | UInt64(s.index) << 16 | UInt64(s.rfChannel) << 8 | UInt64(s.subevent) << 3
          | UInt64(fate.rawValue) << 1 | UInt64(sender.role.rawValue))
      digest.combine(octets: pdu)
      self.digest = digest
    }
    let phy = s.shape.phy(of: sender.role)
    if wantsAir, let observer {
      let cause: PDULoss? =
        fate == .received
        ? nil : listens && receiver.radio.isOn ? medium.latestLoss : receiver.isPresent ? .notListening : .receiverGone
      var air = AirPDU(
        start: s.pduStart, duration: s.pduEnd - s.pduStart, rfChannel: UInt8(s.rfChannel), phy: phy,
        accessAddress: s.indication.accessAddress, pdu: pdu, crcInit: s.connection.crcInit,
        transmitter: sender.radio.index, receiver: receiver.radio.index,
        rssi: rssi(from: linkEnd(s, sender), to: receiver.radio.index), fate: fate.fate, loss: cause)
      air.sensitivity = sensitivity(of: receiver.radio.index, phy)
      observer.observe(.air(air), device: sender.radio.index)
    }
    if hasAirSeats {
      overhear(
        pdu, from: sender.radio.index, cut: linkEnd(s, sender).power.cut,
        on: LL.channelIndex(rfChannel: UInt8(s.rfChannel)), phy, s.indication.accessAddress, start: s.pduStart,
        end: s.pduEnd, hasRightCRC: true)
    }
  }
}
