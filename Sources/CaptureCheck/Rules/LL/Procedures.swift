import BluetoothWire
import Judging
import SimKernel

/// What one end has asked the other for with an LL Control PDU.
private struct Procedure {
  var opcode: UInt8 = 0
  /// When it was begun; nil of none.
  var moment: TrafficMoment?
  var isOpen: Bool { moment != nil }
}

/// The procedures of both ends that end with a PDU of the other end. Spec: Core v5.4, Vol 6, Part B, 5.1.
///
/// Not followed: version exchange (its answer may have gone before), termination (its answer is an acknowledgement),
/// encryption (its end is encrypted), channel map and connection updates (they end at an instant).
private struct Procedures {
  var sides = PerSide(Procedure())

  enum Step {
    case begin(Procedure, before: Procedure)
    case end(Procedure, with: UInt8)
    case other
  }

  mutating func follow(_ pdu: ControlOctets, at moment: TrafficMoment) -> Step {
    if Self.begins(pdu.opcode, fromCentral: pdu.fromCentral) {
      let before = sides[isCentral: pdu.fromCentral]
      let procedure = Procedure(opcode: pdu.opcode, moment: moment)
      sides[isCentral: pdu.fromCentral] = procedure
      return .begin(procedure, before: before)
    }
    let asked = sides[isCentral: !pdu.fromCentral]
    guard asked.isOpen, Self.ends(asked.opcode, pdu.opcode) else {
      // The central ends its own PHY and parameter procedures by what it tells.
      endOwn(pdu)
      return .other
    }
    sides[isCentral: !pdu.fromCentral] = Procedure()
    return .end(asked, with: pdu.opcode)
  }

  private mutating func endOwn(_ pdu: ControlOctets) {
    guard pdu.fromCentral else { return }
    switch pdu.opcode {
    case LL.ControlOpcode.phyUpdateInd where sides.central.opcode == LL.ControlOpcode.phyReq:
      sides.central = Procedure()
    case LL.ControlOpcode.connectionUpdateInd where sides.central.opcode == LL.ControlOpcode.connectionParamReq:
      sides.central = Procedure()
    default: break
    }
  }

  private static func begins(_ opcode: UInt8, fromCentral: Bool) -> Bool {
    switch opcode {
    case LL.ControlOpcode.featureReq: fromCentral
    case LL.ControlOpcode.peripheralFeatureReq, LL.ControlOpcode.subrateReq: !fromCentral
    case LL.ControlOpcode.connectionParamReq, LL.ControlOpcode.pingReq, LL.ControlOpcode.lengthReq,
      LL.ControlOpcode.phyReq, LL.ControlOpcode.clockAccuracyReq, LL.ControlOpcode.powerControlReq:
      true
    default: false
    }
  }

