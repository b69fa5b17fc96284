import BluetoothWire
import Judging
import SimKernel

/// Spec: Core v5.4, Vol 6, Part B, 2.4.
final class DataHeadersAreDefined: TrafficRule {
  static let id = "DataHeadersAreDefined"
  static let claim = "No data channel PDU has the reserved LLID 00, and one without a payload has LLID 01."
  static let clause = "Core v5.4, Vol 6, Part B, 2.4"
  static let leavesOpen =
    "the CRC field is zero: it is unknown whether the PDU is intact; or the link has no beginning and no frame was "
    + "read: it may be no connection"
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .fragments

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard case .linkLayer(let llid, isRepeat: false) = header, pdu.count >= 2 else { return }
    let isEmpty = pdu.octet(at: 1) == 0
    if llid != 0, !isEmpty || llid == LL.LLID.continuation.rawValue { return ledger.judged += 1 }
    if pdu.link.air?.hasNoCRC == true { return ledger.open += 1 }
    // An isochronous stream whose beginning is not in the capture has other headers.
    if !pdu.link.isFromStart, !pdu.link.hasFrames { return leaveOpen(pdu.link) }
    fail(
      pdu, clause: llid == 0 ? nil : "Core v5.4, Vol 6, Part B, 2.4.1",
      expected: isEmpty ? "LLID 01 in an empty PDU" : "LLID 01, 10 or 11",
      actual: "\(pdu.sender) sends LLID \(llid >> 1)\(llid & 1)")
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 4.5.10 and 5.1.9.
final class PayloadsFitDataLength: TrafficRule {
  static let id = "PayloadsFitDataLength"
  static let claim = "No LL Data PDU is longer than the data length update allows, which begins with 27 octets."
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
    default: break
    }
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard case .linkLayer(let llid, isRepeat: false) = header, pdu.count >= 2 else { return }
    // The length of a control PDU is that of its opcode (2.4.2), whatever was agreed.
    if llid != LL.LLID.control.rawValue { judge(pdu, length: Int(pdu.octet(at: 1))) }
    if let control = ControlOctets(pdu, header), pdu.count == 11,
      control.opcode == LL.ControlOpcode.lengthReq || control.opcode == LL.ControlOpcode.lengthRsp
    {
      learn(pdu.link, fromCentral: pdu.fromCentral, control.opcode, rx: pdu.word(at: 3), tx: pdu.word(at: 7))
    }
  }

  private func judge(_ pdu: TrafficPDU, length: Int) {
    let link = pdu.link
    // An exchange that is encrypted cannot be read, and a MIC is not counted.
    let octets = link.isEncrypted ? length - Self.messageIntegrityCheck : length
    if octets <= Int(Self.least) { return ledger.judged += 1 }
    let state = links[link]
    let allowed = Int(state.limits[isCentral: pdu.fromCentral].allowed)
    if octets <= allowed { return ledger.judged += 1 }
    if state.isDoubtful || link.isEncrypted || link.air?.encryption != .plain { return leaveOpen(link) }
    fail(
      pdu, expected: "at most \(allowed) octets of payload", actual: "\(pdu.sender) sends \(octets)")
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
  static let leavesOpen = "the capture begins in the middle of the link or has gaps: it may be encrypted"
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .fragments

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard let control = ControlOctets(pdu, header), let expected = LL.ControlOpcode.dataLength(control.opcode) else {
      return
    }
    if pdu.isDoubtful { return leaveOpen(pdu.link) }
    if control.dataLength == expected { return ledger.judged += 1 }
    fail(
      pdu, expected: "\(CountedNoun.text(expected, "octet")) after the opcode of \(ControlOctets.name(control.opcode))",
      actual: "\(pdu.sender) sends \(control.dataLength)")
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 5.1.3.1.
final class NothingElseWhileEncryptionStarts: TrafficRule {
  static let id = "NothingElseWhileEncryptionStarts"
  static let claim =
    "Between LL_ENC_REQ and the encrypted link, the central sends no data, and the peripheral none after LL_ENC_RSP."
  static let clause = "Core v5.4, Vol 6, Part B, 5.1.3.1"
  static let leavesOpen = "nothing: a gap in what the peripheral sends ends the wait, it may have refused"

  private enum Phase { case none, asked, answered }
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.fragments, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(Phase.none)

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .gap(_, fromCentral: true, _): break
    case .gap(let link, _, _), .linkChanged(let link, .encryption): links[link] = .none
    default: break
    }
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard case .linkLayer(let llid, isRepeat: false) = header else { return }
    if llid == LL.LLID.control.rawValue {
      if let control = ControlOctets(pdu, header) { follow(control) }
      return
    }
    let phase = links[pdu.link]
    guard pdu.count > 2, phase == .answered || phase == .asked && pdu.fromCentral, !pdu.link.isEncrypted else { return }
    fail(
      pdu, expected: "no data until the link is encrypted",
      actual: "\(pdu.sender) sends \(CountedNoun.text(pdu.count - 2, "octet")) of data")
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
