import BluetoothWire

/// A client asks once. Spec: Core v5.4, Vol 3, Part F, 3.4.2.1.
final class MTUIsExchangedOnce: TrafficRule {
  static let id = "MTUIsExchangedOnce"
  static let claim = "A client sends ATT_EXCHANGE_MTU_REQ at most once during a connection."
  static let clause = "Core v5.4, Vol 3, Part F, 3.4.2.1"
  static let leavesOpen = "nothing: an exchange that the capture does not show is not counted"
  static let attOpcodes = OpcodeSet(0x02)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.att, .links]
  @exclusivity(unchecked) private var links = PerLink(PerSide(false))

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .att(let link, let fromCentral, let pdu):
      guard pdu.octet(at: 0) == 0x02 else { return }
      if links[link][isCentral: fromCentral], !link.hasVisibleEnd {
        ledger.open += 1
      } else if links[link][isCentral: fromCentral] {
        fail(
          event, link, expected: "one ATT_EXCHANGE_MTU_REQ on this connection",
          actual: "\(RuleText.side(fromCentral: fromCentral)) sends another one")
      } else {
        ledger.judged += 1
      }
      links[link][isCentral: fromCentral] = true
    case .linkChanged(let link, let change) where change.turnsDirections: links[link] = PerSide(false)
    default: break
    }
  }
}

/// Nobody can take less than the default. Spec: Core v5.4, Vol 3, Part F, 3.4.2.1 and 3.4.2.2; Part G, 5.2.1.
final class RxMTUIsAtLeast23: TrafficRule {
  static let id = "RxMTUIsAtLeast23"
  static let claim = "An Rx MTU that is exchanged is at least the default ATT_MTU of 23 octets."
  static let clause = "Core v5.4, Vol 3, Part F, 3.4.2.1"
  static let leavesOpen = "nothing"
  static let attOpcodes = OpcodeSet(0x02, 0x03)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .att

  func observe(_ event: TrafficEvent) {
    guard case .att(let link, let fromCentral, let pdu) = event.kind, pdu.count == 3, pdu.octet(at: 0) & 0xFE == 2
    else { return }
    let size = Int(pdu.word(at: 1))
    if size >= ATT.defaultMTU { return ledger.judged += 1 }
    let clause = pdu.octet(at: 0) == 0x03 ? "Core v5.4, Vol 3, Part F, 3.4.2.2" : Self.clause
    fail(
      event, link, clause: clause, expected: "an Rx MTU of 23 octets or more",
      actual: "\(RuleText.side(fromCentral: fromCentral)) says \(size)")
  }
}

/// No PDU is longer than what was agreed. Spec: Core v5.4, Vol 3, Part F, 3.2.8 and 3.4.2.2.
final class PDUsFitATTMTU: TrafficRule {
  static let id = "PDUsFitATTMTU"
  static let claim = "No ATT PDU is longer than the ATT_MTU in force."
  static let clause = "Core v5.4, Vol 3, Part F, 3.2.8"
  static let leavesOpen = "the exchange may lie before the capture or in a gap, and the PDU is longer than 23 octets"

  private enum Knowledge {
    case asLinkSays
    /// Something is missing: an exchange may have been in it.
    case lost
  }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.att, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(Knowledge.asLinkSays)

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .att(let link, let fromCentral, let pdu):
      if pdu.count <= ATT.defaultMTU { return ledger.judged += 1 }
      guard let size = link.attMTU, links[link] == .asLinkSays else { return ledger.open += 1 }
      if pdu.count <= size { return ledger.judged += 1 }
      fail(
        event, link, expected: "at most ATT_MTU = \(size) octets",
        actual: "\(RuleText.side(fromCentral: fromCentral)) sends \(RuleText.opcode(pdu.octet(at: 0))) of "
          + "\(pdu.count) octets")
    case .gap(let link, _, _):
      if link.clientRxMTU == nil || link.serverRxMTU == nil { links[link] = .lost }
    case .linkChanged(let link, .attMTU): links[link] = .asLinkSays
    default: break
    }
  }
}
