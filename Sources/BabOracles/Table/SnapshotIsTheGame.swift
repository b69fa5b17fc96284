import BabSim
import Conformance
package import Judging

/// A snapshot says what the host has told others: lines, turn, votes, scenario and roles.
package final class SnapshotIsTheGame: TableOracle {
  package static let id = "SnapshotIsTheGame"
  package static let claim = "Every snapshot contains the lines, turn, votes, scenario and roles of the game."
  package static let clause = "BAB 5.7.4"

  private typealias Difference = (clause: String?, expected: String, actual: String)

  package let ledger = makeLedger()
  let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  func judge(_ told: HostStory.Told) {
    guard case .fullStateSnapshot(let snapshot) = told.packet.payload else { return }
    guard let (clause, expected, actual) = difference(snapshot, told) else { return ledger.judged += 1 }
    fail(told, clause, expected: expected, actual: actual)
  }

  private func difference(_ snapshot: SessionState, _ told: HostStory.Told) -> Difference? {
    let book = told.before
    let ids = snapshot.committedHistory.map(\.id)
    if book.areLinesKnown, book.phase == .on, !ids.isEmpty, ids != book.lines.map(\.id) {
      return (nil, "the \(book.lines.count) lines of the game", "\(ids.count) lines, the last \(ids.last ?? "")")
    }
    if let difference = historyLeftOut(snapshot, told) ?? votesLeftOut(snapshot, told) { return difference }
    if snapshot.currentPhase == .active || snapshot.currentPhase == .voting {
      if book.isTurnKnown, book.phase == .on, snapshot.currentTurnPlayerID != book.turn?.player {
        // A snapshot without a turn after the last line is the one that ends the game.
        if book.areLinesKnown, let agreed = state.agreedLines, agreed > 0, book.lines.count >= agreed,
          snapshot.currentTurnPlayerID == nil
        {
          return (
            "BAB 5.8.2", "phase FINISHED, since the \(agreed) agreed lines are read",
            "phase \(snapshot.currentPhase.rawValue), and no turn"
          )
        }
        return (nil, "the turn of \(book.turn?.player ?? "nobody")", "of \(snapshot.currentTurnPlayerID ?? "nobody")")
      }
    } else if snapshot.currentPhase != .finished, book.phase == .on {
      return (nil, "a game that is on", "phase \(snapshot.currentPhase.rawValue)")
    }
    // A snapshot that leaves the rest out has no scenario (BAB 5.7.5).
    guard let scenario = snapshot.scenario else { return nil }
    if let known = book.scenario, !known.isEmpty, scenario.id != known {
      return (nil, "the scenario \(known)", scenario.id)
    }
    return roleDifference(snapshot, told)
  }

  /// A history may be left out only where the snapshot with it does not fit the fragments of a link (BAB 5.7.5): of any
  /// link, since a packet to several is one packet. One that leaves out the scenario as well says nothing of how long
  /// it would be with all.
  private func historyLeftOut(_ snapshot: SessionState, _ told: HostStory.Told) -> Difference? {
    let (book, host) = (told.before, told.story.host)
    guard snapshot.committedHistory.isEmpty, snapshot.scenario != nil, book.areLinesKnown,
      book.phase == .on, !book.lines.isEmpty,
      !host.isCaptured, let attMTU = host.links.lazy.filter(\.isUp).map(\.attMTU).min()
    else { return nil }
    let most = Fragmenter.packetOctets(attMTU: attMTU)
    let lines = book.lines.compactMap(\.octets)
    guard lines.count == book.lines.count else { return nil }
    // An app may tell them as its dialog, too.
    let octets = told.octets + 2 * lines.reduce(0, +)
    if octets > most { return nil }
    return (
      nil,
      "the \(lines.count) lines of the game, which fit: at most \(octets) octets with them, and \(most) in"
        + " \(Fragmenter.fragmentLimit) fragments at ATT_MTU \(attMTU)", "no lines"
    )
  }

  /// Who comes back in a vote counts on from what the snapshot says of it (BAB 5.5.5).
  private func votesLeftOut(_ snapshot: SessionState, _ told: HostStory.Told) -> Difference? {
    let book = told.before
    guard snapshot.currentPhase == .voting, book.isVoteKnown, let vote = book.vote, !vote.isLost, !vote.hasPassed
    else { return nil }
    // Its proposer says yes by proposing it. Whether a vote lasts longer than a seat no clause says.
    let said = vote.yes.filter { voter in
      voter != vote.yes[0] && !told.mayHaveLeft(voter) && book.roster.contains(voter) && !book.returned.contains(voter)
    }
    let missing = said.filter { snapshot.voteResults[$0] != true }
    if missing.isEmpty { return nil }
    return (
      "BAB 5.5.5", "the yes of \(missing.joined(separator: ", ")) in the vote \(vote.action.rawValue)",
      "votes of \(snapshot.voteResults.isEmpty ? "nobody" : "\(snapshot.voteResults.count)")"
    )
  }

  private func roleDifference(_ snapshot: SessionState, _ told: HostStory.Told) -> Difference? {
    let book = told.before
    guard book.areRolesKnown, !book.roster.isEmpty else { return nil }
    let newcomer = told.story.player(told.link)
    for player in book.roster where player != newcomer && !book.returned.contains(player) {
      // Who has left has no role in it, though nobody may have been told yet.
      guard !told.mayHaveLeft(player) else { continue }
      let (role, own) = (snapshot.roles[player]?.id, book.roles[player]?.role)
      if role != own { return (nil, "\(own ?? "no role") for \(player)", role ?? "no role") }
    }
    return nil
  }
}
