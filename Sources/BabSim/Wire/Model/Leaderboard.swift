/// The ranking after a line, sent by the host.
public struct Leaderboard: Hashable, Sendable {
  public var rankings: [Ranking]
  /// Milliseconds of the host's clock.
  public var updatedAt: Int64
  public init(rankings: [Ranking], updatedAt: Int64) {
    self.rankings = rankings
    self.updatedAt = updatedAt
  }
}

public struct Ranking: Hashable, Sendable {
  /// From 1.
  public var rank: Int32
  public var playerID: String
  public var displayName: String
  public var score: Int32
  public var highlight: String?
  public init(rank: Int32, playerID: String, displayName: String, score: Int32, highlight: String? = nil) {
    self.rank = rank
    self.playerID = playerID
    self.displayName = displayName
    self.score = score
    self.highlight = highlight
  }
}

/// What a player has done so far in a session.
public struct PlayerStats: Hashable, Sendable {
  public var playerID: String
  public var linesCompleted: Int32
  public var totalErrors: Int32
  public var perfectLines: Int32
  public var averageAccuracy: Float
  public var currentStreak: Int32
  public var xpEarned: Int32
  public init(
    playerID: String, linesCompleted: Int32 = 0, totalErrors: Int32 = 0, perfectLines: Int32 = 0,
    averageAccuracy: Float = 0, currentStreak: Int32 = 0, xpEarned: Int32 = 0
  ) {
    self.playerID = playerID
    self.linesCompleted = linesCompleted
    self.totalErrors = totalErrors
    self.perfectLines = perfectLines
    self.averageAccuracy = averageAccuracy
    self.currentStreak = currentStreak
    self.xpEarned = xpEarned
  }
}

/// What the host says at the end of a game.
public struct SessionSummary: Hashable, Sendable {
  public var scenarioName: String
  public var durationMilliseconds: Int64
  public var totalLines: Int32
  public var playerRankings: [Ranking]
  public var xpEarned: OrderedMap<Int32>
  public var achievementsUnlocked: [Achievement]
  /// Vocabulary is carried, not interpreted.
  public var vocabularyLearned: [JSONValue]
  public var overallAccuracy: Float
  public init(
    scenarioName: String, durationMilliseconds: Int64, totalLines: Int32, playerRankings: [Ranking],
    xpEarned: OrderedMap<Int32>, achievementsUnlocked: [Achievement], vocabularyLearned: [JSONValue] = [],
    overallAccuracy: Float
  ) {
    self.scenarioName = scenarioName
    self.durationMilliseconds = durationMilliseconds
    self.totalLines = totalLines
    self.playerRankings = playerRankings
    self.xpEarned = xpEarned
    self.achievementsUnlocked = achievementsUnlocked
    self.vocabularyLearned = vocabularyLearned
    self.overallAccuracy = overallAccuracy
  }
}

public struct Achievement: Hashable, Sendable {
  public var id: String
  public var name: String
  public var description: String
  public var iconName: String?
  /// Milliseconds of the host's clock.
  public var unlockedAt: Int64
  public init(id: String, name: String, description: String, iconName: String? = nil, unlockedAt: Int64) {
    self.id = id
    self.name = name
    self.description = description
    self.iconName = iconName
    self.unlockedAt = unlockedAt
  }
}
