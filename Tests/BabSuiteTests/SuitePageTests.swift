import AppSeam
import BabSim
import Expectations
import Foundation
import SimKernel
import Testing

@testable import BabSuite
@testable import Conformance
@testable import Judging

@Suite("The page of a run")
struct SuitePageTests {
  typealias Fixture = SuiteFixture

  private func page(_ run: SuiteRun) throws -> String { String(decoding: try SuitePage.octets(run), as: UTF8.self) }

  @Test("Nothing that comes from an implementation becomes markup, not even with an accent behind it")
  func hostile() throws {
    let script = "<script>alert(1)</script>"
    let quote = "\"\u{301} onmouseover=\"alert(2)"
    let texts = [script, quote, "'\u{308} autofocus onfocus=alert(3)", "{{{style}}}", "</style></details>", "&lt;b>"]
    let all = texts.joined(separator: " ")
    let waiver = Waiver(pattern: "BAB/HOST/" + script, reason: all)
    var report = Fixture.report(Fixture.result(.fail, expected: all, actual: all), waivers: [waiver], log: all)
    report.files = CaseReport.Files(
      trace: "javascript:alert(1)", captures: ["a\"b<c>/d e?.pcapng"], log: "../" + script)
    report.repetition = .differs(.implementation, first: all, second: all)
    report.chart = Chart(
      lanes: [
        Chart.Lane(name: script, role: .host, isUnderTest: true),
        Chart.Lane(name: all, role: .client, isUnderTest: false),
      ],
      entries: [
        Chart.Entry(
          instant: .zero, record: 1,
          kind: .packet(
            Chart.Packet(
              from: 0, to: 1, label: all, fragments: 2, octets: Array(all.utf8), isPacket: true, sentAt: .zero,
              receivedAt: .zero, records: [1]))),
        Chart.Entry(instant: .zero, record: 2, kind: .action(0, all)),
        Chart.Entry(instant: .zero, record: 3, kind: .step(all)),
        Chart.Entry(instant: .zero, record: 4, kind: .disconnected(0, 1, all)),
      ], divergingEvent: all, verdictAfter: 0, evidence: 0, evidenceShowedIt: true)
    var run = Fixture.run([report], waivers: [waiver])
    run.implementations[0].name = all
    run.implementations[0].origin = all
    run.repeatLine = all
    let clean = try page(Fixture.run([Fixture.report(Fixture.result(.fail))]))
    let page = try page(run)
    expect(page.unicodeScalars.split(separator: "<" as Unicode.Scalar).count > 100)
    for tag in ["<script", "<style", "</style", "</details", "<b>alert"] {
      equal(count(tag, page), count(tag, clean), "\(tag)")
    }
    // Every quotation mark that came is written out, whatever stands behind it.
    expect(count("&quot;\u{301} onmouseover=&quot;alert(2)", page) > 8)
    equal(count(quote, page), 0)
    expect(count("&#39;\u{308}", page) > 8)
    expect(page.contains("href=\"javascript%3Aalert%281%29\""))
    expect(page.contains("href=\"a%22b%3Cc%3E/d%20e%3F.pcapng\""))
    expect(!page.contains("href=\"javascript:"))
  }

  /// By scalars: `contains` of a `String` goes by characters, and would miss what the test is about.
  private func count(_ part: String, _ text: String) -> Int {
    let part = Array(part.utf8)
    let text = Array(text.utf8)
    var count = 0
    for start in text.indices where text[start] == part[0] && text[start...].starts(with: part) { count += 1 }
    return count
  }

  @Test("Control characters and marks that turn the direction of text are shown, not obeyed")
  func controls() {
    equal(PageText.escaped("a\u{202E}b\u{0}c\u{1B}\u{7F}"), "a\\u{202e}b\\u{0}c\\u{1b}\\u{7f}")
    equal(PageText.escaped("é 😀 \n\t"), "é 😀 \n\t")
    equal(PageText.escaped("<\u{338}&\u{301}"), "&lt;\u{338}&amp;\u{301}")
  }

  @Test("The page needs nothing from anywhere")
  func selfContained() throws {
    let page = try page(Fixture.run([Fixture.report(Fixture.result(.fail))]))
    for word in ["http:", "https:", "//", "@import", "url(", "src=", "fetch(", "XMLHttpRequest"] {
      expect(!page.contains(word), "\(word)")
    }
    expect(page.contains("default-src 'none'"))
  }

  @Test("A failing case has requirement, expected, actual, the first diverging event, chart, octets and how to repeat")
  func failingCase() throws {
    let run = try SuitePlay.run(
      ["reference", "lobby-update-forgotten"], role: .host, selection: CaseSelection(select: ["BAB/HOST/LOBBY"]))
    let failing = try required(run.cases.first { $0.assessment == .fail })
    let chart = try required(failing.chart)
    equal(chart.lanes.count { $0.isUnderTest }, 1)
    expect(chart.entries.contains { $0.packet?.label == "HANDSHAKE" })
    expect(chart.entries.contains { $0.packet?.label == "LOBBY_UPDATE" })
    expect(chart.verdictAfter != nil)
    let page = try page(run)
    equal(run.exitCode, .fail)
    expect(page.contains("<dt>requirement"))
    expect(page.contains("<dt>first diverging event"))
    expect(page.contains("<svg class=\"chart\""))
    expect(page.contains("Procedure as run"))
    equal(count("<details", page), run.cases.count)
  }

