import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
import SimKernel

/// What an app shows of the end of a vote follows from what was said of it: a client shows that a vote has passed only
/// when it was told a yes of every player, a host shows that one has failed only after a no, or when its time is over.
///
/// Not judged: a client that shows a failed vote, which may count its own time; a vote to skip a line, which may have
/// been read; and the votes of a game that is over.
package final class VoteResultsFollowVotes: BabOracle {
  package static let id = "VoteResultsFollowVotes"
  package static let claim = "An app shows that a vote has passed or failed only when what was said of it says so."
  package static let clause = "BAB 5.5.5"
  package static let nature = OracleNature.safety
  package static let restsOn = ["voteResult"]
  package static let interests: [TraceKind] = [.vote]

  package let ledger = makeLedger()
  private let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard case .report(.voteResult(let action, let passed)) = record.bab, let app = state.device(of: record),
      !app.isCaptured, !app.isDamaged
    else { return }
    if app.role == .client {
      if passed { judge(client: app, action, record) }
    } else if !passed {
      judge(host: app, action, record)
    }
  }

  private func judge(client: BabDevice, _ action: String, _ record: TraceRecord) {
    guard let own = client.peerID, let mirror = state.heard(client), let vote = mirror.vote, vote.action == action
    else { return }
    let silent = mirror.roster.filter { $0 != own && !vote.yes.contains($0) }
    if silent.isEmpty { return ledger.judged += 1 }
    ledger.fail(
      record, expected: "\(action) to pass when it was told a yes of \(silent.joined(separator: ", ")), too",
      actual: "passed, after a yes of \(vote.yes.joined(separator: ", "))")
  }

  private func judge(host: BabDevice, _ action: String, _ record: TraceRecord) {
    guard let story = state.stories[host.index], !story.isUnclear, host.phase != "FINISHED", let vote = story.book.vote,
      vote.action.rawValue == action, vote.action != .skipLine, !vote.isLost,
      let wish = story.proposal(of: vote)
    else { return }
    let isRefused = story.wishes.contains { ["no", "end"].contains($0.word) && $0.at >= wish.at }
    let lasted = record.instant - wish.at
    if isRefused || lasted >= Bounds.voteIsOpen { return ledger.judged += 1 }
    ledger.fail(
      record, expected: "\(action) to be open for 30 s, or until somebody says no",
      actual: "failed after \(lasted.shortSeconds) s, and nobody has said no")
  }
}
