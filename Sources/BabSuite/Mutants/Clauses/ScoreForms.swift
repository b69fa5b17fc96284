import AppSeam
import BabOracles
import BabSim
import Conformance

/// What a mutant that counts points in its own way knows of a game, from what the engine within shows.
///
/// It adds to the engine's points what its own way of counting gives more or less for each line.
final class MutantBook {
  /// One line as a formula sees it.
  struct Line {
    var player: String
    var permille: Int
    var isSkipped: Bool
    /// The player's streak before the line, as this book counts it.
    var streak: Int
    var isTogether: Bool
    /// The player's first completed line in the scenario.
    var isFirst: Bool
    /// The player's first completed line of all.
    var isFirstOfAll: Bool
    /// The player has not even skipped a line before.
    var isUntouched: Bool
  }

  private struct Player {
    var id: String
    var streak = 0
    var trueStreak = 0
    var scenarios: [String] = []
    var lines = 0
    var difference = 0
  }

  typealias Points = @Sendable (Line, ScoringFormula) -> Int
  typealias Streak = @Sendable (_ before: Int, _ permille: Int, _ isSkipped: Bool) -> Int

  private let formula: ScoringFormula
  private let points: Points
  private let streak: Streak
  private var players: [Player] = []
  private var scenario = ""
  private(set) var roster: [String] = []
  private(set) var lines: [Line] = []

  init(_ formula: ScoringFormula, points: @escaping Points, streak: @escaping Streak) {
    self.formula = formula
    self.points = points
    self.streak = streak
  }

  /// The points of the clauses.
  static func truly(_ line: Line, _ formula: ScoringFormula) -> Int {
    guard !line.isSkipped else { return 0 }
    return formula.points(
      accuracyPermille: line.permille, streakBefore: line.streak, isMultiplayer: line.isTogether,
      isFirstInScenario: line.isFirst)
  }

  /// The streak of the clauses.
  static func trueStreak(_ before: Int, _ permille: Int, _ isSkipped: Bool) -> Int {
    !isSkipped && permille >= 900 ? before + 1 : 0
  }

  func read(_ report: BabReport) {
    switch report {
    case .roster(let players): roster = players
    case .lobby(let lobby): scenario = lobby.scenarioID
    case .lineAccepted(_, let player, let isSkipped, let permille): count(player, isSkipped, permille)
    default: break
    }
  }

  private func count(_ id: String, _ isSkipped: Bool, _ permille: Int) {
    if !players.contains(where: { $0.id == id }) { players.append(Player(id: id)) }
    guard let index = players.firstIndex(where: { $0.id == id }) else { return }
    var line = Line(
      player: id, permille: permille, isSkipped: isSkipped, streak: players[index].trueStreak,
      isTogether: roster.count > 1, isFirst: !players[index].scenarios.contains(scenario),
      isFirstOfAll: players[index].scenarios.isEmpty, isUntouched: players[index].lines == 0)
    let due = Self.truly(line, formula)
    line.streak = players[index].streak
    players[index].difference += points(line, formula) - due
    players[index].streak = streak(players[index].streak, permille, isSkipped)
    players[index].trueStreak = Self.trueStreak(players[index].trueStreak, permille, isSkipped)
    players[index].lines += 1
    if !isSkipped { players[index].scenarios.append(scenario) }
    lines.append(line)
  }

  /// The ranking with the points that this book counts.
  func recounted(_ rankings: [Ranking]) -> [Ranking] {
    var counted = rankings
    for index in counted.indices {
      let difference = players.first { $0.id == counted[index].playerID }?.difference ?? 0
      counted[index].score += Int32(difference)
    }
    func place(_ id: String) -> Int { roster.firstIndex(of: id) ?? roster.count }
    counted.sort { a, b in
      a.score != b.score ? a.score > b.score : place(a.playerID) < place(b.playerID)
    }
    for index in counted.indices { counted[index].rank = Int32(index + 1) }
    return counted
  }
}

extension Mutants {
  /// A host that gives more or fewer points for a completed line than are due.
  static func earning(
    _ name: String, _ clause: String, _ summary: String, _ surplus: @escaping MutantBook.Points
  ) -> Mutant {
    counting(
      name, clause, summary,
      points: { line, formula in MutantBook.truly(line, formula) + (line.isSkipped ? 0 : surplus(line, formula)) })
  }

  /// A host that counts streaks in a way of its own.
  static func streaking(
    _ name: String, _ clause: String, _ summary: String, _ streak: @escaping MutantBook.Streak
  ) -> Mutant {
    counting(name, clause, summary, streak: streak)
  }

  /// A host that counts points, or streaks, in a way of its own.
  static func counting(
    _ name: String, _ clause: String, _ summary: String,
    points: @escaping MutantBook.Points = { MutantBook.truly($0, $1) },
    streak: @escaping MutantBook.Streak = { MutantBook.trueStreak($0, $1, $2) }
  ) -> Mutant {
    withBook(name, clause, summary, points: points, streak: streak) { book, packet in
      if let rankings = packet.ranking { packet.board?.rankings = book.recounted(rankings) }
    }
  }

  /// A host whose packets depend on the lines that were read.
  static func withBook(
    _ name: String, _ clause: String, _ summary: String,
    points: @escaping MutantBook.Points = { MutantBook.truly($0, $1) },
    streak: @escaping MutantBook.Streak = { MutantBook.trueStreak($0, $1, $2) },
    change: @escaping @Sendable (MutantBook, inout BabPacket) -> Void
  ) -> Mutant {
    Mutant(
      name, .host, clause: clause, summary,
      wrapped: { engine, configuration in
        // The book belongs to one engine, which runs on one thread.
        nonisolated(unsafe) let book = MutantBook(configuration.dialect.scoring, points: points, streak: streak)
        return PacketMutant(
          wrapping: engine, role: .host, configuration: configuration,
          outgoing: { _, packet in [packet.changed { change(book, &$0) }] },
          showing: { _, report in
            book.read(report)
            return [report]
          })
      })
  }

  /// A defect in every ranking that a host sends after a line.
  static func ranking(
    _ name: String, _ clause: String, _ summary: String, _ change: @escaping @Sendable (inout [Ranking]) -> Void
  ) -> Mutant {
    .misspeaks(name, .host, clause, summary) { packet in
      guard var rankings = packet.ranking else { return }
      change(&rankings)
      packet.board?.rankings = rankings
    }
  }

  /// A defect in the summary that a host sends.
  static func summing(
    _ name: String, _ clause: String, _ summary: String,
    _ change: @escaping @Sendable (MutantBook, inout SessionSummary) -> Void
  ) -> Mutant {
    withBook(name, clause, summary) { book, packet in
      guard var summary = packet.summary else { return }
      change(book, &summary)
      packet.summary = summary
    }
  }
}
