import Judging

/// Spec: Core v5.4, Vol 3, Part F, 3.2.2.
final class HandlesAreNotReserved: TrafficRule {
  static let id = "HandlesAreNotReserved"
  static let claim = "No request, command, notification or indication names the handle 0x0000, which is reserved."
  static let clause = "Core v5.4, Vol 3, Part F, 3.2.2"
  static let leavesOpen = "nothing"
  static let attOpcodes = OpcodeSet(0x0A, 0x0C, 0x0E, 0x12, 0x16, 0x1B, 0x1D, 0x20, 0x23, 0x52, 0xD2)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .att

  func observe(att pdu: TrafficPDU) {
    guard pdu.count >= 3 else { return }
    if pdu.word(at: 1) != 0 { return ledger.judged += 1 }
    fail(
      pdu, expected: "a handle from 0x0001 to 0xFFFF",
      actual: "\(pdu.sender) sends \(RuleText.opcode(pdu.opcode)) for 0x0000")
  }
}

/// Spec: Core v5.4, Vol 3, Part F, 3.4.3.1, 3.4.3.3, 3.4.4.1 and 3.4.4.9.
final class HandleRangesAreInOrder: TrafficRule {
  static let id = "HandleRangesAreInOrder"
  static let claim = "A request for a range of handles starts at 0x0001 or above and not after its end."
  static let clause = "Core v5.4, Vol 3, Part F, 3.4.3.1"
  static let leavesOpen = "nothing"
  static let attOpcodes = OpcodeSet(0x04, 0x06, 0x08, 0x10)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .att

  func observe(att pdu: TrafficPDU) {
    guard pdu.count >= 5 else { return }
    let (start, end) = (pdu.word(at: 1), pdu.word(at: 3))
    if start > 0, start <= end { return ledger.judged += 1 }
    fail(
      pdu, clause: Self.clause(of: pdu.opcode),
      expected: "a starting handle above 0x0000 and not above the ending handle \(RuleText.handle(end))",
      actual: "\(pdu.sender) sends \(RuleText.opcode(pdu.opcode)) from \(RuleText.handle(start))")
  }

  private static func clause(of opcode: UInt8) -> String {
    switch opcode {
    case 0x06: "Core v5.4, Vol 3, Part F, 3.4.3.3"
    case 0x08: "Core v5.4, Vol 3, Part F, 3.4.4.1"
    case 0x10: "Core v5.4, Vol 3, Part F, 3.4.4.9"
    default: clause
    }
  }
}

/// Spec: Core v5.4, Vol 3, Part F, 3.4.3.2, 3.4.3.4, 3.4.4.2 and 3.4.4.10.
final class FoundHandlesAreInTheRange: TransactionRule {
  static let id = "FoundHandlesAreInTheRange"
  static let claim = "The handles in a response of discovery ascend and lie in the range that was asked for."
  static let clause = "Core v5.4, Vol 3, Part F, 3.4.4.2"
  static let leavesOpen = "octets of the link are missing, or the capture begins in its middle, until the next request"

  let ledger = makeLedger()

  func observe(_ step: AttributeTransactions.Step, _ pdu: TrafficPDU) {
    guard case .response(let request, let isKnown) = step, pdu.count > 2 else { return }
    switch pdu.opcode {
    case 0x05, 0x07, 0x09, 0x11: break
    default: return
    }
    guard let request, let start = request.handle, let end = request.end, pdu.opcode == request.opcode &+ 1 else {
      if !isKnown { leaveOpen(pdu.link) }
      return
    }
    judge(pdu, start: start, end: end)
  }

  func lose(_ count: Int) { ledger.open += count }

  private func judge(_ pdu: TrafficPDU, start: UInt16, end: UInt16) {
    let opcode = pdu.opcode
    let (first, size) = Self.layout(opcode, pdu.octet(at: 1))
    // Another rule judges malformed lists.
    guard size >= 2 else { return }
    var least = Int(start)
    for offset in stride(from: first, through: pdu.count - size, by: size) {
      let handle = pdu.word(at: offset)
      let groupEnd = opcode == 0x07 || opcode == 0x11 ? pdu.word(at: offset + 2) : handle
      if Int(handle) < least || handle > end || groupEnd < handle {
        return fail(
          pdu, clause: Self.clause(of: opcode),
          expected: "ascending handles from \(RuleText.handle(start)) to \(RuleText.handle(end))",
          actual: "\(pdu.sender) lists \(RuleText.handle(handle))"
            + (groupEnd == handle ? "" : " with the end \(RuleText.handle(groupEnd))")
            + (offset == first ? "" : " after \(RuleText.handle(UInt16(least - 1)))"))
      }
      least = Int(handle) + 1
    }
    ledger.judged += 1
  }

  /// Where the first entry stands, and how long each is; 0 when the PDU says nothing of use.
  private static func layout(_ opcode: UInt8, _ field: UInt8) -> (first: Int, size: Int) {
    switch opcode {
    case 0x05: (2, field == 1 ? 4 : field == 2 ? 18 : 0)
    case 0x07: (1, 4)
    case 0x11: (2, field >= 4 ? Int(field) : 0)
    default: (2, Int(field))
    }
  }

  private static func clause(of opcode: UInt8) -> String {
    switch opcode {
    case 0x05: "Core v5.4, Vol 3, Part F, 3.4.3.2"
    case 0x07: "Core v5.4, Vol 3, Part F, 3.4.3.4"
    case 0x11: "Core v5.4, Vol 3, Part F, 3.4.4.10"
    default: clause
    }
  }
}
