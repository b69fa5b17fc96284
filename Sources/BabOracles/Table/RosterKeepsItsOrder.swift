import BabSim
import Conformance
package import Judging
import SimKernel

/// The roster has its players in the order in which they first joined, and who comes back in time has its place again.
///
/// What is known of the order is which of two players stood before the other in a roster that had both.
///
/// Not judged: who was away for longer than a host surely remembers, and players who were never there together.
package final class RosterKeepsItsOrder: TableOracle {
  package static let id = "RosterKeepsItsOrder"
  package static let claim = "The roster keeps the order of the first joins, the host first, also after a return."
  package static let clause = "BAB 5.1.8"

  private struct Order {
    /// Who stood before whom.
    var pairs: [(first: String, second: String)] = []
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
    let known = orders[host].pairs.filter { roster.contains($0.first) && roster.contains($0.second) }
    if let wrong = known.first(where: { pair in isTurned(pair, roster) }) {
      report(wrong, roster, told)
    } else if !known.isEmpty {
      ledger.judged += 1
    }
    note(roster, told)
  }

  private func isTurned(_ pair: (first: String, second: String), _ roster: [String]) -> Bool {
    guard let first = roster.firstIndex(of: pair.first), let second = roster.firstIndex(of: pair.second)
    else { return false }
    return first > second
  }

  /// Whoever is away for so long may be forgotten: where it comes back then nobody says.
  private func forget(at now: SimInstant, _ host: Int) {
    let forgotten = orders[host].gone.filter { now - $0.at >= Bounds.reconnectWindow }.map(\.player)
    guard !forgotten.isEmpty else { return }
    orders[host].gone.removeAll { forgotten.contains($0.player) }
    orders[host].pairs.removeAll { forgotten.contains($0.first) || forgotten.contains($0.second) }
  }

  private func note(_ roster: [String], _ told: HostStory.Told) {
    let host = told.story.host.index
    orders[host].gone.removeAll { roster.contains($0.player) }
    for player in told.before.roster where !roster.contains(player) {
      guard !orders[host].gone.contains(where: { $0.player == player }) else { continue }
      orders[host].gone.append((player, told.instant))
    }
    for (place, first) in roster.enumerated() {
      for second in roster[(place + 1)...] {
        orders[host].pairs.removeAll { [first, second] == [$0.second, $0.first] }
        if orders[host].pairs.contains(where: { $0 == (first, second) }) { continue }
        orders[host].pairs.append((first, second))
      }
    }
  }

  private func report(_ wrong: (first: String, second: String), _ roster: [String], _ told: HostStory.Told) {
    let isBack = !told.before.roster.contains(wrong.first) || !told.before.roster.contains(wrong.second)
    fail(
      told, isBack ? "BAB 5.7.4" : nil,
      expected: "\(wrong.first) before \(wrong.second) in the roster, "
        + (isBack ? "as before one of them was away" : "in the order of their joins"),
      actual: roster.joined(separator: ", "))
  }
}
