import BabSuite
import Bench
import Conformance
import Expectations
import Judging
import SimKernel
import Testing
import VirtualRadio

@testable import RunReports

@Suite("What is wrong with a run")
struct TroubleTests {
  @Test("A step that is not done is one trouble, and what it blocks follows from it, each with its line")
  func blocked() throws {
    let run = try JudgedRun("lobby/eight-peer-lobby", seed: 22, ["radio=subway"])
    equal(run.judgement.expectations.count { !$0.holds }, 9)
    let trouble = try required(run.troubles.first)
    equal(run.troubles.count, 1)
    expect(trouble.isStep && trouble.line == 22)
    equal(trouble.devices.map { run.judgement.header.devices[$0].name }, ["client-7"])
    equal(trouble.consequences.count, 8)
    expect(trouble.consequences.allSatisfy { $0.line != nil })
  }

  @Test("What is done to several devices is one trouble, and what they do not show follows from it")
  func grouped() throws {
    let run = try JudgedRun("lobby/eight-peer-lobby", ["devices.host.engine=lobby-update-forgotten"])
    let trouble = try required(run.troubles.first)
    equal(run.troubles.count, 1)
    expect(trouble.claim == "LobbyStateConverges" && trouble.clause == "BAB 5.2.5")
    expect(trouble.devices == [0] && trouble.peers.sorted() == Array(1...7) && trouble.count == 7)
    expect(trouble.expected.contains(" told its lobby, scenario \"coffee-shop\", hard, players"))
    expect(trouble.actual.hasPrefix("the newest that was sent to it: scenario \"\", normal, players"))
    equal(trouble.consequences.map(\.line), [29])
  }

  @Test("What nobody could be asked about is inconclusive, and no reason that a run fails")
  func nobodyToAsk() throws {
    let hostile = "hostile={ share: 100%, message fault: { do: drop } }"
    let run = try JudgedRun("lobby/two-peers", ["devices.host.\(hostile)", "devices.client.\(hostile)"])
    expect(!run.troubles.isEmpty && run.troubles.allSatisfy { $0.isInconclusive && $0.isExpectation })
    expect(run.troubles.allSatisfy { $0.actual.hasPrefix("no answer: ") && $0.line != nil })
    expect(Sighting.all(in: run.judgement, of: run.scenario).isEmpty)
  }

  @Test("Nothing is wrong with a run that passes")
  func silent() throws {
    try expect(JudgedRun("lobby/two-peers").troubles.isEmpty)
    try expect(JudgedRun("radio/crowded-subway").troubles.isEmpty)
  }
}

@Suite("What led to it")
struct StoryTests {
  @Test("Links that never came about are told with what the air did to them")
  func failedLinks() throws {
    let run = try JudgedRun("lobby/eight-peer-lobby", seed: 22, ["radio=subway"])
    let story = run.story(of: try required(run.troubles.first))
    expect(story.contains { $0.text.hasPrefix("step: all clients: join") && $0.line == 18 })
    let ends = story.filter { $0.text.contains("connection failed to be established") }
    equal(ends.count, 2)
    expect(ends.allSatisfy { $0.text.hasPrefix("client-7: ") && $0.pdus != nil })
    expect(ends.contains { $0.text.contains("6 in a burst of losses") })
    expect(story.contains { $0.text.contains("host sent client-7 nothing") })
    // The host had a seat for it all the time.
    expect(!story.contains { $0.text.contains("stopped advertising") })
  }

  /// The stories of a room for eight, with other settings.
  private func stories(_ settings: [String]) throws -> [[StoryEvent]] {
    let run = try JudgedRun("limits/lobby-in-a-room", ["radio=ideal"] + settings)
    expect(!run.troubles.isEmpty)
    return run.troubles.map { run.story(of: $0) }
  }

  @Test(
    "Who finds no host is told that it is off the air, and why",
    arguments: [
      (["dialect=app"], "host stopped advertising: its lobby is full, 4 of 4 in dialect app"),
      (
        [
          "devices.client.count=3", "devices.late={}", "steps.2={ client: join }", "steps.3.when=client in lobby",
          "expect.1={ that: late in lobby, within: 1min }", "meanwhile=[{ at: 5s, late: join }]",
        ], "host stopped advertising: its game has begun, its phase is "
      ),
    ])
  func noRoom(settings: [String], words: String) throws {
    let told = try stories(settings).first { $0.contains { $0.text.hasPrefix(words) && $0.record != nil } }
    expect(told != nil)
    expect(!(told ?? []).contains { $0.text.contains("has no activity") })
  }

  @Test("A HANDSHAKE that the host refuses is told with its words, and one that it answers is not told")
  func refused() throws {
    let words = "host refuses the HANDSHAKE of client-1, which came on link 0: “not a packet: expected { at octet 0”"
    let run = try JudgedRun("lobby/two-peers", ["devices.host.engine=published-raw-chunks"])
    let stories = run.troubles.map { run.story(of: $0) }
    expect(stories.joined().contains { $0.text == words && $0.record != nil }, "\(stories)")
    let forgotten = try JudgedRun("lobby/two-peers", ["devices.host.engine=lobby-update-forgotten"])
    expect(!forgotten.troubles.map { forgotten.story(of: $0) }.joined().contains { $0.text.contains("HANDSHAKE of") })
  }

  @Test("Where nobody hosts, nobody has stopped anything")
  func noHost() throws {
    try expect(!stories(["steps.1={ after: 1s }"]).joined().contains { $0.text.contains("stopped advertising") })
  }

