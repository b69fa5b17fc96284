/// No client has two requests under way. Spec: Core v5.4, Vol 3, Part F, 3.3.2.
final class RequestsGoOneByOne: TrafficRule {
  static let id = "RequestsGoOneByOne"
  static let claim = "No client sends a request while its last one on the bearer is unanswered."
  static let clause = "Core v5.4, Vol 3, Part F, 3.3.2"
  static let leavesOpen = "octets of the link are missing, or the capture begins in its middle, until the next request"
  static let attOpcodes = OpcodeSet.transactions

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.att, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(AttributeTransactions())

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .att(let link, let fromCentral, let pdu):
      let step = links[link].follow(link, fromCentral: fromCentral, pdu, at: event.instant)
      guard case .request(let request, let unanswered, let isKnown) = step else { return }
      if let unanswered, link.hasVisibleEnd {
        fail(
          event, link, expected: "a response to \(RuleText.opcode(unanswered.opcode)) before the next request",
          actual: "\(RuleText.side(fromCentral: fromCentral)) sends \(RuleText.opcode(request.opcode))")
      } else if isKnown, unanswered == nil {
        ledger.judged += 1
      } else {
        ledger.open += 1
      }
    case .gap(let link, _, _): ledger.open += links[link].lose()
    case .linkChanged(let link, let change) where change.turnsDirections: _ = links[link].lose()
    default: break
    }
  }
}
