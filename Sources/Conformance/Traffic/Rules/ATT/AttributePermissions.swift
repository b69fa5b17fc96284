import BluetoothWire

/// Spec: Core v5.4, Vol 3, Part G, 3.3.1.1.
final class AcceptedAccessIsDeclared: TrafficRule {
  static let id = "AcceptedAccessIsDeclared"
  static let claim = "A server that lets a client read or write a value has declared the property that permits it."
  static let clause = "Core v5.4, Vol 3, Part G, 3.3.1.1"
  static let leavesOpen = "discovery of that value is not in the captures, though that of others is"
  static let attOpcodes = OpcodeSet.transactions

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.att, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(AttributeTransactions())

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .att(let link, let fromCentral, let pdu):
      let step = links[link].follow(link, fromCentral: fromCentral, pdu, at: event.instant)
      guard case .response(let request?, _) = step, pdu.octet(at: 0) == request.opcode &+ 1 else { return }
      let needed: GATT.Properties
      switch request.opcode {
      case 0x0A, 0x0C: needed = .read
      case 0x12, 0x16: needed = .write
      default: return
      }
      judge(event, link, fromCentral: fromCentral, request, needed)
    case .gap(let link, _, _): _ = links[link].lose()
    case .linkChanged(let link, let change) where change.turnsDirections: _ = links[link].lose()
    default: break
    }
  }

  private func judge(
    _ event: TrafficEvent, _ link: TrafficLink, fromCentral: Bool, _ request: AttributeRequest,
    _ needed: GATT.Properties
  ) {
    let map = link.attributes(ofCentral: fromCentral)
    // A client that knows the server from before discovers nothing: then there is no declaration to hold it against.
    if map.isEmpty { return }
    // Descriptors have no properties.
    if let handle = request.handle, map.descriptor(handle) != nil { return }
    guard let handle = request.handle, let characteristic = map.characteristic(value: handle),
      !characteristic.isAssumed, !characteristic.properties.isEmpty
    else { return ledger.open += 1 }
    // Reliable writes have a property of their own, in a descriptor (3.3.3.1).
    let isExtended = characteristic.properties.rawValue & 0x80 != 0 && needed == .write
    if characteristic.properties.contains(needed) || isExtended { return ledger.judged += 1 }
    fail(
      event, link,
      expected: "\(RuleText.opcode(request.opcode)) for \(RuleText.handle(handle)) refused: its properties are "
        + RuleText.hex(characteristic.properties.rawValue, digits: 2),
      actual: "\(RuleText.side(fromCentral: fromCentral)) accepts it")
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

  func observe(_ event: TrafficEvent) {
    guard case .att(let link, let fromCentral, let pdu) = event.kind, pdu.count >= 3 else { return }
    let handle = pdu.word(at: 1)
    switch pdu.octet(at: 0) {
    case 0x1B:
      if links[link][isCentral: fromCentral].notified == handle { return ledger.judged += 1 }
      if judge(event, link, fromCentral: fromCentral, handle, .notify) {
        links[link][isCentral: fromCentral].notified = handle
      }
    case 0x1D:
      if links[link][isCentral: fromCentral].indicated == handle { return ledger.judged += 1 }
      if judge(event, link, fromCentral: fromCentral, handle, .indicate) {
        links[link][isCentral: fromCentral].indicated = handle
      }
    default: break
    }
  }

  private func judge(
    _ event: TrafficEvent, _ link: TrafficLink, fromCentral: Bool, _ handle: UInt16, _ needed: GATT.Properties
  ) -> Bool {
    let map = link.attributes(ofCentral: fromCentral)
    if map.isEmpty { return false }
    guard let characteristic = map.characteristic(value: handle), !characteristic.isAssumed,
      !characteristic.properties.isEmpty
    else {
      ledger.open += 1
      return false
    }
    if characteristic.properties.contains(needed) {
      ledger.judged += 1
      return true
    }
    fail(
      event, link,
      expected: "no \(needed == .notify ? "notification" : "indication") of \(RuleText.handle(handle)): its properties "
        + "are \(RuleText.hex(characteristic.properties.rawValue, digits: 2))",
      actual: "\(RuleText.side(fromCentral: fromCentral)) sends one")
    return false
  }
}
