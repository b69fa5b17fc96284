import BluetoothWire
import CaptureFormats
import SimKernel

/// Data channel PDUs. Spec: Core v5.4, Vol 6, Part B, 2.4 and 4.5.
///
/// A PDU with a wrong CRC is shown as `.air` and not taken. Whether anything is lost by it, the sequence numbers tell:
/// what is sent again leaves no gap. They do not tell when two PDUs of a side are missing; so, of a sniffer that is
/// known to miss some, a frame goes on only while every PDU is heard T_IFS after another one, or opens the next event
/// after one that was over.
extension AirFollower {
  func readData(_ octets: ArraySlice<UInt8>, _ header: AirHeader, _ link: TrafficLink) {
    guard let air = link.air else { return }
    if header.isFromTool, !air.isToolDoubtful { return readTool(octets, header, link, air) }
    var header = header
    Self.checkCRC(of: octets, &header, initial: air.crcInit)
    if header.isCRCValid == false { noteDamage() }
    air.clock.channel = header.rfChannel
    air.hasNoCRC = header.crc == 0
    air.isAuthentic = header.isDecrypted && header.isMICValid == true
    let duration = Self.duration(of: octets, header)
    let time = now
    if header.coding != nil { air.clock.isCoded = true }
    followUpdate(link, air, header, at: air.clock.start(of: time, duration: duration))
    let bits = header.isCRCValid == false ? nil : octets.first.map { AirDirections.Bits($0) }
    let start = air.clock.start(of: time, duration: duration)
    let isStated = header.isFromCentral != nil
    direct(&header, bits, isEmpty: octets.count == 2, at: start, air)
    let spacing = air.clock.spacing(of: start)
    air.directions.learn(
      header.isFromCentral, bits, isBehindSilence: spacing == .apart && air.clock.lastStart != nil)
    let idle = air.clock.idle(before: start)
    let isOutOfOrder = air.clock.isOutOfOrder(start)
    let isLate = spacing == .apart && air.clock.isAfterAnswer(start)
    air.isFirstOfEvent = air.clock.hear(
      time: time, duration: duration, fromCentral: header.isFromCentral, stated: header.eventCounter)
    let (lack, untold) = noteGaps(air, header, octets, spacing, at: start, idle: idle, isLate: isLate)
    if octets.count > 2 { air.activeEvent = air.clock.counter }
    air.lastHeard = time
    applyInstants(link, air)
    output.emit(.air) { .air(link, header, octets) }
    if spacing == .later { markLossy(link.file) }
    doubt(lack, link, air)
    if air.isOrderDoubtful { tellDoubt(link, air) }
    air.isOrderDoubtful = isOutOfOrder
    guard header.isCRCValid != false, octets.count >= 2 else { return }
    guard let fromCentral = header.isFromCentral else { return loseTrack(link, air, isStated: isStated) }
    air.hasLostTrack = false
    pass(octets, header, link, air, fromCentral: fromCentral, untold: untold)
  }

  /// Begins the interval that is in force from this PDU on.
  func followUpdate(_ link: TrafficLink, _ air: AirConnection, _ header: AirHeader, at start: Int64) {
    guard let update = air.clock.applyUpdate(at: start, stated: header.eventCounter) else { return }
    if update.interval != link.interval { (air.subrating, air.pendingSubrating) = (nil, nil) }
    link.interval = update.interval
    link.peripheralLatency = update.latency
    link.supervisionTimeout = update.timeout
    output.changed(link, .parameters)
  }

  /// Who sent a PDU: as the file says, if that can be, or worked out.
  private func direct(
    _ header: inout AirHeader, _ bits: AirDirections.Bits?, isEmpty: Bool, at start: Int64, _ air: AirConnection
  ) {
    air.isDirectionInferred = false
    if air.clock.isAnswerElsewhere(start) {
      air.directions.doubtEvent()
      header.isFromCentral = nil
      air.isDirectionInferred = true
      return
    }
    guard let stated = header.isFromCentral else {
      header.isFromCentral = air.directions.direction(of: bits, at: start, by: air.clock)
      air.isDirectionInferred = true
      return
    }
    if stated, air.directions.isMistakenForCentral(bits, isEmpty: isEmpty, at: start, by: air.clock) {
      header.isFromCentral = false
      air.isDirectionInferred = true
    } else if air.directions.contradicts(stated, bits, at: start, by: air.clock) {
      header.isFromCentral = nil
      air.isDirectionInferred = true
    }
  }

