import AppSeam

/// The badges of a finished session.
///
/// Spec: BAB 9.4 to 9.10, in this order.
enum Achievements {
  static let names: [(id: String, name: String, description: String)] = [
    ("first_multiplayer", "First Words Together", "A session with two or more players came to its end"),
    ("perfect_pair", "Perfect Pair", "Two lines in a row were read without an error"),
    ("chatterbox", "Chatterbox", "Fifty lines in one session"),
    ("language_partner", "Language Partner", "The fifth session with the same friend"),
    ("flawless_scene", "Flawless Scene", "A whole session without an error"),
    ("streak_master", "Streak Master", "Ten perfect lines in a row"),
    ("speed_reader", "Speed Reader", "Lines read in less than three seconds on average"),
  ]

  /// What the badges are computed from.
  struct Session {
    /// In roster order; only players who are there at the end.
    var scores: [PlayerScore]
    /// Who read the committed lines, in order, and whether without an error.
    var lines: [ReadLine]
    /// Sessions that the host finished before with each of its friends.
    var earlierSessions: [(peerID: String, count: Int)]
    var hostID: String
  }

  struct ReadLine {
    var playerID: String
    var isPerfect: Bool
    var isSkipped: Bool
    var errorCount: Int
  }

  struct Award: Equatable {
    var playerID: String
    var id: String
  }

  /// Every award, by badge in the order of `names`, then by player in roster order.
  static func awards(_ session: Session) -> [Award] {
    var awards: [Award] = []
    for badge in names {
      for score in session.scores where earns(badge.id, score, session) {
        awards.append(Award(playerID: score.playerID, id: badge.id))
      }
    }
    return awards
  }

  private static func earns(_ badge: String, _ score: PlayerScore, _ session: Session) -> Bool {
    switch badge {
    case "first_multiplayer": return session.scores.count >= 2
    case "perfect_pair": return isInPerfectPair(score.playerID, session.lines)
    case "chatterbox": return session.lines.count >= 50
    case "language_partner": return isLanguagePartner(score.playerID, session)
    case "flawless_scene":
      return !session.lines.isEmpty && session.lines.allSatisfy { !$0.isSkipped && $0.errorCount == 0 }
    case "streak_master": return score.bestPerfectRun >= 10
    case "speed_reader":
      return score.linesCompleted > 0 && score.durationMilliseconds < 3_000 * Int64(score.linesCompleted)
    default: return false
    }
  }

  private static func isInPerfectPair(_ playerID: String, _ lines: [ReadLine]) -> Bool {
    guard lines.count >= 2 else { return false }
    for index in 1..<lines.count where lines[index - 1].isPerfect && lines[index].isPerfect {
      if lines[index - 1].playerID == playerID || lines[index].playerID == playerID { return true }
    }
    return false
  }

  /// This session included, the host has played five with the friend; the host has earned it with any of them.
  private static func isLanguagePartner(_ playerID: String, _ session: Session) -> Bool {
    func isFriend(_ peerID: String) -> Bool {
      session.earlierSessions.contains { $0.peerID == peerID && $0.count >= 4 }
    }
    guard playerID == session.hostID else { return isFriend(playerID) }
    return session.scores.contains { $0.playerID != session.hostID && isFriend($0.playerID) }
  }
}
