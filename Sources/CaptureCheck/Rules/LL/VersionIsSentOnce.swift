import BluetoothWire
import Judging

/// Spec: Core v5.4, Vol 6, Part B, 5.1.5.
///
/// A device is blamed for the version that it said before, when a PDU of its own with the other sequence number lies
/// between, so that this is no repeat; and only when the other end says another version, since sniffers take one end
/// for the other at times.
final class VersionIsSentOnce: TrafficRule {
  static let id = "VersionIsSentOnce"
  static let claim = "No device sends LL_VERSION_IND more than once on a link."
  static let clause = "Core v5.4, Vol 6, Part B, 5.1.5"
  static let leavesOpen =
    "both ends say the same version, the other end's is not known, or the sniffer does not say who speaks"
  static let layer = RuleLayer.air

  private struct Said {
    /// Version, company and subversion; nil when it said none yet.
    var version: UInt64?
    var sequenceNumber: UInt8 = 0
    /// A PDU with the other sequence number came after it.
    var isOver = false
  }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .fragments
  @exclusivity(unchecked) private var links = PerLink(PerSide(Said()))

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard pdu.count >= 2, pdu.link.air?.isDirectionInferred != true else { return }
    let number = pdu.octet(at: 0) & 0x08
    guard let control = ControlOctets(pdu, header), control.opcode == LL.ControlOpcode.versionInd,
      control.dataLength == 5
    else {
      if links[pdu.link][isCentral: pdu.fromCentral].sequenceNumber != number {
        links[pdu.link][isCentral: pdu.fromCentral].isOver = true
      }
      return
    }
    let version = pdu.octets.suffix(5).reduce(0) { $0 << 8 | UInt64($1) }
    let said = links[pdu.link][isCentral: pdu.fromCentral]
    if said.version == nil {
      ledger.judged += 1
    } else {
      judge(pdu, version, said, ofOther: links[pdu.link][isCentral: !pdu.fromCentral].version, number)
    }
    links[pdu.link][isCentral: pdu.fromCentral] = Said(version: version, sequenceNumber: number)
  }

  private func judge(_ pdu: TrafficPDU, _ version: UInt64, _ said: Said, ofOther other: UInt64?, _ number: UInt8) {
    guard said.isOver || said.sequenceNumber != number, version == said.version, let other, other != version else {
      return ledger.open += 1
    }
    fail(
      pdu, expected: "one LL_VERSION_IND of \(pdu.sender) on this link", actual: "\(pdu.sender) sends another one")
  }
}