  /// Whether anything can have been on the air, unheard, in front of this PDU.
  private func noteGaps(
    _ air: AirConnection, _ header: AirHeader, _ octets: ArraySlice<UInt8>, _ spacing: AirClock.Spacing,
    at start: Int64, idle: Int64, isLate: Bool
  ) -> (lack: AirCoverage.Lack, untold: Int) {
    let isIntact = header.isCRCValid != false
    let found = air.coverage.hear(
      isIntact: isIntact, length: octets.count, fromCentral: header.isFromCentral, at: start, spacing, idle: idle,
      step: air.usedStep, closesBefore: air.endsEvent, isLate: isLate, isLE2M: header.isLE2M)
    let opensNext = spacing == .apart && air.usedStep == 1 && air.endsEvent && header.isFromCentral == true
    if !isIntact || spacing != .answer && !opensNext {
      air.mayLackFromCentral = true
      air.mayLackFromPeripheral = true
    }
    let isLast = isIntact && octets.first.map { $0 & 0x10 == 0 } ?? false
    air.endsEvent = isLast && header.isFromCentral == false && spacing == .answer && air.mayEndEvent
    air.mayEndEvent = isLast && header.isFromCentral == true
    return found
  }

  /// The sniffer missed something.
  private func markLossy(_ file: Int) { if !lossyFiles.contains(file) { lossyFiles.append(file) } }

  /// What sequence numbers cannot prove is missing, for all who judge.
  private func doubt(_ lack: AirCoverage.Lack, _ link: TrafficLink, _ air: AirConnection) {
    let isLossy = lossyFiles.contains(link.file)
    if lack == .event { air.isAfterUnheard = PerSide(true) }
    switch lack {
    case .nothing: return
    case .end: if !isLossy { return }
    case .event, .pdus: break
    }
    if isLossy {
      link.requestOfCentral = PendingRequest()
      link.requestOfPeripheral = PendingRequest()
    }
    tellGap(link, air, lack == .event && !isLossy ? .unheardEvent : .missed)
  }

  /// A gap of both directions: one is enough until something is delivered again.
  private func tellGap(_ link: TrafficLink, _ air: AirConnection, _ gap: TrafficGap) {
    air.doubtPlainness()
    guard air.hasNews, link.isUp else { return }
    air.hasNews = false
    output.gap(link, fromCentral: nil, gap)
  }

  /// What seems to be sent again may be new, whatever was told before.
  private func tellDoubt(_ link: TrafficLink, _ air: AirConnection) {
    air.doubtPlainness()
    air.hasNews = false
    if link.isUp { output.gap(link, fromCentral: nil, .missed) }
  }

  /// The direction of a PDU is not known, so neither is what it acknowledges.
  func loseTrack(
    _ link: TrafficLink, _ air: AirConnection, isStated: Bool, _ gap: TrafficGap = .missed
  ) {
    air.central.forget()
    air.peripheral.forget()
    abandon(link, fromCentral: true)
    abandon(link, fromCentral: false)
    if !isStated { air.directions.forget() }
    link.requestOfCentral = PendingRequest()
    link.requestOfPeripheral = PendingRequest()
    if link.isUp, !air.hasLostTrack || gap == .snapped { output.gap(link, fromCentral: nil, gap) }
    air.hasLostTrack = true
    air.hasNews = false
    air.doubtPlainness()
  }

