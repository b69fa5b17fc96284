import BluetoothWire
import Judging

/// Spec: Core v5.4, Vol 6, Part B, 5.1.3.1 and 5.1.3.2.
///
/// Only links are judged on which nothing was ever encrypted: the request of a pause is. A sniffer may miss the event
/// of an LL_ENC_REQ as a whole, but not all that comes before LL_START_ENC_REQ, or makes a link one that can pause.
final class EncryptionPDUsAreAnswers: TrafficRule {
  static let id = "EncryptionPDUsAreAnswers"
  static let claim =
    "LL_ENC_RSP, LL_START_ENC_REQ and LL_PAUSE_ENC_RSP come only after the PDU of encryption that asks for them."
  static let clause = "Core v5.4, Vol 6, Part B, 5.1.3.1"
  static let leavesOpen =
    "the link has no beginning, or has gaps; LL_ENC_REQ was not seen, but what follows it is"
  private static let pause = "Core v5.4, Vol 6, Part B, 5.1.3.2"
  static let layer = RuleLayer.air

  private enum Phase { case plain, asked, answered, pauseAsked, pauseAnswered }

  private struct State {
    var phase = Phase.plain
    /// Something that asks may have been missed: what is not an answer to what was seen accuses nobody.
    var isDoubtful = false
  }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.fragments, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(State())

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link): if !link.isFromStart { links[link].isDoubtful = true }
    case .gap(let link, _, _), .linkChanged(let link, .encryption): links[link] = State(isDoubtful: true)
    default: break
    }
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard let control = ControlOctets(pdu, header) else { return }
    if pdu.link.air?.isDirectionInferred == true { links[pdu.link].isDoubtful = true }
    let phase = links[pdu.link].phase
    switch control.opcode {
    case LL.ControlOpcode.encReq where pdu.fromCentral: links[pdu.link].phase = .asked
    case LL.ControlOpcode.encRsp where !pdu.fromCentral && control.dataLength == 12:
      if phase == .asked { ledger.judged += 1 } else { leaveOpen(pdu.link) }
      links[pdu.link].phase = .answered
    case LL.ControlOpcode.startEncReq where control.dataLength == 0:
      judge(pdu, control, isAnswer: phase == .answered && !pdu.fromCentral, after: "LL_ENC_RSP", clause: nil)
    case LL.ControlOpcode.pauseEncReq where pdu.fromCentral: links[pdu.link].phase = .pauseAsked
    case LL.ControlOpcode.pauseEncRsp where control.dataLength == 0:
      judge(
        pdu, control, isAnswer: phase == (pdu.fromCentral ? .pauseAnswered : .pauseAsked),
        after: pdu.fromCentral ? "LL_PAUSE_ENC_RSP of the peripheral" : "LL_PAUSE_ENC_REQ", clause: Self.pause)
      if phase == .pauseAsked { links[pdu.link].phase = .pauseAnswered }
    case LL.ControlOpcode.rejectInd, LL.ControlOpcode.rejectExtInd: links[pdu.link].phase = .plain
    default: break
    }
  }

  private func judge(
    _ pdu: TrafficPDU, _ control: ControlOctets, isAnswer: Bool, after asking: String, clause: String?
  ) {
    if isAnswer { return ledger.judged += 1 }
    if links[pdu.link].isDoubtful { return leaveOpen(pdu.link) }
    fail(
      pdu, clause: clause, expected: "\(ControlOctets.name(control.opcode)) only after \(asking)",
      actual: "\(pdu.sender) sends it unasked")
  }
}
