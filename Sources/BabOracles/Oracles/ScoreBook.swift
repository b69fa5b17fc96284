import SimKernel

/// Experience points counted from the protocol text, in integers: the oracle's own arithmetic.
///
/// Spec: BAB 6.1 to 6.4.
struct ScoreBook {
  private struct Entry {
    var player: String
    var total = 0
    var streak = 0
    var scenarios: [String] = []
    /// What the newest line gave, in words.
    var newest = "no line yet"
  }

  let formula: DialectFacts.Formula
  private var entries: [Entry] = []

  init(formula: DialectFacts.Formula) { self.formula = formula }

  func total(of player: String) -> Int { entries.first { $0.player == player }?.total ?? 0 }

  /// How the points of a player's newest line come about.
  func newest(of player: String) -> String { entries.first { $0.player == player }?.newest ?? "no line yet" }

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
      entries[place].newest = "nothing for a skipped line, which ends the streak"
      return
    }
    let keepsStreak = accuracyPermille >= 900
    let together = isMultiplayer ? 5 : 0
    let (accuracy, streak, first) =
      switch formula {
      case .guide:
        (
          accuracyPermille * 20 / 1000, keepsStreak && entry.streak > 0 ? 5 : 0,
          entry.scenarios.contains(scenario) ? 0 : 25
        )
      case .sdk: (accuracyPermille * 10 / 1000, min(2 * entry.streak, 20), 0)
      }
    if first > 0 { entries[place].scenarios.append(scenario) }
    entries[place].total += 10 + accuracy + streak + together + first
    entries[place].newest =
      "10 for the line, \(accuracy) for its accuracy of \(accuracyPermille) ‰, \(streak) for"
      + " \(CountedNoun.text(entry.streak, "line")) of a streak before it, \(together) for playing together"
      + (formula == .guide ? ", \(first) for the first in a scenario" : "")
    entries[place].streak = keepsStreak ? entry.streak + 1 : 0
  }
}