  func pass(
    _ octets: ArraySlice<UInt8>, _ header: AirHeader, _ link: TrafficLink, _ air: AirConnection, fromCentral: Bool,
    untold: Int
  ) {
    let flags = octets[octets.startIndex]
    let arrival =
      header.isFromTool && !air.isToolDoubtful
      ? toolSequence(octets, link, air, fromCentral: fromCentral)
      : sequence(octets, flags, link, air, fromCentral: fromCentral)
    // A new SN after one damaged PDU: that one was this one, or the one before it. The same SN: perhaps two are new.
    if untold > 1 || untold == 1 && arrival == .repeat { tellGap(link, air, .missed) }
    if arrival == .late { air.isOrderDoubtful = true }
    if !fromCentral, air.pendingSubrating != nil { takeSubrating(link, air) }
    let isRepeat = arrival == .repeat
    // An event of which nothing was heard may have had one new PDU of each side: then the same numbers come again.
    if isRepeat, air.isAfterUnheard[isCentral: fromCentral] { tellDoubt(link, air) }
    air.isAfterUnheard[isCentral: fromCentral] = false
    let llid = flags & 3
    let payload = payload(octets, header)
    // Ciphertext is known before anybody takes it for plain: what the sniffer calls so, and control PDUs.
    var isPlain: Bool?
    if header.isEncrypted == true || llid == LL.LLID.control.rawValue, link.isUp, !isRepeat, let payload,
      !payload.isEmpty
    {
      isPlain = isReadable(payload, llid, header, link, air, fromCentral: fromCentral)
    }
    if link.isUp || isRepeat {
      output.emit(fragment: octets, .linkLayer(llid: llid, isRepeat: isRepeat), link, fromCentral: fromCentral)
    }
    guard link.isUp else { return }
    if let termination = air.termination, termination.fromCentral != fromCentral,
      termination.fromCentral ? air.central.isAcknowledged : air.peripheral.isAcknowledged
    {
      air.isOver = true
      return output.close(link, reason: termination.reason)
    }
    if isRepeat { return }
    guard let payload else {
      abandon(link, fromCentral: fromCentral)
      return output.gap(link, fromCentral: fromCentral, .snapped)
    }
    if payload.isEmpty { return }
    if isPlain ?? isReadable(payload, llid, header, link, air, fromCentral: fromCentral) {
      deliver(payload, llid, link, air, fromCentral: fromCentral)
    } else if abandon(link, fromCentral: fromCentral) {
      output.gap(link, fromCentral: fromCentral, .frameUnfinished)
    }
  }

  private func deliver(
    _ payload: ArraySlice<UInt8>, _ llid: UInt8, _ link: TrafficLink, _ air: AirConnection, fromCentral: Bool
  ) {
    air.hasNews = true
    switch llid {
    case LL.LLID.control.rawValue: control(payload, link, air, fromCentral: fromCentral)
    case LL.LLID.start.rawValue, LL.LLID.continuation.rawValue:
      let isStart = llid == LL.LLID.start.rawValue
      let mayLack = fromCentral ? air.mayLackFromCentral : air.mayLackFromPeripheral
      if fromCentral { air.mayLackFromCentral = false } else { air.mayLackFromPeripheral = false }
      // What is missing may be the end of the frame that is open.
      if mayLack, isStart || lossyFiles.contains(link.file), abandon(link, fromCentral: fromCentral) {
        output.gap(link, fromCentral: fromCentral, .missed)
        if !isStart { return }
      }
      ChannelFollower.recombine(payload, isStart: isStart, link, fromCentral: fromCentral, to: output)
    default: break
    }
  }

  /// Sequence numbers of both directions; tells of what was missed.
  private func sequence(
    _ octets: ArraySlice<UInt8>, _ flags: UInt8, _ link: TrafficLink, _ air: AirConnection, fromCentral: Bool
  ) -> AirSequence.Arrival {
    let sn = flags & 0x08 != 0
    let nesn = flags & 0x04 != 0
    let contents = AirSequence.contents(octets)
    var own = fromCentral ? air.central : air.peripheral
    var other = fromCentral ? air.peripheral : air.central
    let acceptsLast = other.isHeard && other.last == !nesn
    let otherMissed = other.acknowledge(nesn: nesn)
    let arrival = own.hear(sn: sn, contents: contents, knowsAcknowledgement: acceptsLast || otherMissed)
    if fromCentral {
      (air.central, air.peripheral) = (own, other)
    } else {
      (air.central, air.peripheral) = (other, own)
    }
    if otherMissed || arrival == .freshAfterMissed { air.doubtPlainness() }
    if otherMissed { miss(link, fromCentral: !fromCentral) }
    if arrival == .freshAfterMissed { miss(link, fromCentral: fromCentral) }
    return arrival
  }

