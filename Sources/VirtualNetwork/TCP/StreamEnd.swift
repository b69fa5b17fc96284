import NetworkWire
package import SimKernel

/// One end of a connection of TCP (RFC 9293), without clock and network: segments and time come in, segments go out.
///
/// After each call, its owner takes what `outgoing` and `happened` hold and sees to `deadline`.
/// Every segment that brings something is acknowledged at once. Small segments are not held back (no Nagle). Not
/// modelled: urgent data, simultaneous opening, TIME-WAIT (ports are not used again).
/// Overlapping access is not checked, here and in the network's other hot classes, for the reason that `Timeline`
/// gives: the checks took three quarters of a delivery.
package final class StreamEnd {
  package enum State: Hashable, Sendable {
    case listening, synSent, synReceived, established
    case finWait1, finWait2, closing, closeWait, lastAck, closed
  }

  package enum Event: Hashable, Sendable {
    /// The handshake is through.
    case established
    /// Octets, or the end of the other side's, can be read.
    case readable
    /// There is room in the send buffer again.
    case writable
    /// The other end ended the connection by RST, or there is nobody.
    case reset
    /// No answer for too long.
    case timedOut
    /// Both directions are through.
    case closed
  }

  let settings: StreamSettings
  @exclusivity(unchecked) package internal(set) var state: State
  package let outgoing = Fifo<StreamSegment>()
  package let happened = Fifo<Event>()
  /// When `advance` is to be called; nil: never, unless something comes first.
  @exclusivity(unchecked) package internal(set) var deadline: SimInstant?

  // What is sent.
  @exclusivity(unchecked) var unacknowledged = 0
  @exclusivity(unchecked) var next = 0
  /// The highest number that was ever sent; more than `next` after a timeout.
  @exclusivity(unchecked) var highest = 0
  /// Octets that are not acknowledged, from number 1 on.
  @exclusivity(unchecked) var sendQueue = OctetQueue(from: 1)
  /// The number of the FIN; nil: the app goes on sending.
  @exclusivity(unchecked) var finNumber: Int?
  /// How far the other end allows us to send.
  @exclusivity(unchecked) var allowed = 1
  @exclusivity(unchecked) var congestion: CongestionWindow
  @exclusivity(unchecked) var clock: RoundTripClock
  @exclusivity(unchecked) var retransmission: SimInstant?
  @exclusivity(unchecked) var repeats = 0
  /// When a window of zero is asked about again, and how often it was.
  @exclusivity(unchecked) var probe: SimInstant?
  @exclusivity(unchecked) var probes = 0
  /// Questions about the window since something came.
  @exclusivity(unchecked) var probesUnanswered = 0
  @exclusivity(unchecked) var wantsRoom = false

  // What is received.
  /// The next octet that is missing.
  @exclusivity(unchecked) var expected = 0
  @exclusivity(unchecked) var receiveQueue = OctetQueue(from: 1)
  /// Pieces after a gap, by their first number, none of which touches another.
  @exclusivity(unchecked) var early: [(number: Int, octets: [UInt8])] = []
  /// The number of the other end's FIN, when it is known.
  @exclusivity(unchecked) var finExpected: Int?
  /// The right edge of the window as the other end knows it.
  @exclusivity(unchecked) var advertised = 0
  /// Both directions have ended regularly.
  @exclusivity(unchecked) var isThrough = false

  @exclusivity(unchecked) var lastHeard = SimInstant.zero
  @exclusivity(unchecked) var keepAlivesUnanswered = 0
  @exclusivity(unchecked) var keepAlive: SimInstant?

  /// An end that opens the connection with `open`, or waits for it to be opened.
  package init(_ settings: StreamSettings) {
    self.settings = settings
    state = .listening
    congestion = CongestionWindow(segment: settings.maximumSegment, initialSegments: settings.initialWindow)
    clock = RoundTripClock(settings)
  }

  // MARK: What the app does

  package func open(at now: SimInstant) {
    state = .synSent
    expected = 0
    sendSYN(at: now)
  }

  /// Octets that `send` takes now.
  package var room: Int {
    switch state {
    case .established, .closeWait, .synSent, .synReceived: max(settings.sendBuffer - sendQueue.count, 0)
    default: 0
    }
  }

  /// Hands octets over, as many as there is room for; `writable` says when there is room for the others.
  /// - Returns: how many were taken.
  package func send(_ octets: [UInt8], at now: SimInstant) -> Int {
    guard finNumber == nil else { return 0 }
    let taken = min(octets.count, room)
    if taken < octets.count { wantsRoom = true }
    if taken == 0 { return 0 }
    sendQueue.append(taken == octets.count ? octets : Array(octets[..<taken]))
    sendWhatMay(at: now)
    return taken
  }

  /// The app has nothing more to send: a half close. What was taken still goes out.
  package func finish(at now: SimInstant) {
    guard finNumber == nil else { return }
    switch state {
    case .established: state = .finWait1
    case .closeWait: state = .lastAck
    case .synSent, .synReceived: break
    default: return
    }
    finNumber = sendQueue.end
    sendWhatMay(at: now)
  }

  /// Octets that can be read.
  package var readable: Int { receiveQueue.count }
  /// All that the other end has to say was read.
  package var isAtEnd: Bool { receiveQueue.isEmpty && finExpected == expected - 1 && finExpected != nil }

  /// Takes up to `count` octets that have arrived in order.
  package func read(_ count: Int, at now: SimInstant) -> [UInt8] {
    let octets = receiveQueue.take(count)
    // The edge moves only by what is worth a segment (RFC 9293, 3.8.6.2.2).
    let gained = receiveQueue.start + settings.receiveBuffer - advertised
    let isWorthIt = gained >= min(settings.receiveBuffer / 2, settings.maximumSegment)
    if isWorthIt, advertised - expected < settings.maximumSegment, isSynchronized { acknowledge() }
    return octets
  }

  /// Ends the connection at once; the other end is told by RST.
  package func abort() {
    if isSynchronized { emit([.rst, .ack], [], number: highest) }
    stop()
  }

  /// Becomes silent, as when its system is gone.
  package func stop() {
    state = .closed
    deadline = nil
    retransmission = nil
    probe = nil
    keepAlive = nil
  }

  // MARK: Time

  package func advance(to now: SimInstant) {
    guard let due = deadline, due <= now else { return }
    if let retransmission, retransmission <= now { retransmit(at: now) }
    if let probe, probe <= now { probeWindow(at: now) }
    if let keepAlive, keepAlive <= now { askForLife(at: now) }
    setDeadline()
  }

  /// Whether its deadline is about an answer: it sends again, or asks again, if none comes.
  package var waitsForAnswer: Bool { retransmission != nil || probe != nil }

  func setDeadline() {
    assert(unacknowledged <= next && next <= highest, "what goes next was acknowledged or sent up to there")
    assert(highest <= sendQueue.end + 1, "nothing was sent that nobody has handed over")
    var earliest = retransmission ?? .distantFuture
    if let probe, probe < earliest { earliest = probe }
    if let keepAlive, keepAlive < earliest { earliest = keepAlive }
    deadline = earliest == .distantFuture ? nil : earliest
  }

  var isSynchronized: Bool {
    switch state {
    case .listening, .synSent, .closed: false
    default: true
    }
  }

  func fail(_ event: Event) {
    stop()
    happened.append(event)
  }

  // MARK: Segments out

  func emit(
    _ flags: TCPSegment.Flags, _ payload: [UInt8], number: Int? = nil, isRepeat: Bool = false
  ) {
    var segment = StreamSegment(
      sequence: number ?? next, acknowledgement: expected, flags: flags, window: offeredWindow(), payload: payload)
    segment.isRepeat = isRepeat
    outgoing.append(segment)
  }

  /// With the number after all that was ever sent: one that is rolled back would itself be answered.
  func acknowledge() { emit(.ack, [], number: highest) }

  /// What the other end may send beyond what is acknowledged; its right edge never goes back.
  private func offeredWindow() -> Int {
    let edge = max(receiveQueue.start + settings.receiveBuffer, advertised)
    // A SYN has no room in the buffer, and the first octet has number 1.
    let gained = edge - advertised
    if gained >= min(settings.receiveBuffer / 2, settings.maximumSegment) { advertised = edge }
    return max(advertised - expected, 0)
  }

  func sendSYN(at now: SimInstant) {
    emit(state == .synSent ? .syn : [.syn, .ack], [], number: 0, isRepeat: repeats > 0)
    next = 1
    highest = max(highest, 1)
    if repeats == 0 { clock.sent(upTo: 1, at: now) }
    retransmission = now + clock.timeout
    setDeadline()
  }
}

extension StreamEnd {
  /// Whether `sendWhole` may be called; if not, `writable` says when half of the buffer is free.
  ///
  /// What is longer than the whole buffer is taken when that is empty.
  package func takesWhole(_ count: Int) -> Bool {
    let room = room
    if count <= room || room == settings.sendBuffer { return finNumber == nil && room > 0 }
    wantsRoom = true
    return false
  }

  /// Hands octets over, all of them.
  /// - Precondition: `takesWhole` allows it.
  package func sendWhole(_ octets: [UInt8], at now: SimInstant) {
    assert(finNumber == nil, "nothing follows the end of a stream")
    sendQueue.append(octets)
    sendWhatMay(at: now)
  }

  /// Octets came that were not read, or were taken and have not been sent.
  package var hasUnfinished: Bool { readable > 0 || !early.isEmpty || highest < sendQueue.end }

  /// Whether a segment after the end is the other side's last one again: the answer to it was lost.
  func answersLate(_ segment: StreamSegment) -> Bool {
    isThrough && segment.flags.contains(.fin)
  }
}
