import AppSeam
import BabOracles
import BabSim
import Bench
import Conformance
import Expectations
import Judging
import Platform
import SimKernel
import Testing

@Suite("Oracles of lines, turns and scores, by hand-written traces")
struct GameOracleTests {
  private func game(dialect: String = "guide") -> TraceScript {
    var script = TraceScript(clients: 2, dialect: dialect)
    script.connect(1)
    script.connect(2)
    script.lobby([1, 2], on: [0, 1, 2])
    return script
  }

  @Test("The same lines in the same order pass; another order, a repeat, a gap or another text fails", arguments: 0..<5)
  func prefix(fault: Int) {
    var script = game()
    for index in 0..<3 { script.report(0, .committed(index: index, lineID: "l\(index)", text: "t\(index)")) }
    script.report(1, .committed(index: 0, lineID: "l0", text: "t0"))
    switch fault {
    case 0: script.report(1, .committed(index: 1, lineID: "l1", text: "t1"))
    case 1: script.report(1, .committed(index: 1, lineID: "l2", text: "t2"))
    case 2: script.report(1, .committed(index: 1, lineID: "l0", text: "t0"))
    case 3: script.report(1, .committed(index: 2, lineID: "l2", text: "t2"))
    default: script.report(1, .committed(index: 1, lineID: "l1", text: "t?"))
    }
    equal(script.result(CommittedLinesArePrefix.self).verdict, (fault == 0 ? .pass : .fail))
  }

  @Test("A client may not be ahead of its host, and a snapshot must be a prefix too")
  func snapshots() {
    var script = game()
    script.report(0, .committed(index: 0, lineID: "l0", text: "t0"))
    script.report(0, .committed(index: 1, lineID: "l1", text: "t1"))
    script.report(2, .historyReplaced(["l0", "l1"]))
    equal(script.result(CommittedLinesArePrefix.self).verdict, .pass)
    var ahead = script
    ahead.report(2, .committed(index: 2, lineID: "l2", text: "t2"))
    equal(ahead.result(CommittedLinesArePrefix.self).verdict, .fail)
    script.report(1, .historyReplaced(["l1"]))
    equal(script.result(CommittedLinesArePrefix.self).verdict, .fail)
  }

  @Test("A client whose values were damaged may miss a line until a snapshot; a repeat of one is still wrong")
  func damage() {
    var script = game()
    for index in 0..<3 { script.report(0, .committed(index: index, lineID: "l\(index)", text: "t\(index)")) }
    let fault = FaultEvent.message(.drop, LinkID(1), characteristic: TraceScript.characteristic, octets: [1])
    script.add(1, .fault(fault))
    script.report(1, .committed(index: 0, lineID: "l1", text: "t?"))
    equal(script.result(CommittedLinesArePrefix.self).verdict, .pass)
    var twice = script
    twice.report(1, .committed(index: 1, lineID: "l1", text: "t1"))
    equal(twice.result(CommittedLinesArePrefix.self).verdict, .fail)
    script.disconnect(1)
    script.connect(1, link: 2)
    script.report(1, .historyReplaced(["l0", "l1"]))
    script.report(1, .committed(index: 2, lineID: "l9", text: "t9"))
    equal(script.result(CommittedLinesArePrefix.self).verdict, .fail)
  }

  @Test("A new game begins a new history")
  func newGame() {
    var script = game()
    for device in 0...1 { script.report(device, .committed(index: 0, lineID: "l0", text: "t0")) }
    for device in 0...1 { script.report(device, .phase("FINISHED")) }
    for device in 0...1 { script.report(device, .committed(index: 0, lineID: "m0", text: "u0")) }
    equal(script.result(CommittedLinesArePrefix.self).verdict, .pass)
  }

  @Test("The player's own device completes the line; another player, another device or a second time fails")
  func completion() {
    var script = game()
    script.report(0, .lineGenerated(lineID: "l0", player: "c1", text: "t0"))
    let before = script
    script.add(0, .input(.valueReceived(LinkID(11), characteristic: TraceScript.characteristic, octets: [])))
    script.report(0, .lineAccepted(lineID: "l0", player: "c1", skipped: false, accuracyPermille: 900))
    equal(script.result(OnlyCurrentPlayerCompletes.self).verdict, .pass)
    script.report(0, .lineAccepted(lineID: "l0", player: "c1", skipped: false, accuracyPermille: 900))
    equal(script.result(OnlyCurrentPlayerCompletes.self).verdict, .fail)

    var other = before
    other.add(0, .input(.valueReceived(LinkID(21), characteristic: TraceScript.characteristic, octets: [])))
    var vote = other
    other.report(0, .lineAccepted(lineID: "l0", player: "c1", skipped: false, accuracyPermille: 900))
    equal(other.result(OnlyCurrentPlayerCompletes.self).verdict, .fail)
    vote.report(0, .voteResult(action: "SKIP_LINE", passed: true))
    vote.report(0, .lineAccepted(lineID: "l0", player: "c1", skipped: true, accuracyPermille: 0))
    equal(vote.result(OnlyCurrentPlayerCompletes.self).verdict, .pass)

    var wrong = before
    wrong.report(0, .lineAccepted(lineID: "l0", player: "c2", skipped: false, accuracyPermille: 900))
    equal(wrong.result(OnlyCurrentPlayerCompletes.self).verdict, .fail)
  }

