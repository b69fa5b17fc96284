import BluetoothWire
import Judging
import SimKernel

extension TrafficPDU {
  /// Whether it goes from the host to the controller at which the capture was taken.
  fileprivate var isToController: Bool { fromCentral != link.isHostPeripheral }
}

/// Spec: Core v5.4, Vol 4, Part E, 4.1.1 and 7.8.2.
final class BuffersAreNotOverrun: TrafficRule {
  static let id = "BuffersAreNotOverrun"
  static let claim = "A host has no more ACL packets under way than the controller has buffers for LE."
  static let clause = "Core v5.4, Vol 4, Part E, 4.1.1"
  static let leavesOpen =
    "LE Read Buffer Size or the beginning of the link is not in the capture, LE shares the buffers of BR/EDR, or more "
    + "was completed than sent"
  static let layer = RuleLayer.hci

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .fragments

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard pdu.isToController, let adapter = pdu.link.adapter, let handle = pdu.link.handle else { return }
    guard let buffers = adapter.flow.buffers, adapter.flow.packets(Int(handle)) != nil else {
      return leaveOpen(pdu.link)
    }
    let total = adapter.flow.total + 1
    if total <= buffers.packets { return ledger.judged += 1 }
    fail(
      pdu, expected: "at most \(buffers.packets) packets under way, as LE Read Buffer Size says",
      actual: "the host has sent \(total) that are not completed")
  }
}

/// Spec: Core v5.4, Vol 4, Part E, 7.7.19.
final class CompletedPacketsWereSent: TrafficRule {
  static let id = "CompletedPacketsWereSent"
  static let claim = "Number Of Completed Packets counts no more packets than the host has sent on that handle."
  static let clause = "Core v5.4, Vol 4, Part E, 7.7.19"
  static let leavesOpen = "the beginning of the link is not in the capture, or a count was wrong already"
  static let eventCodes = OpcodeSet(0x13)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .events

  func observe(event: TrafficHCIEvent) {
    let fields = event.parameters
    for offset in stride(from: 1, through: fields.count - 4, by: 4) {
      let handle = fields.word(at: offset) & 0x0FFF
      let completed = Int(fields.word(at: offset + 2))
      guard let sent = event.adapter.flow.packets(Int(handle)) else {
        leaveOpen(event.adapter)
        continue
      }
      if completed <= sent {
        ledger.judged += 1
        continue
      }
      fail(
        event, nil, expected: "at most \(sent) packets completed on handle \(hexNumber(handle, digits: 4))",
        actual: "the controller counts \(completed)")
    }
  }
}

/// Spec: Core v5.4, Vol 4, Part E, 7.8.2.
final class ACLDataFitsTheBuffers: TrafficRule {
  static let id = "ACLDataFitsTheBuffers"
  static let claim = "A host sends no ACL packet with more data than LE Read Buffer Size allows."
  static let clause = "Core v5.4, Vol 4, Part E, 7.8.2"
  static let leavesOpen = "LE Read Buffer Size is not in the capture, or LE shares the buffers of BR/EDR"
  /// The least that every controller takes.
  private static let least = 27
  static let layer = RuleLayer.hci

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .fragments

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    if pdu.count <= Self.least { return ledger.judged += 1 }
    guard pdu.isToController, let adapter = pdu.link.adapter else { return }
    guard let buffers = adapter.flow.buffers else { return leaveOpen(pdu.link) }
    if pdu.count <= buffers.octets { return ledger.judged += 1 }
    fail(
      pdu, expected: "at most \(buffers.octets) octets of data, as LE Read Buffer Size says",
      actual: "the host sends \(pdu.count)")
  }
}

/// Spec: Core v5.4, Vol 4, Part E, 5.4.2.
final class BoundaryFlagsAreDefined: TrafficRule {
  static let id = "BoundaryFlagsAreDefined"
  static let claim =
    "ACL packets of LE begin with boundary flag 00 from the host and 10 from the controller, continue with 01, and are "
    + "point to point."
  static let clause = "Core v5.4, Vol 4, Part E, 5.4.2"
  static let leavesOpen =
    "the capture begins in the middle of the link, or records are cut or not in their order: it may not be LE"
  static let layer = RuleLayer.hci

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .fragments

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard case .acl(let boundary, let broadcast) = header else { return }
    let isToController = pdu.isToController
    if broadcast == 0, boundary == 1 || boundary == (isToController ? 0 : 2) { return ledger.judged += 1 }
    // An event that was cut may have given the handle to another connection.
    guard pdu.link.isFromStart, pdu.link.adapter?.hasLosses != true else { return leaveOpen(pdu.link) }
    fail(
      pdu, expected: "boundary flag \(isToController ? "00" : "10") or 01, broadcast flag 00",
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
    "the controller was not reset in the capture, the event that opens the handle comes within 1 s (data overtakes it "
    + "on USB), or the one that closed it came less than 1 s before"
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
        leaveOpen(link)
      }
    default: break
    }
  }

  func observe(event: TrafficHCIEvent) {
    let fields = event.parameters
    if fields.count >= 4, fields.word(at: 1) == 0x0C03, fields.octet(at: 3) == 0 { adapters[event.adapter] = true }
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
  static let leavesOpen = "nothing; data that a controller sends on such handles is its own records"
  static let eventCodes = OpcodeSet(0x3E)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.events, .foreign]

  func observe(_ event: TrafficEvent) {
    guard case .foreign(_, let handle, .reservedHandle, _) = event.kind else { return }
    fail(
      event, nil, expected: "a connection handle from 0x0000 to 0x0EFF",
      actual: "the host sends ACL data with \(RuleText.handle(handle))")
  }

  func observe(event: TrafficHCIEvent) {
    let fields = event.parameters
    guard fields.count >= 4 else { return }
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
