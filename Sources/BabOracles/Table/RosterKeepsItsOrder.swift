import BabSim
import Conformance
package import Judging
import SimKernel

/// The roster has its players in the order in which they first joined, and who comes back in time has its place again.
///
/// Not judged: who was away for longer than a host surely remembers, and rosters before which nobody was there.
package final class RosterKeepsItsOrder: TableOracle {
  package static let id = "RosterKeepsItsOrder"
  package static let claim = "The roster keeps the order of the first joins, the host first, also after a return."
  package static let clause = "BAB 5.1.8"

  private struct Place {
    var player: String
    /// When a roster without it was told first; nil: it is there.
    var goneAt: SimInstant?
  }

  package let ledger = makeLedger()
  let state: BabRunState
  /// By device: whoever was in a roster, in order.
  private var places: [[Place]]

  package init(state: BabRunState) {
    self.state = state
    places = Array(repeating: [], count: state.devices.count)
  }

  func judge(_ told: HostStory.Told) {
    guard case .lobbyUpdate(let lobby) = told.packet.payload, !told.story.host.isCaptured else { return }
    let host = told.story.host.index
    let roster = lobby.playerIDs
    guard Set(roster).count == roster.count else { return }
    if told.before.roster.isEmpty { places[host] = [] }
    forget(at: told.instant, host)
    let known = places[host].map(\.player).filter(roster.contains)
    let shown = roster.filter(known.contains)
    if shown != known { report(known, shown, told) } else if !known.isEmpty { ledger.judged += 1 }
    note(roster, told)
  }

  /// Whoever is away for so long may be forgotten: where it comes back then nobody says.
  private func forget(at now: SimInstant, _ host: Int) {
    places[host].removeAll { place in place.goneAt.map { now - $0 >= Bounds.reconnectWindow } ?? false }
  }

  /// Who is not there keeps its place after whoever was there before it. A player who is not known may have been there
  /// before anything was known, so nothing is asked of its place.
  private func note(_ roster: [String], _ told: HostStory.Told) {
    let host = told.story.host.index
    let old = places[host]
    var new = roster.map { Place(player: $0) }
    for (index, place) in old.enumerated() where !roster.contains(place.player) {
      let before = index == 0 ? nil : new.firstIndex { $0.player == old[index - 1].player }
      new.insert(
        Place(player: place.player, goneAt: place.goneAt ?? told.instant), at: before.map { $0 + 1 } ?? 0)
    }
    places[host] = new
  }

  private func report(_ known: [String], _ shown: [String], _ told: HostStory.Told) {
    let back = known.first { player in
      places[told.story.host.index].contains { $0.player == player && $0.goneAt != nil }
    }
    fail(
      told, back == nil ? nil : "BAB 5.7.4",
      expected: known.joined(separator: ", ")
        + (back.map { " in this order in the roster: \($0) has its place again" } ?? " in the order of their joins"),
      actual: shown.joined(separator: ", "))
  }
}
