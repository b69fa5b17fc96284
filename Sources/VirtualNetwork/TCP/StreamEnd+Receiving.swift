import NetworkWire
package import SimKernel

extension StreamEnd {
  /// A segment from the other end, in whatever order the network brings them.
  package func receive(_ segment: StreamSegment, at now: SimInstant) {
    defer { setDeadline() }
    switch state {
    case .closed: return answersLate(segment) ? acknowledge() : ()
    case .listening: return receiveFirst(segment, at: now)
    case .synSent: return receiveAnswer(segment, at: now)
    default: break
    }
    heard(at: now)
    if segment.flags.contains(.rst) {
      if segment.sequence >= expected - 1, segment.sequence <= advertised { fail(.reset) }
      return
    }
    if segment.flags.contains(.syn) {
      // The answer to it was lost.
      if state == .synReceived { sendSYN(at: now) } else { acknowledge() }
      return
    }
    if state == .synReceived, segment.flags.contains(.ack), segment.acknowledgement >= 1 {
      state = .established
      happened.append(.established)
      if finNumber != nil { state = .finWait1 }
    }
    let before = expected
    let isNews = segment.length > 0
    if isNews { takePayload(segment) }
    if segment.flags.contains(.ack), !takeAcknowledgement(segment, at: now) { return acknowledge() }
    if state == .closed { return }
    if expected > before {
      if finExpected == expected - 1, finExpected! >= before { otherEndIsThrough() }
      happened.append(.readable)
    }
    // What comes twice, too early or as a question is answered too.
    if isNews || segment.sequence < before { acknowledge() }
    if state == .closed { happened.append(.closed) }
  }

  private func heard(at now: SimInstant) {
    lastHeard = now
    keepAlivesUnanswered = 0
    probesUnanswered = 0
    keepAlive = settings.keepAlive.map { now + $0.idle }
  }

  private func receiveFirst(_ segment: StreamSegment, at now: SimInstant) {
    guard segment.flags.contains(.syn), !segment.flags.contains(.ack) else { return }
    state = .synReceived
    expected = 1
    allowed = segment.window
    heard(at: now)
    sendSYN(at: now)
  }

  private func receiveAnswer(_ segment: StreamSegment, at now: SimInstant) {
    if segment.flags.contains(.rst) { return fail(.reset) }
    guard segment.flags.contains([.syn, .ack]), segment.acknowledgement == 1 else { return }
    expected = 1
    unacknowledged = 1
    repeats = 0
    clock.acknowledged(1, at: now)
    retransmission = nil
    allowed = 1 + segment.window
    heard(at: now)
    state = finNumber == nil ? .established : .finWait1
    happened.append(.established)
    acknowledge()
    sendWhatMay(at: now)
  }

  /// Puts octets in their place; what lies beyond the buffer is not taken.
  private func takePayload(_ segment: StreamSegment) {
    let end = segment.sequence + segment.payload.count
    if segment.flags.contains(.fin) { finExpected = end }
    let limit = receiveQueue.start + settings.receiveBuffer
    let first = max(segment.sequence, expected)
    let last = min(end, limit)
    if first < last {
      let octets =
        first == segment.sequence && last == end
        ? segment.payload : Array(segment.payload[(first - segment.sequence)..<(last - segment.sequence)])
      if first == expected {
        receiveQueue.append(octets)
        expected = last
        takeEarly()
      } else {
        keepEarly(first, octets)
      }
    }
    if finExpected == expected { expected += 1 }
    assert(expected - receiveQueue.end == (finExpected == expected - 1 ? 1 : 0), "what is next follows what has come")
    assert(receiveQueue.count <= settings.receiveBuffer, "no more is taken than the buffer holds")
  }

  private func keepEarly(_ number: Int, _ octets: [UInt8]) {
    let place = early.firstIndex { $0.number >= number } ?? early.count
    // Segments are repeated as they were cut, so that pieces are the same or apart; of others the part that is new
    // comes again.
    if place < early.count, early[place].number < number + octets.count { return }
    if place > 0, early[place - 1].number + early[place - 1].octets.count > number { return }
    early.insert((number, octets), at: place)
  }

  private func takeEarly() {
    while let first = early.first, first.number <= expected {
      early.removeFirst()
      let skipped = expected - first.number
      guard skipped < first.octets.count else { continue }
      let octets = skipped == 0 ? first.octets : Array(first.octets[skipped...])
      receiveQueue.append(octets)
      expected += octets.count
    }
  }

  /// The other end's FIN has come in its place.
  private func otherEndIsThrough() {
    switch state {
    case .established, .synReceived: state = .closeWait
    case .finWait1: state = .closing
    case .finWait2:
      // Its FIN is still to be acknowledged.
      retransmission = nil
      probe = nil
      keepAlive = nil
      state = .closed
      isThrough = true
    default: break
    }
  }
}
