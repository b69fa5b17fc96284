@testable import CaptureCheck
import CaptureFormats
import CaptureTestSupport
import Expectations
import Judging
import SimKernel
import Testing

@testable import RunReports

@Suite("Captures as a timeline")
struct CaptureTimelineTests {
  @Test(
    "A run's air.pcapng shows the PDUs, packets and steps that the run's own timeline shows",
    arguments: ["lobby/two-peers", "radio/noisy-convention-hall"])
  func ownAir(path: String) throws {
    let folder = try CaptureFolder()
    let run = try DrawnRun(path).timeline
    try DrawnCapture.play(path, to: folder)
    let capture = try DrawnCapture([folder.path + "/air.pcapng"]).timeline
    equal(capture.omissions, [])
    equal(capture.files, ["air.pcapng"])
    equal(capture.rows, ["radio"])
    let first = try required(run.pdus.first).start
    equal(capture.pdus.count, run.pdus.count)
    let different = zip(capture.pdus, run.pdus).first { drawn, own in
      drawn.start - .zero != own.start - first || drawn.duration != own.duration || drawn.octets != own.octets
        || drawn.number != own.number || drawn.rfChannel != own.rfChannel || drawn.words != own.words
        || (drawn.fate == .corrupted) != (own.fate == .corrupted)
    }
    expect(different == nil, "the first one that is not the same")
    // Every PDU is in the lane of the device that sent it, by that device's address.
    let senders = run.pdus.map { run.lanes[$0.transmitter].about }
    let drawn = capture.pdus.map { capture.lanes[$0.transmitter].about }
    equal(zip(senders, drawn).count { !$0.contains($1) }, 0)
    let steps = run.marks.filter { $0.kind == .step }.map { "step: \($0.text)" }
    equal(capture.marks.filter { $0.kind == .comment && $0.text.hasPrefix("step: ") }.map(\.text), steps)
    // Whole packets of the app, as the other end gets them.
    let sent = run.packets.filter { $0.isPacket && $0.receivedAt != nil }.map(\.label).sorted()
    let names = Set(sent)
    let seen = capture.packets.map(\.label).filter { names.contains($0) }.sorted()
    equal(seen.count, sent.count)
    expect(zip(seen, sent).first { $0 != $1 } == nil)
  }

  @Test("Captures of both ends and of the air are one picture: each device once, each connection and packet once")
  func together() throws {
    let folder = try CaptureFolder()
    try DrawnCapture.play("lobby/two-peers", to: folder)
    let paths = ["host.btsnoop", "client-1.btsnoop", "air.pcapng"].map { folder.path + "/" + $0 }
    let all = try DrawnCapture(paths)
    equal(all.timeline.lanes.map(\.role).sorted(), ["client", "host"])
    equal(all.timeline.rows, ["radio", "HCI"])
    equal(all.timeline.pdus.count, all.report.captures.map(\.records).reduce(0, +))
    equal(all.report.links.count, 3)
    equal(all.timeline.spans.count, 2)
    equal(Set(all.timeline.packets.map(\.file)).count, 1)
    let alone = try DrawnCapture([paths[0]])
    equal(alone.timeline.rows, ["HCI"])
    equal(alone.timeline.packets.map(\.label).sorted(), all.timeline.packets.map(\.label).sorted())
    expect(alone.timeline.pdus.allSatisfy { $0.transmitter == 0 && $0.duration == .zero })
  }

  @Test("A finding is where its packet is, with what was on the connection before and after it")
  func finding() throws {
    let folder = try CaptureFolder()
    try DrawnCapture.play(
      "lobby/two-peers", to: folder, ["devices.host.engine=wrong-formula"])
    let drawn = try DrawnCapture([folder.path + "/host.btsnoop"])
    let judged = (drawn.report.rules + (drawn.report.judgement?.oracles ?? [])).flatMap(\.findings)
    equal(judged.isEmpty, false)
    let marks = drawn.timeline.marks.filter { $0.kind == .finding }
    equal(marks.count, judged.count)
    for mark in marks {
      guard let place = mark.place else { continue }
      let named = mark.around.map { drawn.timeline.pdus[$0] }.map { "host.btsnoop packet \($0.number)" }
      expect(named.contains(place))
      expect(named.count <= 7)
    }
  }

