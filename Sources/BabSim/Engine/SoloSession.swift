import AppSeam
import SimKernel

/// The game without a radio: the app and its user read in turn (BAB 5.10).
///
/// Spoken words are matched one by one; the line is read once all of them have matched.
final class SoloSession {
  private let playerID: String
  private let scenarioID: String
  private let formula: ScoringFormula
  private let start: SimInstant
  private var generator: LineGenerator
  private var history: [DialogLine] = []
  private var score: PlayerScore
  private var pending: DialogLine?
  private var words: [String] = []
  private var matched = 0
  private var misses = 0
  private var turnStart: SimInstant

  init(configuration: BabConfiguration, scenarioID: String, now: SimInstant) {
    playerID = configuration.peerID
    self.scenarioID = scenarioID
    formula = configuration.dialect.scoring
    generator = LineGenerator(script: configuration.lineScript)
    score = PlayerScore(playerID: configuration.peerID)
    start = now
    turnStart = now
  }

  /// The app's line, at once in the history, and then the user's.
  func nextExchange(_ now: SimInstant) -> [BabReport] {
    var reports: [BabReport] = []
    let own = makeLine(speaker: "ai", now)
    reports += [.turn(player: "ai"), .screen(ScreenLine(lineID: own.id, text: own.textNative))]
    reports.append(commit(own))
    let line = makeLine(speaker: playerID, now)
    pending = line
    words = Pronunciation.words(line.textNative)
    (matched, misses, turnStart) = (0, 0, now)
    reports += [.turn(player: playerID), .screen(ScreenLine(lineID: line.id, text: line.textNative))]
    return reports
  }

  func speak(_ text: String, _ now: SimInstant) -> [BabReport] {
    guard pending != nil else { return [] }
    for word in Pronunciation.words(text) where matched < words.count {
      if word == words[matched] { matched += 1 } else { misses += 1 }
    }
    return matched == words.count ? finishLine(skipped: false, now) : []
  }

  func skip(_ now: SimInstant) -> [BabReport] { pending == nil ? [] : finishLine(skipped: true, now) }

  private func finishLine(skipped: Bool, _ now: SimInstant) -> [BabReport] {
    guard var line = pending else { return [] }
    pending = nil
    let accuracy = skipped || words.isEmpty ? 0 : max(0, words.count - misses) * 1_000 / words.count
    if skipped {
      score.skip()
      line.pronunciationResult = .skippedLine
    } else {
      let duration = (now - turnStart).nanoseconds / 1_000_000
      _ = score.complete(
        accuracyPermille: accuracy, errorCount: misses, durationMilliseconds: duration, scenarioID: scenarioID,
        formula: formula, isMultiplayer: false)
      line.pronunciationResult = PronunciationResult(
        errorCount: Int32(clamping: misses), accuracy: Accuracy.float(permille: accuracy), wordErrors: [],
        skipped: false, duration: duration)
    }
    var reports: [BabReport] = [
      .lineAccepted(lineID: line.id, player: playerID, skipped: skipped, accuracyPermille: accuracy)
    ]
    reports.append(commit(line))
    reports.append(.score(player: playerID, xp: score.xp))
    return reports + nextExchange(now)
  }

  /// Saving shows the summary; discarding leaves nothing.
  func end(save: Bool, _ now: SimInstant) -> [BabReport] {
    guard save else { return [.sessionEnded("discarded")] }
    let row = LeaderboardRow(rank: 1, player: playerID, score: score.xp, highlight: score.highlight)
    let view = SummaryView(
      lines: history.count, accuracyPermille: score.averageAccuracyPermille,
      durationMilliseconds: (now - start).nanoseconds / 1_000_000, rankings: [row], achievements: [])
    return [.summary(view), .sessionEnded("saved")]
  }

  private func makeLine(speaker: String, _ now: SimInstant) -> DialogLine {
    let (id, template) = generator.next(roleID: nil)
    return DialogLine(
      id: id, speakerID: speaker, roleName: speaker, textNative: template.native,
      textTranslated: template.translated, timestamp: BabConfiguration.wallMilliseconds(now),
      assignedToPlayerID: speaker, visibility: .isPrivate)
  }

  private func commit(_ line: DialogLine) -> BabReport {
    var line = line
    line.visibility = .committed
    history.append(line)
    return .committed(index: history.count - 1, lineID: line.id, text: line.textNative)
  }
}

extension HostEngine {
  func startSolo() {
    guard !isHosting, solo == nil else { return }
    let session = SoloSession(
      configuration: configuration, scenarioID: configuration.scenarios.first?.id ?? "", now: now)
    solo = session
    phase = .active
    showPhase()
    showSolo(session.nextExchange(now))
  }

  func endSolo(_ save: Bool) {
    guard let session = solo else { return }
    solo = nil
    phase = save ? .finished : .lobby
    showPhase()
    showSolo(session.end(save: save, now))
  }

  func showSolo(_ reports: [BabReport]) {
    for report in reports { self.report(report) }
  }
}
