import NetworkWire
import SimKernel

extension StreamEnd {
  private var mayTransmit: Bool {
    switch state {
    case .established, .closeWait, .finWait1, .closing, .lastAck: true
    default: false
    }
  }

  /// Sends what both windows allow.
  func sendWhatMay(at now: SimInstant) {
    guard mayTransmit else { return }
    let edge = min(allowed, unacknowledged + congestion.size)
    var hasSent = false
    while next < sendQueue.end, next < edge {
      let count = min(settings.maximumSegment, sendQueue.end - next, edge - next)
      // A part of a segment waits while it is the window that cuts it (RFC 9293, 3.8.6.2.1).
      if count < settings.maximumSegment, next + count < sendQueue.end, next > unacknowledged { break }
      let octets = sendQueue.octets(from: next, count: count)
      let isLast = next + count == sendQueue.end
      transmit(octets, isLast ? [.ack, .psh] : .ack, count, at: now)
      hasSent = true
    }
    if let finNumber, next == finNumber, next <= edge {
      transmit([], [.ack, .fin], 1, at: now)
      hasSent = true
    }
    if hasSent, retransmission == nil { retransmission = now + clock.timeout }
    // Nothing is under way that would bring news of the window.
    if next == unacknowledged, hasUnsent, allowed <= next {
      if probe == nil { probe = now + clock.timeout }
    } else {
      probe = nil
      probes = 0
    }
    setDeadline()
  }

  private var hasUnsent: Bool { next < sendQueue.end || finNumber.map { next <= $0 } ?? false }

  private func transmit(_ octets: [UInt8], _ flags: TCPSegment.Flags, _ length: Int, at now: SimInstant) {
    let isRepeat = next < highest
    emit(flags, octets, isRepeat: isRepeat)
    next += length
    highest = max(highest, next)
    if !isRepeat { clock.sent(upTo: next, at: now) }
  }

  /// The first segment that is missing goes again.
  private func repeatFirst(at now: SimInstant) {
    clock.abandon()
    if unacknowledged == finNumber {
      emit([.ack, .fin], [], number: unacknowledged, isRepeat: true)
    } else {
      let octets = sendQueue.octets(from: unacknowledged, count: settings.maximumSegment)
      emit(.ack, octets, number: unacknowledged, isRepeat: true)
    }
    retransmission = now + clock.timeout
  }

  // MARK: Acknowledgements

  /// - Returns: false when the segment acknowledges what was never sent.
  func takeAcknowledgement(_ segment: StreamSegment, at now: SimInstant) -> Bool {
    let number = segment.acknowledgement
    if number > highest { return false }
    let edge = number + segment.window
    let movesWindow = edge > allowed
    allowed = max(allowed, edge)
    if number > unacknowledged {
      let gained = number - unacknowledged
      unacknowledged = number
      next = max(next, number)
      sendQueue.drop(to: number)
      assert(sendQueue.start == min(unacknowledged, sendQueue.end), "what is kept is what nobody has acknowledged")
      repeats = 0
      clock.acknowledged(number, at: now)
      if congestion.acknowledged(gained, upTo: number, underWay: next - number) { repeatFirst(at: now) }
      retransmission = next > unacknowledged ? now + clock.timeout : nil
      finIsAcknowledged()
      if wantsRoom, room >= settings.sendBuffer / 2 {
        wantsRoom = false
        happened.append(.writable)
      }
    } else if number == unacknowledged, next > unacknowledged, segment.length == 0, !movesWindow,
      congestion.repeated(number, underWay: next - unacknowledged, sentUpTo: highest)
    {
      repeatFirst(at: now)
    }
    if state != .closed { sendWhatMay(at: now) }
    return true
  }

  private func finIsAcknowledged() {
    guard let finNumber, unacknowledged > finNumber else { return }
    switch state {
    case .finWait1: state = .finWait2
    case .closing, .lastAck:
      stop()
      isThrough = true
      happened.append(.closed)
    default: break
    }
  }

  // MARK: Silence

  func retransmit(at now: SimInstant) {
    repeats += 1
    let isHandshake = state == .synSent || state == .synReceived
    if repeats > (isHandshake ? settings.maximumSYNRepeats : settings.maximumRepeats) { return fail(.timedOut) }
    clock.backOff()
    if isHandshake { return sendSYN(at: now) }
    congestion.timedOut(underWay: next - unacknowledged, sentUpTo: highest, isFirst: repeats == 1)
    // All that is not acknowledged goes again, as the window allows.
    next = unacknowledged
    retransmission = now + clock.timeout
    sendWhatMay(at: now)
  }

  /// One octet beyond the window: its acknowledgement says how wide it is now (RFC 9293, 3.8.6.1).
  func probeWindow(at now: SimInstant) {
    if probesUnanswered >= settings.maximumRepeats { return fail(.timedOut) }
    probesUnanswered += 1
    probes += 1
    let octets = sendQueue.octets(from: next, count: 1)
    emit(.ack, octets, isRepeat: probes > 1)
    highest = max(highest, next + octets.count)
    probe = now + min(clock.timeout * (1 << Int64(min(probes, 12))), settings.maximumTimeout)
  }

  /// An empty segment with a number that the other end has had: it answers (RFC 9293, 3.8.4).
  func askForLife(at now: SimInstant) {
    guard let rules = settings.keepAlive else { return }
    // Before that only the SYN is repeated.
    if state == .synReceived {
      keepAlive = now + rules.interval
      return
    }
    if keepAlivesUnanswered >= rules.count { return fail(.timedOut) }
    keepAlivesUnanswered += 1
    emit(.ack, [], number: next - 1)
    keepAlive = now + rules.interval
  }
}
