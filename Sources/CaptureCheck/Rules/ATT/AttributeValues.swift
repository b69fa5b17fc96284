import BluetoothWire
import Judging
import SimKernel

/// Spec: Core v5.4, Vol 3, Part F, 3.2.9.
final class AttributeValuesAreAtMost512: TrafficRule {
  static let id = "AttributeValuesAreAtMost512"
  static let claim = "No attribute value is longer than 512 octets, counted from its first one."
  static let clause = "Core v5.4, Vol 3, Part F, 3.2.9"
  static let leavesOpen = "nothing"
  static let attOpcodes = OpcodeSet(0x0B, 0x12, 0x16, 0x17, 0x1B, 0x1D, 0x52)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .att

  func observe(att pdu: TrafficPDU) {
    let length: Int
    switch pdu.opcode {
    case 0x0B: length = pdu.count - 1
    case 0x12, 0x1B, 0x1D, 0x52: length = pdu.count - 3
    case 0x16, 0x17:
      guard pdu.count >= 5 else { return }
      length = Int(pdu.word(at: 3)) + pdu.count - 5
    default: return
    }
    if length <= ATT.longestValue { return ledger.judged += 1 }
    fail(
      pdu, expected: "a value that ends within 512 octets",
      actual: "\(pdu.sender) sends \(RuleText.opcode(pdu.opcode)) up to octet \(length)")
  }
}

/// Spec: Core v5.4, Vol 3, Part F, 3.4.6.2.
final class PreparedWritesAreEchoed: TrafficRule {
  static let id = "PreparedWritesAreEchoed"
  static let claim = "ATT_PREPARE_WRITE_RSP has the handle, the offset and the value of its request."
  static let clause = "Core v5.4, Vol 3, Part F, 3.4.6.2"
  static let leavesOpen = "the request is not in the capture"
  static let attOpcodes = OpcodeSet(0x16, 0x17, 0x01)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.att, .gaps, .links]
  /// The parameters of the newest request of each client; empty when none is under way.
  @exclusivity(unchecked) private var links = PerLink(PerSide([UInt8]()))

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .gap(let link, _, _): links[link] = PerSide([])
    case .linkChanged(let link, let change) where change.turnsDirections: links[link] = PerSide([])
    default: break
    }
  }

  func observe(att pdu: TrafficPDU) {
    switch pdu.opcode {
    case 0x16: links[pdu.link][isCentral: pdu.fromCentral] = Array(pdu.octets.dropFirst())
    case 0x01: links[pdu.link][isCentral: !pdu.fromCentral] = []
    case 0x17: judge(pdu)
    default: break
    }
  }

  private func judge(_ pdu: TrafficPDU) {
    let asked = links[pdu.link][isCentral: !pdu.fromCentral]
    links[pdu.link][isCentral: !pdu.fromCentral] = []
    if asked.isEmpty { return leaveOpen(pdu.link) }
    if asked[...] == pdu.octets.dropFirst() { return ledger.judged += 1 }
    fail(
      pdu, expected: "the handle, offset and \(max(0, asked.count - 4)) octets that were to be written",
      actual: "\(pdu.sender) answers with something else, \(CountedNoun.text(pdu.count - 1, "octet"))")
  }
}