  @Test("A private text is for its player; once committed it is for everybody")
  func privateText() {
    var script = game()
    script.report(0, .lineGenerated(lineID: "l0", player: "c1", text: "secret"))
    script.report(1, .screen(ScreenLine(lineID: "l0", text: "secret")))
    script.report(2, .screen(ScreenLine(lineID: "l0", text: nil)))
    var committed = script
    var renamed = script
    script.report(2, .screen(ScreenLine(lineID: "l0", text: "secret")))
    equal(script.result(PrivateTextReachesOnlyItsPlayer.self).verdict, .fail)
    renamed.report(2, .screen(ScreenLine(lineID: "unknown", text: "secret")))
    equal(renamed.result(PrivateTextReachesOnlyItsPlayer.self).verdict, .fail)
    committed.report(0, .committed(index: 0, lineID: "l0", text: "secret"))
    committed.report(2, .screen(ScreenLine(lineID: "l0", text: "secret")))
    equal(committed.result(PrivateTextReachesOnlyItsPlayer.self).verdict, .pass)
  }

  struct ScoredLine: Sendable {
    var dialect: String
    var accuracies: [Int?]
    var total: Int
  }

  /// Worked by hand from the protocol text; the guide's published examples for single lines are 35, 32, 54 and 0.
  private static let scoredLines = [
    // 10 + 20 + 5 together + 25 first time.
    ScoredLine(dialect: "guide", accuracies: [1_000], total: 60),
    // Then 10 + 17 + 5: 0.85 ends the streak.
    ScoredLine(dialect: "guide", accuracies: [1_000, 850], total: 92),
    // Then 10 + 20 + 5 streak + 5.
    ScoredLine(dialect: "guide", accuracies: [1_000, 1_000], total: 100),
    // A skipped line earns nothing, is not the first, and ends the streak.
    ScoredLine(dialect: "guide", accuracies: [nil, 1_000], total: 60),
    // 10 + 10 + 0 + 5, then 10 + 9 + 2 + 5, then 10 + 8 + 4 + 5.
    ScoredLine(dialect: "sdk", accuracies: [1_000, 950, 899], total: 78),
    // The bonus stops at 20: lines 11 and 12 get 45 each; before that 25 + 27 + … + 43.
    ScoredLine(dialect: "sdk", accuracies: Array(repeating: 1_000, count: 12), total: 430),
  ]

  @Test("Scores are counted as the protocol text says", arguments: scoredLines)
  func scores(line: ScoredLine) {
    var script = game(dialect: line.dialect)
    for (index, accuracy) in line.accuracies.enumerated() {
      script.report(
        0,
        .lineAccepted(
          lineID: "l\(index)", player: "c1", skipped: accuracy == nil, accuracyPermille: accuracy ?? 0))
    }
    var wrong = script
    script.report(0, .score(player: "c1", xp: line.total))
    equal(script.result(ScoresFollowFormula.self).verdict, .pass, "\(script.result(ScoresFollowFormula.self))")
    wrong.report(0, .score(player: "c1", xp: line.total + 1))
    equal(wrong.result(ScoresFollowFormula.self).verdict, .fail)
  }

  @Test("A leaderboard is sorted, ties in roster order, ranks without gaps, scores as reported", arguments: 0..<5)
  func ranking(fault: Int) {
    var script = game()
    script.report(0, .score(player: "c2", xp: 50))
    var rows = [
      LeaderboardRow(rank: 1, player: "c2", score: 50, highlight: nil),
      LeaderboardRow(rank: 2, player: "h", score: 10, highlight: nil),
      LeaderboardRow(rank: 3, player: "c1", score: 10, highlight: nil),
    ]
    switch fault {
    case 1: rows[2].rank = 2
    case 2: rows[2].score = 20
    case 3:
      rows[1].player = "c1"
      rows[2].player = "h"
    case 4: rows[0].score = 60
    default: break
    }
    script.report(0, .leaderboard(rows))
    equal(script.result(RankingFollowsScores.self).verdict, (fault == 0 ? .pass : .fail))
  }

  @Test("Points of the game before are not those of the next one; those of this one are")
  func rankingOfTheNextGame() {
    var script = game()
    for phase in ["ACTIVE", "FINISHED", "LOBBY", "ACTIVE"] {
      script.report(0, .phase(phase))
      if phase == "FINISHED" { script.report(0, .score(player: "c1", xp: 46)) }
    }
    let rows = ["h", "c1", "c2"].enumerated().map {
      LeaderboardRow(rank: $0.offset + 1, player: $0.element, score: $0.element == "h" ? 23 : 0, highlight: nil)
    }
    script.report(0, .leaderboard(rows))
    equal(script.result(RankingFollowsScores.self).verdict, .pass)
    script.report(0, .score(player: "c1", xp: 12))
    script.report(0, .leaderboard(rows))
    equal(script.result(RankingFollowsScores.self).verdict, .fail)
  }
}
