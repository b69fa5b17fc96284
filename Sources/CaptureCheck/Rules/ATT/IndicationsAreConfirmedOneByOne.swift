import Judging

/// One indication, one confirmation. Spec: Core v5.4, Vol 3, Part F, 3.3.2, 3.4.7.2 and 3.4.7.3.
final class IndicationsAreConfirmedOneByOne: TrafficRule {
  static let id = "IndicationsAreConfirmedOneByOne"
  static let claim =
    "No server sends an indication while its last one is unconfirmed; confirmations follow indications."
  static let clause = "Core v5.4, Vol 3, Part F, 3.3.2"
  static let leavesOpen =
    "octets are missing, or the capture begins in the middle of the link, until the next indication"
  static let attOpcodes = OpcodeSet(0x1D, 0x1E)

  private enum Server { case unknown, idle, waiting }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.att, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(PerSide(Server.unknown))

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link): if link.isFromStart { links[link] = PerSide(.idle) }
    case .gap(let link, _, _): lose(link)
    case .linkChanged(let link, let change) where change.turnsDirections: lose(link)
    default: break
    }
  }

  func observe(att pdu: TrafficPDU) { if pdu.opcode == 0x1D { indicate(pdu) } else { confirm(pdu) } }

  private func indicate(_ pdu: TrafficPDU) {
    switch links[pdu.link][isCentral: pdu.fromCentral] {
    case .unknown: ledger.open += 1
    case .idle: ledger.judged += 1
    case .waiting where !pdu.link.hasVisibleEnd: ledger.open += 1
    case .waiting:
      fail(
        pdu, expected: "ATT_HANDLE_VALUE_CFM before the next indication",
        actual: "\(pdu.sender) sends ATT_HANDLE_VALUE_IND")
    }
    links[pdu.link][isCentral: pdu.fromCentral] = .waiting
  }

  private func confirm(_ pdu: TrafficPDU) {
    switch links[pdu.link][isCentral: !pdu.fromCentral] {
    case .unknown: ledger.open += 1
    case .waiting: ledger.judged += 1
    case .idle:
      fail(
        pdu, clause: "Core v5.4, Vol 3, Part F, 3.4.7.3",
        expected: "no confirmation while no indication is under way",
        actual: "\(pdu.sender) sends ATT_HANDLE_VALUE_CFM")
    }
    links[pdu.link][isCentral: !pdu.fromCentral] = .idle
  }

  private func lose(_ link: TrafficLink) {
    let state = links[link]
    if state.central == .waiting { ledger.open += 1 }
    if state.peripheral == .waiting { ledger.open += 1 }
    links[link] = PerSide(.unknown)
  }
}
