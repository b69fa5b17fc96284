import AppSeam
import BabSim
import Bench
import Expectations
import SimKernel
import Testing

@Suite("Rooms with several lobbies, with none, and without apps")
struct LobbiesTests {
  /// What expectations came to, and what each app showed last of its lobby.
  final class Notes: TraceReader {
    var held: [String] = []
    var failed: [String] = []
    var lobbies: [Int: LobbyView] = [:]
    var inputs = 0

    func read(_ record: TraceRecord) {
      switch record.event {
      case .expectation(let text, true, _, _): held.append(text)
      case .expectation(let text, false, let detail, _): failed.append("\(text): \(detail)")
      case .report(let report): if case .lobby(let lobby)? = report.bab { lobbies[record.device] = lobby }
      case .input: inputs += 1
      default: break
      }
    }
  }

  static func play(_ text: String, engines: @escaping EngineFactory = SessionPair.engines) throws -> (RunOutcome, Notes)
  {
    let scenario = try ScenarioReader.read(text: text, file: "a.yaml", language: .bab()).get()
    let notes = Notes()
    let outcome = try World.run(scenario, options: RunOptions(seed: 1), readers: [notes], engines: engines)
    return (outcome, notes)
  }

  /// Two hosts side by side; who joins which is written.
  static func twoLobbies(expect: String, stray: String = "ann") -> String {
    """
    devices:
      ann: { role: host, lobby: a }
      ben: { role: host, lobby: b, at: [3, 0] }
      red: { count: 2, lobby: a, at: [1, 1] }
      blue: { count: 2, lobby: b, at: [2, 1] }
      stray: { lobby: a }
    steps:
      - ann, ben: start hosting
        red: { join: ann }
        blue: { join: ben }
        stray: { join: \(stray) }
      - when: [red in lobby, blue in lobby]
        within: 1min
        ann: { set scenario: the-heist }
        ben: { set scenario: coffee-shop }
      - after: 10s
    expect: [ \(expect) ]
    """
  }

  @Test("Two lobbies in one room: each client reaches its own host, and is judged by it")
  func twoLobbies() throws {
    let (outcome, notes) = try Self.play(
      Self.twoLobbies(
        expect: "all clients in lobby, all clients agree on lobby, ann has 4 players, ben has 3 players, "
          + "ann has exactly 3 links, ben has exactly 2 links"))
    equal(outcome.ending, .finished)
    equal(notes.failed, [])
    equal(notes.held.count, 6)
    // Devices that lead come first: ann, ben, red-1, red-2, blue-1, blue-2, stray.
    let stories = (0..<7).map { notes.lobbies[$0]?.scenarioID }
    equal(
      stories,
      [
        "the-heist", "coffee-shop", "the-heist", "the-heist", "coffee-shop", "coffee-shop", "the-heist",
      ])
  }

  @Test("A client in another lobby than its own agrees with no host of its own, and is not in its lobby")
  func strayClient() throws {
    let (_, notes) = try Self.play(
      Self.twoLobbies(
        expect: "stray is CONNECTED, stray not in lobby, stray agrees on lobby, ben has 4 players", stray: "ben"))
    equal(notes.held.count, 3)
    expect(notes.failed.count == 1 && notes.failed[0].contains("stray agrees on lobby"))
  }

  @Test("A room of bare controllers runs, and nobody asks for an app")
  func bareControllers() throws {
    struct NoEngine: Error {}
    let text = """
      duration: 3s
      devices: { box: { count: 3, protocol: none } }
      steps: [ { box-1: vanish }, { after: 1s, box-1: appear, box-2: { move to: [4, 5] } } ]
      expect: [ box has no links ]
      """
    let (outcome, notes) = try Self.play(text) { _, _ in throw NoEngine() }
    equal(outcome.ending, .finished)
    equal(outcome.endInstant, .zero + .seconds(4))
    expect(notes.failed == [] && notes.held.count == 1)
    equal(notes.inputs, 0)
    equal(outcome.devices.map(\.columns), [[], [], []])
  }

  @Test("A bare controller beside a lobby takes no part in it")
  func besideLobby() throws {
    let text = """
      devices: { host: {}, client: {}, box: { protocol: none } }
      steps:
        - host: start hosting
          client: join
      expect: [ { that: everyone in lobby, within: 15s }, host has exactly 2 players ]
      """
    let (_, notes) = try Self.play(text)
    expect(notes.failed == [] && notes.held.count == 2)
  }

  @Test("A scenario without a host is read and run: its clients look for one, and agree with nobody")
  func noHost() throws {
    let text = """
      dialect: guide
      duration: 5s
      devices: { client: { count: 2 } }
      steps: [ all clients: join ]
      expect:
        - all clients are CONNECTING
        - all clients have no links
        - any client agrees on lines
        - any client agrees on lobby
        - any client in lobby
      """
    let (outcome, notes) = try Self.play(text)
    equal(outcome.ending, .finished)
    equal(notes.held.count, 2)
    equal(notes.failed.count, 3)
    equal(notes.failed.filter { $0.contains("there is no host to agree with") }.count, 2)
  }
}
