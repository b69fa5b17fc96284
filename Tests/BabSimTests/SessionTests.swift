import Bench
import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import BabSim

@Suite("Live sessions")
struct SessionTests {
  static let lobby = """
    name: a small lobby
    duration: 1s
    devices:
      host: {}
      client: { count: 2, around: host, radius: 1 m }
      guest: { at: [1, 1] }
    game: { lines: 6, autoplay: { think: 300ms..900ms } }
    steps:
      - host: start hosting
      - all clients: join
      - when: host has exactly 4 players
        within: 1min
        host: { set scenario: coffee-shop }
      - after: 500ms
        host: start lobby game
    expect:
      - { that: host is FINISHED, within: 2min }
      - client has 6 lines
    """

  /// Keeps what expectations came to.
  final class Expectations: TraceReader {
    var failed: [String] = []
    var held = 0
    func read(_ record: TraceRecord) {
      guard case .expectation(let text, let holds, let detail, _) = record.event else { return }
      if holds == true { held += 1 } else { failed.append("\(text): \(detail)") }
    }
  }

  static func recording(_ octets: [UInt8]) throws -> SessionRecording {
    try SessionFile.read(octets, file: "session.jsonl").get()
  }

  static func replay(_ recording: SessionRecording) throws -> SessionReplay {
    try SessionReplay.run(
      recording, scenario: recording.scenario(.bab()).get(), engines: SessionPair.engines,
      language: .bab())
  }

  @Test("A guest whose host stack is outside joins the shipped lobby and plays; replayed ten times, one digest")
  func wholeLobby() throws {
    let expectations = Expectations()
    let text = try Repository.text("Scenarios/guests/guest-lobby.yaml")
    let live = try SessionPair(text, readers: [expectations])
    equal(live.outcome.ending, .finished)
    equal(expectations.failed, [])
    expect(expectations.held > 5)
    equal(live.guestOutcome.devices[1].columns.first { $0.key == "phase" }?.value, "FINISHED")
    expect(live.guestOutcome.devices[1].valuesSent > 0)
    let recording = try Self.recording(live.recording)
    equal(recording.end?.digest, live.outcome.digest.hexadecimal)
    equal(recording.octets, live.recording, "what was read is written again as it was")
    for _ in 0..<10 {
      let replay = try Self.replay(recording)
      equal(replay.agrees, true, "\(replay.difference ?? "")")
      equal(replay.outcome, live.outcome)
    }
  }

  @Test("The other side of the seam is as repeatable: our host stack over a controller from outside")
  func guestSide() throws {
    let recording = try Self.recording(try SessionPair(Self.lobby).guestRecording)
    equal(recording.header.seats.map(\.seat), [.foreignController])
    try equal(Self.replay(recording).agrees, true)
  }

  @Test("How often somebody looks at a session changes nothing")
  func looksChangeNothing() throws {
    let first = try SessionPair(Self.lobby)
    let second = try SessionPair(Self.lobby, step: .microseconds(731))
    equal(first.recording, second.recording)
  }

  @Test("A session without seats is the run of its scenario")
  func noSeats() throws {
    var header = SessionPair.header(try Repository.text("Scenarios/lobby/two-peers.yaml"), "", .simulated, seed: 1)
    header.seats = []
    let scenario = try SessionPair.scenario(header)
    let session = try LiveSession(header, scenario: scenario, engines: SessionPair.engines)
    session.advance(to: .distantFuture)
    let outcome = session.finish()
    equal(outcome, (try World.run(scenario, options: RunOptions(seed: 1), engines: SessionPair.engines)))
  }

  @Test("Steps that somebody asks for are in the recording, and the replay takes them; without one it is another run")
  func steps() throws {
    var header = SessionPair.header(Self.lobby, "", .simulated, seed: 1)
    header.seats = []
    var lines: [UInt8] = []
    let session = try LiveSession(
      header, scenario: SessionPair.scenario(header), engines: SessionPair.engines, record: { lines += $0 })
    func ask(_ words: String, _ device: Int, at seconds: Int64) throws {
      session.advance(to: .zero + .seconds(seconds))
      try session.act(words, device: device, language: .bab())
    }
    try ask("join", 3, at: 2)
    try ask("vanish", 1, at: 4)
    try ask("[appear, { move to: [2, 1] }]", 1, at: 5)
    for words in ["vanisch", "start hosting", "move to: here", "{", ""] {
      #expect(throws: LiveSession.Refusal.self) { try session.act(words, device: 1, language: .bab()) }
    }
    session.advance(to: .distantFuture)
    let outcome = session.finish()
    let recording = try Self.recording(lines)
    equal(recording.entries.map(\.instant), [2, 4, 5].map { .zero + .seconds($0) })
    equal(recording.octets, lines)
    try equal(Self.replay(recording).outcome, outcome)
    var without = recording
    without.entries.remove(at: 1)
    try equal(Self.replay(without).agrees, false)
    without.entries[0].what = .step(device: "nobody", words: "vanish")
    #expect(throws: LiveSession.Refusal.self) { try Self.replay(without) }
  }

