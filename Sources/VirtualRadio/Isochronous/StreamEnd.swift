import BluetoothWire
import SimKernel

/// One end of a connected isochronous stream, as its own device sees it (Vol 6, Part B, 4.5.13).
///
/// Payloads are numbered through all events: event `n` brings the payloads from `burst * n` on. Both ends know which
/// one comes next and when it is flushed, so that a payload which never came is passed over by both.
final class StreamEnd {
  let radio: Radio
  let role: HCI.Role
  let handle: HCI.ConnectionHandle
  /// What it sends, and what its peer sends.
  let own: LL.StreamDirection
  let peer: LL.StreamDirection
  let shape: LL.CISRequest
  var isPresent = true
  /// A valid PDU of the stream has come in.
  var isEstablished = false
  /// LL_CIS_TERMINATE_IND waits for its acknowledgement.
  var isTerminating = false
  var lastValid: SimInstant
  /// It uses no further subevent of this event.
  var isClosed = false
  /// The peer's newest PDU of this event carried nothing.
  var peerIsIdle = false

  // Sending.
  private(set) var sequenceNumber = false
  /// `cisPayloadNumber` of what it sends.
  private(set) var payload: UInt64 = 0
  /// Payloads that have something to send, by their numbers.
  private(set) var outgoing: [StreamPayload] = []
  var source: SDUSource
  /// How often the present payload has been sent.
  private var attempts = 0
  // Receiving.
  private(set) var nextExpected = false
  /// `cisPayloadNumber` of what it expects.
  private(set) var expected: UInt64 = 0
  var sink: SDUSink
  /// Payloads before this one, of those that are expected, have nothing: a null PDU said so in their event.
  private var idleUntil: UInt64 = 0

  // Data paths of its host, and tests (Vol 4, Part E, 7.8.109 … 7.8.114).
  var hasInput = false
  var hasOutput = false
  var transmitTest: UInt8?
  var receiveTest: StreamTest?
  var quality = StreamQuality()

  init(radio: Radio, role: HCI.Role, handle: HCI.ConnectionHandle, shape: LL.CISRequest, now: SimInstant) {
    self.radio = radio
    self.role = role
    self.handle = handle
    self.shape = shape
    own = shape.direction(of: role)
    peer = shape.direction(of: role == .central ? .peripheral : .central)
    source = SDUSource(shape, own)
    sink = SDUSink(shape, peer)
    lastValid = now
  }

  // MARK: Events

  /// An event begins: what the host has handed down so far goes into its payloads.
  func beginEvent(_ number: UInt64, anchor: SimInstant) {
    isClosed = false
    peerIsIdle = false
    guard own.burst > 0 else { return }
    let payloads = source.fill(UInt64(own.burst) * number, burst: Int(own.burst), at: anchor, test: transmitTest)
    outgoing += payloads
    assert(outgoing.map(\.number) == outgoing.map(\.number).sorted(), "payloads go by their numbers")
  }

  /// The PDU that it sends in a subevent of an event.
  func choose(in event: UInt64) -> (header: LL.StreamHeader, octets: [UInt8]) {
    let octets = pending
    let isComplete = peer.burst == 0 || expected >= UInt64(peer.burst) * (event + 1) || peerIsIdle
    let header = LL.StreamHeader(
      kind: octets == nil ? (shape.isFramed ? .framed : .part) : outgoingKind, nesn: nextExpected, sn: sequenceNumber,
      closes: octets == nil && isComplete, isNull: octets == nil, length: UInt8(octets?.count ?? 0))
    if octets != nil {
      if attempts > 0 { quality.retransmitted &+= 1 }
      attempts += 1
    }
    if header.closes { isClosed = true }
    return (header, octets ?? [])
  }

  /// Octets of the present payload; nil: it has nothing to send. One that has none while later ones have is padding.
  private var pending: [UInt8]? {
    guard let first = outgoing.first else { return nil }
    return first.number == payload ? first.octets : []
  }

  private var outgoingKind: LL.StreamHeader.Kind {
    guard let first = outgoing.first, first.number == payload else { return shape.isFramed ? .framed : .part }
    return first.kind
  }

  /// Takes a PDU that has come in whole.
  /// - Returns: what of it is for the host.
  func take(_ header: LL.StreamHeader, _ octets: [UInt8], event: UInt64) -> (done: [StreamPayload], sdus: [ReceivedSDU])
  {
    var done: [StreamPayload] = []
    if header.nesn != sequenceNumber, attempts > 0 {
      done += pass()
    }
    if header.closes { isClosed = true }
    peerIsIdle = header.isNull
    if header.isNull {
      idleUntil = UInt64(peer.burst) * (event + 1)
      return (done, [])
    }
    guard header.sn == nextExpected else {
      quality.duplicates &+= 1
      return (done, [])
    }
    let sdus = sink.take(expected, header.kind, octets)
    expect()
    return (done, sdus)
  }

  /// The present payload was acknowledged or flushed.
  private func pass() -> [StreamPayload] {
    sequenceNumber.toggle()
    attempts = 0
    payload += 1
    var done: [StreamPayload] = []
    while let first = outgoing.first, first.number < payload { done.append(outgoing.removeFirst()) }
    return done
  }

  private func expect() {
    nextExpected.toggle()
    expected += 1
  }

  /// Passes over what is flushed after a subevent, counted from 1, of an event (Vol 6, Part B, 4.5.13.5).
  func flush(event: UInt64, subevent: Int) -> (done: [StreamPayload], sdus: [ReceivedSDU]) {
    var done: [StreamPayload] = []
    var sdus: [ReceivedSDU] = []
    while own.burst > 0, own.isFlushed(payload, event: event, subevent: subevent, of: Int(shape.subevents)) {
      if outgoing.first?.number == payload {
        quality.flushed &+= 1
        if attempts > 0 { quality.unacknowledged &+= 1 }
      }
      done += pass()
    }
    while peer.burst > 0, peer.isFlushed(expected, event: event, subevent: subevent, of: Int(shape.subevents)) {
      let wasIdle = expected < idleUntil
      if !wasIdle { quality.unreceived &+= 1 }
      sdus += sink.miss(expected, wasIdle: wasIdle)
      expect()
    }
    return (done, sdus)
  }
}

extension LL.StreamDirection {
  /// Whether a payload is flushed at the end of a subevent, counted from 1, of an event, or before.
  func isFlushed(_ payload: UInt64, event: UInt64, subevent: Int, of subevents: Int) -> Bool {
    let burst = UInt64(burst)
    let last = payload / burst + UInt64(flushTimeout) - 1
    let point = subevents - subevents / Int(burst) * (Int(burst) - 1 - Int(payload % burst))
    return last < event || last == event && point <= subevent
  }
}

/// One PDU's worth of an SDU.
struct StreamPayload {
  var number: UInt64
  var kind: LL.StreamHeader.Kind
  var octets: [UInt8]
  /// Packets of the host that are completed with it.
  var completes = 0
}

/// What HCI_LE_Read_ISO_Link_Quality tells (Vol 4, Part E, 7.8.116).
struct StreamQuality {
  var unacknowledged: UInt32 = 0
  var flushed: UInt32 = 0
  /// Payloads that were sent first in the last subevent of an event are not told apart: 0.
  let lastSubevent: UInt32 = 0
  var retransmitted: UInt32 = 0
  var crcErrors: UInt32 = 0
  var unreceived: UInt32 = 0
  var duplicates: UInt32 = 0

  var counters: [UInt32] {
    [unacknowledged, flushed, lastSubevent, retransmitted, crcErrors, unreceived, duplicates]
  }
}
