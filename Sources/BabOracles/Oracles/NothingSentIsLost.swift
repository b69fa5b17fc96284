import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
import Platform
import SimKernel

/// What a platform accepted arrives at the peer in order while the link stays up, and a packet that arrived whole is
/// taken or refused by the app, but never ignored.
///
/// BLE acknowledges every PDU, so loss shows as delay or as the end of the link. Message faults of a broken stack are
/// in the trace and excuse the value they name. Not judged: values under way when a link ends, and what is on the way
/// to or from a peer from outside; what such a peer's values become in our app is judged like everything else. A host
/// need say nothing of what a clause lets it ignore.
package final class NothingSentIsLost: BabOracle {
  package static let id = "NothingSentIsLost"
  package static let claim =
    "Accepted values arrive at the peer, in order, while the link is up, and no app ignores one."
  package static let clause = "BAB 5.9.1"
  package static let nature = OracleNature.safety
  package static let restsOn = ["packetReceived", "refused", "violation"]
  package static let interests: [TraceKind] = [
    .transmit, .answer, .value, .link, .launched, .packetReceived, .complaint, .fault,
  ]

  /// A packet being received on a link, by its fragment headers (BAB 3): index 0, 1, 2 … of one packet.
  private struct Progress {
    var packetID: UInt16 = 0
    var nextIndex = 0
    var count = 0
    /// The newest packets that were complete or out of order; a repeat of one of them may rightly be ignored.
    var completed: [UInt16] = []
  }

  private struct Owed {
    var record: TraceRecord
    var link: LinkID
    var packetID: UInt16
  }

  private struct Reception {
    var link: LinkID
    var progress = Progress()
    /// A fault of the bench has hit this link: what becomes a packet is no longer clear.
    var isTampered = false
  }

  /// Completed packets that are remembered per link, twice what a receiver must remember (BAB 3.17).
  private static let memory = 32

  /// Links that are remembered of a device.
  private static let linkLimit = 16

  package let ledger = makeLedger()
  private let state: BabRunState
  private var flows: [[ValueFlow]]
  private var receptions: [[Reception]]
  /// By device: a whole packet that the app has said nothing about yet.
  private var owed: [Owed?]

  package init(state: BabRunState) {
    self.state = state
    flows = Array(repeating: [], count: state.devices.count)
    receptions = Array(repeating: [], count: state.devices.count)
    owed = Array(repeating: nil, count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.bab {
    case .effect(.notify(let id, _, let octets)), .effect(.writeWithoutResponse(let id, _, let octets)):
      if isSeen(id, device) { flow(id, of: device).issue(octets, isRequest: false, at: record.instant) }
    case .effect(.write(let id, _, let octets)):
      if isSeen(id, device) { flow(id, of: device).issue(octets, isRequest: true, at: record.instant) }
    case .input(.submitted(let id, _, let accepted)):
      close(device)
      if isSeen(id, device) { flow(id, of: device).answer(accepted: accepted) }
    case .input(.writeCompleted(let id, _, let error)):
      close(device)
      // An answer to the app before this one.
      if device.link(id)?.isInherited == true { return }
      let sleeps = device.link(id)?.peer?.isSuspended == true
      if isSeen(id, device), !flow(id, of: device).answerRequest(succeeded: error == nil, receiverSleeps: sleeps) {
        ledger.fail(record, expected: "an answer only to a write that arrived", actual: "it never arrived")
      }
    case .input(.valueReceived(let id, _, let octets)):
      close(device)
      receive(octets, id, device, record)
    case .report(.packetReceived(let id, _, _, _)), .report(.violation(let id, _, _)): answered(id, device)
    case .report(.refused(let id, _)):
      // Refused before it was whole: what happens to it later may be ignored (BAB 3.14).
      if !answered(id, device) { abandon(id, device) }
    case .fault(.message(let fault, let id, _, let octets)): tamper(fault, id, octets, device)
    case .fault(.kill), .input(.radioPower(false)), .fault(.radioOff): closeAll(device)
    case .fault(.reclaim): owed[device.index] = nil
    case .input(.launched):
      if !device.isRestored {
        closeAll(device)
        flows[device.index].removeAll()
      }
      receptions[device.index].removeAll()
    case .input(.disconnected(let id, _)):
      close(device)
      close(id, device)
    default: break
    }
  }

  /// Whether what arrives at the other end is in the trace.
  private func isSeen(_ id: LinkID, _ device: BabDevice) -> Bool {
    device.link(id).map { !$0.leadsOutside && !$0.isToldLate } ?? true
  }

  private func flow(_ id: LinkID, of device: BabDevice) -> ValueFlow {
    if let flow = flows[device.index].last(where: { $0.link == id }) { return flow }
    flows[device.index].removeAll { $0.isOver && device.link($0.link)?.isUp != true }
    let flow = ValueFlow(link: id)
    flows[device.index].append(flow)
    return flow
  }

  /// The flow that feeds a link: that of its other end; nil when there is none, or the connection is ending or was told
  /// again to an app that does not know what was said on it.
  private func source(of link: LinkState?) -> (flow: ValueFlow, sender: BabDevice)? {
    guard let link, link.isUp, let partner = link.partner, partner.isUp else { return nil }
    if link.isInherited || partner.isInherited { return nil }
    let found = flow(partner.id, of: partner.holder)
    return found.isOver ? nil : (found, partner.holder)
  }

  private func receive(_ octets: [UInt8], _ id: LinkID, _ device: BabDevice, _ record: TraceRecord) {
    if let (flow, sender) = source(of: device.link(id)) {
      switch flow.arrive(octets) {
      case .inOrder: ledger.judged += 1
      case .after(let missing):
        ledger.fail(
          record,
          expected: "the value of \(missing[0].octets.count) octets that \(sender.name) sent at "
            + "\(missing[0].issuedAt) first", actual: "a later value; \(missing.count) are missing")
      case .unknown:
        ledger.fail(
          record, expected: "a value that \(sender.name) has sent and that has not arrived yet",
          actual: "\(octets.count) octets that are none of those")
      }
    }
    // An app that ends a link, or whose session or radio is over, has heard enough.
    let listens = device.link(id)?.isEnding != true && !device.hasEnded && !device.isRadioOff
    if isPacketComplete(octets, id, device), listens, !state.isIgnorable {
      owed[device.index] = Owed(record: record, link: id, packetID: UInt16(octets[0]) << 8 | UInt16(octets[1]))
    }
  }

  /// Follows the fragment headers; true when this fragment ends a packet whose fragments came in order without a gap.
  private func isPacketComplete(_ octets: [UInt8], _ id: LinkID, _ device: BabDevice) -> Bool {
    guard octets.count >= 4 else { return false }
    let index = Int(octets[2])
    let count = Int(octets[3])
    let packetID = UInt16(octets[0]) << 8 | UInt16(octets[1])
    let place = reception(id, device)
    if receptions[device.index][place].isTampered { return false }
    var progress = receptions[device.index][place].progress
    defer { receptions[device.index][place].progress = progress }
    // What the receiver makes of fragments with a number depends on what it holds of that number (BAB 3.12, 3.13): one
    // that a packet has begun with and not ended says nothing any more.
    if index == 0, progress.count > 0 { Self.remember(progress.packetID, &progress) }
    if index == 0, count > 0, !progress.completed.contains(packetID) {
      progress.packetID = packetID
      progress.count = count
      progress.nextIndex = 0
    }
    guard progress.count > 0, packetID == progress.packetID, count == progress.count, index == progress.nextIndex
    else {
      if progress.count > 0 { Self.remember(progress.packetID, &progress) }
      if !progress.completed.contains(packetID) { Self.remember(packetID, &progress) }
      progress.count = 0
      return false
    }
    progress.nextIndex += 1
    guard progress.nextIndex == count else { return false }
    Self.remember(packetID, &progress)
    progress.count = 0
    return true
  }

  private static func remember(_ packetID: UInt16, _ progress: inout Progress) {
    if progress.completed.count == memory { progress.completed.removeFirst(memory / 2) }
    progress.completed.append(packetID)
  }

  private func reception(_ id: LinkID, _ device: BabDevice) -> Int {
    if let place = receptions[device.index].lastIndex(where: { $0.link == id }) { return place }
    if receptions[device.index].count >= Self.linkLimit,
      let old = receptions[device.index].firstIndex(where: { device.link($0.link)?.isUp != true })
    {
      receptions[device.index].remove(at: old)
    }
    receptions[device.index].append(Reception(link: id))
    return receptions[device.index].count - 1
  }

  /// - Returns: whether it owed an answer.
  @discardableResult
  private func answered(_ id: LinkID, _ device: BabDevice) -> Bool {
    guard owed[device.index]?.link == id else { return false }
    owed[device.index] = nil
    ledger.judged += 1
    return true
  }

  private func abandon(_ id: LinkID, _ device: BabDevice) {
    let place = reception(id, device)
    var progress = receptions[device.index][place].progress
    if progress.count > 0 { Self.remember(progress.packetID, &progress) }
    progress.count = 0
    receptions[device.index][place].progress = progress
  }

  /// An app answers for a whole packet before it is told anything else.
  private func close(_ device: BabDevice) {
    guard let debt = owed[device.index] else { return }
    owed[device.index] = nil
    ledger.fail(
      debt.record,
      unless: device.unsaid("packetReceived") + device.unsaid("refused") + device.unsaid("violation"),
      expected: "the whole packet taken or refused",
      actual: "nothing said about packet \(debt.packetID) of link \(debt.link.rawValue)" + likeness(debt, device))
  }

  /// `, a number that a packet of link 0 had, too`: it may have been taken for a repeat.
  private func likeness(_ debt: Owed, _ device: BabDevice) -> String {
    let other = receptions[device.index].first {
      $0.link != debt.link && $0.progress.completed.contains(debt.packetID)
    }
    return other.map { ", a number that a packet of link \($0.link.rawValue) had, too" } ?? ""
  }

  private func tamper(_ fault: MessageFault, _ id: LinkID, _ octets: [UInt8], _ device: BabDevice) {
    let link = device.link(id)
    receptions[device.index][reception(id, device)].isTampered = true
    if let partner = link?.partner {
      let other = partner.holder
      receptions[other.index][reception(partner.id, other)].isTampered = true
    }
    let sent = flow(id, of: device)
    if sent.tamper(fault, octets: octets) { return }
    if let (flow, _) = source(of: link), flow.tamper(fault, octets: octets) { return }
    sent.allowStranger()
    source(of: link)?.flow.allowStranger()
  }

  private func close(_ id: LinkID, _ device: BabDevice) {
    flow(id, of: device).close()
    if let partner = device.link(id)?.partner { flow(partner.id, of: partner.holder).close() }
  }

  private func closeAll(_ device: BabDevice) {
    for flow in flows[device.index] { flow.close() }
    for other in state.devices {
      for link in other.links where link.peer === device { flows[other.index].first { $0.link == link.id }?.close() }
    }
    owed[device.index] = nil
  }

  /// What is still under way may arrive yet: how long that takes, no app decides.
  package func finish(_ outcome: RunOutcome) {
    for device in state.devices {
      close(device)
      for flow in flows[device.index] where !flow.isOver && flow.hasAccepted {
        guard let link = device.link(flow.link), link.isUp, let partner = link.partner, partner.isUp else { continue }
        ledger.open += 1
      }
    }
  }
}