  @Test("The judge can fail: one octet, one instant, one packet less, another seed; each has another digest")
  func judgeFails() throws {
    let recording = try Self.recording(try SessionPair(Self.lobby).recording)
    try equal(Self.replay(recording).agrees, true)
    let middle = recording.entries.count / 2
    var changes: [SessionRecording] = []
    var changed = recording
    guard case .seat(let seat, .packet(var octets)) = changed.entries[middle].what else { return expect(false) }
    octets[octets.count - 1] ^= 1
    changed.entries[middle].what = .seat(seat, .packet(octets))
    changes.append(changed)
    changed = recording
    changed.entries[middle].instant = changed.entries[middle].instant - .nanoseconds(1)
    changes.append(changed)
    changed = recording
    changed.entries.remove(at: middle)
    changes.append(changed)
    changed = recording
    changed.header.seed = 2
    changes.append(changed)
    for changed in changes {
      let replay = try Self.replay(changed)
      equal(replay.agrees, false)
      equal(replay.difference?.contains("recorded"), true)
    }
  }

  @Test("A recording that breaks off is replayed to its last entry, and there is nothing to compare")
  func breaksOff() throws {
    let whole = try SessionPair(Self.lobby).recording
    let broken = Array(whole.prefix(whole.count * 2 / 3))
    let recording = try Self.recording(broken)
    expect(recording.end == nil)
    equal(recording.remark?.contains("breaks off"), true)
    let replay = try Self.replay(recording)
    expect(replay.agrees == nil)
    equal(replay.outcome.ending, .stopped)
    equal(replay.outcome.endInstant, recording.entries.last?.instant)
  }

  @Test("A session ends at its deadline, and its recording says so")
  func deadline() throws {
    let live = try SessionPair(Self.lobby, deadline: .zero + .milliseconds(1_500))
    equal(live.outcome.ending, .stopped)
    equal(live.outcome.endInstant, .zero + .milliseconds(1_500))
    try equal(Self.replay(try Self.recording(live.recording)).agrees, true)
  }

  @Test("The event limit ends a session; whatever comes later neither enters nor is recorded")
  func eventLimit() throws {
    let text = Self.lobby.replacing("duration: 1s", with: "duration: 1s\nlimits: { events: 800 }")
    let live = try SessionPair(text)
    equal(live.outcome.ending, .eventLimit)
    let recording = try Self.recording(live.recording)
    try equal(Self.replay(recording).agrees, true)
    let session = try LiveSession(
      recording.header, scenario: try recording.scenario(.bab()).get(), engines: SessionPair.engines,
      record: { line in expect(!line.contains(0x7E), "no ~ has come in") })
    session.advance(to: .distantFuture)
    expect(session.isOver)
    expect(session.nextInstant == nil)
    equal(session.endInstant, session.now)
    session.enter(.packet([0x01, 0x03, 0x0C, 0x00]), device: 3)
    expect(session.popOutward() == nil)
  }

  @Test("A host that goes and comes back, and octets that are no packet, are replayed like everything else")
  func comingAndGoing() throws {
    let header = SessionPair.header(Self.lobby, "guest", .foreignHost, seed: 3)
    let scenario = try SessionPair.scenario(header)
    let tape = SessionPair.Tape()
    let session = try LiveSession(
      header, scenario: scenario, engines: SessionPair.engines, record: { tape.octets += $0 })
    var stream = RandomStream(seed: 3, component: "garbage", purpose: "test")
    for round in 0..<200 {
      session.advance(to: session.now + .microseconds(Int64(round * 13)))
      switch round % 10 {
      case 0: session.enter(.attached, device: 3)
      case 9: session.enter(.detached, device: 3)
      default:
        let octets = (0..<(1 + stream.below(40))).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
        session.enter(.packet(octets), device: 3)
      }
    }
    let outcome = session.finish()
    equal(outcome.ending, .stopped)
    let replay = try Self.replay(try Self.recording(tape.octets))
    equal(replay.agrees, true)
    equal(replay.outcome, outcome)
  }

  // MARK: Seats

  @Test("A seat of a device that is not there is refused with the names that are")
  func unknownDevice() throws {
    let header = SessionPair.header(Self.lobby, "gust", .foreignHost, seed: 1)
    #expect(throws: LiveSession.Refusal.self) {
      try LiveSession(header, scenario: try SessionPair.scenario(header), engines: SessionPair.engines)
    }
  }

  @Test(
    "A step that only a stack of ours could do is refused for a foreign one; one for its radio is not",
    arguments: [
      ("guest: kill", Seat.foreignHost, false), ("guest: radio off", .foreignHost, false),
      ("guest: disconnect", .foreignHost, false), ("guest: { message fault: { do: drop } }", .foreignHost, false),
      ("guest: vanish", .foreignHost, true), ("guest: go out of range", .foreignHost, true),
      ("guest: join", .foreignHost, true),
      ("host: { assign role: { player: guest, role: thief } }", .foreignHost, false),
      ("guest: vanish", .foreignController, false), ("guest: { move to: [3, 4] }", .foreignController, false),
      ("guest: kill", .foreignController, true), ("guest: join", .foreignController, true),
    ])
  func stepsAtSeats(step: String, seat: Seat, isAllowed: Bool) throws {
    let text = "devices: { host: {}, guest: {} }\nsteps:\n  - \(step)\n"
    let header = SessionPair.header(text, "guest", seat, seed: 1)
    let scenario = try SessionPair.scenario(header)
    do {
      _ = try LiveSession(header, scenario: scenario, engines: SessionPair.engines)
      expect(isAllowed)
    } catch {
      expect(!isAllowed)
      expect("\(error)".contains("line 3"), "\(error)")
    }
  }

  @Test("What a foreign device's people have to do is told")
  func tasks() throws {
    let header = SessionPair.header(Self.lobby, "guest", .foreignHost, seed: 1)
    let scenario = try SessionPair.scenario(header)
    let tasks = SeatRules.tasks([.simulated, .simulated, .simulated, .foreignHost], in: scenario)
    equal(tasks, ["guest: line 10, all clients: join"])
  }
}
