import BabSim
import Bench
import Conformance
package import Judging

/// A game ends with its agreed lines, by its host's person, or by a vote, and by nothing else.
package final class GamesEndWhenTheyMust: TableOracle {
  package static let id = "GamesEndWhenTheyMust"
  package static let claim = "A game ends after the agreed lines, by its host or by a vote, and not before."
  package static let clause = "BAB 5.8.1"

  package let ledger = makeLedger()
  let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  /// After the last line there is no turn (BAB 5.4.6).
  private func judge(_ player: String, _ line: DialogLine?, _ told: HostStory.Told) {
    let book = told.before
    guard book.phase == .on, !told.story.host.isCaptured, book.areLinesKnown, let agreed = state.agreedLines,
      agreed > 0, book.lines.count >= agreed, line == nil || line?.id != book.newestLine
    else { return }
    fail(
      told, expected: "the end of the game after \(agreed) lines, which are read",
      actual: "TURN_ADVANCED: a turn for \(player)")
  }

  func judge(_ told: HostStory.Told) {
    let (book, story) = (told.before, told.story)
    if let (player, line) = told.packet.advancedTurn { return judge(player, line, told) }
    guard book.phase == .on, !story.host.isCaptured, let agreedLines = state.agreedLines,
      case .fullStateSnapshot(let snapshot) = told.packet.payload, snapshot.currentPhase == .finished
    else { return }
    if story.host.peerID.flatMap({ story.wish($0, "end") }) != nil { return ledger.judged += 1 }
    guard book.areLinesKnown, book.isVoteKnown, !book.roster.isEmpty else { return }
    if agreedLines > 0, book.lines.count >= agreedLines { return ledger.judged += 1 }
    if let vote = book.vote, vote.action == .endGame {
      let isGone = { told.mayHaveLeft($0) }
      if book.isUnanimous(vote, without: isGone) { return ledger.judged += 1 }
      return fail(
        told, "BAB 5.5.5", expected: "the end when every player has said yes",
        actual: "the end after \(vote.yes.count) of \(book.roster.count) yes\(vote.isLost ? " and a no" : "")")
    }
    fail(
      told,
      expected: "the game to go on: "
        + (agreedLines > 0 ? "\(book.lines.count) of \(agreedLines) lines are read" : "no number of lines is agreed")
        + ", and nobody has ended it",
      actual: "phase FINISHED")
  }
}
