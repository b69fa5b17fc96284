import BabSim
import Conformance
package import Judging

/// A snapshot says what the host has told others: lines, turn, scenario, roles and points.
package final class SnapshotIsTheGame: TableOracle {
  package static let id = "SnapshotIsTheGame"
  package static let claim = "Every snapshot has the lines, the turn, the scenario, the roles and the points of the game."
  package static let clause = "BAB 5.7.4"

  package let ledger = makeLedger()
  let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  func judge(_ told: HostStory.Told) {
    guard case .fullStateSnapshot(let snapshot) = told.packet.payload else { return }
    guard let (clause, expected, actual) = difference(snapshot, told) else { return ledger.judged += 1 }
    fail(told, clause, expected: expected, actual: actual)
  }

  private func difference(
    _ snapshot: SessionState, _ told: HostStory.Told
  ) -> (clause: String?, expected: String, actual: String)? {
    let book = told.before
    let ids = snapshot.committedHistory.map(\.id)
    if book.areLinesKnown, book.phase == .on, !ids.isEmpty, ids != book.lines.map(\.id) {
      let place = zip(ids, book.lines).enumerated().first { $0.element.0 != $0.element.1.id }?.offset
      return (
        nil, "the \(book.lines.count) lines of the game",
        place.map { "\(ids[$0]) in place \($0 + 1), where \(book.lines[$0].id) is" } ?? "\(ids.count) lines"
      )
    }
    if snapshot.currentPhase == .active || snapshot.currentPhase == .voting {
      if book.isTurnKnown, book.phase == .on, snapshot.currentTurnPlayerID != book.turn?.player {
        return (nil, "the turn of \(book.turn?.player ?? "nobody")", "of \(snapshot.currentTurnPlayerID ?? "nobody")")
      }
      if let line = snapshot.pendingLine, !line.textNative.isEmpty, let reader = told.story.player(told.link),
        line.assignedToPlayerID != reader
      {
        return ("BAB 5.7.10", "\(line.id) without its text, which is \(line.assignedToPlayerID)'s", "with its text")
      }
    } else if snapshot.currentPhase != .finished, book.phase == .on {
      return (nil, "a game that is on", "phase \(snapshot.currentPhase.rawValue)")
    }
    // A snapshot that leaves the rest out has no scenario (BAB 5.7.5).
    guard let scenario = snapshot.scenario else { return nil }
    if let known = book.scenario, !known.isEmpty, scenario.id != known {
      return (nil, "the scenario \(known)", scenario.id)
    }
    return roleDifference(snapshot, told) ?? pointDifference(snapshot, book)
  }

  private func roleDifference(
    _ snapshot: SessionState, _ told: HostStory.Told
  ) -> (clause: String?, expected: String, actual: String)? {
    let book = told.before
    guard book.areRolesKnown, !book.roster.isEmpty else { return nil }
    let newcomer = told.story.player(told.link)
    for player in book.roster where player != newcomer && !book.returned.contains(player) {
      // Who has left has no role in it, though nobody may have been told yet.
      guard !told.story.hasMoved(player, since: book.rosterRecord) else { continue }
      let (role, own) = (snapshot.roles[player]?.id, book.roles[player]?.role)
      if role != own { return (nil, "\(own ?? "no role") for \(player)", role ?? "no role") }
    }
    return nil
  }

  private func pointDifference(
    _ snapshot: SessionState, _ book: TableBook
  ) -> (clause: String?, expected: String, actual: String)? {
    guard book.phase == .on else { return nil }
    for entry in snapshot.playerStats.entries {
      guard let score = book.scores[entry.key], Int(entry.value.xpEarned) != score else { continue }
      return (nil, "\(entry.key) at \(score) XP", "\(entry.value.xpEarned) XP")
    }
    return nil
  }
}
