import BluetoothWire
import CaptureCheck
import SimKernel

/// Follows the ATT PDUs between one server and its clients, and keeps what was answered and what came of what.
///
/// Total: a PDU that is too short, or that fits nothing, is left out.
struct RecordingFollower {
  private(set) var reads: [ATT.Handle: [Recording.Answer]] = [:]
  private(set) var writes: [Recording.Write: [Recording.Reaction]] = [:]
  private(set) var streams: [ATT.Handle: [[Recording.Said]]] = [:]
  /// Values that Read By Type has shown.
  private(set) var shown: [ATT.Handle: [UInt8]] = [:]
  private(set) var visits: [HandledVisit] = []
  /// Handles of values and descriptors that were read, written or told, in the order of their first appearance.
  private(set) var used = HandleList()
  private(set) var written: Set<ATT.Handle> = []
  private(set) var notified: Set<ATT.Handle> = []
  private(set) var indicated: Set<ATT.Handle> = []
  /// What was told though the capture shows no subscription on the link.
  private(set) var unasked = HandleList()
  /// Error codes of what clients wrote to configurations, by the handle of the value.
  private(set) var configurationErrors: [ATT.Handle: UInt8] = [:]

  private let rhythm: RecordedRhythm

  // The link that is followed
  private var map = AttributeMap()
  private var pending = Pending.nothing
  private var now = SimInstant.zero
  private var begin = SimInstant.zero
  private var lastWrite: (write: Recording.Write, index: Int, trigger: Trigger)?
  private var lastStreams: [ATT.Handle: (index: Int, trigger: Trigger)] = [:]
  private var newest: ATT.Handle?
  private var triggers = 0
  /// The value that blobs make longer.
  private var growing: ATT.Handle?
  private var prepared: [(handle: ATT.Handle, offset: Int, octets: ArraySlice<UInt8>)] = []

  /// When something was done that the device may have reacted to, and its number among all.
  private struct Trigger {
    var instant: SimInstant
    var number: Int
  }

  private enum Pending {
    case nothing, prepare
    case read(ATT.Handle, SimInstant)
    case blob(ATT.Handle, offset: Int)
    case byType(BluetoothUUID?)
    case write(Recording.Write, index: Int, SimInstant)
    case configure(ATT.Handle)
  }

  init(_ rhythm: RecordedRhythm) { self.rhythm = rhythm }

  // MARK: Links

  mutating func follow(_ kept: RecordedTraffic.Link, isServerCentral: Bool, _ map: AttributeMap) {
    self.map = map
    pending = .nothing
    lastWrite = nil
    lastStreams = [:]
    newest = nil
    growing = nil
    prepared = []
    begin = kept.link.openedAt
    visits.append(HandledVisit(begin: begin))
    for pdu in kept.pdus {
      now = pdu.instant
      if pdu.fromCentral == isServerCentral { answer(pdu.octets) } else { ask(pdu.octets) }
    }
    if let closed = kept.link.closedAt {
      now = closed
      if kept.reason != nil { visits[visits.count - 1].end = now }
      if Self.isEndedByServer(kept, isServerCentral) { say(.end, about: newest) }
    }
  }

  /// Spec: Core v5.4, Vol 1, Part F, 2: 0x13 … 0x15 the other side ended it, 0x16 the captured one.
  private static func isEndedByServer(_ kept: RecordedTraffic.Link, _ isServerCentral: Bool) -> Bool {
    guard case .host(let role) = kept.link.viewpoint else { return false }
    let isCaptured = (role == .central) == isServerCentral
    return switch kept.reason?.rawValue {
    case 0x13, 0x14, 0x15: !isCaptured
    case 0x16: isCaptured
    default: false
    }
  }

  func finish(_ recording: inout Recording) {
    recording.reads = reads
    recording.writes = writes
    recording.streams = streams
  }

