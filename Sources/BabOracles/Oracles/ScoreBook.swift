/// Experience points counted from the protocol text, in integers: the oracle's own arithmetic.
///
/// Spec: BAB 6.1 to 6.4.
struct ScoreBook {
  private struct Entry {
    var player: String
    var total = 0
    var streak = 0
    var scenarios: [String] = []
  }

  let formula: DialectFacts.Formula
  private var entries: [Entry] = []

  init(formula: DialectFacts.Formula) { self.formula = formula }

  func total(of player: String) -> Int { entries.first { $0.player == player }?.total ?? 0 }

  /// Books one accepted line. Accuracy in thousandths; a streak lives on lines of at least 900.
  mutating func accept(player: String, skipped: Bool, accuracyPermille: Int, isMultiplayer: Bool, scenario: String) {
    let place: Int
    if let found = entries.firstIndex(where: { $0.player == player }) {
      place = found
    } else {
      entries.append(Entry(player: player))
      place = entries.count - 1
    }
    let entry = entries[place]
    if skipped {
      entries[place].streak = 0
      return
    }
    let keepsStreak = accuracyPermille >= 900
    switch formula {
    case .guide:
      let streakBonus = keepsStreak && entry.streak > 0 ? 5 : 0
      let firstBonus = entry.scenarios.contains(scenario) ? 0 : 25
      entries[place].total +=
        10 + accuracyPermille * 20 / 1000 + streakBonus + (isMultiplayer ? 5 : 0) + firstBonus
      if firstBonus > 0 { entries[place].scenarios.append(scenario) }
    case .sdk:
      entries[place].total +=
        10 + accuracyPermille * 10 / 1000 + min(2 * entry.streak, 20) + (isMultiplayer ? 5 : 0)
    }
    entries[place].streak = keepsStreak ? entry.streak + 1 : 0
  }
}
