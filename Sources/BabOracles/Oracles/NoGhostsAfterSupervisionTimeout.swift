import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
import Platform
package import SimKernel

/// A peer whose link has ended leaves the roster of its host, and then those of the host's clients.
///
/// What counts is what the host was told: until its phone tells it that the last link to a peer has ended, it has no
/// reason to forget it. From then on the host has a margin to take the peer out of its own roster, and each of its
/// clients that were in its lobby then a margin of the time in which the news can reach it (`Chance`). A peer that is
/// linked again, or speaks again under the same id, is back. `LobbyStateConverges` judges what a client shows that
/// comes later. What an external host was told is unknown, so its roster is not judged.
package final class NoGhostsAfterSupervisionTimeout: BabOracle {
  package static let id = "NoGhostsAfterSupervisionTimeout"
  package static let claim =
    "A client that vanished, was killed or disconnected is in no roster once its host was told."
  package static let clause = "BAB 5.7.1"
  package static let nature = OracleNature.liveness
  package static let interests: [TraceKind] = [.link, .roster, .packetReceived, .launched]

  /// What a witness must show: a roster without the absent peer.
  private struct Watch {
    var witness: BabDevice
    var obligation: Obligation
    /// It has shown the peer; else the news that the peer came may still be on its way to it.
    var hasShown: Bool
    /// It no longer shows the peer, or was judged: from now on the peer may not come back.
    var isOver = false
  }

  /// A peer without a link to a host that knew it.
  private struct Absence {
    var peerID: String
    var host: BabDevice
    var watches: [Watch]
  }

  /// The oldest are forgotten beyond this many.
  private static let limit = 64

  package let ledger = makeLedger()
  private let state: BabRunState
  private var absences: [Absence] = []

  package init(state: BabRunState) { self.state = state }

  package var deadline: SimInstant {
    var earliest = SimInstant.distantFuture
    for absence in absences {
      for watch in absence.watches where !watch.isOver { earliest = min(earliest, watch.obligation.deadline) }
    }
    return earliest
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.bab {
    case .input(.launched): forget(device)
    case .input(.connected(_, let address)):
      if device.role == .host { state.device(address: address)?.peerID.map { present($0, at: device) } }
    case .input(.disconnected(let id, _)):
      if device.role == .host, let link = device.link(id) { left(link, device, record) }
    case .input(.radioPower(false)):
      if device.role == .host { for link in device.links { left(link, device, record) } }
    case .report(.packetReceived(let id, _, _, _)):
      guard device.role == .host, !absences.isEmpty, let link = device.link(id), link.isUp else { return }
      if let peerID = link.peerID { present(peerID, at: device) }
    case .report(.roster(let players)): shows(players, device, record)
    case .report(.lobby(let lobby)): shows(lobby.players, device, record)
    default: break
    }
  }

  /// An app that is launched again shows nothing of what it showed before.
  private func forget(_ device: BabDevice) {
    absences.removeAll { $0.host === device }
    for index in absences.indices { absences[index].watches.removeAll { $0.witness === device } }
  }

  private func left(_ link: LinkState, _ host: BabDevice, _ record: TraceRecord) {
    guard let peerID = link.peerID, link.other?.role != .host, link.closedAt == record.instant else { return }
    if host.links.contains(where: { $0.isUp && $0.peerID == peerID }) { return }
    // Nothing is owed, and nothing can be praised, of a peer that had no seat.
    guard Self.shown(by: host).contains(peerID) else { return }
    absences.removeAll { $0.peerID == peerID && $0.host === host }
    if absences.count == Self.limit { absences.removeFirst() }
    var absence = Absence(peerID: peerID, host: host, watches: [])
    // What a captured host shows is what it has sent: its clients are the witnesses.
    if !host.isCaptured {
      absence.watches.append(
        Watch(
          witness: host, obligation: Obligation(host.running, within: Bounds.rosterMargin, from: record.instant),
          hasShown: true))
    }
    for link in host.links where link.isUp {
      guard let witness = link.other, state.isMember(witness, of: host) else { continue }
      absence.watches.append(
        Watch(
          witness: witness, obligation: Obligation(link.chance, within: Bounds.rosterMargin, from: record.instant),
          hasShown: Self.shown(by: witness).contains(peerID)))
    }
    absences.append(absence)
  }

  private func present(_ peerID: String, at host: BabDevice) {
    absences.removeAll { $0.peerID == peerID && $0.host === host }
  }

  /// A host's roster without the peer fulfils what is owed, and one with it, after that, contradicts it. What a client
  /// shows meanwhile may be news from before the link ended; it is judged when no more of these can be on their way.
  private func shows(_ players: [String], _ witness: BabDevice, _ record: TraceRecord) {
    for index in absences.indices {
      guard let place = absences[index].watches.firstIndex(where: { $0.witness === witness }) else { continue }
      let isOver = absences[index].watches[place].isOver
      if players.contains(absences[index].peerID) {
        absences[index].watches[place].hasShown = true
        guard isOver, witness === absences[index].host, isWitness(witness, of: witness) else { continue }
        ledger.fail(
          record, expected: "\(absences[index].peerID), gone since long, in no roster",
          actual: ShownText.list(players))
      } else if !isOver, witness === absences[index].host {
        guard !Self.shown(by: witness).contains(absences[index].peerID) else { continue }
        absences[index].watches[place].isOver = true
        ledger.judged += 1
      }
    }
  }

  package func expire(at now: SimInstant) {
    for index in absences.indices {
      for place in absences[index].watches.indices {
        let watch = absences[index].watches[place]
        guard !watch.isOver, watch.obligation.isDue(at: now) else { continue }
        absences[index].watches[place].isOver = true
        if isWitness(watch.witness, of: absences[index].host) {
          judge(absences[index].peerID, watch, of: absences[index].host, at: watch.obligation.deadline)
        }
      }
    }
  }

  private func judge(_ peerID: String, _ watch: Watch, of host: BabDevice, at due: SimInstant) {
    let witness = watch.witness
    // Who shows what its host still shows answers for nothing.
    if witness !== host, !host.isCaptured, Self.shown(by: host).contains(peerID) { return }
    guard Self.shown(by: witness).contains(peerID) else {
      if watch.hasShown { ledger.judged += 1 }
      return
    }
    ledger.fail(
      at: due, device: witness.index, expected: "\(peerID) gone from roster and lobby",
      actual: "roster \(ShownText.list(witness.roster ?? [])); lobby \(ShownText.list(witness.lobby?.players ?? []))")
  }

  private static func shown(by witness: BabDevice) -> [String] {
    (witness.roster ?? []) + (witness.lobby?.players ?? [])
  }

  /// Whose roster counts: a host that runs, and clients that it can reach.
  private func isWitness(_ device: BabDevice, of host: BabDevice) -> Bool {
    if device.hasEnded || device.isForeign { return false }
    return device === host || state.host(of: device) === host && state.isMember(device, of: host)
  }

  package func finish(_ outcome: RunOutcome) {
    for absence in absences { ledger.open += absence.watches.filter { !$0.isOver }.count }
  }
}
