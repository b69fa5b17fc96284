import BabSuite
import BeamSuite
import Bench
import Bystanders
import Conformance
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRoom

@Suite("A scenario in a room plays as it does under babbench run")
struct ScenarioDigestTests {
  private static let everybody = Players([.bab, .beamscribe, .bystander])

  /// The run of the same text without a room.
  private static func plain(_ scenario: Scenario, _ players: Players, seed: UInt64) throws -> RunOutcome {
    try World.run(
      scenario, options: RunOptions(seed: seed), engines: players.engines,
      programs: scenario.programs.isEmpty ? nil : players.makePrograms?())
  }

  /// Lets time pass in pieces, in each of the ways that a test has; not beyond an instant.
  private static func pass(_ room: VirtualRoom, until end: SimInstant, _ random: inout RandomStream) throws {
    while room.now < end {
      let longest = [40, 3_000_000, 900_000_000, 20_000_000_000][Int(random.within(0...3))]
      let piece = SimDuration.nanoseconds(min(random.within(0...Int64(longest)), (end - room.now).nanoseconds))
      switch random.within(0...4) {
      case 0: _ = try? room.wait(within: piece) { false }
      case 1:
        let instant = room.now + .nanoseconds(random.within(0...max(1, piece.nanoseconds)))
        _ = try? room.wait(within: piece) { room.now >= instant }
      case 2: _ = try? room.wait(within: piece, until: "host has at least 1 link")
      default: try room.run(for: piece)
      }
      // A wait that is over at once must not be the only thing that is drawn.
      if random.within(0...60) == 0 { break }
    }
  }

  @Test(
    "Random scenarios, in random pieces, have the digest of the plain run", arguments: 1...UInt64(Part.isAll ? 400 : 24)
  )
  func histories(seed: UInt64) throws {
    let text = RandomScenario(seed).text
    let scenario = try ScenarioReader.read(text: text, file: "a.yaml", language: Players.bab.language).get()
    let plain = try Self.plain(scenario, .bab, seed: seed)
    var random = RandomStream(seed: seed, component: "pieces", purpose: "test")
    for part in 0..<3 {
      let room = try VirtualRoom(scenarioText: text, players: .bab, seed: seed)
      // Nothing, some of it, and all of it up to its last instant.
      let length = (plain.endInstant - SimInstant.zero).nanoseconds
      let share = part == 2 ? length : part == 1 ? random.within(0...length) : 0
      try Self.pass(room, until: .zero + .nanoseconds(share), &random)
      let result = room.play()
      equal(result.outcome.digest, plain.digest, "seed \(seed), part \(part)")
      expect(result.outcome.ending == plain.ending && result.outcome.endInstant == plain.endInstant)
    }
  }

  @Test("Every shipped scenario has the digest of its run, in a room that stops now and then", arguments: Rooms.shipped)
  func shipped(path: String) throws {
    expect(Rooms.shipped.count > 50)
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }.sorted()
    let scenario = try ScenarioFile.load(path, language: Self.everybody.language, environment: environment).get()
    // The others take minutes in a debug build.
    let isLong = path.hasSuffix("soak.yaml") || path.hasSuffix("long-talk.yaml") || path.contains("/crowds/")
    if isLong, !Part.isAll { return }
    let plain = try Self.plain(scenario, Self.everybody, seed: 3)
    var random = RandomStream(seed: 3, component: scenario.name, purpose: "test")
    let room = try VirtualRoom(scenario: path, players: Self.everybody, seed: 3)
    try Self.pass(room, until: plain.endInstant, &random)
    equal(room.play().outcome.digest, plain.digest)
  }

  @Test("Time that a test lets pass beyond the end is the test's, and what is expected at the end is decided then")
  func beyond() throws {
    let room = try VirtualRoom(scenarioText: Rooms.lobby, players: .bab)
    try room.run(for: .seconds(200))
    let result = room.play()
    expect(result.outcome.endInstant == .zero + .seconds(200) && result.isPass, "\(result)")
    #expect(throws: RoomProblem.self) { try room.run(for: .seconds(1)) }
  }

  @Test("A room that is ended before its scenario says which steps were not done")
  func early() throws {
    let room = try VirtualRoom(scenarioText: Rooms.lobby, players: .bab)
    try room.run(for: .seconds(4))
    equal(room.finish().ending, .stopped)
    let result = room.play()
    expect(!result.isPass && result.problems.contains { $0.contains("the run ended before this step") }, "\(result)")
  }
}
