import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing

@testable import RunReports

@Suite("A timeline as trace events")
struct TraceEventsTests {
  private struct Event {
    var phase: String
    var name: String
    /// Nanoseconds.
    var start: Int64
    var duration: Int64
    var process: Int
    var thread: Int
    var id: Int?
  }

  private func events(_ timeline: RunTimeline) throws -> [Event] {
    let file = try JSONSerialization.jsonObject(with: Data(TraceEvents.octets(timeline))) as? [String: Any]
    let list = try required(file?["traceEvents"] as? [[String: Any]])
    func nanoseconds(_ value: Any?) -> Int64 { Int64((((value as? NSNumber)?.doubleValue ?? 0) * 1_000).rounded()) }
    return try list.map { event in
      Event(
        phase: try required(event["ph"] as? String), name: try required(event["name"] as? String),
        start: nanoseconds(event["ts"]), duration: nanoseconds(event["dur"]),
        process: try required(event["pid"] as? Int), thread: try required(event["tid"] as? Int),
        id: event["id"] as? Int)
    }
  }

  @Test("Every PDU, packet, state and mark is there, at its instant, in the process of its device")
  func complete() throws {
    let timeline = try DrawnRun("lobby/two-peers").timeline
    let events = try events(timeline)
    let radio = events.filter { $0.phase == "X" && $0.thread == 2 }
    equal(radio.map(\.start), timeline.pdus.map(\.start.nanoseconds))
    equal(radio.map(\.duration), timeline.pdus.map(\.duration.nanoseconds))
    equal(radio.map(\.process), timeline.pdus.map { $0.transmitter + 2 })
    let states = events.filter { $0.phase == "X" && $0.thread >= 10 }
    equal(states.map(\.start), timeline.spans.map(\.from.nanoseconds))
    equal(states.map { $0.start + $0.duration }, timeline.spans.map(\.to.nanoseconds))
    equal(events.filter { $0.phase == "i" }.map(\.start), timeline.marks.map(\.at.nanoseconds))
    let came = timeline.packets.filter { $0.receivedAt != nil }
    equal(came.isEmpty, false)
    equal(events.filter { $0.phase == "s" }.map(\.start), came.map(\.sentAt.nanoseconds))
    equal(events.filter { $0.phase == "f" }.map(\.start), came.map { $0.receivedAt?.nanoseconds ?? -1 })
    equal(events.filter { $0.phase == "s" }.map(\.process), came.map { $0.from + 2 })
    let names = events.filter { $0.phase == "M" && $0.name == "process_name" }
    equal(names.map(\.process), Array(1...timeline.lanes.count + 1))
  }

  @Test("Arrows have two ends, each at a slice; slices of a thread lie in one another or apart")
  func balanced() throws {
    let folder = try CaptureFolder()
    try DrawnCapture.play("lobby/two-peers", to: folder)
    let capture = try DrawnCapture([folder.path + "/air.pcapng", folder.path + "/host.btsnoop"]).timeline
    for timeline in [try DrawnRun("faults/client-vanishes-and-returns").timeline, capture] {
      let events = try events(timeline)
      let begins = events.filter { $0.phase == "s" }
      let ends = events.filter { $0.phase == "f" }
      equal(begins.map(\.id), ends.map(\.id))
      equal(Set(begins.compactMap(\.id)).count, begins.count)
      equal(zip(begins, ends).count { $0.start > $1.start }, 0)
      let slices = events.filter { $0.phase == "X" }
      let known = Set(slices.map { [Int64($0.process), Int64($0.thread), $0.start] })
      equal((begins + ends).count { !known.contains([Int64($0.process), Int64($0.thread), $0.start]) }, 0)
      for thread in Set(slices.map { $0.process << 8 | $0.thread }).sorted() {
        var open: [Int64] = []
        var overlaps = 0
        let own = slices.filter { $0.process << 8 | $0.thread == thread }
        for slice in own.sorted(by: { ($0.start, -$0.duration) < ($1.start, -$1.duration) }) {
          while let end = open.last, end <= slice.start { open.removeLast() }
          if let end = open.last, end < slice.start + slice.duration { overlaps += 1 }
          open.append(slice.start + slice.duration)
        }
        equal(overlaps, 0, "process \(thread >> 8), thread \(thread & 255)")
      }
    }
  }

  @Test("Hostile names stay text")
  func names() throws {
    var timeline = RunTimeline(lanes: [.init(name: "\"}]\u{202E}</script>", role: "host", about: "")], end: .zero)
    timeline.marks = [.init(kind: .finding, at: .zero, lane: -1, text: "\\\"\u{0}")]
    try equal(events(timeline).count { $0.phase == "M" }, 4)
    expect(!String(decoding: TraceEvents.octets(timeline), as: UTF8.self).unicodeScalars.contains("\u{202E}"))
  }
}
