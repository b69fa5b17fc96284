import BluetoothWire
import SimKernel

/// ACL packets that a host has sent and the controller has not yet completed, by connection handle.
private struct PacketsUnderWay {
  static let unknown: Int32 = -1

  /// As long as the greatest handle so far; `unknown` where the beginning is not in the capture.
  private var counts: [Int32] = []
  /// Of all known handles.
  private(set) var total = 0
  /// What LE Read Buffer Size said; nil before it, and when LE has no buffers of its own.
  var buffers: (octets: Int, packets: Int)?

  func count(_ handle: UInt16) -> Int32 { Int(handle) < counts.count ? counts[Int(handle)] : Self.unknown }

  mutating func set(_ handle: UInt16, _ count: Int32) {
    let place = Int(handle & 0x0FFF)
    if place >= counts.count { counts += repeatElement(Self.unknown, count: place + 1 - counts.count) }
    total += Int(max(0, count)) - Int(max(0, counts[place]))
    counts[place] = count
  }

  /// From the return parameters of LE Read Buffer Size, both versions (7.8.2).
  mutating func learn(_ fields: ArraySlice<UInt8>) {
    guard fields.count >= 7, fields.octet(at: 3) == 0 else { return }
    switch fields.word(at: 1) {
    case 0x2002, 0x2060:
      let octets = Int(fields.word(at: 4))
      let packets = Int(fields.octet(at: 6))
      buffers = octets == 0 || packets == 0 ? nil : (octets, packets)
    default: break
    }
  }
}

extension TrafficLink {
  /// Whether what a side sends goes from the host to the controller at which the capture was taken.
  fileprivate func isToController(fromCentral: Bool) -> Bool { fromCentral != (viewpoint == .host(.peripheral)) }
}

/// Spec: Core v5.4, Vol 4, Part E, 4.1.1 and 7.8.2.
final class BuffersAreNotOverrun: TrafficRule {
  static let id = "BuffersAreNotOverrun"
  static let claim = "A host has no more ACL packets under way than the controller has buffers for LE."
  static let clause = "Core v5.4, Vol 4, Part E, 4.1.1"
  static let leavesOpen =
    "LE Read Buffer Size or the beginning of the link is not in the capture, or LE shares the buffers of BR/EDR"
  static let eventCodes = OpcodeSet(0x0E, 0x13)
  static let layer = RuleLayer.hci

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.fragments, .events, .links]
  @exclusivity(unchecked) private var adapters = PerAdapter(PacketsUnderWay())

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .fragment(let link, let fromCentral, .acl, _):
      guard let adapter = link.adapter, let handle = link.handle, link.isToController(fromCentral: fromCentral) else {
        return
      }
      send(event, link, adapter, handle)
    case .event(let adapter, 0x13, let fields): complete(adapter, fields)
    case .event(let adapter, 0x0E, let fields): adapters[adapter].learn(fields)
    case .linkOpened(let link):
      if let adapter = link.adapter, let handle = link.handle {
        adapters[adapter].set(handle, link.isFromStart ? 0 : PacketsUnderWay.unknown)
      }
    case .linkClosed(let link, _):
      if let adapter = link.adapter, let handle = link.handle { adapters[adapter].set(handle, PacketsUnderWay.unknown) }
    default: break
    }
  }

  private func send(_ event: TrafficEvent, _ link: TrafficLink, _ adapter: TrafficAdapter, _ handle: UInt16) {
    let count = adapters[adapter].count(handle)
    guard count >= 0, let buffers = adapters[adapter].buffers else { return ledger.open += 1 }
    adapters[adapter].set(handle, count + 1)
    let total = adapters[adapter].total
    if total <= buffers.packets { return ledger.judged += 1 }
    fail(
      event, link, expected: "at most \(buffers.packets) packets under way, as LE Read Buffer Size says",
      actual: "the host has sent \(total) that are not completed")
  }

  private func complete(_ adapter: TrafficAdapter, _ fields: ArraySlice<UInt8>) {
    for offset in stride(from: 1, through: fields.count - 4, by: 4) {
      let handle = fields.word(at: offset) & 0x0FFF
      let count = adapters[adapter].count(handle)
      if count > 0 { adapters[adapter].set(handle, max(0, count - Int32(fields.word(at: offset + 2)))) }
    }
  }
}

