import BluetoothWire
import Judging
import SimKernel

/// Spec: Core v5.4, Vol 3, Part F, 3.4.
final class AttributePDUsAreWellFormed: TrafficRule {
  static let id = "AttributePDUsAreWellFormed"
  static let claim =
    "Every ATT PDU has the length of its opcode, and lists hold whole entries of the length they state."
  static let clause = "Core v5.4, Vol 3, Part F, 3.4"
  static let leavesOpen = "nothing"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .att

  func observe(att pdu: TrafficPDU) {
    if pdu.opcode == 0x1B, pdu.count >= 3 { return ledger.judged += 1 }
    guard let wrong = Self.defect(pdu.opcode, pdu.octets) else { return ledger.judged += 1 }
    fail(
      pdu, expected: wrong,
      actual: "\(pdu.sender) sends \(RuleText.opcode(pdu.opcode)) of \(CountedNoun.text(pdu.count, "octet"))")
  }

  /// What it should have been; nil when nothing is wrong, or nobody knows the opcode.
  /// What is wrong with the length, or nil.
  static func defect(_ opcode: UInt8, _ pdu: ArraySlice<UInt8>) -> String? {
    let count = pdu.count
    switch opcode {
    case 0x05: return information(pdu)
    case 0x07: return count >= 5 && count % 4 == 1 ? nil : "whole entries of 4 octets, at least one"
    case 0x08, 0x10: return count == 7 || count == 21 ? nil : "7 octets, or 21 with a long UUID"
    case 0x09: return entries(pdu, atLeast: 2)
    case 0x11: return entries(pdu, atLeast: 4)
    case 0x0E, 0x20: return count >= 5 && count % 2 == 1 ? nil : "whole handles, at least two"
    case 0x23: return count >= 5 ? nil : "at least 5 octets"
    default: break
    }
    guard let length = lengths.first(where: { $0.opcode == opcode }) else { return nil }
    if length.isExact { return count == length.count ? nil : "exactly \(CountedNoun.text(length.count, "octet"))" }
    return count >= length.count ? nil : "at least \(CountedNoun.text(length.count, "octet"))"
  }

  /// Format 1 has short UUIDs, format 2 long ones (3.4.3.2).
  private static func information(_ pdu: ArraySlice<UInt8>) -> String? {
    let size = pdu.count < 2 ? 0 : pdu.octet(at: 1) == 1 ? 4 : pdu.octet(at: 1) == 2 ? 18 : 0
    if size == 0 { return "format 1 or 2" }
    return pdu.count > 2 && (pdu.count - 2) % size == 0 ? nil : "whole entries of \(size) octets, at least one"
  }

  private static func entries(_ pdu: ArraySlice<UInt8>, atLeast least: Int) -> String? {
    let size = pdu.count < 2 ? 0 : Int(pdu.octet(at: 1))
    if size < least { return "a length field of at least \(least)" }
    return pdu.count > 2 && (pdu.count - 2) % size == 0 ? nil : "whole entries of \(size) octets, at least one"
  }

  private static let lengths: [(opcode: UInt8, count: Int, isExact: Bool)] = [
    (0x01, 5, true), (0x02, 3, true), (0x03, 3, true), (0x04, 5, true), (0x06, 7, false), (0x0A, 3, true),
    (0x0C, 5, true), (0x12, 3, false), (0x13, 1, true), (0x16, 5, false), (0x17, 5, false), (0x18, 2, true),
    (0x19, 1, true), (0x1B, 3, false), (0x1D, 3, false), (0x1E, 1, true), (0x52, 3, false), (0xD2, 15, false),
  ]
}

/// Spec: Core v5.4, Vol 3, Part F, 3.4.1.1, Table 3.4.
final class ErrorCodesAreDefined: TrafficRule {
  static let id = "ErrorCodesAreDefined"
  static let claim = "An error has a code that the specification defines, an application's, or a profile's."
  static let clause = "Core v5.4, Vol 3, Part F, 3.4.1.1"
  static let leavesOpen = "nothing"
  static let attOpcodes = OpcodeSet(0x01)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .att

  func observe(att pdu: TrafficPDU) {
    guard pdu.count == 5 else { return }
    let code = pdu.octet(at: 4)
    switch code {
    case 0x01...0x13, 0x80...0x9F, 0xE0...0xFF: ledger.judged += 1
    default:
      fail(
        pdu, expected: "an error code from 0x01 to 0x13, 0x80 to 0x9F or 0xE0 to 0xFF",
        actual: "\(pdu.sender) sends \(hexNumber(code, digits: 2)), which is reserved")
    }
  }
}

/// Spec: Core v5.4, Vol 3, Part F, 3.3.
final class UnknownRequestsAreRefused: TransactionRule {
  static let id = "UnknownRequestsAreRefused"
  static let claim = "A request with an undefined opcode is answered with the error Request Not Supported."
  static let clause = "Core v5.4, Vol 3, Part F, 3.3"
  static let leavesOpen = "octets of the link are missing, or the capture begins in its middle, until the next request"

  let ledger = makeLedger()

  func observe(_ step: AttributeTransactions.Step, _ pdu: TrafficPDU) {
    guard case .response(let request?, _) = step, !OpcodeSet.requests.contains(request.opcode) else { return }
    let error = pdu.opcode == 0x01 && pdu.count == 5 ? pdu.octet(at: 4) : nil
    if error == 0x06 { return ledger.judged += 1 }
    fail(
      pdu, expected: "ATT_ERROR_RSP with error 0x06 to \(RuleText.opcode(request.opcode))",
      actual: "\(pdu.sender) sends \(RuleText.opcode(pdu.opcode))"
        + (error.map { " with error \(hexNumber($0, digits: 2))" } ?? ""))
  }
}
