import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// Every client with a seat is told every role and who is ready, those that were settled before it came as well.
///
/// Not judged: roles of players who have come back, of which the others are not told again.
package final class RolesAreTold: BabOracle {
  package static let id = "RolesAreTold"
  package static let claim = "Every client with a seat is told who has which role and who is ready."
  package static let clause = "BAB 5.3.4"
  package static let nature = OracleNature.liveness
  package static let interests: [TraceKind] = [.transmit, .link, .launched]

  private struct Debt {
    var link: LinkState
    var player: String
    var seat: TableBook.Seat
    /// The host's count when it was settled.
    var count: Int64
    /// It was settled before the client had its seat.
    var isOlder: Bool
    var obligation: Obligation
  }

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device: the first thing that each link has still to be told.
  private var debts: [[Debt]]

  package init(state: BabRunState) {
    self.state = state
    debts = Array(repeating: [], count: state.devices.count)
  }

  package var deadline: SimInstant {
    debts.reduce(.distantFuture) { min($0, $1.lazy.map { Optional($0.obligation) }.deadline) }
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), let story = state.stories[device.index] else { return }
    debts[device.index].removeAll { !$0.link.isUp }
    guard let said = state.said else { return }
    switch said.packet.payload {
    case .roleAssigned, .playerReady, .lobbyUpdate, .fullStateSnapshot: settle(story, device, said.packet, record)
    default: break
    }
    overtake(said.packet, on: said.link, device, record)
  }

  /// The packets of a link leave in the order in which they are decided (BAB 5.9.1): what was not told before a later
  /// packet never is. A newcomer is told of roles before all that has to do with a game.
  private func overtake(_ packet: BabPacket, on id: LinkID, _ host: BabDevice, _ record: TraceRecord) {
    guard let place = debts[host.index].firstIndex(where: { $0.link.id == id && !$0.obligation.isReported }) else {
      return
    }
    let debt = debts[host.index][place]
    guard let story = state.stories[host.index], !story.isWaiting, packet.vectorClock[packet.senderID] > debt.count,
      story.book.areRolesKnown, story.book.roles[debt.player] == debt.seat,
      story.mirror(id)?.roles[debt.player] != debt.seat
    else { return }
    if debt.isOlder {
      switch packet.payload {
      case .startGame, .gameStarted, .turnAdvanced, .dialogLineAdded: break
      default: return
      }
    }
    fail(host.index, place, at: record.instant)
  }

  private func settle(_ story: HostStory, _ host: BabDevice, _ packet: BabPacket, _ record: TraceRecord) {
    let book = story.book
    // What is said of a role that is not in its place yet is newer than the book.
    if story.isWaiting { return debts[host.index] = [] }
    guard book.areRolesKnown, !book.roles.isEmpty || !debts[host.index].isEmpty else { return }
    for (id, player, mirror) in story.seatedLinks {
      guard let link = host.link(id), link.isUp else { continue }
      let place = debts[host.index].firstIndex { $0.link === link }
      let untold = book.roles.filter { entry in
        mirror.roster.contains(entry.key) && mirror.scenario == book.scenario && !book.returned.contains(entry.key)
          && mirror.roles[entry.key] != entry.value
      }
      guard let first = untold.min(by: { $0.key < $1.key }) else {
        if let place { debts[host.index].remove(at: place) }
        ledger.judged += 1
        continue
      }
      if let place {
        if debts[host.index][place].player == first.key, debts[host.index][place].seat == first.value { continue }
        debts[host.index].remove(at: place)
      }
      debts[host.index].append(
        Debt(
          link: link, player: first.key, seat: first.value, count: packet.vectorClock[packet.senderID],
          isOlder: packet.lists(player),
          obligation: Obligation(link.chance, within: Bounds.gameSettles, from: record.instant)))
    }
  }

  package func expire(at now: SimInstant) {
    for index in debts.indices {
      for place in debts[index].indices where debts[index][place].obligation.isDue(at: now) {
        fail(index, place, at: debts[index][place].obligation.deadline)
      }
    }
  }

  private func fail(_ index: Int, _ place: Int, at instant: SimInstant) {
    let debt = debts[index][place]
    debts[index][place].obligation.report()
    let known = state.stories[index]?.mirror(debt.link.id)?.roles[debt.player]
    let isOfReadiness = known?.role == debt.seat.role
    ledger.fail(
      at: instant, device: index, since: debt.obligation.since,
      clause: debt.isOlder ? "BAB 5.1.12" : isOfReadiness ? "BAB 5.3.6" : nil,
      expected: "\(debt.link.peer?.name ?? "the client") told that \(debt.player) "
        + (isOfReadiness ? "is \(debt.seat.isReady ? "" : "not ")ready" : "has the role \(debt.seat.role)"),
      actual: isOfReadiness ? "it was told the role only" : known.map { "the role \($0.role)" } ?? "nothing of it")
  }

  package func finish(_ outcome: RunOutcome) {
    ledger.open = debts.reduce(0) { $0 + $1.lazy.map { Optional($0.obligation) }.openCount }
  }
}
