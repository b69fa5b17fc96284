/// Views as messages show them: in words, and never as Swift writes its values.
extension ClockEntry: CustomStringConvertible {
  public var description: String { "\(peerID) \(count)" }
}

extension LobbyView: CustomStringConvertible {
  public var description: String { ([scenarioID, difficulty] + players).joined(separator: ", ") }
}

extension ScreenLine: CustomStringConvertible {
  public var description: String { "\(lineID): " + (text.map { "“\($0)”" } ?? "somebody is reading") }
}

extension LeaderboardRow: CustomStringConvertible {
  public var description: String { "\(rank). \(player) \(score)" + (highlight.map { " (\($0))" } ?? "") }
}

extension SummaryView: CustomStringConvertible {
  public var description: String {
    let ranking = rankings.isEmpty ? "no ranking" : rankings.map(\.description).joined(separator: ", ")
    let earned = achievements.isEmpty ? "no achievement" : achievements.joined(separator: ", ")
    return "\(lines) lines, accuracy \(accuracyPermille), \(durationMilliseconds) ms; \(ranking); \(earned)"
  }
}
