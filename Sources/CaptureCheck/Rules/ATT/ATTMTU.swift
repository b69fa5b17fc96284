import BluetoothWire
import Judging
import SimKernel

/// A client asks once. Spec: Core v5.4, Vol 3, Part F, 3.4.2.1.
final class MTUIsExchangedOnce: TrafficRule {
  static let id = "MTUIsExchangedOnce"
  static let claim = "A client sends ATT_EXCHANGE_MTU_REQ at most once during a connection."
  static let clause = "Core v5.4, Vol 3, Part F, 3.4.2.1"
  static let leavesOpen = "octets are missing since the first one: it may be sent again by the link layer"
  static let attOpcodes = OpcodeSet(0x02)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.att, .gaps, .links]
  private struct Client {
    var hasAsked = false
    /// Something is missing since then.
    var isDoubtful = false
  }
  @exclusivity(unchecked) private var links = PerLink(PerSide(Client()))

  func observe(att pdu: TrafficPDU) {
    let client = links[pdu.link][isCentral: pdu.fromCentral]
    if !client.hasAsked {
      ledger.judged += 1
    } else if pdu.link.hasVisibleEnd, !client.isDoubtful {
      fail(pdu, expected: "one ATT_EXCHANGE_MTU_REQ on this connection", actual: "\(pdu.sender) sends another one")
    } else {
      leaveOpen(pdu.link)
    }
    links[pdu.link][isCentral: pdu.fromCentral] = Client(hasAsked: true)
  }

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .gap(let link, _, _):
      links[link].central.isDoubtful = true
      links[link].peripheral.isDoubtful = true
    case .linkChanged(let link, let change) where change.turnsDirections: links[link] = PerSide(Client())
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

  func observe(att pdu: TrafficPDU) {
    guard pdu.count == 3 else { return }
    let size = Int(pdu.word(at: 1))
    if size >= ATT.defaultMTU { return ledger.judged += 1 }
    let clause = pdu.opcode == 0x03 ? "Core v5.4, Vol 3, Part F, 3.4.2.2" : Self.clause
    fail(
      pdu, clause: clause, expected: "an Rx MTU of 23 octets or more", actual: "\(pdu.sender) says \(size)")
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

  func observe(att pdu: TrafficPDU) {
    if pdu.count <= ATT.defaultMTU { return ledger.judged += 1 }
    guard let size = pdu.link.attMTU, links[pdu.link] == .asLinkSays else { return leaveOpen(pdu.link) }
    if pdu.count <= size { return ledger.judged += 1 }
    fail(
      pdu, expected: "at most ATT_MTU = \(size) octets",
      actual: "\(pdu.sender) sends \(RuleText.opcode(pdu.opcode)) of \(CountedNoun.text(pdu.count, "octet"))")
  }

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .gap(let link, _, _):
      if link.clientRxMTU == nil || link.serverRxMTU == nil { links[link] = .lost }
    case .linkChanged(let link, .attMTU): links[link] = .asLinkSays
    default: break
    }
  }
}
