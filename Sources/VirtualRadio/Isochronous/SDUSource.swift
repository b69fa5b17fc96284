import BluetoothWire
import SimKernel

/// Makes payloads of the SDUs that a host hands down, or of those of a test (Vol 6, Part G, 2).
struct SDUSource {
  /// An SDU, put together of the host's packets.
  private struct Waiting {
    var octets: [UInt8]
    var packets: Int
    var arrival: SimInstant
    var isTest = false
  }

  private let shape: LL.CISRequest
  private let direction: LL.StreamDirection
  private var waiting: [Waiting] = []
  /// The first fragments of an SDU.
  private var begun: (octets: [UInt8], packets: Int)?
  /// SDUs of a test so far.
  private var tested: UInt32 = 0
  /// The newest SDU of which a payload was made: its number, and the reference point of its event.
  private(set) var newest: (number: UInt64, anchor: SimInstant)?
  private var framedSDUs: UInt64 = 0
  /// Framed: octets of the first waiting SDU that are in earlier payloads.
  private var sent = 0

  init(_ shape: LL.CISRequest, _ direction: LL.StreamDirection) {
    (self.shape, self.direction) = (shape, direction)
  }

  /// Packets of the host that wait here.
  var packets: Int { waiting.reduce(begun?.packets ?? 0) { $0 + $1.packets } }

  /// Takes a packet of the host.
  /// - Returns: packets that are dropped, because their SDU is too long, or incomplete.
  mutating func take(_ data: HCI.ISOData, at now: SimInstant) -> Int {
    var dropped = 0
    if data.head != nil, let old = begun {
      // The SDU before has no end.
      dropped += old.packets
      begun = nil
    }
    guard data.head != nil || begun != nil else { return dropped + 1 }
    var sdu = begun ?? ([], 0)
    sdu.octets += data.octets
    sdu.packets += 1
    begun = sdu
    guard data.boundary == .complete || data.boundary == .last else { return dropped }
    begun = nil
    guard sdu.octets.count <= Int(direction.longestSDU) else { return dropped + sdu.packets }
    waiting.append(Waiting(octets: sdu.octets, packets: sdu.packets, arrival: now))
    return dropped
  }

  /// The payloads of an event; those that have nothing to send are left out.
  /// - Parameter number: of the first payload.
  mutating func fill(_ number: UInt64, burst: Int, at anchor: SimInstant, test: UInt8?) -> [StreamPayload] {
    if let test { addTests(test, number, at: anchor) }
    return shape.isFramed
      ? framed(number, burst: burst, at: anchor) : unframed(number, burst: burst, at: anchor)
  }

  // MARK: Unframed

  private mutating func unframed(_ number: UInt64, burst: Int, at anchor: SimInstant) -> [StreamPayload] {
    let each = Int(direction.pdusPerSDU(interval: shape.intervalTime))
    var payloads: [StreamPayload] = []
    for start in stride(from: 0, through: burst - each, by: each) {
      guard !waiting.isEmpty else { break }
      let sdu = waiting.removeFirst()
      let first = number + UInt64(start)
      newest = (first / UInt64(each), anchor)
      payloads += fragments(of: sdu, from: first, count: each)
    }
    return payloads
  }

  private func fragments(of sdu: Waiting, from number: UInt64, count: Int) -> [StreamPayload] {
    let size = max(1, Int(direction.longestPDU))
    let needed = max(1, (sdu.octets.count + size - 1) / size)
    // An SDU that has more fragments than its place is cut; its end is missing at the receiver.
    return (0..<count).map { place in
      let octets = Array(sdu.octets.dropFirst(place * size).prefix(size))
      return StreamPayload(
        number: number + UInt64(place), kind: place == needed - 1 ? .end : .part, octets: octets,
        completes: place == min(needed, count) - 1 ? sdu.packets : 0)
    }
  }

  // MARK: Framed

  /// Segments: `SC: 1 bit, CMPLT: 1 bit | length | Time_Offset: 3 octets in the first one | octets`.
  private mutating func framed(_ number: UInt64, burst: Int, at anchor: SimInstant) -> [StreamPayload] {
    var payloads: [StreamPayload] = []
    let size = Int(direction.longestPDU)
    for place in 0..<burst where !waiting.isEmpty {
      var payload = StreamPayload(number: number + UInt64(place), kind: .framed, octets: [])
      while !waiting.isEmpty {
        let isStart = sent == 0
        let head = isStart ? 5 : 2
        let room = size - payload.octets.count - head
        let rest = waiting[0].octets.count - sent
        guard room > 0 || room == 0 && rest == 0 else { break }
        let count = min(room, rest)
        let isLast = count == rest
        payload.octets += [(isStart ? 0 : 1) | (isLast ? 2 : 0), UInt8(count + (isStart ? 3 : 0))]
        if isStart {
          let offset = UInt32(clamping: (anchor - waiting[0].arrival).nanoseconds / 1_000)
          payload.octets.append(littleEndian: UInt64(min(offset, 0xFF_FFFF)), count: 3)
          newest = (framedSDUs, anchor)
          framedSDUs += 1
        }
        payload.octets += waiting[0].octets[sent..<(sent + count)]
        sent = isLast ? 0 : sent + count
        if isLast { payload.completes += waiting.removeFirst().packets }
      }
      if !payload.octets.isEmpty { payloads.append(payload) }
    }
    return payloads
  }

  // MARK: Tests (Vol 6, Part B, 7)

  private mutating func addTests(_ payload: UInt8, _ number: UInt64, at anchor: SimInstant) {
    let each = direction.pdusPerSDU(interval: shape.intervalTime)
    if !shape.isFramed { waiting.removeAll { $0.isTest } }
    for place in 0..<direction.sdusPerEvent(interval: shape.intervalTime) {
      let counter =
        shape.isFramed ? tested : UInt32(truncatingIfNeeded: number / each + UInt64(place))
      waiting.append(
        Waiting(
          octets: StreamTest.octets(payload, counter, longest: Int(direction.longestSDU)), packets: 0, arrival: anchor,
          isTest: true))
      tested &+= 1
    }
  }
}
