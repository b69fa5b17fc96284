import Judging

/// No client has two requests under way. Spec: Core v5.4, Vol 3, Part F, 3.3.2.
final class RequestsGoOneByOne: TransactionRule {
  static let id = "RequestsGoOneByOne"
  static let claim = "No client sends a request while its last one on the bearer is unanswered."
  static let clause = "Core v5.4, Vol 3, Part F, 3.3.2"
  static let leavesOpen = "octets of the link are missing, or the capture begins in its middle, until the next request"

  let ledger = makeLedger()

  func observe(_ step: AttributeTransactions.Step, _ pdu: TrafficPDU) {
    guard case .request(let request, let unanswered, let isKnown) = step else { return }
    if let unanswered, pdu.link.hasVisibleEnd {
      fail(
        pdu, expected: "a response to \(RuleText.opcode(unanswered.opcode)) before the next request",
        actual: "\(pdu.sender) sends \(RuleText.opcode(request.opcode))")
    } else if isKnown, unanswered == nil {
      ledger.judged += 1
    } else {
      leaveOpen(pdu.link)
    }
  }

  func lose(_ count: Int) { ledger.open += count }
}
