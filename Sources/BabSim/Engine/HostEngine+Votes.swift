import AppSeam
import SimKernel

/// Votes (BAB 5.5).
extension HostEngine {
  func proposeVote(_ actionName: String, by id: String) {
    guard isPlaying, vote == nil, let action = VoteAction(rawValue: actionName), playerIndex(id) != nil else {
      return
    }
    vote = OpenVote(proposer: id, action: action)
    phase = .voting
    showPhase()
    effects.append(.setTimer(EngineTimer.vote, at: now + configuration.voteTimeout))
    broadcast(.voteRequest(proposerID: id, action: action))
    report(.vote(action: action.rawValue, voter: id, yes: true))
    settleVote()
  }

  func castVote(_ yes: Bool, by id: String) {
    guard var open = vote, !open.hasVoted(id) else { return }
    open.cast(id, yes)
    vote = open
    report(.vote(action: open.action.rawValue, voter: id, yes: yes))
    broadcast(.voteCast(voterID: id, vote: yes))
    settleVote()
  }

  func voteTimedOut() {
    guard let open = vote else { return }
    closeVote()
    report(.voteResult(action: open.action.rawValue, passed: false))
  }

  /// Acts once everybody has said yes, or somebody no.
  func settleVote() {
    guard let open = vote, let passed = open.result(players: players.map(\.id)) else { return }
    closeVote()
    report(.voteResult(action: open.action.rawValue, passed: passed))
    guard passed else { return }
    switch open.action {
    case .skipLine: accept(nil)
    case .endGame: finish()
    case .changeScene: changeScene()
    }
  }

  /// Ends the vote without a result; the game goes on where it was.
  func closeVote() {
    guard vote != nil else { return }
    vote = nil
    effects.append(.cancelTimer(EngineTimer.vote))
    if phase == .voting {
      phase = .active
      showPhase()
    }
  }

  /// The next scenario of the host's list; roles of the old one are gone, the game goes on (BAB 5.5.8).
  private func changeScene() {
    guard let index = configuration.scenarios.firstIndex(where: { $0.id == scenarioID }) else { return }
    scenarioID = configuration.scenarios[(index + 1) % configuration.scenarios.count].id
    for player in players.indices {
      players[player].roleID = nil
      players[player].isReady = false
    }
    lobbyChanged(tellClients: true)
    broadcast(.navigationSync(screenName: "theater"))
  }
}
