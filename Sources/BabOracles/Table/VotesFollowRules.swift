import BabSim
import Conformance
package import Judging
import SimKernel

/// A vote is opened as somebody proposes it, counts what players say, and has its effect when all have said yes.
package final class VotesFollowRules: TableOracle {
  package static let id = "VotesFollowRules"
  package static let claim = "Votes are sent on as players cast them, and take effect only when all have said yes."
  package static let clause = "BAB 5.5.5"

  package let ledger = makeLedger()
  let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  func judge(_ told: HostStory.Told) {
    let book = told.before
    switch told.packet.payload {
    case .voteRequest(let proposer, let action): judge(proposer, action, told)
    case .voteCast(let voter, let isYes): judge(voter, isYes, told)
    case .lobbyUpdate(let state):
      guard book.phase == .on, let scenario = book.scenario, scenario != state.selectedScenarioID else { return }
      judgeEffect(.changeScene, "the scenario \(state.selectedScenarioID)", told)
    case .navigationSync("theater"):
      guard book.phase == .on, book.vote?.action == .changeScene else { return }
      judgeEffect(.changeScene, "NAVIGATION_SYNC", told)
      if let vote = book.vote, !vote.hasLobby {
        fail(
          told, "BAB 5.5.8", expected: "LOBBY_UPDATE with the next scenario before NAVIGATION_SYNC",
          actual: "no LOBBY_UPDATE since the vote was opened")
      }
    case .dialogLineAdded(let line):
      guard line.visibility == .committed, line.pronunciationResult?.skipped ?? false, let turn = book.turn,
        turn.line == line.id, !told.story.isRead(turn)
      else { return }
      judgeEffect(.skipLine, "\(line.id) skipped", told)
    default: break
    }
  }

  private func judge(_ proposer: String, _ action: VoteAction, _ told: HostStory.Told) {
    guard told.story.hears(proposer) else { return }
    guard told.story.wish(proposer, "vote \(action.rawValue)") != nil else {
      return fail(
        told, "BAB 5.5.2", expected: "a vote that somebody has proposed", actual: "\(action.rawValue) of \(proposer)")
    }
    let book = told.before
    if let vote = book.vote, vote.hasPassed, vote.action != .skipLine || book.turn?.line != nil {
      return fail(
        told, "BAB 5.5.8", expected: "the effect of \(vote.action.rawValue), which has passed",
        actual: "the next vote, \(action.rawValue)")
    }
    ledger.judged += 1
  }

  private func judge(_ voter: String, _ isYes: Bool, _ told: HostStory.Told) {
    guard told.story.hears(voter) else { return }
    guard told.story.wish(voter, isYes ? "yes" : "no") != nil else {
      return fail(
        told, "BAB 5.5.4", expected: "what \(voter) has said", actual: "\(isYes ? "yes" : "no") of \(voter)")
    }
    if let vote = told.before.vote, !vote.isLost, vote.yes.contains(voter), !isYes {
      return fail(told, "BAB 5.5.4", expected: "the first yes of \(voter)", actual: "no of \(voter) after it")
    }
    ledger.judged += 1
  }

  private func judgeEffect(_ action: VoteAction, _ what: String, _ told: HostStory.Told) {
    let book = told.before
    guard book.isVoteKnown, !book.roster.isEmpty else { return }
    if action == .skipLine, let reader = book.turn?.player, !told.story.hears(reader) { return }
    guard let vote = book.vote, vote.action == action else {
      return fail(
        told, expected: "\(what) only after a vote \(action.rawValue)", actual: "\(what), and no such vote is open")
    }
    let isGone = { told.mayHaveLeft($0) }
    if book.isUnanimous(vote, without: isGone) { return ledger.judged += 1 }
    let silent = book.roster.filter { !vote.yes.contains($0) && !isGone($0) }
    fail(
      told, expected: "\(what) only when every player has said yes",
      actual: "\(what), "
        + (vote.isLost ? "and somebody has said no" : "without a yes of \(silent.joined(separator: ", "))"))
  }
}
