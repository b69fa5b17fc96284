import AppSeam

/// The two published ways to turn a read line into points; integers only.
///
/// Spec: BAB 6.1 and 6.2.
public enum ScoringFormula: String, Hashable, Sendable, CaseIterable {
  case guide
  case sdk

  /// The points of one completed line; a skipped line earns none and is never asked for here.
  /// - Parameters:
  ///   - accuracyPermille: 0 … 1000.
  ///   - streakBefore: the player's streak before this line.
  ///   - isMultiplayer: more than one player takes part.
  ///   - isFirstInScenario: the player's first completed line in a scenario that is new to the player.
  public func points(
    accuracyPermille: Int, streakBefore: Int, isMultiplayer: Bool, isFirstInScenario: Bool
  ) -> Int {
    let together = isMultiplayer ? 5 : 0
    switch self {
    case .guide:
      let streak = streakBefore > 0 && continuesStreak(accuracyPermille) ? 5 : 0
      return 10 + accuracyPermille * 20 / 1_000 + streak + together + (isFirstInScenario ? 25 : 0)
    case .sdk:
      return 10 + accuracyPermille * 10 / 1_000 + min(2 * streakBefore, 20) + together
    }
  }

  /// Whether a line of this accuracy lets a streak go on (BAB 6.3).
  public func continuesStreak(_ accuracyPermille: Int) -> Bool { accuracyPermille >= 900 }
}

/// What one player has earned so far.
public struct PlayerScore: Hashable, Sendable {
  public let playerID: String
  public private(set) var xp = 0
  public private(set) var linesCompleted = 0
  public private(set) var linesSkipped = 0
  public private(set) var totalErrors = 0
  public private(set) var perfectLines = 0
  public private(set) var streak = 0
  /// Perfect lines in a row, now and at best; a streak also lives on lines that are not quite perfect.
  public private(set) var perfectRun = 0
  public private(set) var bestPerfectRun = 0
  public private(set) var accuracyPermilleSum = 0
  public private(set) var durationMilliseconds: Int64 = 0
  private var scenariosRead: [String] = []

  public init(playerID: String) { self.playerID = playerID }

  /// Mean accuracy of the completed lines in thousandths, rounded half up; 0 while there is none.
  public var averageAccuracyPermille: Int {
    linesCompleted == 0 ? 0 : (accuracyPermilleSum + linesCompleted / 2) / linesCompleted
  }

  /// "On fire!" from a streak of five, else the number of perfect lines, else nothing (BAB 6.9).
  public var highlight: String? {
    if streak >= 5 { return "On fire! \(streak) streak" }
    return perfectLines > 0 ? "\(perfectLines) perfect" : nil
  }

  /// Counts a completed line and returns its points.
  public mutating func complete(
    accuracyPermille: Int, errorCount: Int, durationMilliseconds duration: Int64, scenarioID: String,
    formula: ScoringFormula, isMultiplayer: Bool
  ) -> Int {
    let isFirst = !scenariosRead.contains(scenarioID)
    if isFirst { scenariosRead.append(scenarioID) }
    let points = formula.points(
      accuracyPermille: accuracyPermille, streakBefore: streak, isMultiplayer: isMultiplayer,
      isFirstInScenario: isFirst)
    let isPerfect = accuracyPermille >= 1_000
    xp += points
    linesCompleted += 1
    totalErrors += errorCount
    perfectLines += isPerfect ? 1 : 0
    perfectRun = isPerfect ? perfectRun + 1 : 0
    bestPerfectRun = max(bestPerfectRun, perfectRun)
    streak = formula.continuesStreak(accuracyPermille) ? streak + 1 : 0
    accuracyPermilleSum += accuracyPermille
    durationMilliseconds += duration
    return points
  }

  /// Counts a skipped line: no points, and the streak is over (BAB 6.4).
  public mutating func skip() {
    linesSkipped += 1
    streak = 0
    perfectRun = 0
  }
}

extension PlayerScore {
  var wireStats: PlayerStats {
    PlayerStats(
      playerID: playerID, linesCompleted: Int32(clamping: linesCompleted), totalErrors: Int32(clamping: totalErrors),
      perfectLines: Int32(clamping: perfectLines), averageAccuracy: Accuracy.float(permille: averageAccuracyPermille),
      currentStreak: Int32(clamping: streak), xpEarned: Int32(clamping: xp))
  }
}
