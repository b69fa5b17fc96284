import AppSeam
import BabSim
import Bench
import Expectations
import SimKernel
import Testing
import VirtualRadio

/// Lobbies side by side, arrivals, people who leave and come, hostile devices.
@Suite("Crowds")
struct CrowdTests {
  /// Who did what when, as the trace shows it.
  final class Diary: TraceReader {
    var steps: [(text: String, at: SimInstant)] = []
    var joins: [(device: Int, at: SimInstant)] = []
    var failed: [String] = []
    var held = 0
    var header = TraceHeader(scenario: "", seed: 0, devices: [], options: [])

    func begin(_ header: TraceHeader) { self.header = header }

    func read(_ record: TraceRecord) {
      switch record.event {
      case .step(let text): steps.append((text, record.instant))
      case .input(.user(let action)):
        switch action.bab {
        case .joinHost, .joinHostAt: joins.append((record.device, record.instant))
        default: break
        }
      case .expectation(_, true, _, _): held += 1
      case .expectation(let text, false, let detail, _): failed.append("\(text): \(detail)")
      default: break
      }
    }
  }

  static func scenario(_ text: String) throws -> Scenario {
    try ScenarioReader.read(text: text, file: "a.yaml", language: .bab()).get()
  }

  static func play(_ text: String, seed: UInt64 = 1) throws -> (outcome: RunOutcome, diary: Diary) {
    let diary = Diary()
    let outcome = try World.run(
      scenario(text), options: RunOptions(seed: seed), readers: [diary], engines: SessionPair.engines)
    return (outcome, diary)
  }

  static func hall(_ lobbies: String, join: String = "") -> String {
    """
    \(lobbies)
    devices:
      host: {}
      client: { count: 2, around: host, radius: 1 m }
    game: { lines: 4, autoplay: { think: 300ms..900ms } }
    steps:
      - host: start hosting
      - all clients: join
    \(join)
      - when: all clients in lobby
        within: 20s
        label: full
        host: { set scenario: coffee-shop }
      - after: 500ms
        host: start lobby game
    expect:
      - { that: everyone is FINISHED, within: 60s, after: full }
      - host has exactly 3 players
      - all clients agree on lines
      - everyone has no violations
    """
  }

  @Test("Lobbies are copies with names, places and a lobby of their own; what takes no part is there once")
  func copies() throws {
    let scenario = try Self.scenario(
      """
      lobbies: { count: 3, spacing: 4 m }
      devices:
        host: { at: [1, 0] }
        client: { count: 2, display name: Ann }
        rig: { protocol: none }
      """)
    equal(
      scenario.devices.map(\.name),
      [
        "host@1", "host@2", "host@3", "client-1@1", "client-2@1", "client-1@2", "client-2@2", "client-1@3",
        "client-2@3", "rig",
      ])
    equal(scenario.devices.map(\.lobby), ["1", "2", "3", "1", "1", "2", "2", "3", "3", ""])
    equal(scenario.devices[..<3].map { [$0.position.x, $0.position.y] }, [[100, 0], [500, 0], [100, 400]])
    equal(scenario.devices[0].displayName, "host@1")
    equal(scenario.devices[8].displayName, "Ann 2")
  }

  @Test("Each lobby plays the whole story at its own pace, and joins its own host", arguments: [2, 4])
  func story(_ count: Int) throws {
    let (outcome, diary) = try Self.play(Self.hall("lobbies: { count: \(count), spread: { mean gap: 2s } }"))
    equal(outcome.ending, .finished)
    equal(diary.failed, [])
    equal(diary.held, 4 * count)
    let starts = diary.steps.filter { $0.text.hasSuffix("host: start hosting") }
    equal(Set(starts.map(\.at)).count, count)
    equal(Set(starts.map(\.text)), Set((1...count).map { "lobby \($0): host: start hosting" }))
  }

  @Test("A lobby that cannot go on does not stop the others")
  func stuckLobby() throws {
    // The host of the second lobby never hosts: its app is gone.
    let text = Self.hall("lobbies: 2").replacing(
      "  - host: start hosting", with: "  - host: start hosting\n  - after: 50ms")
    var scenario = try Self.scenario(text)
    for index in scenario.steps.indices where scenario.steps[index].lobby == 1 {
      if scenario.steps[index].text.contains("start hosting") { scenario.steps[index].action = .wait }
    }
    let diary = Diary()
    let outcome = try World.run(
      scenario, options: RunOptions(seed: 1), readers: [diary], engines: SessionPair.engines)
    equal(outcome.ending, .finished)
    // In the first lobby all four hold; in the second the wait, and three of what follows from it.
    equal(diary.failed.filter { $0.contains(": lobby 1: ") }, [])
    equal(diary.failed.first?.contains("lobby 2: waited 20 s for: client-1@2"), true)
  }