  @Test("A page keeps the first records and those around findings, and says what it left out")
  func limits() throws {
    let folder = try CaptureFolder()
    try DrawnCapture.play(
      "lobby/eight-peer-lobby", to: folder, ["devices.host.engine=wrong-formula"])
    let path = folder.path + "/host.btsnoop"
    let whole = try DrawnCapture([path])
    let named = Set(
      (whole.report.rules + (whole.report.judgement?.oracles ?? [])).flatMap(\.findings).compactMap(\.record))
    let second = try required(named.map { PacketPlace(record: $0).number }.filter { $0 > 100 }.min())
    var limits = CapturePicture.Limits()
    limits.records = 200
    limits.reach = 4
    let cut = try DrawnCapture([path], limits: limits).timeline
    expect(cut.pdus.count <= 200)
    equal(cut.pdus.prefix(100).map(\.number), Array(1...100))
    expect((-4...4).allSatisfy { reach in cut.pdus.contains { $0.number == second + reach } })
    let line = try required(cut.omissions.first)
    expect(line.hasPrefix("\(whole.timeline.pdus.count - cut.pdus.count) of \(whole.timeline.pdus.count) records"))
    expect(named.count > 11)
    equal(cut.omissions.dropFirst().first, "the records around \(named.count - 11) findings are not drawn")
    // What is drawn is the same as without a limit.
    let words = Dictionary(uniqueKeysWithValues: whole.timeline.pdus.map { ($0.number, $0.words) })
    expect(cut.pdus.allSatisfy { words[$0.number] == $0.words })
    equal(cut.spans.map(\.text), whole.timeline.spans.map(\.text))
    limits.records = 200_000
    limits.octets = 10_000
    try equal(DrawnCapture([path], limits: limits).timeline.omissions.first?.contains("MiB"), true)
  }

  @Test("More devices than lanes share the last one")
  func lanes() throws {
    let folder = try CaptureFolder()
    try DrawnCapture.play("lobby/eight-peer-lobby", to: folder)
    var limits = CapturePicture.Limits()
    limits.devices = 4
    let drawn = try DrawnCapture([folder.path + "/air.pcapng"], limits: limits).timeline
    equal(drawn.lanes.count, 4)
    equal(drawn.lanes.last?.name, "5 others")
    expect(drawn.pdus.allSatisfy { drawn.lanes.indices.contains($0.transmitter) })
    equal(drawn.omissions.count, 1)
  }

  @Test("Names from captures stay text", arguments: ["</script><b>x", "a\u{202E}b\u{2066}c", "<img src=x onerror=y>"])
  func hostileNames(name: String) throws {
    let folder = try CaptureFolder()
    try DrawnCapture.writeName(name, to: folder)
    let drawn = try DrawnCapture([folder.path + "/name.pcap"])
    equal(drawn.timeline.lanes.map(\.name), [name])
    let page = TimelinePage(
      timeline: drawn.timeline, title: name, verdict: "pass", facts: [], repeatLine: "", file: "", version: "0")
    let text = String(decoding: try page.octets(), as: UTF8.self)
    expect(!text.contains("<b>x"))
    expect(!text.contains("<img"))
    expect(!text.unicodeScalars.contains("\u{202E}"))
    let texts = try PageBlock.read("picture", text) as? [String: Any]
    let lanes = try required(texts?["lanes"] as? [[String]])
    expect(!lanes[0][0].unicodeScalars.contains("\u{202E}"))
    let more = try required(try PageBlock.read("more", text) as? [[Any]])
    expect(!more.description.unicodeScalars.contains("\u{202E}"))
  }

  @Test("Times of any size make a picture")
  func times() throws {
    var picture = CapturePicture()
    picture.devices = [.init(name: "a", role: "device", about: [], addresses: [])]
    for time in [Int64.min, -1, 0, 5, .max] {
      picture.records.append(
        .init(
          place: PacketPlace(file: 0, number: picture.records.count + 1),
          instant: CapturePicture.bounded(SimInstant(nanoseconds: time)), duration: .zero, from: 0, to: -1, link: nil,
          seam: .hci, isBroken: false, rfChannel: nil, words: "", tree: "", octets: [], octetCount: 0, isEmpty: false))
    }
    var report = CheckReport(
      captures: [.init(path: "a.log", format: nil, records: 5, ending: .whole)], links: [], rules: [],
      protocolName: nil, judgement: nil, notes: [])
    report.end = SimInstant(nanoseconds: .max)
    let timeline = RunTimeline(report, picture)
    equal(timeline.pdus.map(\.number), [1, 2, 3, 4, 5])
    equal(timeline.pdus.first?.start, .zero)
    equal(timeline.omissions.count, 1)
  }
}