  /// The GAP Device Name, if somebody read it.
  func name(_ map: AttributeMap) -> String? {
    for characteristic in map.characteristics where characteristic.uuid == .deviceName {
      let read = reads[characteristic.value]?.last { $0.error == nil }?.octets
      if let octets = read ?? shown[characteristic.value], let text = String(validating: octets, as: UTF8.self),
        !text.isEmpty
      {
        return text
      }
    }
    return nil
  }

  // MARK: Requests

  private mutating func ask(_ pdu: [UInt8]) {
    let handle = Self.handle(pdu, 1)
    switch (pdu.first ?? 0, handle) {
    case (0x0A, let handle?):
      pending = .read(handle, now)
      used.add(handle)
      visits[visits.count - 1].add(.read, handle, now)
    case (0x0C, let handle?) where pdu.count == 5:
      pending = .blob(handle, offset: Int(pdu[3]) | Int(pdu[4]) << 8)
    case (0x08, _): pending = .byType(pdu.count >= 7 ? try? BluetoothUUID(decoding: pdu[5...]) : nil)
    case (0x12, let handle?): write(handle, Array(pdu[3...]), isAnswered: true)
    case (0x52, let handle?): write(handle, Array(pdu[3...]), isAnswered: false)
    // A signature of twelve octets follows the value (Vol 3, Part F, 3.4.5.4).
    case (0xD2, let handle?): write(handle, Array(pdu[3...].dropLast(12)), isAnswered: false)
    case (0x16, let handle?) where pdu.count >= 5:
      pending = .prepare
      prepared.append((handle, Int(pdu[3]) | Int(pdu[4]) << 8, pdu[5...]))
    case (0x18, _):
      let parts = prepared
      prepared = []
      pending = .nothing
      guard pdu.count == 2, pdu[1] == 1, let handle = parts.first?.handle else { return }
      var octets: [UInt8] = []
      for part in parts {
        guard part.handle == handle, part.offset == octets.count else { return }
        octets += part.octets
      }
      write(handle, octets, isAnswered: true)
    case (0x1E, _): break
    default: if pdu.first.map({ $0 & 0x40 == 0 }) ?? false { pending = .nothing }
    }
  }

  private mutating func write(_ handle: ATT.Handle, _ octets: [UInt8], isAnswered: Bool) {
    if let value = map.value(configuredBy: handle, octets) {
      let isOn = (octets.first ?? 0) & 3 != 0
      if isAnswered { pending = .configure(value) }
      visits[visits.count - 1].add(.subscribe(isOn), value, now)
      guard isOn else { return }
      streams[value, default: []].append(early(value))
      lastStreams[value] = (streams[value, default: []].count - 1, trigger())
      newest = value
      return
    }
    used.add(handle)
    written.insert(handle)
    let write = Recording.Write(handle: handle, octets: octets)
    writes[write, default: []].append(Recording.Reaction())
    let index = writes[write, default: []].count - 1
    lastWrite = (write, index, trigger())
    newest = nil
    if isAnswered { pending = .write(write, index: index, now) }
    visits[visits.count - 1].add(isAnswered ? .write(octets) : .writeCommand(octets), handle, now)
  }

  /// What was told on this link before the subscription: it comes at once then, since nobody is told it earlier.
  private mutating func early(_ value: ATT.Handle) -> [Recording.Said] {
    guard let stream = lastStreams[value], stream.trigger.number == 0 else { return [] }
    visits[visits.count - 1].subscribes(to: value)
    unasked.remove(value)
    return (streams[value]?.remove(at: stream.index) ?? []).map { Recording.Said(kind: $0.kind, delay: 0) }
  }

  private mutating func trigger() -> Trigger {
    triggers += 1
    return Trigger(instant: now, number: triggers)
  }

  // MARK: Answers