/// Spec: Core v5.4, Vol 4, Part E, 7.7.19.
final class CompletedPacketsWereSent: TrafficRule {
  static let id = "CompletedPacketsWereSent"
  static let claim = "Number Of Completed Packets counts no more packets than the host has sent on that handle."
  static let clause = "Core v5.4, Vol 4, Part E, 7.7.19"
  static let leavesOpen = "the beginning of the link is not in the capture"
  static let eventCodes = OpcodeSet(0x13)
  static let layer = RuleLayer.hci

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.fragments, .events, .links]
  @exclusivity(unchecked) private var adapters = PerAdapter(PacketsUnderWay())

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .fragment(let link, let fromCentral, .acl, _):
      guard let adapter = link.adapter, let handle = link.handle, link.isToController(fromCentral: fromCentral) else {
        return
      }
      let count = adapters[adapter].count(handle)
      if count >= 0 { adapters[adapter].set(handle, count + 1) }
    case .event(let adapter, 0x13, let fields): complete(event, adapter, fields)
    case .linkOpened(let link):
      if let adapter = link.adapter, let handle = link.handle {
        adapters[adapter].set(handle, link.isFromStart ? 0 : PacketsUnderWay.unknown)
      }
    case .linkClosed(let link, _):
      if let adapter = link.adapter, let handle = link.handle { adapters[adapter].set(handle, PacketsUnderWay.unknown) }
    default: break
    }
  }

  private func complete(_ event: TrafficEvent, _ adapter: TrafficAdapter, _ fields: ArraySlice<UInt8>) {
    for offset in stride(from: 1, through: fields.count - 4, by: 4) {
      let handle = fields.word(at: offset) & 0x0FFF
      let sent = adapters[adapter].count(handle)
      let completed = Int32(fields.word(at: offset + 2))
      if sent < 0 {
        ledger.open += 1
      } else if completed <= sent {
        ledger.judged += 1
        adapters[adapter].set(handle, sent - completed)
      } else {
        fail(
          event, nil, expected: "at most \(sent) packets completed on handle \(RuleText.handle(handle))",
          actual: "the controller counts \(completed)")
        adapters[adapter].set(handle, PacketsUnderWay.unknown)
      }
    }
  }
}

/// Spec: Core v5.4, Vol 4, Part E, 7.8.2.
final class ACLDataFitsTheBuffers: TrafficRule {
  static let id = "ACLDataFitsTheBuffers"
  static let claim = "A host sends no ACL packet with more data than LE Read Buffer Size allows."
  static let clause = "Core v5.4, Vol 4, Part E, 7.8.2"
  static let leavesOpen = "LE Read Buffer Size is not in the capture, or LE shares the buffers of BR/EDR"
  static let eventCodes = OpcodeSet(0x0E)
  /// The least that every controller takes.
  private static let least = 27
  static let layer = RuleLayer.hci

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.fragments, .events]
  @exclusivity(unchecked) private var adapters = PerAdapter(PacketsUnderWay())

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .event(let adapter, 0x0E, let fields): adapters[adapter].learn(fields)
    case .fragment(let link, let fromCentral, .acl, let data):
      if data.count <= Self.least { return ledger.judged += 1 }
      guard let adapter = link.adapter, link.isToController(fromCentral: fromCentral) else { return }
      guard let buffers = adapters[adapter].buffers else { return ledger.open += 1 }
      if data.count <= buffers.octets { return ledger.judged += 1 }
      fail(
        event, link, expected: "at most \(buffers.octets) octets of data, as LE Read Buffer Size says",
        actual: "the host sends \(data.count)")
    default: break
    }
  }
}

/// Spec: Core v5.4, Vol 4, Part E, 5.4.2.
final class BoundaryFlagsAreDefined: TrafficRule {
  static let id = "BoundaryFlagsAreDefined"
  static let claim =
    "ACL packets of LE begin with boundary flag 00 from the host and 10 from the controller, go on with 01, and are "
    + "point to point."
  static let clause = "Core v5.4, Vol 4, Part E, 5.4.2"
  static let leavesOpen = "the capture begins in the middle of the link: it may not be LE"
  static let layer = RuleLayer.hci

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .fragments

