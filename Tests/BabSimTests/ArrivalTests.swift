import AppSeam
import Bench
import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import BabSim

@Suite("Devices that come to a session and leave it")
struct ArrivalTests {
  /// A session of the small lobby without external hosts, with places for more.
  private final class Room {
    let session: LiveSession
    private let tape: Tape

    private final class Tape { var lines: [UInt8] = [] }

    init(places: Int, readers: [any TraceReader] = []) throws {
      var header = SessionPair.header(SessionTests.lobby, "", .simulated, seed: 1)
      header.seats = []
      header.places = places
      let tape = Tape()
      session = try LiveSession(
        header, scenario: SessionPair.scenario(header), readers: readers, engines: SessionPair.engines,
        record: { tape.lines += $0 })
      self.tape = tape
    }

    func go(to seconds: Int64) { session.advance(to: .zero + .seconds(seconds)) }

    func add(_ name: String, _ words: String = "", isExternal: Bool = false) throws -> Int {
      try session.admit(.init(name: name, words: words, isExternal: isExternal), language: .bab())
    }

    func finish() throws -> (outcome: RunOutcome, recording: SessionRecording, octets: [UInt8]) {
      let outcome = session.finish()
      return (outcome, try SessionTests.recording(tape.lines), tape.lines)
    }
  }

  /// Who came, as readers were told, and what the newcomers showed.
  private final class Watcher: TraceReader {
    var joined: [String] = []
    var phases: [String] = []
    func joins(_ header: TraceHeader, device: Int) { joined.append(header.devices[device].name) }
    func read(_ record: TraceRecord) {
      if record.device > 3, case .report(let report) = record.event { phases.append(report.name) }
    }
  }

  @Test("A device comes with an app, joins, leaves; an external host comes and talks; the replay is the same run")
  func comesAndLeaves() throws {
    let watcher = Watcher()
    let room = try Room(places: 3, readers: [watcher])
    room.go(to: 1)
    let late = try room.add("late", "{ phone: iphone, at: [1, 2] }")
    try room.session.act("join", device: late, language: .bab())
    room.go(to: 2)
    let watch = try room.add("watch", "{ at: [0, 2] }", isExternal: true)
    room.session.enter(.attached, device: watch)
    room.session.enter(.packet([0x01, 0x03, 0x0C, 0x00]), device: watch)
    equal(room.session.popOutward()?.packet, [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])
    equal(room.session.present.map(\.name), ["host", "client-1", "client-2", "guest", "late", "watch"])
    room.go(to: 4)
    try room.session.dismiss("watch")
    try room.session.dismiss("late")
    equal(room.session.present.map(\.name), ["host", "client-1", "client-2", "guest"])
    expect(room.session.device(named: "late") == nil)
    room.go(to: 8)
    let (outcome, recording, octets) = try room.finish()
    equal(watcher.joined, ["late", "watch"])
    expect(watcher.phases.contains("phase"), "the newcomer's app runs: \(watcher.phases.prefix(5))")
    equal(recording.octets, octets, "what was read is written again as it was")
    for _ in 0..<3 { try equal(SessionTests.replay(recording).outcome, outcome) }
    var without = recording
    without.entries.removeAll { if case .arrival = $0.what { true } else { false } }
    without.entries.removeAll { if case .seat = $0.what { true } else { false } }
    #expect(throws: LiveSession.Refusal.self) { try SessionTests.replay(without) }
    without.entries.removeAll { if case .departure = $0.what { true } else { false } }
    without.entries.removeAll { if case .step = $0.what { true } else { false } }
    try equal(SessionTests.replay(without).agrees, false)
  }

  @Test("Places that nobody takes change nothing")
  func placesChangeNothing() throws {
    let outcomes = try [0, 5].map { places in
      let room = try Room(places: places)
      room.go(to: 100)
      return try room.finish().outcome
    }
    equal(outcomes[0].digest, outcomes[1].digest)
    // Each place is launched as a device without an app is, which does nothing.
    equal(outcomes[0].statistics.queueEvents + 5, outcomes[1].statistics.queueEvents)
    equal(outcomes[0].statistics.pdusSent, outcomes[1].statistics.pdusSent)
  }

  @Test("When a device comes is part of the run: other draws than its own stay as they are")
  func ownDraws() throws {
    let room = try Room(places: 2)
    let other = try Room(places: 2)
    _ = try room.add("a")
    _ = try other.add("b")
    _ = try other.add("a")
    equal(room.session.header.devices[4].engine, "reference")
    expect(room.session.header.devices[4].address != other.session.header.devices[4].address)
    equal(room.session.header.devices[..<4].map(\.address), other.session.header.devices[..<4].map(\.address))
  }

  @Test("What cannot come or leave is refused in one line")
  func refusals() throws {
    let room = try Room(places: 1)
    room.go(to: 1)
    func refusal(_ name: String, _ words: String, isExternal: Bool = false) -> String {
      do {
        _ = try room.add(name, words, isExternal: isExternal)
        return "taken"
      } catch { return "\(error)" }
    }
    expect(refusal("host", "").contains("already"))
    expect(refusal("place-2", "").contains("already"))
    expect(refusal("Bad name", "").contains("no device name"))
    expect(refusal("late", "{ count: 2 }").contains("at: [3, 0]"))
    expect(refusal("late", "{ phone: nokia }").contains("nokia"))
    expect(refusal("late", "{ role: host }").contains("leads"))
    expect(refusal("late", "{").contains("flow") || !refusal("late", "{").isEmpty)
    expect(refusal("late", "{ engine: reference }", isExternal: true).contains("engine"))
    equal(room.session.present.count, 4)
    equal(refusal("late", ""), "taken")
    expect(refusal("later", "").contains("--places"))
    try room.session.dismiss("late")
    #expect(throws: LiveSession.Refusal.self) { try room.session.dismiss("late") }
    #expect(throws: LiveSession.Refusal.self) { try room.session.act("join", device: 4, language: .bab()) }
    #expect(throws: LiveSession.Refusal.self) { _ = try Room(places: 0).add("late") }
  }

  @Test("Lines of arrivals that make no sense are refused with their number")
  func lines() {
    let header =
      #"{"bench":"t","file":"t","format":"babbench session","kind":"header","places":1,"scenario":"","seats":[],"#
      + #""seed":"1","settings":[],"version":1}"# + "\n"
    func problem(_ lines: String, _ header: String) -> String {
      switch SessionFile.read(Array((header + lines).utf8), file: "s") {
      case .success: "taken"
      case .failure(let problem): "\(problem.line) \(problem.message)"
      }
    }
    let late = #"{"device":"late","external":true,"instant":0,"kind":"arrival","words":""}"# + "\n"
    equal(problem(late, header), "taken")
    equal(problem(late + #"{"device":"late","instant":0,"kind":"attached"}"# + "\n", header), "taken")
    expect(problem(late + late, header).hasPrefix("3 more devices"))
    expect(problem(#"{"device":"late","instant":0,"kind":"attached"}"# + "\n", header).hasPrefix("2 "))
    expect(problem(#"{"device":"late","instant":0,"kind":"arrival"}"# + "\n", header).hasPrefix("2 an arrival"))
    expect(problem(#"{"instant":0,"kind":"departure"}"# + "\n", header).hasPrefix("2 a departure"))
    expect(problem("", header.replacing(#""places":1"#, with: #""places":9999"#)).hasPrefix("1 “places”"))
  }
}