  @Test("Every packet of a case is drawn from its sender to its receiver, in one piece")
  func chart() throws {
    let run = try SuitePlay.run(
      ["reference"], role: .host, selection: CaseSelection(select: ["BAB/HOST/LOBBY/BV-01-C"]), watchesAll: true)
    let chart = try required(run.cases.first?.chart)
    let packets = chart.entries.compactMap(\.packet)
    expect(packets.allSatisfy { $0.isPacket && $0.from != $0.to && $0.from >= 0 && $0.to >= 0 })
    expect(packets.allSatisfy { packet in packet.receivedAt.map { $0 >= packet.sentAt } ?? false })
    expect(packets.allSatisfy { $0.records.count == 2 * $0.fragments })
    expect(packets.allSatisfy { (try? BabPacket(decoding: $0.octets)) != nil })
    let toHost = packets.filter { chart.lanes[$0.to].isUnderTest }.map(\.label)
    equal(toHost.prefix(2), ["HANDSHAKE", "CLIENT_JOIN"])
    equal(packets.first { chart.lanes[$0.from].isUnderTest }?.label, "HANDSHAKE")
    expect(chart.entries.contains { if case .connected = $0.kind { true } else { false } })
    expect(zip(chart.entries, chart.entries.dropFirst()).allSatisfy { $0.record <= $1.record })
  }

  @Test("A long chart keeps its beginning and what led to the verdict, and says how much is left out")
  func longChart() {
    let lanes = [
      Chart.Lane(name: "iut", role: .host, isUnderTest: true),
      Chart.Lane(name: "client-1", role: .client, isUnderTest: false),
    ]
    let entries = (0..<500).map { Chart.Entry(instant: .zero, record: $0, kind: .action(0, "event \($0).")) }
    let svg = ChartPicture.svg(Chart(lanes: lanes, entries: entries, verdictAfter: 400), verdict: "✗ fail")
    expect(svg.contains("event 0."))
    expect(svg.contains("event 400."))
    expect(svg.contains("event 401."))
    expect(!svg.contains("event 200."))
    expect(!svg.contains("event 499."))
    expect(svg.contains("… 329 more"))
    expect(svg.contains("… 91 more"))
  }

  @Test("Octets are shown with offsets, and JSON is laid out as it came")
  func octets() {
    let dump = OctetText.dump(Array("0123456789abcdef\n".utf8))
    expect(dump.hasPrefix("0000  30 31 32"))
    expect(dump.hasSuffix("  ."))
    expect(dump.contains("0123456789abcdef\n0010  0a"))
    expect(OctetText.dump(Array(repeating: 0, count: 2_000)).hasSuffix("… 976 more octets"))
    equal(
      OctetText.layout(Array(#"{"a":[1,{"b":"x,{\"y"}],"c":{}}"#.utf8)),
      "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"x,{\\\"y\"\n    }\n  ],\n  \"c\": {}\n}")
    expect(OctetText.layout(Array("]]}}\"".utf8)).contains("]"))
    expect(OctetText.layout(Array(repeating: UInt8(ascii: "["), count: 100_000)).count < 20_000)
  }

  /// `BABBENCH_REPORT=FOLDER swift test --filter SuitePageTests` leaves pages to look at.
  @Test("Pages of real runs can be written")
  func samples() throws {
    guard let folder = ProcessInfo.processInfo.environment["BABBENCH_REPORT"] else {
      return print("skipped: sample reports for a browser, because BABBENCH_REPORT names no folder")
    }
    let mutants = Mutants.all.filter { $0.role == .host }.prefix(2).map(\.name)
    var run = try SuitePlay.run(
      ["reference"] + mutants, role: .host, selection: CaseSelection(), dialects: [.sdk],
      waivers: [Waiver(pattern: "BAB/HOST/LOBBY/BI-*", reason: "waits for release 2.4")])
    run.baseline = try Baseline(path: "before.json", octets: SuiteResultReport.octets(run))
    run.wallTimes = SuiteRun.WallTimes(startedAt: "2026-11-21T09:00:00Z", totalMilliseconds: 4_211)
    try FileSink.write(try SuitePage.octets(run), to: folder + "/host.html")
    try FileSink.write(SuiteJUnitReport.octets(run), to: folder + "/junit.xml")
    let client = try SuitePlay.run(
      ["reference"] + Mutants.all.filter { $0.role == .client }.prefix(1).map(\.name), role: .client,
      selection: CaseSelection(), watchesAll: true)
    try FileSink.write(try SuitePage.octets(client), to: folder + "/client.html")
  }
}
