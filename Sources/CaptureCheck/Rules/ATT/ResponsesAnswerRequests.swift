import BluetoothWire
import Judging

/// Every response belongs to the request before it. Spec: Core v5.4, Vol 3, Part F, 3.3.2 and 3.4.9.
final class ResponsesAnswerRequests: TransactionRule {
  static let id = "ResponsesAnswerRequests"
  static let claim = "Every response answers the request that is under way."
  static let clause = "Core v5.4, Vol 3, Part F, 3.4.9"
  static let leavesOpen = "octets of the link are missing, or the capture begins in its middle, until the next request"

  let ledger = makeLedger()

  func observe(_ step: AttributeTransactions.Step, _ pdu: TrafficPDU) {
    guard case .response(let request, let isKnown) = step else { return }
    guard isKnown else { return leaveOpen(pdu.link) }
    let opcode = pdu.opcode
    guard let request else {
      return fail(
        pdu, clause: "Core v5.4, Vol 3, Part F, 3.3.2", expected: "no response while no request is under way",
        actual: "\(pdu.sender) sends \(RuleText.opcode(opcode))")
    }
    if opcode == 0x01 || opcode == request.opcode &+ 1 { return ledger.judged += 1 }
    fail(
      pdu, expected: "the response to \(RuleText.opcode(request.opcode)), or ATT_ERROR_RSP",
      actual: "\(pdu.sender) sends \(RuleText.opcode(opcode))")
  }

  func lose(_ count: Int) { ledger.open += count }
}

/// Spec: Core v5.4, Vol 3, Part F, 3.4.1.1, 3.4.3.1 and 3.4.4.1.
final class ErrorsNameTheirRequest: TransactionRule {
  static let id = "ErrorsNameTheirRequest"
  static let claim =
    "An error names the opcode of its request, and the handle that the request asked for or starts at, or one of them."
  static let clause = "Core v5.4, Vol 3, Part F, 3.4.1.1"
  static let leavesOpen =
    "octets of the link are missing, or the capture begins in its middle, until the next request; or the request has "
    + "another length than its opcode wants"

  let ledger = makeLedger()

  func observe(_ step: AttributeTransactions.Step, _ pdu: TrafficPDU) {
    guard case .response(let request, let isKnown) = step, pdu.opcode == 0x01, pdu.count == 5 else { return }
    if let request, request.isWellFormed {
      judge(pdu, request)
    } else if request != nil {
      ledger.open += 1
    } else if !isKnown {
      leaveOpen(pdu.link)
    }
  }

  func lose(_ count: Int) { ledger.open += count }

  /// Errors that an attribute is the reason of: reading it is not permitted, or needs more than the link has.
  private static let ofPermission = OpcodeSet(0x02, 0x05, 0x08, 0x0C, 0x0F)

  private func judge(_ pdu: TrafficPDU, _ request: AttributeRequest) {
    let asked = RuleText.opcode(request.opcode)
    let named = pdu.octet(at: 1)
    if named != request.opcode {
      return fail(
        pdu, expected: "an error that names \(asked)", actual: "\(pdu.sender) names \(RuleText.opcode(named))")
    }
    let handle = pdu.word(at: 2)
    if let wrong = Self.wrong(handle, for: request, error: pdu.octet(at: 4)) {
      return fail(
        pdu, expected: "\(wrong) as the handle of an error to \(asked)",
        actual: "\(pdu.sender) names \(RuleText.handle(handle))")
    }
    ledger.judged += 1
  }

  /// What the handle should have been; nil when it is right, or cannot be told.
  ///
  /// A request that the server could not parse or does not know may be answered with 0x0000. A search that found
  /// nothing names where it started; one that failed at an attribute names that one.
  private static func wrong(_ handle: UInt16, for request: AttributeRequest, error: UInt8) -> String? {
    if handle == 0, error == 0x04 || error == 0x06 { return nil }
    switch request.opcode {
    case 0x02: return handle == 0 ? nil : RuleText.handle(0)
    case 0x04, 0x06, 0x08, 0x10:
      guard let start = request.handle, let end = request.end, start != handle else { return nil }
      if error == 0x01 || error == 0x0A { return RuleText.handle(start) }
      let isInRange = handle > start && handle <= end
      return isInRange || !ofPermission.contains(error)
        ? nil : "one of \(RuleText.handle(start)) to \(RuleText.handle(end))"
    case 0x0E, 0x20:
      return request.handles.isEmpty || request.handles.contains(handle)
        ? nil : "one of \(request.handles.map { RuleText.handle($0) }.joined(separator: ", "))"
    case 0x0A, 0x0C, 0x12, 0x16:
      guard let asked = request.handle, asked != handle else { return nil }
      return RuleText.handle(asked)
    default: return nil
    }
  }
}

/// Commands stay without an answer. Spec: Core v5.4, Vol 3, Part F, 3.3 and 3.4.5.3.
final class CommandsAreNotAnswered: TrafficRule {
  static let id = "CommandsAreNotAnswered"
  static let claim = "No server answers a command, known or not, or a notification."
  static let clause = "Core v5.4, Vol 3, Part F, 3.3"
  static let leavesOpen = "nothing"
  static let attOpcodes = OpcodeSet(0x01)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .att

  func observe(att pdu: TrafficPDU) {
    guard pdu.count == 5 else { return }
    let named = pdu.octet(at: 1)
    if named & 0x40 == 0 && named != 0x1B && named != 0x23 { return ledger.judged += 1 }
    fail(
      pdu, expected: "no answer to \(RuleText.opcode(named))",
      actual: "\(pdu.sender) sends ATT_ERROR_RSP with error "
        + hexNumber(pdu.octet(at: 4), digits: 2))
  }
}
