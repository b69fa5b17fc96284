import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import RunReports

@Suite("The page of a timeline")
struct TimelinePageTests {
  private func page(_ timeline: RunTimeline, title: String = "a game") throws -> String {
    let page = TimelinePage(
      timeline: timeline, title: title, verdict: "pass", facts: ["seed 1"], repeatLine: "babbench run a",
      file: "a.yaml",
      version: "0")
    return String(decoding: try page.octets(), as: UTF8.self)
  }

  @Test("Columns hold what the timeline holds")
  func columns() throws {
    let run = try DrawnRun("lobby/two-peers")
    let text = try page(run.timeline)
    let data = try required(try PageBlock.read("picture", text) as? [String: Any])
    let texts = try required(data["texts"] as? [String])
    let packets = try required(data["packets"] as? [[Int]])
    equal(packets[4].map { texts[$0] }, run.timeline.packets.map(\.label))
    equal(packets[2], run.timeline.packets.map { Int($0.sentAt.nanoseconds) })
    equal(packets[3], run.timeline.packets.map { $0.receivedAt.map { Int($0.nanoseconds) } ?? -1 })
    let pdus = try required(data["pdus"] as? [[Int]])
    equal(pdus[0], run.timeline.pdus.map { Int($0.start.nanoseconds) })
    equal(pdus[5], run.timeline.pdus.map(\.fate.rawValue))
    equal((data["marks"] as? [Any])?.count, run.timeline.marks.count)
    let more = try required(try PageBlock.read("more", text) as? [[Any]])
    equal(more.map { $0[0] as? String }, run.timeline.pdus.map(\.tree))
    equal(more.map { ($0[1] as? String)?.count }, run.timeline.pdus.map { $0.octets.count * 2 })
    equal(more.map { $0[2] as? Int }, run.timeline.pdus.map(\.octetCount))
  }

  @Test("One file: nothing is fetched, and only the page's own scripts run")
  func selfContained() throws {
    let text = try page(try DrawnRun("lobby/two-peers").timeline)
    expect(text.contains("default-src 'none'"))
    for word in ["http://", "https://", "//cdn", "import(", "fetch(", "eval(", "innerHTML", "src="] {
      expect(!text.contains(word), "\(word)")
    }
  }

  @Test("Words from outside stay words")
  func escapes() throws {
    var timeline = RunTimeline(
      lanes: [RunTimeline.Lane(name: "</script><b>x", role: "host", about: "a\u{202E}b")], end: .zero)
    timeline.marks = [RunTimeline.Mark(kind: .step, at: .zero, lane: -1, text: "<img onerror=x>\u{1B}[31m")]
    let text = try page(timeline, title: "<script>alert(1)</script>")
    expect(!text.contains("<b>x"))
    expect(!text.contains("<img"))
    expect(!text.contains("<script>alert"))
    expect(!text.contains("\u{1B}"))
    expect(!text.contains("\u{202E}"))
  }

  @Test("The list beside the picture has each step, expectation and finding, by its place among the marks")
  func steps() throws {
    let run = try DrawnRun("lobby/eight-peer-lobby", ["devices.host.engine=published-update-value-ignored"])
    let text = try page(run.timeline)
    let places = text.components(separatedBy: "data-mark=\"").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
    let kinds: [RunTimeline.Mark.Kind] = [.step, .expectation, .finding]
    let listed = run.timeline.marks.filter { kinds.contains($0.kind) }
    expect(places.count == listed.count && listed.contains { $0.kind == .finding })
    // As the page's script sorts them.
    let data = try required(try PageBlock.read("picture", text) as? [String: Any])
    let marks = try required(data["marks"] as? [[Any]])
    let order = marks.indices.sorted {
      ((marks[$0][1] as? Int) ?? -1, $0) < ((marks[$1][1] as? Int) ?? -1, $1)
    }
    for (place, next) in zip(places, places.dropFirst()) { expect(place < next) }
    let shown = places.map { marks[order[$0]] }
    equal(Set(shown.map { $0[0] as? String }), ["step", "expectation", "finding"])
    let parts = text.components(separatedBy: "data-mark=\"").dropFirst()
    for (mark, part) in zip(shown, parts) {
      let item = part.prefix { $0 != "/" }
      expect(item.contains("class=\"at\">\(SimInstant(nanoseconds: Int64((mark[1] as? Int) ?? -1)).microseconds) s"))
    }
    expect(text.contains("<span class=\"badge pass\">met</span>"))
    expect(text.contains("<span class=\"badge fail\">finding</span>"))
  }

  @Test("A run of nothing has a page")
  func empty() throws {
    let text = try page(RunTimeline(lanes: [], end: .zero))
    let data = try required(try PageBlock.read("picture", text) as? [String: Any])
    equal((data["packets"] as? [[Int]])?.allSatisfy(\.isEmpty), true)
  }
}
