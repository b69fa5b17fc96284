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

  /// Each field that differs, with what `name` has there.
  public func differences(from other: LobbyView, of name: String) -> [String] {
    var differences: [String] = []
    if scenarioID != other.scenarioID {
      differences.append("scenario: \(Self.text(scenarioID)), \(name) has \(Self.text(other.scenarioID))")
    }
    if difficulty != other.difficulty {
      differences.append("difficulty: \(difficulty), \(name) has \(other.difficulty)")
    }
    let missing = other.players.filter { !players.contains($0) }
    let surplus = players.filter { !other.players.contains($0) }
    if !missing.isEmpty { differences.append("players: without \(missing.joined(separator: ", "))") }
    if !surplus.isEmpty { differences.append("players: \(surplus.joined(separator: ", ")), whom \(name) has not") }
    if missing.isEmpty, surplus.isEmpty, players != other.players {
      let place = zip(players, other.players).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      differences.append(
        place.map { "players: \(players[$0]) in place \($0 + 1), \(name) has \(other.players[$0]) there" }
          ?? "players: \(players.count), \(name) has \(other.players.count)")
    }
    return differences
  }

  private static func text(_ scenarioID: String) -> String { scenarioID.isEmpty ? "none" : scenarioID }
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
