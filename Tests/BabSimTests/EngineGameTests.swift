import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import BabSim

@Suite("The engines play whole games")
struct EngineGameTests {
  /// Accuracy by line number: perfect runs, near misses, a poor line and skips.
  static func read(_ line: Int) -> BabAction {
    switch line % 7 {
    case 3: .skipLine
    case 5: .completeLine(accuracyPermille: 850, errorCount: 1, durationMilliseconds: 2_500)
    case 6: .completeLine(accuracyPermille: 910, errorCount: 1, durationMilliseconds: 4_000)
    default: .completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 1_800)
    }
  }

  static func game(
    _ dialect: Dialect, clients: Int, lines: Int = 16, span: SimDuration = .seconds(60),
    prepare: (EngineHarness) -> Void = { _ in }
  ) -> EngineHarness {
    let harness = EngineHarness()
    harness.autoplay = { _, line in Self.read(line) }
    prepare(harness)
    harness.populate(dialect: dialect, clients: clients) { $0.totalLines = lines }
    harness.user(0, .setLobbyScenario("ensemble"))
    harness.run(for: .seconds(5))
    harness.user(0, .startLobbyGame)
    harness.run(for: span)
    return harness
  }

  static func expectFinished(_ harness: EngineHarness, lines: Int) {
    equal(harness.host.history.count, lines)
    for device in harness.devices {
      equal(device.phase, "FINISHED")
      equal(device.history, harness.host.history)
      equal(device.texts, harness.host.texts)
      equal(device.summary, harness.host.summary)
      equal(device.leaderboard, harness.host.leaderboard)
      expect(device.violations.isEmpty, "\(device.violations)")
      expect(device.refusals.isEmpty, "\(device.refusals)")
    }
  }

  @Test("Two peers and a full lobby play to the end in every dialect", arguments: Dialect.all, [false, true])
  func wholeGame(dialect: Dialect, isFull: Bool) {
    let harness = Self.game(dialect, clients: isFull ? dialect.capacity - 1 : 1)
    Self.expectFinished(harness, lines: 16)
    equal(harness.host.roster?.count, (isFull ? dialect.capacity : 2))
  }

  @Test("The turn goes round the roster, the host first")
  func roundRobin() {
    let harness = Self.game(.guide, clients: 3, lines: 9)
    let players: [String] = harness.host.reports.compactMap {
      if case .lineGenerated(_, let player, _) = $0 { player } else { nil }
    }
    let roster = harness.host.roster ?? []
    equal(roster.first, "host")
    equal(players, (0..<9).map { roster[$0 % 4] })
  }

  @Test("A private text crosses no link but its player's before it is committed", arguments: Dialect.all)
  func privateText(dialect: Dialect) {
    let harness = Self.game(dialect, clients: 3, lines: 8)
    var checked = 0
    for client in harness.clients {
      guard case .identity(_, let id, _) = client.reports[0] else { continue }
      for json in client.received(.turnAdvanced) {
        let isOwn = json.contains("\"nextPlayerId\":\"\(id)\"")
        equal(json.contains("\"textNative\":\"\""), !isOwn)
        checked += 1
      }
      for report in client.reports {
        guard case .screen(let line) = report, line.text != nil else { continue }
        let isOwn = harness.host.reports.contains {
          if case .lineGenerated(line.lineID, id, _) = $0 { true } else { false }
        }
        expect(isOwn)
      }
    }
    equal(checked, 24)
  }

  @Test("Points, ranking and highlight follow the formula", arguments: Dialect.all)
  func scores(dialect: Dialect) {
    let harness = Self.game(dialect, clients: 1, lines: 16)
    var books = [PlayerScore(playerID: "host"), PlayerScore(playerID: "peer-1")]
    for report in harness.host.reports {
      switch report {
      case .lineAccepted(_, let player, let skipped, let accuracy):
        let index = player == "host" ? 0 : 1
        if skipped {
          books[index].skip()
        } else {
          _ = books[index].complete(
            accuracyPermille: accuracy, errorCount: 0, durationMilliseconds: 0, scenarioID: "ensemble",
            formula: dialect.scoring, isMultiplayer: true)
        }
      case .score(let player, let xp): equal(books[player == "host" ? 0 : 1].xp, xp)
      default: break
      }
    }
    let rows = harness.devices[1].leaderboard ?? []
    equal(rows.map(\.score), books.map(\.xp).sorted(by: >))
    equal(rows.map(\.rank), [1, 2])
  }

  @Test("Vector clocks only grow, and every packet takes one tick of its sender's")
  func vectorClocks() {
    let harness = Self.game(.guide, clients: 3)
    for device in harness.devices {
      var newest: [ClockEntry] = []
      for report in device.reports {
        guard case .vectorClock(let clock) = report else { continue }
        for old in newest {
          let count = clock.first { $0.peerID == old.peerID }?.count ?? 0
          expect(count >= old.count)
        }
        newest = clock
      }
      equal(newest.count, 4)
    }
  }

  @Test("A transmit queue that refuses values for want of room loses nothing", arguments: [1, 2, 3, 5])
  func backPressure(depth: Int) {
    let harness = Self.game(.guide, clients: 7) { $0.fault = .smallQueues(depth) }
    Self.expectFinished(harness, lines: 16)
    expect(harness.host.submissions > 16 * 7 * 3)
    expect(harness.host.refusedSubmissions > 16)
  }

  @Test("So do writes without response")
  func backPressureOnWrites() {
    var dialect = Dialect.guide
    dialect.clientWrites = .withoutResponse
    let harness = Self.game(dialect, clients: 7) { $0.fault = .smallQueues(1) }
    Self.expectFinished(harness, lines: 16)
    expect(harness.clients.allSatisfy { $0.refusedSubmissions > 0 })
  }

  @Test("A platform that loses accepted values is noticed: this check can fail")
  func plantedFault() {
    let harness = Self.game(.guide, clients: 3) { $0.fault = .losesEvery(11) }
    let isWhole = harness.clients.allSatisfy { $0.history == harness.host.history && $0.refusals.isEmpty }
    expect(!isWhole)
  }

  @Test("A packet is reported sent only after every fragment was accepted")
  func sentMeansAccepted() {
    let harness = EngineHarness()
    harness.keepsLog = true
    harness.fault = .smallQueues(1)
    harness.populate(dialect: .guide, clients: 2)
    harness.run(for: .seconds(3))
    var accepted = 0
    var claimed = 0
    for entry in harness.log where entry.device == 0 {
      if case .told(.submitted(_, _, accepted: true)) = entry.what { accepted += 1 }
      guard case .did(let effect) = entry.what, case .packetSent(_, _, _, let fragments)? = effect.bab else { continue }
      claimed += fragments
      expect(claimed <= accepted)
    }
    expect(claimed == accepted && claimed > 0)
    expect(harness.host.refusedSubmissions > 0)
  }

  @Test("The same inputs give the same effects")
  func deterministic() {
    func log() -> [EngineHarness.LogEntry] {
      let harness = EngineHarness()
      harness.keepsLog = true
      harness.autoplay = { _, line in Self.read(line) }
      harness.populate(dialect: .sdk, clients: 7)
      harness.user(0, .setLobbyScenario("ensemble"))
      harness.run(for: .seconds(5))
      harness.user(0, .startLobbyGame)
      harness.run(for: .seconds(20))
      return harness.log
    }
    let first = log()
    equal(first, log())
    expect(first.count > 1_000)
  }

  @Test("Eight peers play at the smallest ATT_MTU")
  func smallestATTMTU() {
    let harness = Self.game(.guide, clients: 7, span: .seconds(120)) { $0.hostATTMTU = 23 }
    Self.expectFinished(harness, lines: 16)
  }

  @Test("A paced dialect sends the same game, slower")
  func paced() {
    var dialect = Dialect.guide
    dialect.fragmentSpacing = .milliseconds(10)
    let harness = Self.game(dialect, clients: 3)
    Self.expectFinished(harness, lines: 16)
  }

  @Test("The player may ask for another line, and speak it")
  func anotherLine() {
    let harness = EngineHarness.lobby(dialect: .guide, clients: 1)
    harness.user(0, .setLobbyScenario("coffee-shop"))
    harness.run(for: .seconds(2))
    harness.user(0, .startLobbyGame)
    harness.user(0, .speak("Buenos días, ¿qué desea tomar?"))
    harness.run(for: .seconds(1))
    harness.user(1, .generate(prompt: "something with cake"))
    harness.run(for: .seconds(1))
    harness.user(1, .speak("¿Algo de comer mañana?"))
    harness.run(for: .seconds(1))
    equal(harness.host.history, ["line-1", "line-3"])
    let accuracies: [Int] = harness.host.reports.compactMap {
      if case .lineAccepted(_, _, false, let accuracy) = $0 { accuracy } else { nil }
    }
    equal(accuracies, [1_000, 750])
  }
}
