import CaptureFormats
import CaptureTestSupport
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import RunReports

@Suite("What apps said in a run, and in a capture")
struct ConversationDifferenceTests {
  private static let scenarios = [
    "lobby/two-peers", "faults/client-vanishes-and-returns", "radio/noisy-convention-hall", "rooms/two-lobbies",
    "lobby/late-joiner", "crowds/come-and-go",
  ]

  @Test(
    "A run's own captures say what the run says: on the air, and at the host's HCI",
    arguments: Part.of(Array(1...6 as ClosedRange<UInt64>), 2))
  func own(seed: UInt64) throws {
    let path = Self.scenarios[Int(seed) % Self.scenarios.count]
    let folder = try CaptureFolder()
    let run = try DrawnRun(path, seed: seed).timeline
    try DrawnCapture.play(path, seed: seed, to: folder)
    let air = try DrawnCapture([folder.path + "/air.pcapng"]).timeline
    let difference = ConversationDifference(run, air)
    let first = difference.packet
    let said = [first?.first.map { run.packets[$0] }, first?.second.map { air.packets[$0] }].map { packet in
      packet.flatMap { $0 }.map { "\($0.label) at \($0.sentAt), came \($0.receivedAt?.description ?? "never")" }
        ?? "nothing"
    }
    expect(difference.isEmpty && difference.missedBySecond == 0, "number \(first?.number ?? 0): \(said)")
    expect(difference.pairs.count == run.lanes.count && difference.onlyFirst == [])
    // Every packet that came is compared.
    let came = run.packets.count { $0.isOfApp && $0.from >= 0 && $0.to >= 0 && $0.receivedAt != nil }
    expect(difference.compared >= came)
    let back = ConversationDifference(air, run)
    expect(back.isEmpty && back.compared == difference.compared && back.shift == .zero - difference.shift)
  }

  @Test("HCI logs of both ends are the same conversation")
  func ends() throws {
    let folder = try CaptureFolder()
    try DrawnCapture.play("lobby/two-peers", to: folder)
    let (host, client) = (
      try DrawnCapture([folder.path + "/host.btsnoop"]).timeline,
      try DrawnCapture([folder.path + "/client-1.btsnoop"]).timeline
    )
    let difference = ConversationDifference(host, client)
    expect(difference.isEmpty)
    equal(difference.compared, 25)
  }

  @Test("A capture of another engine differs by what that engine says otherwise")
  func mutants() throws {
    let run = try DrawnRun("lobby/two-peers").timeline
    let folder = try CaptureFolder()
    try DrawnCapture.play("lobby/two-peers", to: folder, ["devices.host.engine=wrong-formula"])
    let capture = try DrawnCapture([folder.path + "/air.pcapng"]).timeline
    let difference = ConversationDifference(run, capture)
    let isSame = difference.packet == nil
    expect(isSame)
    let score = try required(difference.members.first { $0.path.contains("score") })
    expect(score.first != score.second)
    let place = try required(score.place.first)
    equal(run.lanes[score.place.from].name, "host")
    equal(run.packets[place].label, score.label)
  }

  @Test("A packet that only one has is named with its place in the conversation")
  func missing() throws {
    let run = try DrawnRun("lobby/two-peers").timeline
    var other = run
    let (client, host) = (1, 0)
    let said = other.packets.indices.filter { other.packets[$0].from == host && other.packets[$0].to == client }
      .sorted { other.packets[$0].sentAt < other.packets[$1].sentAt }
    let gone = said[3]
    other.packets.remove(at: gone)
    let difference = ConversationDifference(run, other)
    let place = try required(difference.packet)
    equal(run.lanes[place.from].name, "host")
    expect(place.first.map { run.packets[$0].label } != place.second.map { other.packets[$0].label })
    // Where the capture is known to lack PDUs, that accuses nobody.
    other.missesPDUs = true
    let doubt = ConversationDifference(run, other)
    expect(doubt.isEmpty)
    expect(doubt.missedBySecond == 1 && doubt.missedByFirst == 0)
    equal(doubt.compared, run.packets.count { $0.isOfApp } - 1)
  }

  @Test("What a sniffer did not hear differs from nothing", arguments: Part.of(Array(1...12 as ClosedRange<UInt64>), 3))
  func damaged(seed: UInt64) throws {
    var random = RandomStream(seed: seed, component: "test", purpose: "damaged conversations")
    let path = Self.scenarios[Int(seed) % Self.scenarios.count]
    let folder = try CaptureFolder()
    try DrawnCapture.play(path, seed: seed, to: folder)
    let run = try DrawnRun(path, seed: seed).timeline
    let file = folder.path + "/air.pcapng"
    let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    let kept = Self.damaged(octets, &random)
    try require(kept.count < octets.count)
    try Data(kept).write(to: URL(fileURLWithPath: file))
    let capture = try DrawnCapture([file]).timeline
    for difference in [ConversationDifference(run, capture), ConversationDifference(capture, run)]
    where !difference.pairs.isEmpty {
      let number = difference.packet?.number
      expect(number == nil, "seed \(seed), \(path)")
      let member = difference.members.first.map { "\($0.label) \($0.path) \($0.place.number)" }
      expect(member == nil, "seed \(seed), \(path), known to lack PDUs: \(capture.missesPDUs)")
    }
  }

