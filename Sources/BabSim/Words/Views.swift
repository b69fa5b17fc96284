public struct ClockEntry: Hashable, Sendable {
  public var peerID: String
  public var count: Int64
  public init(peerID: String, count: Int64) {
    self.peerID = peerID
    self.count = count
  }
}

public struct LobbyView: Hashable, Sendable {
  public var scenarioID: String
  public var difficulty: String
  /// In host order.
  public var players: [String]
  public init(scenarioID: String, difficulty: String, players: [String]) {
    self.scenarioID = scenarioID
    self.difficulty = difficulty
    self.players = players
  }
}

/// What one player's screen shows of a line.
public struct ScreenLine: Hashable, Sendable {
  public var lineID: String
  /// The line's text, or nil when only "somebody is reading" is shown.
  public var text: String?
  public init(lineID: String, text: String?) {
    self.lineID = lineID
    self.text = text
  }
}

public struct LeaderboardRow: Hashable, Sendable {
  public var rank: Int
  public var player: String
  public var score: Int
  public var highlight: String?
  public init(rank: Int, player: String, score: Int, highlight: String?) {
    self.rank = rank
    self.player = player
    self.score = score
    self.highlight = highlight
  }
}

public struct SummaryView: Hashable, Sendable {
  public var lines: Int
  /// Mean accuracy in thousandths.
  public var accuracyPermille: Int
  public var durationMilliseconds: Int64
  public var rankings: [LeaderboardRow]
  public var achievements: [String]
  public init(
    lines: Int, accuracyPermille: Int, durationMilliseconds: Int64, rankings: [LeaderboardRow], achievements: [String]
  ) {
    self.lines = lines
    self.accuracyPermille = accuracyPermille
    self.durationMilliseconds = durationMilliseconds
    self.rankings = rankings
    self.achievements = achievements
  }
}
