import BluetoothWire
import SimKernel

/// An SDU for the host, or its loss.
struct ReceivedSDU {
  enum Status: UInt8 {
    case valid = 0
    case lost = 2
  }

  var number: UInt64
  /// The first payload that carried something of it.
  var payload: UInt64
  var octets: [UInt8]
  var status: Status
  /// Framed: microseconds from the reference of the SDU to the anchor point of its event.
  var timeOffset: UInt32 = 0
}

/// Puts SDUs together of payloads (Vol 6, Part G, 2). An SDU of which a payload is missing is lost.
struct SDUSink {
  private let shape: LL.CISRequest
  private let direction: LL.StreamDirection
  private let pdusPerSDU: UInt64
  private var octets: [UInt8] = []
  private var firstPayload: UInt64 = 0
  private var isBroken = false
  /// Something of the present SDU has come, or is missing.
  private var isBegun = false
  /// The present SDU was handed over; what is left of its place is padding.
  private var isDone = false
  private var framedSDUs: UInt64 = 0
  private var timeOffset: UInt32 = 0

  init(_ shape: LL.CISRequest, _ direction: LL.StreamDirection) {
    (self.shape, self.direction) = (shape, direction)
    pdusPerSDU = direction.pdusPerSDU(interval: shape.intervalTime)
  }

  mutating func take(_ payload: UInt64, _ kind: LL.StreamHeader.Kind, _ new: [UInt8]) -> [ReceivedSDU] {
    if shape.isFramed { return kind == .framed ? segments(payload, new) : miss(payload, wasIdle: false) }
    guard kind == .end || kind == .part else { return miss(payload, wasIdle: false) }
    var sdus: [ReceivedSDU] = []
    if payload % pdusPerSDU == 0 { restart(payload) }
    if !isDone, kind == .end || !new.isEmpty {
      isBegun = true
      octets += new
      isBroken = isBroken || octets.count > Int(direction.longestSDU)
      if kind == .end {
        isDone = true
        sdus.append(unframed(payload))
      }
    }
    return sdus + closed(payload)
  }

  /// A payload was flushed.
  mutating func miss(_ payload: UInt64, wasIdle: Bool) -> [ReceivedSDU] {
    if shape.isFramed {
      if wasIdle { return [] }
      isBroken = isBroken || isBegun
      return []
    }
    if payload % pdusPerSDU == 0 { restart(payload) }
    if !isDone, !wasIdle {
      isBegun = true
      isBroken = true
    }
    return closed(payload)
  }

  private mutating func restart(_ payload: UInt64) {
    octets = []
    (isBroken, isBegun, isDone) = (false, false, false)
    firstPayload = payload
  }

  /// The last payload of an SDU's place is over.
  private mutating func closed(_ payload: UInt64) -> [ReceivedSDU] {
    guard payload % pdusPerSDU == pdusPerSDU - 1, isBegun, !isDone else { return [] }
    isDone = true
    isBroken = true
    return [unframed(payload)]
  }

  private func unframed(_ payload: UInt64) -> ReceivedSDU {
    let number = payload / pdusPerSDU
    return ReceivedSDU(
      number: number, payload: number * pdusPerSDU, octets: isBroken ? [] : octets, status: isBroken ? .lost : .valid)
  }

  // MARK: Framed

  private mutating func segments(_ payload: UInt64, _ new: [UInt8]) -> [ReceivedSDU] {
    var sdus: [ReceivedSDU] = []
    var rest = new[...]
    while rest.count >= 2 {
      let (flags, length) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]))
      rest = rest.dropFirst(2)
      guard length <= rest.count else { break }
      var segment = rest.prefix(length)
      rest = rest.dropFirst(length)
      if flags & 1 == 0 {
        if isBegun { sdus.append(framed(isLost: true)) }
        guard segment.count >= 3 else { continue }
        let head = Array(segment.prefix(3))
        timeOffset = UInt32(head[0]) | UInt32(head[1]) << 8 | UInt32(head[2]) << 16
        segment = segment.dropFirst(3)
        restart(payload)
        isBegun = true
      }
      guard isBegun else { continue }
      octets += segment
      isBroken = isBroken || octets.count > Int(direction.longestSDU)
      if flags & 2 != 0 { sdus.append(framed(isLost: isBroken)) }
    }
    return sdus
  }

  private mutating func framed(isLost: Bool) -> ReceivedSDU {
    let sdu = ReceivedSDU(
      number: framedSDUs, payload: firstPayload, octets: isLost ? [] : octets, status: isLost ? .lost : .valid,
      timeOffset: timeOffset)
    framedSDUs += 1
    isBegun = false
    return sdu
  }
}