  private func miss(_ link: TrafficLink, fromCentral: Bool) {
    markLossy(link.file)
    abandon(link, fromCentral: fromCentral)
    // It may have been another request.
    if fromCentral { link.requestOfCentral = PendingRequest() } else { link.requestOfPeripheral = PendingRequest() }
    if link.isUp { output.gap(link, fromCentral: fromCentral, .missed) }
  }

  @discardableResult
  func abandon(_ link: TrafficLink, fromCentral: Bool) -> Bool {
    fromCentral ? link.fromCentral.abandon() : link.fromPeripheral.abandon()
  }

  /// What is after the header, nil when the PDU is not there whole.
  private func payload(_ octets: ArraySlice<UInt8>, _ header: AirHeader) -> ArraySlice<UInt8>? {
    let length = Int(octets[octets.startIndex + 1])
    let rest = octets.count - 2
    if rest == length { return octets.dropFirst(2) }
    // CP: an octet of CTEInfo belongs to the header.
    if rest == length + 1, octets[octets.startIndex] & 0x20 != 0 { return octets.dropFirst(3) }
    // The length is that of the encrypted PDU, the MIC is gone.
    if header.isDecrypted, rest + 4 == length { return octets.dropFirst(2) }
    return nil
  }

  // MARK: Encryption

  /// Whether a PDU with a payload can be read as plain. The MIC makes every encrypted payload at least five octets
  /// long, and no control PDU's encrypted length is that of a plain LL_ENC_REQ.
  private func isReadable(
    _ payload: ArraySlice<UInt8>, _ llid: UInt8, _ header: AirHeader, _ link: TrafficLink, _ air: AirConnection,
    fromCentral: Bool
  ) -> Bool {
    if header.isDecrypted {
      if !link.isEncrypted || air.isAuthentic { encrypt(link, air) }
      air.isUnreadable = false
      return true
    }
    if header.isEncrypted == true {
      encrypt(link, air)
      return cannotRead(link, air)
    }
    let isControl = llid == LL.LLID.control.rawValue
    if isControl, payload.count == 23, payload[payload.startIndex] == LL.ControlOpcode.encReq { return true }
    switch air.encryption {
    case .plain: return true
    case .unknown:
      guard header.isEncrypted == nil, !isControl else { return true }
      // Ciphertext has any channel; what is spoken on LE links has few.
      if llid == LL.LLID.start.rawValue, payload.count >= 5, !Self.isPlausibleChannel(payload) {
        encrypt(link, air)
        return cannotRead(link, air)
      }
      return true
    case .requested, .answered:
      if isControl, payload.count < 5 || payload[payload.startIndex] == LL.ControlOpcode.encRsp && payload.count == 13 {
        return true
      }
      if air.encryption == .requested, !fromCentral { return true }
      encrypt(link, air)
      return cannotRead(link, air)
    case .on:
      return payload.count < 5 || cannotRead(link, air)
    }
  }

  private static func isPlausibleChannel(_ payload: ArraySlice<UInt8>) -> Bool {
    let channel = UInt16(payload[payload.startIndex + 2]) | UInt16(payload[payload.startIndex + 3]) << 8
    return (4...6).contains(channel) || (0x20...0x7F).contains(channel)
  }

  func encrypt(_ link: TrafficLink, _ air: AirConnection) {
    air.encryption = .on
    if link.isEncrypted { return }
    link.isEncrypted = true
    output.changed(link, .encryption)
  }

  private func cannotRead(_ link: TrafficLink, _ air: AirConnection) -> Bool {
    air.isUnreadable = true
    if air.hasNews || !air.hasReportedEncryption { output.gap(link, fromCentral: nil, .encrypted) }
    air.hasReportedEncryption = true
    air.hasNews = false
    return false
  }
}
