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

  private struct Server {
    /// False while the capture may lack an indication or its confirmation.
    var isKnown = false
    /// Indications that may be unconfirmed.
    var waiting = 0
    /// The newest one is: no confirmation came after it.
    var isUnconfirmed = false

    static let idle = Server(isKnown: true)
  }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.att, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(PerSide(Server()))

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
    let server = links[pdu.link][isCentral: pdu.fromCentral]
    if server.isUnconfirmed, pdu.link.hasVisibleEnd {
      fail(
        pdu, expected: "ATT_HANDLE_VALUE_CFM before the next indication",
        actual: "\(pdu.sender) sends ATT_HANDLE_VALUE_IND")
    } else if server.isKnown, server.waiting == 0 {
      ledger.judged += 1
    } else {
      leaveOpen(pdu.link)
    }
    links[pdu.link][isCentral: pdu.fromCentral] = Server(
      isKnown: true, waiting: server.waiting + 1, isUnconfirmed: true)
  }

  private func confirm(_ pdu: TrafficPDU) {
    let server = links[pdu.link][isCentral: !pdu.fromCentral]
    if !server.isKnown {
      leaveOpen(pdu.link)
    } else if server.waiting == 0 {
      fail(
        pdu, clause: "Core v5.4, Vol 3, Part F, 3.4.7.3",
        expected: "no confirmation while no indication is under way",
        actual: "\(pdu.sender) sends ATT_HANDLE_VALUE_CFM")
    } else if server.waiting == 1, server.isUnconfirmed {
      ledger.judged += 1
    } else {
      // Which one of several it confirms, nobody knows.
      ledger.open += 1
    }
    if server.isKnown {
      links[pdu.link][isCentral: !pdu.fromCentral] = Server(isKnown: true, waiting: max(0, server.waiting - 1))
    }
  }

  private func lose(_ link: TrafficLink) {
    let state = links[link]
    if state.central.waiting > 0 { ledger.open += 1 }
    if state.peripheral.waiting > 0 { ledger.open += 1 }
    links[link] = PerSide(Server())
  }
}