  /// Without some of its packets: single ones, or its beginning.
  /// Layout: IETF draft-ietf-opsawg-pcapng, 3.1; an Enhanced Packet Block is of type 6 (4.3).
  private static func damaged(_ octets: [UInt8], _ random: inout RandomStream) -> [UInt8] {
    func word(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(octets[at + $1]) << (8 * $1) } }
    let dropsBeginning = random.next() % 3 == 0
    let rate = [5, 20, 80][Int(random.next() % 3)]
    let first = Int(random.next() % UInt64(octets.count / 2))
    var kept: [UInt8] = []
    var at = 0
    while at + 12 <= octets.count {
      let length = word(at + 4)
      let isLost = dropsBeginning ? at < first : Int(random.next() % 1_000) < rate
      if word(at) != 6 || !isLost { kept += octets[at..<at + length] }
      at += length
    }
    return kept
  }

  @Test("A capture that ends early is compared as far as it goes")
  func cut() throws {
    let run = try DrawnRun("lobby/two-peers").timeline
    let folder = try CaptureFolder()
    try DrawnCapture.play("lobby/two-peers", to: folder)
    let file = folder.path + "/air.pcapng"
    let octets = try Data(contentsOf: URL(fileURLWithPath: file))
    try octets.prefix(octets.count * 2 / 3).write(to: URL(fileURLWithPath: file))
    let difference = ConversationDifference(run, try DrawnCapture([file]).timeline)
    expect(difference.isEmpty)
    let goesOn = try required(difference.goesOn)
    expect(goesOn.side == .first && goesOn.packets + difference.compared == 25)
  }

  @Test("Timelines beside each other keep every packet, PDU, span and mark, and PDUs in the order of time")
  func beside() throws {
    let run = try DrawnRun("lobby/two-peers").timeline
    let folder = try CaptureFolder()
    try DrawnCapture.play("lobby/two-peers", seed: 3, to: folder)
    let capture = try DrawnCapture([folder.path + "/air.pcapng", folder.path + "/host.btsnoop"]).timeline
    for shift in [SimDuration.milliseconds(700), .milliseconds(-700)] {
      let both = RunTimeline.beside(run, capture, shift: shift, names: ("1", "2"), device: (1, 1))
      equal(both.packets.count, run.packets.count + capture.packets.count)
      equal(both.spans.count, run.spans.count + capture.spans.count)
      equal(both.marks.count, run.marks.count + capture.marks.count)
      equal(both.pdus.map(\.start), both.pdus.map(\.start).sorted())
      equal(both.pdus.count, run.pdus.count + capture.pdus.count)
      // What each lane has is what it had.
      for (timeline, name) in [(run, "1: "), (capture, "2: ")] {
        for (old, lane) in timeline.lanes.enumerated() {
          let new = try required(both.lanes.firstIndex { $0.name == name + lane.name })
          equal(
            both.pdus.filter { $0.transmitter == new }.map(\.words),
            timeline.pdus.filter { $0.transmitter == old }.map(\.words))
          equal(
            both.packets.filter { $0.from == new }.map(\.body), timeline.packets.filter { $0.from == old }.map(\.body))
        }
      }
      equal(both.lanes[1].name, "1: client-1")
    }
  }

  @Test("A folder shows what the run itself shows")
  func folder() throws {
    let folder = try CaptureFolder()
    let path = "faults/client-vanishes-and-returns"
    let run = try DrawnRun(path).timeline
    let sink = OctetCollector()
    try DrawnCapture.play(path, to: folder)
    try DrawnRun.trace(path, to: sink)
    var captured = try DrawnCapture([folder.path + "/air.pcapng"]).timeline
    captured.move(by: try required(run.pdus.first).start - .zero)
    let read = RunTimeline(try RunLog(sink.octets, file: "trace.jsonl"), captured: captured)
    equal(read.lanes.map(\.name), run.lanes.map(\.name))
    equal(read.pdus.map(\.start), run.pdus.map(\.start))
    let words = { (timeline: RunTimeline, track: String) in
      timeline.spans.filter { $0.track == track }.map { "\($0.lane) \($0.text) \($0.from) \(min($0.to, read.end))" }
        .sorted()
    }
    for track in ["links", "phase"] { equal(words(read, track), words(run, track)) }
    let marks = { (timeline: RunTimeline, kind: RunTimeline.Mark.Kind) in
      timeline.marks.filter { $0.kind == kind }.map { "\($0.at) \($0.text)" }.sorted()
    }
    for kind in [RunTimeline.Mark.Kind.step, .expectation] { equal(marks(read, kind), marks(run, kind)) }
  }
}
