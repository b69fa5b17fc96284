import AppSeam
import SimKernel

/// What the person in front of the app does; an app offers only what its screen allows.
extension ClientEngine {
  func perform(_ action: BabAction) {
    switch action {
    case .joinHost: joinHost(at: nil)
    case .joinHostAt(let address): joinHost(at: address)
    case .leave: leave()
    case .startSolo: startSolo()
    case .speak(let text): speak(text)
    case .endSolo(let save): endSolo(save)
    case .skipLine: skipLine()
    case .completeLine(let accuracy, let errors, let duration):
      guard let line = ownPendingLine else { return }
      answer(
        line,
        PronunciationResult(
          errorCount: Int32(clamping: errors), accuracy: Accuracy.float(permille: accuracy), wordErrors: [],
          skipped: false, duration: Int64(duration)))
    default:
      guard stage == .joined else { return }
      performInLobby(action)
    }
  }

  private func performInLobby(_ action: BabAction) {
    switch action {
    case .requestRole(let role): send(.roleAssigned(playerID: peerID, roleID: role))
    case .setReady(let isReady):
      guard role(of: peerID) != nil, !isPlaying else { return }
      send(.playerReady(playerID: peerID, isReady: isReady))
    case .proposeVote(let name):
      guard isPlaying, vote == nil, let action = VoteAction(rawValue: name) else { return }
      send(.voteRequest(proposerID: peerID, action: action))
    case .castVote(let yes):
      guard let vote, !vote.hasVoted(peerID) else { return }
      send(.voteCast(voterID: peerID, vote: yes))
    case .generate(let prompt): send(.generateRequest(prompt: prompt))
    default: break
    }
  }

  // MARK: Reading

  /// The line this player may read now: pending, own, and not yet answered.
  private var ownPendingLine: DialogLine? {
    guard stage == .joined, isPlaying, turnPlayerID == peerID, let line = pendingLine,
      line.assignedToPlayerID == peerID, line.id != answeredLineID
    else { return nil }
    return line
  }

  private func answer(_ line: DialogLine, _ result: PronunciationResult) {
    answeredLineID = line.id
    send(.lineCompleted(lineID: line.id, result: result))
  }

  private func skipLine() {
    if let solo { return showSolo(solo.skip(now)) }
    guard let line = ownPendingLine else { return }
    answeredLineID = line.id
    send(.lineSkipped(lineID: line.id))
  }

  private func speak(_ text: String) {
    if let solo { return showSolo(solo.speak(text, now)) }
    guard let line = ownPendingLine else { return }
    answer(line, line.read(text, rule: dialect.pronunciation, from: turnStart, to: now))
  }

  // MARK: Solo

  private func startSolo() {
    guard stage == .idle, solo == nil else { return }
    let session = SoloSession(
      configuration: configuration, scenarioID: configuration.scenarios.first?.id ?? "", now: now)
    solo = session
    phase = .active
    showPhase()
    showSolo(session.nextExchange(now))
  }

  private func endSolo(_ save: Bool) {
    guard let session = solo else { return }
    solo = nil
    phase = save ? .finished : .lobby
    showPhase()
    showSolo(session.end(save: save, now))
  }

  private func showSolo(_ reports: [BabReport]) {
    for report in reports { self.report(report) }
  }
}
