import BluetoothWire
import Judging

/// Spec: Core v5.4, Vol 3, Part G, 3.3.1.1.
final class AcceptedAccessIsDeclared: TransactionRule {
  static let id = "AcceptedAccessIsDeclared"
  static let claim = "A server that lets a client read or write a value has declared the property that permits it."
  static let clause = "Core v5.4, Vol 3, Part G, 3.3.1.1"
  static let leavesOpen = "discovery of that value is not in the captures, though that of others is"

  let ledger = makeLedger()

  func observe(_ step: AttributeTransactions.Step, _ pdu: TrafficPDU) {
    guard case .response(let request?, _) = step, pdu.opcode == request.opcode &+ 1 else { return }
    switch request.opcode {
    case 0x0A, 0x0C: judge(pdu, request, .read)
    case 0x12, 0x16: judge(pdu, request, .write)
    default: break
    }
  }

  private func judge(_ pdu: TrafficPDU, _ request: AttributeRequest, _ needed: GATT.Properties) {
    let map = pdu.link.attributes(ofCentral: pdu.fromCentral)
    // A client that knows the server from before discovers nothing: then there is no declaration to hold it against.
    if map.isEmpty { return }
    // Descriptors have no properties.
    if let handle = request.handle, map.descriptor(handle) != nil { return }
    guard let handle = request.handle, let characteristic = map.characteristic(value: handle),
      !characteristic.properties.isEmpty
    else { return leaveOpen(pdu.link) }
    // Reliable writes have a property of their own, in a descriptor (3.3.3.1).
    let isExtended = characteristic.properties.rawValue & 0x80 != 0 && needed == .write
    if characteristic.properties.contains(needed) || isExtended { return ledger.judged += 1 }
    fail(
      pdu,
      expected: "\(RuleText.opcode(request.opcode)) for \(RuleText.handle(handle)) refused: its properties are "
        + hexNumber(characteristic.properties.rawValue, digits: 2),
      actual: "\(pdu.sender) accepts it")
  }
}

/// Spec: Core v5.4, Vol 3, Part G, 3.3.1.1, 4.10 and 4.11.
final class ValueUpdatesAreDeclared: TrafficRule {
  static let id = "ValueUpdatesAreDeclared"
  static let claim = "A server notifies or indicates only characteristics that it has declared to do so."
  static let clause = "Core v5.4, Vol 3, Part G, 3.3.1.1"
  static let leavesOpen = "discovery of that value is not in the captures, though that of others is"
  static let attOpcodes = OpcodeSet(0x1B, 0x1D)

  private struct Seen {
    /// The newest handles that were found right.
    var notified: UInt16 = 0
    var indicated: UInt16 = 0
  }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .att
  @exclusivity(unchecked) private var links = PerLink(PerSide(Seen()))

  func observe(att pdu: TrafficPDU) {
    guard pdu.count >= 3 else { return }
    let (handle, fromCentral) = (pdu.word(at: 1), pdu.fromCentral)
    if pdu.opcode == 0x1B {
      if links[pdu.link][isCentral: fromCentral].notified == handle { return ledger.judged += 1 }
      if judge(pdu, handle, .notify) { links[pdu.link][isCentral: fromCentral].notified = handle }
    } else {
      if links[pdu.link][isCentral: fromCentral].indicated == handle { return ledger.judged += 1 }
      if judge(pdu, handle, .indicate) { links[pdu.link][isCentral: fromCentral].indicated = handle }
    }
  }

  private func judge(_ pdu: TrafficPDU, _ handle: UInt16, _ needed: GATT.Properties) -> Bool {
    let map = pdu.link.attributes(ofCentral: pdu.fromCentral)
    if map.isEmpty { return false }
    guard let characteristic = map.characteristic(value: handle), !characteristic.properties.isEmpty else {
      leaveOpen(pdu.link)
      return false
    }
    if characteristic.properties.contains(needed) {
      ledger.judged += 1
      return true
    }
    fail(
      pdu,
      expected: "no \(needed == .notify ? "notification" : "indication") of \(RuleText.handle(handle)): its properties "
        + "are \(hexNumber(characteristic.properties.rawValue, digits: 2))",
      actual: "\(pdu.sender) sends one")
    return false
  }
}
