import AppSeam
import BabSuite
import Bench
import BluetoothWire
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import RunReports

@Suite("Standard error of programs in a timeline")
struct LogLanesTests {
  private static func line(_ nanoseconds: Int64, _ text: String, isAfterAnswers: Bool = false) -> AppLog.Line {
    AppLog.Line(instant: SimInstant(nanoseconds: nanoseconds), text: text, isAfterAnswers: isAfterAnswers)
  }

  private static let log = [
    line(0, "ready"), line(2_000_000_000, "told <b>connected</b>"), line(2_000_000_000, "Traceback"),
    line(3_000_000_000, "end", isAfterAnswers: true),
  ]

  /// A host that says nothing and a guest that is a program.
  private static func timeline(_ lines: [AppLog.Line]) -> RunTimeline {
    let reader = TimelineReader(of: .bab)
    reader.begin(
      TraceHeader(
        scenario: "chat", seed: 1,
        devices: ["host", "guest"].enumerated().map { index, name in
          TraceHeader.Device(
            name: name, role: AppRole(rawValue: "phone"), phone: "iphone", dialect: "", engine: "",
            address: BluetoothAddress(kind: .random, bits: 0xF0_0000_0001 + UInt64(index)))
        }, options: []))
    var outcome = RunOutcome(
      ending: .finished, endInstant: SimInstant(nanoseconds: 4_000_000_000), digest: TraceDigest(),
      statistics: .init(), devices: [])
    outcome.logs = [AppLog(device: 0, text: ""), AppLog(device: 1, text: "", lines: lines)]
    reader.end(outcome)
    return reader.timeline([], scenario: nil)
  }

  @Test("Each line is in the lane of its program, at its instant")
  func lanes() {
    let timeline = Self.timeline(Self.log)
    equal(timeline.log.map(\.lane), [1, 1, 1, 1])
    equal(timeline.log.map(\.text), ["ready", "told <b>connected</b>", "Traceback", "end"])
    equal(timeline.log.map(\.at.nanoseconds), [0, 2_000_000_000, 2_000_000_000, 3_000_000_000])
    equal(timeline.log.map(\.isAfterAnswers), [false, false, false, true])
    equal(timeline.omissions, [])
  }

  @Test("A page keeps the newest lines, and of a long line its beginning, and says so")
  func limits() {
    let many = (0..<LogLanes.limit + 3).map { Self.line(Int64($0) * 1_000_000_000, "line \($0)") }
    let timeline = Self.timeline(many + [Self.line(9_000_000_000_000, String(repeating: "é", count: 1_000))])
    equal(timeline.log.count, LogLanes.limit)
    equal(timeline.log.first?.text, "line 4")
    equal(timeline.log.last?.text, String(repeating: "é", count: LogLanes.width) + "…")
    equal(timeline.omissions.count, 1)
    equal(timeline.omissions.first?.hasPrefix("4 lines of guest's standard error up to 4.000000000 s"), true)
  }

  @Test("The page has columns for the picture and a list; a page of silent programs has neither")
  func pages() throws {
    let page = try TimelinePage.text(of: Self.timeline(Self.log))
    expect(page.contains("<summary>guest: 4 lines</summary>") && !page.contains("<summary>host:"))
    expect(page.contains("data-show=\"log\"") && page.contains("data-log=\"3\"") && !page.contains("<b>connected"))
    let picture = try required(try PageBlock.read("picture", page) as? [String: Any])
    let columns = try required(picture["log"] as? [[Int]])
    let texts = try required(picture["texts"] as? [String])
    expect(columns[0] == [1, 1, 1, 1] && columns[1] == [0, 2_000_000_000, 2_000_000_000, 3_000_000_000])
    expect(columns[2].map { texts[$0] } == Self.log.map(\.text) && columns[3] == [0, 0, 0, 1])
    let other = try TimelinePage.text(of: Self.timeline([]))
    expect(!other.contains("data-show=\"log\"") && !other.contains("Standard error of programs"))
    let plain = try required(try PageBlock.read("picture", other) as? [String: Any])
    expect(plain["log"] == nil)
  }

  @Test("Trace events have a thread for it in the process of its device only")
  func events() throws {
    let octets = TraceEvents.octets(Self.timeline(Self.log))
    let file = try JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any]
    let list = try required(file?["traceEvents"] as? [[String: Any]])
    let lines = list.filter { $0["cat"] as? String == "stderr" }
    equal(lines.map { $0["name"] as? String }, Self.log.map(\.text))
    expect(lines.allSatisfy { $0["pid"] as? Int == 3 && $0["tid"] as? Int == 9 && $0["s"] as? String == "t" })
    equal(list.count { ($0["args"] as? [String: Any])?["name"] as? String == "stderr" }, 1)
  }

  @Test("Beside another run the lines keep their devices and move with them")
  func beside() {
    let both = RunTimeline.beside(
      Self.timeline(Self.log), Self.timeline(Self.log), shift: .seconds(1), names: (first: "a", second: "b"))
    equal(both.log.map(\.lane), [1, 1, 1, 1, 3, 3, 3, 3])
    equal(both.log[4].at - both.log[0].at, .seconds(1))
  }
}
