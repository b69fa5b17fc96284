import BluetoothWire
import Expectations
import Testing

@testable import BabSim

@Suite("Points, words and badges")
struct EngineScoringTests {
  @Test("The guide's published examples come out: 35, 32, 54, and nothing for a skipped line")
  func guideExamples() {
    let guide = ScoringFormula.guide
    equal(
      guide.points(accuracyPermille: 1_000, streakBefore: 1, isMultiplayer: false, isFirstInScenario: false), 35)
    equal(
      guide.points(accuracyPermille: 850, streakBefore: 0, isMultiplayer: true, isFirstInScenario: false), 32)
    equal(
      guide.points(accuracyPermille: 700, streakBefore: 0, isMultiplayer: true, isFirstInScenario: true), 54)
    var score = PlayerScore(playerID: "p")
    score.skip()
    equal(score.xp, 0)
  }

  /// The published code multiplies a 32-bit accuracy and cuts; thousandths must cut at the same places.
  @Test("Integer arithmetic gives what 32-bit floating point gives, for every accuracy of three decimals")
  func sameAsFloat() {
    for permille in 0...1_000 {
      let accuracy = Accuracy.float(permille: permille)
      equal(Accuracy.permille(accuracy), permille)
      let sdk = ScoringFormula.sdk.points(
        accuracyPermille: permille, streakBefore: 0, isMultiplayer: false, isFirstInScenario: false)
      let guide = ScoringFormula.guide.points(
        accuracyPermille: permille, streakBefore: 0, isMultiplayer: false, isFirstInScenario: false)
      equal(sdk, 10 + Int(accuracy * 10))
      equal(guide, 10 + Int(accuracy * 20))
    }
  }

