import BluetoothWire
import Judging
import SimKernel

/// Spec: Core v5.4, Vol 3, Part H, 3.3 and 3.5 to 3.6.
final class PairingPDUsHaveTheirLength: TrafficRule {
  static let id = "PairingPDUsHaveTheirLength"
  static let claim = "Every PDU of the Security Manager has the length of its code."
  static let clause = "Core v5.4, Vol 3, Part H, 3.3"
  static let leavesOpen = "nothing"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .frames

  func observe(_ event: TrafficEvent) {
    guard case .frame(let link, let fromCentral, .securityManager, let pdu) = event.kind else { return }
    guard let code = pdu.first, let length = SMP.PDU.length(of: code) else { return }
    if pdu.count == length { return ledger.judged += 1 }
    fail(
      event, link, expected: CountedNoun.text(length, "octet"),
      actual: "\(RuleText.side(fromCentral: fromCentral)) sends code \(hexNumber(code, digits: 2)) with \(pdu.count)"
    )
  }
}

/// Spec: Core v5.4, Vol 3, Part H, 3.5.1 and 3.5.2.
final class PairingParametersAreDefined: TrafficRule {
  static let id = "PairingParametersAreDefined"
  static let claim =
    "Pairing Request and Response have defined IO capabilities and OOB flags, and a key size of 7 to 16."
  static let clause = "Core v5.4, Vol 3, Part H, 3.5.1"
  static let leavesOpen = "nothing"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .frames

  func observe(_ event: TrafficEvent) {
    guard case .frame(let link, let fromCentral, .securityManager, let pdu) = event.kind, pdu.count == 7,
      pdu.octet(at: 0) == 0x01 || pdu.octet(at: 0) == 0x02
    else { return }
    let (input, outOfBand, keySize) = (pdu.octet(at: 1), pdu.octet(at: 2), pdu.octet(at: 4))
    if input <= 4, outOfBand <= 1, (7...16).contains(keySize) { return ledger.judged += 1 }
    fail(
      event, link, clause: pdu.octet(at: 0) == 0x02 ? "Core v5.4, Vol 3, Part H, 3.5.2" : nil,
      expected: "IO capability 0 to 4, OOB flag 0 or 1, key size 7 to 16",
      actual: "\(RuleText.side(fromCentral: fromCentral)) says \(input), \(outOfBand) and \(keySize)")
  }
}

/// Spec: Core v5.4, Vol 3, Part H, 2.1, 2.4.6 and 3.5.
final class PairingPhasesAreInOrder: TrafficRule {
  static let id = "PairingPhasesAreInOrder"
  static let claim = "The central asks to pair, the peripheral responds, values are exchanged, and keys go encrypted."
  static let clause = "Core v5.4, Vol 3, Part H, 2.1"
  static let leavesOpen = "octets are missing, or the capture begins in the middle of the link"

  private enum Phase { case unknown, idle, requested, responded, failed }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.frames, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(Phase.unknown)

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link): if link.isFromStart { links[link] = .idle }
    case .gap(let link, _, _): links[link] = .unknown
    case .frame(let link, let fromCentral, .securityManager, let pdu):
      if let code = pdu.first { follow(event, link, fromCentral: fromCentral, code) }
    default: break
    }
  }

  private func follow(_ event: TrafficEvent, _ link: TrafficLink, fromCentral: Bool, _ code: UInt8) {
    let phase = links[link]
    switch code {
    case 0x01: links[link] = link.isFromStart ? .requested : .unknown
    case 0x02: if phase == .requested { links[link] = .responded }
    case 0x05: links[link] = phase == .unknown ? .unknown : .failed
    default: break
    }
    if phase == .unknown { return leaveOpen(link) }
    let defect: String?
    switch code {
    case 0x01: defect = fromCentral ? nil : "Pairing Request from the central"
    case 0x02: defect = !fromCentral && phase == .requested ? nil : "Pairing Response to a request, from the peripheral"
    case 0x03, 0x04, 0x0C, 0x0D, 0x0E:
      // Both may have failed it at the same time.
      defect = phase == .responded || phase == .failed ? nil : "Pairing Response before it"
    case 0x06...0x0A: defect = link.isEncrypted ? nil : "an encrypted link before keys are handed out"
    case 0x0B: defect = fromCentral ? "Security Request from the peripheral only" : nil
    default: defect = nil
    }
    guard let defect else { return ledger.judged += 1 }
    let clause: String? =
      switch code {
      case 0x06...0x0A: "Core v5.4, Vol 3, Part H, 3.6.1"
      case 0x0B: "Core v5.4, Vol 3, Part H, 2.4.6"
      default: nil
      }
    fail(
      event, link, clause: clause, expected: defect,
      actual: "\(RuleText.side(fromCentral: fromCentral)) sends code \(hexNumber(code, digits: 2))")
  }
}
