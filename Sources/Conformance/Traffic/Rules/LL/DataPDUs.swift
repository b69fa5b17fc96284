import BluetoothWire

/// Spec: Core v5.4, Vol 6, Part B, 2.4.
final class DataHeadersAreDefined: TrafficRule {
  static let id = "DataHeadersAreDefined"
  static let claim = "No data channel PDU has the reserved LLID 00, and one without a payload has LLID 01."
  static let clause = "Core v5.4, Vol 6, Part B, 2.4"
  static let leavesOpen = "nothing"
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .fragments

  func observe(_ event: TrafficEvent) {
    guard case .fragment(let link, let fromCentral, .linkLayer(let llid, _), let octets) = event.kind, octets.count >= 2
    else { return }
    let isEmpty = octets.octet(at: 1) == 0
    if llid != 0, !isEmpty || llid == LL.LLID.continuation.rawValue { return ledger.judged += 1 }
    fail(
      event, link, clause: llid == 0 ? nil : "Core v5.4, Vol 6, Part B, 2.4.1",
      expected: isEmpty ? "LLID 01 in an empty PDU" : "LLID 01, 10 or 11",
      actual: "\(RuleText.side(fromCentral: fromCentral)) sends LLID \(llid >> 1)\(llid & 1)")
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 4.5.10 and 5.1.9.
final class PayloadsFitDataLength: TrafficRule {
  static let id = "PayloadsFitDataLength"
  static let claim = "No data channel PDU is longer than the data length update allows, which begins with 27 octets."
  static let clause = "Core v5.4, Vol 6, Part B, 4.5.10"
  static let leavesOpen = "the link has no beginning, has gaps or is encrypted: a length exchange may be hidden"
  private static let least: UInt16 = 27
  private static let messageIntegrityCheck = 4

  private struct Limits {
    var maxTx = PayloadsFitDataLength.least
    var maxRx = PayloadsFitDataLength.least
    /// The greatest that has been allowed so far: a lower one is not in force at once.
    var allowed = PayloadsFitDataLength.least
  }

  private struct State {
    var limits = PerSide(Limits())
    var isDoubtful = false
  }
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.fragments, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(State())

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link): if !link.isFromStart { links[link].isDoubtful = true }
    case .gap(let link, _, _): links[link].isDoubtful = true
    case .fragment(let link, let fromCentral, .linkLayer, let octets):
      guard octets.count >= 2 else { return }
      judge(event, link, fromCentral: fromCentral, length: Int(octets.octet(at: 1)))
      if let pdu = ControlOctets(event), octets.count == 11,
        pdu.opcode == LL.ControlOpcode.lengthReq || pdu.opcode == LL.ControlOpcode.lengthRsp
      {
        learn(link, fromCentral: fromCentral, pdu.opcode, rx: octets.word(at: 3), tx: octets.word(at: 7))
      }
    default: break
    }
  }

  private func judge(_ event: TrafficEvent, _ link: TrafficLink, fromCentral: Bool, length: Int) {
    // An exchange that is encrypted cannot be read, and a MIC is not counted.
    let octets = link.isEncrypted ? length - Self.messageIntegrityCheck : length
    if octets <= Int(Self.least) { return ledger.judged += 1 }
    let state = links[link]
    let allowed = Int(state.limits[isCentral: fromCentral].allowed)
    if octets <= allowed { return ledger.judged += 1 }
    if state.isDoubtful || link.isEncrypted { return ledger.open += 1 }
    fail(
      event, link, expected: "at most \(allowed) octets of payload",
      actual: "\(RuleText.side(fromCentral: fromCentral)) sends \(octets)")
  }

  private func learn(_ link: TrafficLink, fromCentral: Bool, _ opcode: UInt8, rx: UInt16, tx: UInt16) {
    links[link].limits[isCentral: fromCentral].maxRx = rx
    links[link].limits[isCentral: fromCentral].maxTx = tx
    guard opcode == LL.ControlOpcode.lengthRsp else { return }
    for isCentral in [true, false] {
      let allowed = min(links[link].limits[isCentral: isCentral].maxTx, links[link].limits[isCentral: !isCentral].maxRx)
      links[link].limits[isCentral: isCentral].allowed = max(links[link].limits[isCentral: isCentral].allowed, allowed)
    }
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 2.4.2.
final class ControlPDUsHaveTheirLength: TrafficRule {
  static let id = "ControlPDUsHaveTheirLength"
  static let claim = "Every LL Control PDU has the length of its opcode."
  static let clause = "Core v5.4, Vol 6, Part B, 2.4.2"
  static let leavesOpen = "the capture begins in the middle of the link: it may be encrypted"
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .fragments

  func observe(_ event: TrafficEvent) {
    guard let pdu = ControlOctets(event), let expected = LL.ControlOpcode.dataLength(pdu.opcode) else { return }
    // In the middle of a link it may be ciphertext.
    guard pdu.link.isFromStart else { return ledger.open += 1 }
    if pdu.dataLength == expected { return ledger.judged += 1 }
    fail(
      event, pdu.link, expected: "\(expected) octets behind the opcode of \(ControlOctets.name(pdu.opcode))",
      actual: "\(RuleText.side(fromCentral: pdu.fromCentral)) sends \(pdu.dataLength)")
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 5.1.3.1.
final class NothingElseWhileEncryptionStarts: TrafficRule {
  static let id = "NothingElseWhileEncryptionStarts"
  static let claim =
    "Between LL_ENC_REQ and the encrypted link, the central sends no data; nor the peripheral behind LL_ENC_RSP."
  static let clause = "Core v5.4, Vol 6, Part B, 5.1.3.1"
  static let leavesOpen = "nothing: a gap ends the wait"

  private enum Phase { case none, asked, answered }
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.fragments, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(Phase.none)

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .gap(let link, _, _), .linkChanged(let link, .encryption): links[link] = .none
    case .fragment(let link, let fromCentral, .linkLayer(let llid, isRepeat: false), let octets):
      if llid == LL.LLID.control.rawValue {
        if let pdu = ControlOctets(event) { follow(pdu) }
        return
      }
      guard octets.count > 2 else { return }
      let isSilent = links[link] == .answered || links[link] == .asked && fromCentral
      guard isSilent, !link.isEncrypted else { return }
      fail(
        event, link, expected: "no data until the link is encrypted",
        actual: "\(RuleText.side(fromCentral: fromCentral)) sends \(octets.count - 2) octets of data")
    default: break
    }
  }

  private func follow(_ pdu: ControlOctets) {
    switch pdu.opcode {
    case LL.ControlOpcode.encReq where pdu.fromCentral: links[pdu.link] = .asked
    case LL.ControlOpcode.encRsp where !pdu.fromCentral && links[pdu.link] == .asked:
      links[pdu.link] = .answered
      ledger.judged += 1
    case LL.ControlOpcode.rejectInd, LL.ControlOpcode.rejectExtInd: links[pdu.link] = .none
    default: break
    }
  }
}