  @Test("A ninth peer is told that the lobby is full, eight of eight in dialect sdk")
  func ninth() throws {
    let run = try JudgedRun("lobby/ninth-peer-refused", ["expect.1=ninth in lobby"])
    let trouble = try required(run.troubles.first { $0.claim.contains("ninth") })
    let story = run.story(of: trouble)
    expect(story.contains { $0.text == "host stopped advertising: its lobby is full, 8 of 8 in dialect sdk" })
  }

  @Test("A packet that never came, and the link that ended, are told of a client that refused a part of one")
  func lostPacket() throws {
    let run = try JudgedRun("lobby/eight-peer-lobby", seed: 26, ["radio=subway"])
    let story = run.story(of: try required(run.troubles.first))
    expect(story.contains { $0.text.hasPrefix("host → client-7: LINE_COMPLETED, never came") })
    expect(story.contains { $0.text.contains("client-7: link 1 ended: reason 0x08, connection timeout") })
    expect(story.contains { $0.text.contains("client-7: showed: refused(") })
  }

  @Test(
    "Records, PDUs and instants of a story are those of the trace and of the capture",
    arguments: [
      ("lobby/eight-peer-lobby", 26 as UInt64, "radio=subway"),
      ("lobby/late-joiner", 1, "devices.host.engine=lobby-update-forgotten"),
      ("faults/out-of-range-and-back", 1, "devices.host.engine=no-snapshot-on-return"),
    ])
  func places(path: String, seed: UInt64, setting: String) throws {
    let run = try JudgedRun(path, seed: seed, [setting])
    let numbers = Set(run.log.lines.map(\.record))
    var told = 0
    for trouble in run.troubles {
      let story = run.story(of: trouble)
      equal(story.map(\.instant), story.map(\.instant).sorted())
      for event in story {
        if let record = event.record { expect(numbers.contains(record), "\(event)") }
        if let pdus = event.pdus { expect(pdus.lowerBound >= 1 && pdus.upperBound <= run.run.air.count) }
        expect(event.instant <= run.run.end)
        told += 1
      }
    }
    expect(told > 3)
  }

  /// Mutants of oracles, and scenarios in which they fail.
  static let played: [(mutant: String, path: String)] =
    [
      "second-host", "lobby-update-forgotten", "start-not-sent-to-last", "commits-twice", "reorders-history",
      "private-text-shown", "wrong-formula", "streak-bonus-forgotten", "ranking-reversed", "oversize-fragment",
      "claims-sent", "ignores-packets", "clock-goes-back",
    ].map { ($0, "lobby/eight-peer-lobby") } + [
      ("capacity-not-enforced", "lobby/ninth-peer-refused"), ("ghost-kept", "faults/client-vanishes-and-returns"),
      ("no-snapshot-on-return", "faults/out-of-range-and-back"),
      ("says-again-on-return", "faults/client-vanishes-and-returns"), ("never-gives-up", "faults/host-vanishes"),
    ]

  @Test(
    "Every oracle's mutant is told with its clause, and with a packet or an event that is in the trace",
    arguments: played)
  func mutants(name: String, path: String) throws {
    let mutant = try required(Mutants.named(name))
    let run = try JudgedRun(path, engine: mutant.name, of: mutant.role)
    let trouble = try required(run.troubles.first { $0.claim == mutant.oracle }, "\(run.troubles.map(\.claim))")
    expect(run.troubles.prefix(3).contains { $0.claim == mutant.oracle })
    let story = run.story(of: trouble)
    expect(story.contains { $0.text.contains(" → ") || $0.record != nil })
  }
}

@Suite("What a PDU was lost to")
struct LossTests {
  @Test(
    "Every PDU that did not arrive has its cause, and none that did", arguments: ["subway", "convention-hall", "ideal"])
  func causes(radio: String) throws {
    let run = try JudgedRun("lobby/eight-peer-lobby", ["radio=\(radio)"])
    let addressed = run.run.air.filter { $0.receiver != nil }
    expect(addressed.allSatisfy { ($0.fate == .received) == ($0.loss == nil) })
    expect(run.run.air.filter { $0.receiver == nil }.allSatisfy { $0.loss == nil })
    let losses = addressed.compactMap(\.loss)
    let names = run.scenario.radio.interferers.map(\.name)
    for loss in losses {
      switch loss {
      case .interferer(let name): expect(names.contains(name))
      case .collision(let index): expect(run.judgement.header.devices.indices.contains(index))
      case .noise, .level, .burst, .chance: expect(radio != "ideal", "\(loss)")
      default: break
      }
    }
    equal(losses.contains { if case .interferer = $0 { true } else { false } }, !names.isEmpty)
    expect(losses.count > 100)
  }

  @Test("A clock that is worse than it claims misses the windows of its peer, and one that is not does not")
  func clocks() throws {
    for (clock, misses) in [("500 ppm", true), ("20 ppm", false)] {
      let phone = "devices.client.phone={ preset: android, connection interval: 500ms, clock accuracy: 20 ppm }"
      let run = try JudgedRun("lobby/two-peers", [phone, "devices.client.clock=\(clock)"])
      let missed = run.run.air.filter {
        if case .outsideWindow(let drift, let claimed)? = $0.loss { drift > claimed } else { false }
      }
      equal((missed.count > 6), misses, "\(missed.count)")
    }
  }

  @Test("Without interferers the only loss of a room is the one it has")
  func onlyOne() throws {
    let run = try JudgedRun("lobby/two-peers", ["radio={ preset: ideal, packet loss: 10% }"])
    let heard = run.run.air.compactMap(\.loss).filter { $0 != .notListening && $0 != .receiverGone }
    expect(heard.count > 10)
    expect(heard.allSatisfy { $0 == .chance })
  }
}