  @Test("One lobby is the scenario without the key, to the digest")
  func oneLobby() throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let plain = try Self.play(Self.hall(""), seed: seed).outcome.digest
      try equal(Self.play(Self.hall("lobbies: 1"), seed: seed).outcome.digest, plain)
    }
  }

  // MARK: Arrivals

  @Test("Arrivals: evenly over a time, by a Poisson process, in waves; the step is done with the last")
  func arrivals() throws {
    func joins(_ spread: String, seed: UInt64) throws -> (offsets: [SimDuration], full: Int) {
      let text = """
        devices: { host: {}, client: { count: 6 } }
        steps:
          - host: start hosting
          - all clients: join
            spread: \(spread)
          - client-1: vanish
        """
      let diary = try Self.play(text, seed: seed).diary
      equal(diary.joins.count, 6)
      equal(Set(diary.joins.map(\.device)).count, 6)
      equal(diary.steps.last?.text, "client-1: vanish")
      equal(diary.steps.last?.at, diary.joins.map(\.at).max())
      return (diary.joins.map { $0.at - SimInstant.zero }, diary.joins.count)
    }
    try equal(
      joins("{ waves of: 4, every: 3s }", seed: 1).offsets.map(\.nanoseconds),
      [0, 0, 0, 0, 3_000_000_000, 3_000_000_000])
    var sums: (over: Int64, gaps: Int64) = (0, 0)
    for seed in 1...60 as ClosedRange<UInt64> {
      let over = try joins("{ over: 10s }", seed: seed).offsets
      expect(over.allSatisfy { $0 >= .zero && $0 <= .seconds(10) })
      sums.over += over.reduce(0) { $0 + $1.nanoseconds } / 6
      sums.gaps += (try joins("{ mean gap: 2s }", seed: seed).offsets.map(\.nanoseconds).max() ?? 0) / 5
    }
    // 360 draws evenly from 10 s: mean 5 s, standard error 0.152 s. 300 gaps: mean 2 s, standard error 0.115 s.
    expect(abs(sums.over / 60 - 5_000_000_000) < 610_000_000)
    expect(abs(sums.gaps / 60 - 2_000_000_000) < 460_000_000)
  }

  @Test("A device does all that an entry says at its own instant")
  func entryInOrder() throws {
    let text = """
      devices: { host: {}, client: { count: 3 } }
      steps:
        - host: start hosting
        - all clients: [kill, relaunch, join]
          spread: { waves of: 1, every: 1s }
      """
    let diary = try Self.play(text).diary
    equal(diary.joins.map(\.device), [1, 2, 3])
    equal(diary.joins.map { ($0.at - SimInstant.zero).nanoseconds / 1_000_000_000 }, [0, 1, 2])
  }

  // MARK: Churn

  static let churning = """
    devices: { host: {}, client: { count: 5 } }
    limits: { simulated time: 20min }
    steps:
      - host: start hosting
      - all clients: join
      - when: all clients in lobby
        within: 20s
        all clients: { churn: { stay: 20s, away: 4s, for: 4min, leaving: kill, returning: [relaunch, join] } }
      - after: 4min
    expect: [ { always: host has at most 5 links }, all clients are in lobby, everyone has no violations ]
    """

  @Test("Churn: everybody goes away and comes back, as often as the means say, and all are back at the end")
  func churn() throws {
    var (leaving, days) = (0, 0)
    for seed in 1...5 as ClosedRange<UInt64> {
      let (outcome, diary) = try Self.play(Self.churning, seed: seed)
      equal(outcome.ending, .finished)
      equal(diary.failed, [])
      for device in (1...5).map({ "client-\($0)" }) {
        let turns = diary.steps.filter { $0.text == "\(device) goes away" || $0.text == "\(device) comes back" }
        expect(turns.count.isMultiple(of: 2))
        for (index, turn) in turns.enumerated() {
          expect(turn.text.hasSuffix(index.isMultiple(of: 2) ? "goes away" : "comes back"))
        }
        leaving += turns.count / 2
        days += 1
      }
    }
    // A renewal process: 240 s over a mean cycle of 24 s, about 10 departures each and 250 in all; the variance of
    // each is about 240 (20² + 4²) / 24³ = 7.2, so the standard deviation of the sum is 13.4.
    equal(days, 25)
    expect(abs(leaving - 253) < 54)
  }

  @Test("The draws of one device do not depend on who else churns")
  func independentChurn() throws {
    func turns(_ who: String) throws -> [SimInstant] {
      let text = Self.churning.replacing("all clients: { churn", with: "\(who): { churn").replacing(
        "20s\n", with: "20s\n")
      return try Self.play(text).diary.steps.filter { $0.text.hasPrefix("client-3 ") }.prefix(4).map(\.at)
    }
    try equal(turns("client-3"), turns("all clients"))
  }

  // MARK: Hostile devices

  static func hostile(_ hostile: String) -> String {
    hall("").replacing("client: { count: 2,", with: "client: { count: 2, \(hostile)")
  }

  @Test("A share of devices is hostile, drawn for each device and seed")
  func share() throws {
    let text = Self.hostile("hostile: { share: 30%, message fault: { do: drop } },")
    var count = 0
    for seed in 1...500 as ClosedRange<UInt64> {
      let header = World.header(try Self.scenario(text), seed: seed)
      expect(!header.devices[0].isHostile)
      count += header.devices.count(where: \.isHostile)
    }
    // 1000 draws of 30 %: standard deviation 14.5.
    expect(abs(count - 300) < 60)
  }

  @Test("With a share of none nothing is different")
  func noShare() throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let with = try Self.play(Self.hostile("hostile: { share: 0%, message fault: { do: drop } },"), seed: seed)
      try equal(with.outcome.digest, Self.play(Self.hall(""), seed: seed).outcome.digest)
    }
  }

  @Test("No condition asks a hostile device; the others must still be served")
  func othersAreServed() throws {
    // One of two clients drops every value it sends: the game of the other two goes on without it.
    let text = Self.hall("").replacing(
      "client: { count: 2, around: host, radius: 1 m }",
      with: "client: { count: 2 }\n  client-2: { hostile: { share: 100%, message fault: { do: drop } } }"
    ).replacing("exactly 3 players", with: "exactly 2 players")
    let (_, diary) = try Self.play(text)
    equal(diary.header.devices.map(\.isHostile), [false, false, true])
    equal(diary.failed, [])
    // Without the key the same fault fails the scenario.
    let accused = text.replacing("hostile: { share: 100%, message fault: { do: drop } }", with: "").replacing(
      "  - all clients: join", with: "  - client-2: { message fault: { do: drop } }\n  - all clients: join")
    try expect(!Self.play(accused).diary.failed.isEmpty)
  }
}
