import AppSeam
import SimKernel

/// A player as the host keeps it.
struct Player {
  let id: String
  var name: String
  /// Order of the first join; the roster is sorted by it, so a returning player gets the old place back.
  let joinIndex: Int
  /// nil for the host itself.
  var link: LinkID?
  var roleID: String?
  var isReady = false
  var score: PlayerScore

  init(id: String, name: String, joinIndex: Int, link: LinkID?) {
    self.id = id
    self.name = name
    self.joinIndex = joinIndex
    self.link = link
    self.score = PlayerScore(playerID: id)
  }
}

/// A player whose link is gone, kept for the reconnect window.
struct RememberedPlayer {
  var player: Player
  var forgetAt: SimInstant
}

/// A vote that is open, as host and clients count it.
///
/// Spec: BAB 5.5. The proposer's yes is part of the proposal.
struct OpenVote {
  struct Ballot {
    var voter: String
    var yes: Bool
  }

  let proposer: String
  let action: VoteAction
  private(set) var ballots: [Ballot]

  init(proposer: String, action: VoteAction) {
    self.proposer = proposer
    self.action = action
    self.ballots = [Ballot(voter: proposer, yes: true)]
  }

  func hasVoted(_ voter: String) -> Bool { ballots.contains { $0.voter == voter } }

  /// Counts a ballot; a voter's first one stands.
  mutating func cast(_ voter: String, _ yes: Bool) {
    guard !hasVoted(voter) else { return }
    ballots.append(Ballot(voter: voter, yes: yes))
  }

  /// true = passed, false = failed, nil = still open. Ballots of players who have left do not count.
  func result(players: [String]) -> Bool? {
    var yes = 0
    for ballot in ballots where players.contains(ballot.voter) {
      guard ballot.yes else { return false }
      yes += 1
    }
    return yes == players.count ? true : nil
  }
}
