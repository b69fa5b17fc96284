import BabSim
import Conformance
package import Judging
import SimKernel

/// The roster has its players in the order in which they first joined, and who comes back in time has its place again.
///
/// What is known of the order is which of two players stood before the other in a roster that had both.
///
/// Not judged: players who were away for longer than a host surely remembers, and players who were never there
/// together.
package final class RosterKeepsItsOrder: TableOracle {
  package static let id = "RosterKeepsItsOrder"
  package static let claim = "The roster keeps the order of the first joins, the host first, also after a return."
  package static let clause = "BAB 5.1.8"

  private struct Pair: Hashable {
    var first: String
    var second: String
  }

  private struct Order {
    /// Who stood before whom.
    var pairs: Set<Pair> = []
    /// Those of whom something is known.
    var players: [String] = []
    /// Whoever was in a roster and is not any more, and when a roster without it was told first.
    var gone: [(player: String, at: SimInstant)] = []
  }

  package let ledger = makeLedger()
  let state: BabRunState
  /// By device.
  private var orders: [Order]

  package init(state: BabRunState) {
    self.state = state
    orders = Array(repeating: Order(), count: state.devices.count)
  }

  func judge(_ told: HostStory.Told) {
    guard case .lobbyUpdate(let lobby) = told.packet.payload, !told.story.host.isCaptured else { return }
    let host = told.story.host.index
    let roster = lobby.playerIDs
    guard Set(roster).count == roster.count else { return }
    if told.before.roster.isEmpty { orders[host] = Order() }
    forget(at: told.instant, host)
    var isKnown = false
    var wrong: Pair?
    for (place, first) in roster.enumerated() {
      for second in roster[(place + 1)...] {
        let (shown, turned) = (Pair(first: first, second: second), Pair(first: second, second: first))
        if orders[host].pairs.remove(turned) != nil { wrong = wrong ?? turned }
        if !orders[host].pairs.insert(shown).inserted { isKnown = true }
      }
    }
    if let wrong { report(wrong, roster, told) } else if isKnown { ledger.judged += 1 }
    note(roster, told)
  }

  /// Players who are away for so long may be forgotten: where they come back then is not said.
  private func forget(at now: SimInstant, _ host: Int) {
    let forgotten = orders[host].gone.filter { now - $0.at >= Bounds.reconnectWindow }.map(\.player)
    for player in forgotten {
      orders[host].players.removeAll { $0 == player }
      orders[host].gone.removeAll { $0.player == player }
      for other in orders[host].players {
        orders[host].pairs.remove(Pair(first: player, second: other))
        orders[host].pairs.remove(Pair(first: other, second: player))
      }
    }
  }

  private func note(_ roster: [String], _ told: HostStory.Told) {
    let host = told.story.host.index
    orders[host].gone.removeAll { roster.contains($0.player) }
    for player in told.before.roster where !roster.contains(player) {
      guard !orders[host].gone.contains(where: { $0.player == player }) else { continue }
      orders[host].gone.append((player, told.instant))
    }
    for player in roster where !orders[host].players.contains(player) { orders[host].players.append(player) }
  }

  private func report(_ wrong: Pair, _ roster: [String], _ told: HostStory.Told) {
    let isBack = !told.before.roster.contains(wrong.first) || !told.before.roster.contains(wrong.second)
    fail(
      told, isBack ? "BAB 5.7.4" : nil,
      expected: "\(wrong.first) before \(wrong.second) in the roster, "
        + (isBack ? "as before one of them was away" : "in the order of their joins"),
      actual: roster.joined(separator: ", "))
  }
}