  private static func ends(_ asked: UInt8, _ answer: UInt8) -> Bool {
    switch answer {
    case LL.ControlOpcode.unknownRsp, LL.ControlOpcode.rejectInd, LL.ControlOpcode.rejectExtInd: return true
    default: break
    }
    return switch asked {
    case LL.ControlOpcode.featureReq, LL.ControlOpcode.peripheralFeatureReq: answer == LL.ControlOpcode.featureRsp
    case LL.ControlOpcode.connectionParamReq:
      answer == LL.ControlOpcode.connectionParamRsp || answer == LL.ControlOpcode.connectionUpdateInd
    case LL.ControlOpcode.subrateReq: answer == LL.ControlOpcode.subrateInd
    case LL.ControlOpcode.pingReq: answer == LL.ControlOpcode.pingRsp
    case LL.ControlOpcode.clockAccuracyReq: answer == LL.ControlOpcode.clockAccuracyRsp
    case LL.ControlOpcode.powerControlReq: answer == LL.ControlOpcode.powerControlRsp
    case LL.ControlOpcode.lengthReq: answer == LL.ControlOpcode.lengthRsp
    case LL.ControlOpcode.phyReq: answer == LL.ControlOpcode.phyRsp || answer == LL.ControlOpcode.phyUpdateInd
    default: false
    }
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 5.1.
final class ProceduresGoOneByOne: TrafficRule {
  static let id = "ProceduresGoOneByOne"
  static let claim = "No end begins an LL control procedure while one that it began is unanswered."
  static let clause = "Core v5.4, Vol 6, Part B, 5.1"
  static let leavesOpen = "nothing: a gap ends what was under way"
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.fragments, .gaps]
  @exclusivity(unchecked) private var links = PerLink(Procedures())

  func observe(_ event: TrafficEvent) {
    if case .gap(let link, _, _) = event.kind { links[link] = Procedures() }
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard let control = ControlOctets(pdu, header),
      case .begin(let procedure, let before) = links[pdu.link].follow(control, at: pdu.moment)
    else { return }
    guard before.isOpen else { return ledger.judged += 1 }
    fail(
      pdu, expected: "an answer to \(ControlOctets.name(before.opcode)) first",
      actual: "\(pdu.sender) sends \(ControlOctets.name(procedure.opcode))")
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 5.2.
final class ProceduresEndInTime: TrafficRule {
  static let id = "ProceduresEndInTime"
  static let claim = "Every LL control procedure is answered within 40 s."
  static let clause = "Core v5.4, Vol 6, Part B, 5.2"
  static let leavesOpen =
    "time steps back, a silence of more than 10 s is part of the wait (the clock may have been set), or the link ends "
    + "or falls silent before 40 s"
  private static let limit = SimDuration.seconds(40)
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.fragments, .gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(Procedures())

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .gap(let link, _, _): links[link] = Procedures()
    case .linkClosed(let link, let reason):
      let sides = links[link].sides
      links[link] = Procedures()
      for procedure in [sides.central, sides.peripheral] {
        guard let asked = procedure.moment else { continue }
        let taken = event.instant - asked.instant
        let witnessed = event.moment.witnessed - asked.witnessed
        // A link that fell silent tells nothing: the sniffer may have lost it.
        if min(taken, witnessed) > Self.limit, reason != nil {
          fail(
            event, link, expected: "an answer to \(ControlOctets.name(procedure.opcode)) within 40 s",
            actual: "none in \(RuleText.seconds(taken)), until the link ended")
        } else {
          leaveOpen(link)
        }
      }
    default: break
    }
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard let control = ControlOctets(pdu, header),
      case .end(let procedure, let answer) = links[pdu.link].follow(control, at: pdu.moment),
      let asked = procedure.moment
    else { return }
    judge(
      pdu, since: asked, within: Self.limit, question: ControlOctets.name(procedure.opcode),
      answer: ControlOctets.name(answer))
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 2.4.2.8 and 2.4.2.
final class UnknownResponsesNameAPDU: TrafficRule {
  static let id = "UnknownResponsesNameAPDU"
  static let claim = "LL_UNKNOWN_RSP names the opcode of a PDU that the other end has sent."
  static let clause = "Core v5.4, Vol 6, Part B, 2.4.2.8"
  static let leavesOpen = "the link has no beginning, or has gaps"

  private struct State {
    /// Opcodes that each end has sent.
    var sent = PerSide(OpcodeSet.none)
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
    guard let control = ControlOctets(pdu, header) else { return }
    if control.opcode == LL.ControlOpcode.unknownRsp, control.dataLength == 1 {
      judge(pdu, pdu.octet(at: 3))
    } else {
      let sent = links[pdu.link].sent[isCentral: pdu.fromCentral]
      links[pdu.link].sent[isCentral: pdu.fromCentral] = sent.union(OpcodeSet(control.opcode))
    }
  }

  private func judge(_ pdu: TrafficPDU, _ named: UInt8) {
    let state = links[pdu.link]
    if state.sent[isCentral: !pdu.fromCentral].contains(named) { return ledger.judged += 1 }
    if state.isDoubtful { return leaveOpen(pdu.link) }
    fail(
      pdu, expected: "an opcode that \(RuleText.side(fromCentral: !pdu.fromCentral)) has sent",
      actual: "\(pdu.sender) names \(ControlOctets.name(named))")
  }
}