  @Test("The SDK's streak bonus grows by two a line up to twenty, and ends below 0.9")
  func sdkStreak() {
    var score = PlayerScore(playerID: "p")
    func read(_ permille: Int) -> Int {
      score.complete(
        accuracyPermille: permille, errorCount: 0, durationMilliseconds: 1_000, scenarioID: "s", formula: .sdk,
        isMultiplayer: true)
    }
    let bonuses = (0..<12).map { _ in read(1_000) - 25 }
    equal(bonuses, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 20])
    equal(score.highlight, "On fire! 12 streak")
    equal(read(899), 10 + 8 + 20 + 5)
    equal(read(1_000), 25)
    equal(score.highlight, "13 perfect")
    equal(score.averageAccuracyPermille, (13_000 + 899 + 7) / 14)
  }

  @Test("The guide's first line in a scenario earns more once per player and scenario")
  func firstTime() {
    var score = PlayerScore(playerID: "p")
    func read(_ scenario: String) -> Int {
      score.complete(
        accuracyPermille: 500, errorCount: 0, durationMilliseconds: 0, scenarioID: scenario, formula: .guide,
        isMultiplayer: true)
    }
    equal([read("a"), read("a"), read("b"), read("a")], [50, 25, 50, 25])
  }

  @Test("Words are compared in lower case, place by place; two ways to treat words too many")
  func pronunciation() {
    let expected = "Un café con leche"
    let exact = Pronunciation.evaluate(expected: expected, spoken: "un CAFÉ con leche", rule: .extraWordsCount)
    expect(exact.errorCount == 0 && exact.accuracyPermille == 1_000)
    let wrong = Pronunciation.evaluate(expected: expected, spoken: "un te con", rule: .extraWordsCount)
    expect(wrong.errorCount == 2 && wrong.accuracyPermille == 500)
    equal(
      wrong.wordErrors,
      [
        WordError(word: "café", position: 1, expected: "café", heard: "te"),
        WordError(word: "leche", position: 3, expected: "leche", heard: nil),
      ])
    let many = "un café con leche por favor señor mío y nada más"
    equal(Pronunciation.evaluate(expected: expected, spoken: many, rule: .extraWordsIgnored).errorCount, 0)
    let counted = Pronunciation.evaluate(expected: expected, spoken: many, rule: .extraWordsCount)
    expect(counted.errorCount == 7 && counted.accuracyPermille == 0)
    equal(Pronunciation.evaluate(expected: " ", spoken: "x", rule: .extraWordsIgnored).accuracyPermille, 0)
  }

  @Test("Every badge is earned by what it says, and by nothing less")
  func achievements() {
    func score(_ id: String, _ accuracies: [Int], milliseconds: Int64 = 3_000) -> PlayerScore {
      var score = PlayerScore(playerID: id)
      for accuracy in accuracies {
        _ = score.complete(
          accuracyPermille: accuracy, errorCount: accuracy == 1_000 ? 0 : 1, durationMilliseconds: milliseconds,
          scenarioID: "s", formula: .sdk, isMultiplayer: true)
      }
      return score
    }
    func lines(_ players: [String], _ perfect: [Bool]) -> [Achievements.ReadLine] {
      zip(players, perfect).map {
        .init(playerID: $0, isPerfect: $1, isSkipped: false, errorCount: $1 ? 0 : 1)
      }
    }
    func awards(
      _ scores: [PlayerScore], _ lines: [Achievements.ReadLine], earlier: [(peerID: String, count: Int)] = []
    ) -> [String] {
      Achievements.awards(.init(scores: scores, lines: lines, earlierSessions: earlier, hostID: "h"))
        .map { "\($0.playerID) \($0.id)" }
    }
    equal(awards([score("h", [900])], lines(["h"], [false])), [])
    equal(
      awards([score("h", [900]), score("p", [900])], lines(["h", "p"], [false, false])),
      ["h first_multiplayer", "p first_multiplayer"])
    equal(
      awards([score("h", [900])], lines(["p", "q", "h"], [true, true, false])), [], "neither line was h's")
    expect(awards([score("h", [1_000, 1_000])], lines(["h", "h"], [true, true])).contains("h perfect_pair"))
    equal(awards([score("h", [1_000])], lines(["h"], [true])), ["h flawless_scene"])
    let fifty = lines(Array(repeating: "h", count: 50), Array(repeating: false, count: 50))
    equal(awards([score("h", [900])], fifty), ["h chatterbox"])
    equal(awards([score("h", [900])], Array(fifty.dropLast())), [])
    let ten = Array(repeating: 1_000, count: 10)
    equal(awards([score("h", ten)], []), ["h streak_master"])
    equal(awards([score("h", Array(ten.dropLast()) + [999, 1_000])], []), [])
    equal(awards([score("h", [900], milliseconds: 2_999)], []), ["h speed_reader"])
    equal(
      awards([score("h", []), score("p", []), score("q", [])], [], earlier: [("p", 4), ("q", 3)]).suffix(2),
      ["h language_partner", "p language_partner"])
  }

  @Test("A script hands out a role's own lines in order, and starts again")
  func script() {
    let script = LineScript([
      LineTemplate(roleID: "a", native: "1", translated: ""), LineTemplate(roleID: "b", native: "2", translated: ""),
      LineTemplate(native: "3", translated: ""),
    ])
    var generator = LineGenerator(script: script)
    let roles: [String?] = ["a", "a", "b", "b", nil, "c"]
    let lines = roles.map { generator.next(roleID: $0) }
    equal(lines.map(\.template.native), ["1", "3", "2", "3", "3", "3"])
    equal(lines.map(\.id), (1...6).map { "line-\($0)" })
  }

  @Test("The three profiles are as published")
  func dialects() {
    equal(Dialect.named("guide")?.advertisedName(peerID: "p", displayName: "Hugo"), "BabLanguage Game")
    equal(Dialect.named("sdk")?.advertisedName(peerID: "p7", displayName: "Hugo"), "bab-game-p7")
    equal(Dialect.named("app")?.advertisedName(peerID: "p", displayName: "Hugo the Great"), "BAB-Hugo the")
    equal(Dialect.all.map(\.capacity), [8, 8, 4])
    equal(Dialect.sdk.service.short, 0xBAB1)
    expect(Dialect.app.scanFilter.isEmpty)
  }
}
