import AppSeam
import BabSim
public import Bench
public import Conformance
public import Judging
import Platform
public import SimKernel

/// A client that is gone leaves every roster: at the latest one supervision timeout and a margin after it went, and one
/// margin after the host was told.
///
/// Nobody here knows when an external peer left: it counts as gone once our host was told so, under the id it
/// gave, until it speaks again under that id. What a host from outside was told is unknown too, so its roster, which
/// its clients show, is not judged.
public final class NoGhostsAfterSupervisionTimeout: BabOracle {
  public static let id = "NoGhostsAfterSupervisionTimeout"
  public static let claim =
    "A client that vanished, was killed or disconnected is in nobody's roster after the supervision timeout."
  public static let clause = "BAB 5.7.1"
  public static let interests: [TraceKind] = [.fault, .link, .roster, .packetReceived]

  private struct Absence {
    var due: SimInstant
    var isDue = false
  }

  /// An external peer without a link to our host that knew it.
  private struct OutsiderAbsence {
    var peerID: String
    var host: BabDevice
    var absence: Absence
  }

  /// The oldest are forgotten beyond this many.
  private static let outsiderLimit = 64

  public let ledger = makeLedger()
  private let state: BabRunState
  private var outsiders: [OutsiderAbsence] = []
  /// By device; nil while the device is not known to be gone.
  private var absences: [Absence?]
  public private(set) var deadline = SimInstant.distantFuture

  public init(state: BabRunState) {
    self.state = state
    absences = Array(repeating: nil, count: state.devices.count)
  }

  public func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.bab {
    case .fault(let fault): observe(fault, of: device, record)
    case .input(.connected(_, let address)):
      // Either end counts: a renewed link means that the client is back.
      if device.role == .client { present(device) } else { state.device(address: address).map(present) }
    case .input(.disconnected(let id, _)):
      guard device.role == .host, let link = device.link(id) else { return }
      if link.leadsOutside { return outsiderLeft(link, record) }
      guard let peer = link.other, peer.role == .client else { return }
      if device.links.contains(where: { $0.isUp && $0.peer === peer }) { return }
      absent(peer, by: record.instant + Bounds.rosterMargin)
    case .report(.packetReceived(let id, _, _, _)):
      if device.role == .host, !outsiders.isEmpty, let link = device.link(id), link.isUp { outsiderSpeaks(link) }
    case .report(.roster(let players)): judgeLate(players, by: device, record)
    case .report(.lobby(let lobby)): judgeLate(lobby.players, by: device, record)
    default: break
    }
  }

  private func outsiderLeft(_ link: LinkState, _ record: TraceRecord) {
    let host = link.holder
    guard let peerID = link.peerID, !state.devices.contains(where: { $0.peerID == peerID }) else { return }
    if host.links.contains(where: { $0.isUp && $0.leadsOutside && $0.peerID == peerID }) { return }
    outsiders.removeAll { $0.peerID == peerID && $0.host === host }
    if outsiders.count == Self.outsiderLimit { outsiders.removeFirst() }
    outsiders.append(
      OutsiderAbsence(peerID: peerID, host: host, absence: Absence(due: record.instant + Bounds.rosterMargin)))
    renewDeadline()
  }

  private func outsiderSpeaks(_ link: LinkState) {
    guard link.leadsOutside, let peerID = link.peerID else { return }
    outsiders.removeAll { $0.peerID == peerID && $0.host === link.holder }
    renewDeadline()
  }

  private func observe(_ fault: FaultEvent, of device: BabDevice, _ record: TraceRecord) {
    if device.isForeign { return }
    let due = record.instant + state.supervisionTimeout + Bounds.rosterMargin
    switch fault {
    case .vanish, .kill, .radioOff:
      if device.role == .client { absent(device, by: due) }
    case .disconnect(let id):
      if device.role == .client {
        absent(device, by: due)
      } else if let peer = device.link(id)?.other, !peer.isForeign {
        absent(peer, by: due)
      }
    case .appear:
      // Back before anybody noticed: the link lives on.
      if device.role == .client, linkedHost(device) != nil { present(device) }
    default: break
    }
  }

  /// The host that still holds a link to the client.
  private func linkedHost(_ client: BabDevice) -> BabDevice? {
    state.devices.first { host in host.role == .host && host.links.contains { $0.isUp && $0.peer === client } }
  }

  private func absent(_ device: BabDevice, by due: SimInstant) {
    absences[device.index] = Absence(due: min(due, absences[device.index]?.due ?? due))
    renewDeadline()
  }

  private func present(_ device: BabDevice) {
    guard absences[device.index] != nil else { return }
    absences[device.index] = nil
    renewDeadline()
  }

  public func expire(at now: SimInstant) {
    for gone in state.devices {
      guard let absence = absences[gone.index], !absence.isDue, absence.due < now else { continue }
      absences[gone.index]?.isDue = true
      if let peerID = gone.peerID { judge(peerID, at: absence.due) { $0 !== gone } }
    }
    for index in outsiders.indices where !outsiders[index].absence.isDue && outsiders[index].absence.due < now {
      outsiders[index].absence.isDue = true
      let outsider = outsiders[index]
      judge(outsider.peerID, at: outsider.absence.due) { isInLobby($0, of: outsider.host) }
    }
    renewDeadline()
  }

  private func isInLobby(_ witness: BabDevice, of host: BabDevice) -> Bool {
    witness === host || state.host(of: witness) === host
  }

  private func judge(_ peerID: String, at due: SimInstant, among counts: (BabDevice) -> Bool) {
    for witness in state.devices where counts(witness) && isWitness(witness) {
      let shown = (witness.roster ?? []).contains(peerID) || (witness.lobby?.players ?? []).contains(peerID)
      if shown {
        ledger.fail(
          at: due, device: witness.index, expected: "\(peerID) gone from roster and lobby",
          actual:
            "roster \(ShownText.list(witness.roster ?? [])); lobby \(ShownText.list(witness.lobby?.players ?? []))")
      } else {
        ledger.judged += 1
      }
    }
  }

  /// A roster shown after the due time, by whoever.
  private func judgeLate(_ players: [String], by witness: BabDevice, _ record: TraceRecord) {
    for gone in state.devices where gone !== witness {
      guard let absence = absences[gone.index], absence.isDue, let peerID = gone.peerID else { continue }
      guard players.contains(peerID), isWitness(witness) else { continue }
      ledger.fail(record, expected: "\(peerID), gone since long, in no roster", actual: ShownText.list(players))
    }
    for outsider in outsiders where outsider.absence.isDue && players.contains(outsider.peerID) {
      guard isInLobby(witness, of: outsider.host), isWitness(witness) else { continue }
      ledger.fail(
        record, expected: "\(outsider.peerID), gone since long, in no roster", actual: ShownText.list(players))
    }
  }

  /// Whose roster counts: a host that runs, and clients that such a host can reach.
  private func isWitness(_ device: BabDevice) -> Bool {
    guard device.isReachable, !device.hasEnded, !device.isForeign else { return false }
    if device.role == .host { return true }
    return state.host(of: device).map { state.areJoined(device, $0) } ?? false
  }

  private func renewDeadline() {
    deadline = absences.reduce(.distantFuture) { earliest, absence in
      guard let absence, !absence.isDue else { return earliest }
      return min(earliest, absence.due)
    }
    for outsider in outsiders where !outsider.absence.isDue { deadline = min(deadline, outsider.absence.due) }
  }

  public func finish(_ outcome: RunOutcome) {
    ledger.open =
      absences.filter { $0.map { !$0.isDue } ?? false }.count + outsiders.filter { !$0.absence.isDue }.count
  }
}