  private mutating func answer(_ pdu: [UInt8]) {
    if let values = TrafficValue.values(in: pdu[...]) {
      for value in values where value.isFromServer {
        if value.carrier == .indication { indicated.insert(value.handle) } else { notified.insert(value.handle) }
        used.add(value.handle)
        if lastStreams[value.handle] == nil {
          visits[visits.count - 1].listens(to: value.handle)
          unasked.add(value.handle)
        }
        say(.value(value.handle, Array(value.octets)), about: value.handle)
      }
      return
    }
    let asked = pending
    switch (pdu.first ?? 0, asked) {
    case (0x01, _):
      guard pdu.count == 5 else { return }
      refuse(asked, request: pdu[1], pdu[4])
    case (0x0B, .read(let handle, let instant)):
      reads[handle, default: []].append(
        Recording.Answer(octets: Array(pdu[1...]), error: nil, delay: delay(since: instant)))
      growing = handle
    case (0x0D, .blob(let handle, let offset)):
      guard growing == handle, let count = reads[handle]?.count, reads[handle]?.last?.octets.count == offset else {
        break
      }
      reads[handle]?[count - 1].octets += pdu[1...]
    case (0x09, .byType(let type?)): keep(pdu, type)
    case (0x13, .write(let write, let index, let instant)), (0x19, .write(let write, let index, let instant)):
      let delay = delay(since: instant)
      writes[write]?[index].delay = delay
    case (0x02, _): return
    default: break
    }
    if pdu.first.map({ $0 & 1 != 0 }) ?? false { pending = .nothing }
  }

  private mutating func refuse(_ asked: Pending, request: UInt8, _ code: UInt8) {
    switch (request, asked) {
    case (0x0A, .read(let handle, let instant)):
      reads[handle, default: []].append(Recording.Answer(octets: [], error: code, delay: delay(since: instant)))
    case (0x12, .write(let write, let index, let instant)), (0x18, .write(let write, let index, let instant)):
      let delay = delay(since: instant)
      writes[write]?[index].error = code
      writes[write]?[index].delay = delay
    case (0x12, .configure(let value)): configurationErrors[value] = code
    case (0x16, _): prepared = []
    default: break
    }
    pending = .nothing
  }

  /// Values of Read By Type, which are no declarations.
  private mutating func keep(_ pdu: [UInt8], _ type: BluetoothUUID) {
    if let short = type.short, (0x2800...0x28FF).contains(short) { return }
    guard pdu.count >= 2, pdu[1] >= 2 else { return }
    var rest = pdu[2...]
    while rest.count >= Int(pdu[1]), let handle = Self.handle(Array(rest.prefix(2)), 0) {
      shown[handle] = Array(rest.prefix(Int(pdu[1])).dropFirst(2))
      rest = rest.dropFirst(Int(pdu[1]))
    }
  }

  /// The device did something by itself: it belongs to the newest write, or to the subscription if that is newer, or if
  /// the values of the characteristic come by themselves.
  private mutating func say(_ kind: Recording.Said.Kind, about handle: ATT.Handle?) {
    let stream = handle.flatMap { lastStreams[$0] }
    let isFree = handle.map { rhythm.free.contains($0) } ?? false
    if let lastWrite, lastWrite.trigger.number > stream?.trigger.number ?? 0, !isFree || kind == .end {
      let said = Recording.Said(kind: kind, delay: delay(since: lastWrite.trigger.instant))
      writes[lastWrite.write]?[lastWrite.index].said.append(said)
      return
    }
    guard let handle else { return }
    if stream == nil {
      // It was subscribed to before the capture, or before the link.
      streams[handle, default: []].append([])
      lastStreams[handle] = (streams[handle, default: []].count - 1, Trigger(instant: begin, number: 0))
    }
    guard let stream = lastStreams[handle] else { return }
    let said = Recording.Said(kind: kind, delay: delay(since: stream.trigger.instant))
    streams[handle]?[stream.index].append(said)
  }

  /// Clocks of captures step back at times.
  private func delay(since instant: SimInstant) -> Int64 { max(0, (now - instant).nanoseconds) }

  private static func handle(_ octets: [UInt8], _ offset: Int) -> ATT.Handle? {
    octets.count >= offset + 2 ? ATT.Handle(UInt16(octets[offset]) | UInt16(octets[offset + 1]) << 8) : nil
  }
}