  func observe(_ event: TrafficEvent) {
    guard case .fragment(let link, let fromCentral, .acl(let boundary, let broadcast), _) = event.kind else { return }
    let isToController = link.isToController(fromCentral: fromCentral)
    if broadcast == 0, boundary == 1 || boundary == (isToController ? 0 : 2) { return ledger.judged += 1 }
    guard link.isFromStart else { return ledger.open += 1 }
    fail(
      event, link, expected: "boundary flag \(isToController ? "00" : "10") or 01, broadcast flag 00",
      actual:
        "the \(isToController ? "host" : "controller") sends boundary flag \(Self.bits(boundary)), broadcast flag "
        + Self.bits(broadcast))
  }

  private static func bits(_ value: UInt8) -> String { "\(value >> 1)\(value & 1)" }
}

/// Spec: Core v5.4, Vol 4, Part E, 5.4.2 and 7.7.65.1.
final class DataGoesToConnectedHandles: TrafficRule {
  static let id = "DataGoesToConnectedHandles"
  static let claim = "ACL data has the handle of a connection that is up."
  static let clause = "Core v5.4, Vol 4, Part E, 5.4.2"
  static let leavesOpen =
    "the controller was not reset in the capture, or the event that opens the handle comes within 1 "
    + "s (data overtakes it on USB)"
  static let eventCodes = OpcodeSet(0x0E)
  /// Data and events come by different ways (USB endpoints): data may overtake the event that opens its handle.
  private static let overtaking: Int64 = 1_000_000_000

  private struct Doubt {
    var link: TrafficLink
    var record: Int
  }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.events, .links]
  /// Whether a Reset was completed: since then every connection has its event.
  @exclusivity(unchecked) private var adapters = PerAdapter(false)
  /// At most 64.
  @exclusivity(unchecked) private var doubts: [Doubt] = []

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .event(let adapter, 0x0E, let fields):
      if fields.count >= 4, fields.word(at: 1) == 0x0C03, fields.octet(at: 3) == 0 { adapters[adapter] = true }
    case .linkOpened(let link):
      guard let adapter = link.adapter else { return }
      if link.isFromStart {
        ledger.judged += 1
        let before = doubts.count
        doubts.removeAll { doubt in
          doubt.link.adapter === adapter && doubt.link.handle == link.handle
            && (event.instant - doubt.link.openedAt).nanoseconds < Self.overtaking
        }
        ledger.open += before - doubts.count
      } else if adapters[adapter], doubts.count < 64 {
        doubts.append(Doubt(link: link, record: event.place.record))
      } else {
        ledger.open += 1
      }
    default: break
    }
  }

  func finish(at end: SimInstant) {
    for doubt in doubts {
      ledger.fail(
        at: doubt.link.openedAt, device: doubt.link.index, record: doubt.record,
        expected: "a Connection Complete event before there is data, since the controller was reset",
        actual: "data of handle \(RuleText.handle(doubt.link.handle ?? 0)), which is not connected")
    }
    doubts = []
  }
}

/// Spec: Core v5.4, Vol 4, Part E, 5.4.2 and 7.7.65.1.
final class ConnectionHandlesAreInRange: TrafficRule {
  static let id = "ConnectionHandlesAreInRange"
  static let claim = "Connection handles are at most 0x0EFF."
  static let clause = "Core v5.4, Vol 4, Part E, 5.4.2"
  static let leavesOpen = "nothing"
  static let eventCodes = OpcodeSet(0x3E)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.events, .foreign]

  func observe(_ event: TrafficEvent) {
    if case .foreign(_, let handle, .reservedHandle, _) = event.kind {
      return fail(
        event, nil, expected: "a connection handle from 0x0000 to 0x0EFF",
        actual: "ACL data has \(RuleText.handle(handle))")
    }
    guard case .event(_, 0x3E, let fields) = event.kind, fields.count >= 4 else { return }
    switch fields.octet(at: 0) {
    case 0x01, 0x0A, 0x29: break
    default: return
    }
    guard fields.octet(at: 1) == 0 else { return }
    let handle = fields.word(at: 2)
    if handle <= 0x0EFF { return ledger.judged += 1 }
    fail(
      event, nil, clause: "Core v5.4, Vol 4, Part E, 7.7.65.1", expected: "a connection handle from 0x0000 to 0x0EFF",
      actual: "the controller gives \(RuleText.handle(handle))")
  }
}
