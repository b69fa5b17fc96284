import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging

/// Every client with a seat is told every role and who is ready, those that were settled before it came as well.
///
/// The packets of a link leave in the order in which they are decided (BAB 5.9.1): what was not told before a later
/// packet never is. A newcomer is told of roles before all that has to do with a game. Not judged: roles of players who
/// have come back, of which the others are not told again.
package final class RolesAreTold: BabOracle {
  package static let id = "RolesAreTold"
  package static let claim = "Every client with a seat is sent every role, and who is ready."
  package static let clause = "BAB 5.3.4"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.transmit, .launched]

  private struct Debt {
    var link: LinkID
    var player: String
    var seat: TableBook.Seat
    /// The host's count when it was settled.
    var count: Int64
    /// It was settled before the client had its seat.
    var isOlder: Bool
  }

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device: the first thing that each link has still to be told.
  private var debts: [[Debt]]

  package init(state: BabRunState) {
    self.state = state
    debts = Array(repeating: [], count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), let story = state.stories[device.index] else { return }
    if case .input = record.event { debts[device.index] = [] }
    guard let said = state.said else { return }
    // What is said of a role that is not in its place yet is newer than the book.
    guard !story.isWaiting, story.book.areRolesKnown else { return debts[device.index] = [] }
    switch said.packet.payload {
    case .roleAssigned, .playerReady, .lobbyUpdate, .fullStateSnapshot: settle(story, device, said.packet)
    default: break
    }
    overtake(said.packet, on: said.link, story, device, record)
  }

  private func settle(_ story: HostStory, _ host: BabDevice, _ packet: BabPacket) {
    let (book, count) = (story.book, packet.vectorClock[packet.senderID])
    if book.roles.isEmpty { return debts[host.index] = [] }
    for (link, player, mirror) in story.seatedLinks {
      let untold = book.roles.filter { entry in
        mirror.roster.contains(entry.key) && mirror.scenario == book.scenario && !book.returned.contains(entry.key)
          && mirror.roles[entry.key] != entry.value
      }
      let former = debts[host.index].first { $0.link == link }
      debts[host.index].removeAll { $0.link == link }
      guard let first = untold.min(by: { $0.key < $1.key }) else {
        ledger.judged += 1
        continue
      }
      let isSame = former?.player == first.key && former?.seat == first.value
      let isOlder = former?.isOlder ?? packet.lists(player)
      let decided = max(book.roleCounts[first.key] ?? count, isOlder ? count : 0)
      let new = Debt(link: link, player: first.key, seat: first.value, count: decided, isOlder: isOlder)
      debts[host.index].append(isSame ? former ?? new : new)
    }
  }

  private func overtake(
    _ packet: BabPacket, on link: LinkID, _ story: HostStory, _ host: BabDevice, _ record: TraceRecord
  ) {
    guard let place = debts[host.index].firstIndex(where: { $0.link == link }) else { return }
    let (debt, known) = (debts[host.index][place], story.mirror(link)?.roles[debts[host.index][place].player])
    guard packet.vectorClock[packet.senderID] > debt.count, story.book.roles[debt.player] == debt.seat,
      known != debt.seat
    else { return }
    if debt.isOlder {
      switch packet.payload {
      case .startGame, .gameStarted, .turnAdvanced, .dialogLineAdded: break
      default: return
      }
    }
    debts[host.index][place].count = .max
    let isOfReadiness = known?.role == debt.seat.role
    let client = host.link(link)?.peer?.name ?? "the client"
    ledger.fail(
      record, clause: debt.isOlder ? "BAB 5.1.12" : isOfReadiness ? "BAB 5.3.6" : nil,
      expected: "\(client) told that \(debt.player) "
        + (isOfReadiness ? "is \(debt.seat.isReady ? "" : "not ")ready" : "has the role \(debt.seat.role)"),
      actual: isOfReadiness ? "it was told the role only" : known.map { "the role \($0.role)" } ?? "nothing of it")
  }
}
