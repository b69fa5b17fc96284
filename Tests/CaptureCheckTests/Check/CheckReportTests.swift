import BluetoothWire
import CaptureFormats
import Expectations
import Foundation
import SimKernel
import Testing

@testable import CaptureCheck
@testable import Judging

@Suite("What a check says of captures")
struct CheckReportTests {
  /// A finding of a rule on one link, in a text that wants to be markup and a terminal's master.
  private static func report() -> CheckReport {
    var capture = ReadCapture(
      path: "logs/phone.log", format: .btsnoop, records: 12, ending: .truncated(recordAt: 99))
    capture.links = [(.h4, 12)]
    capture.firstNanoseconds = 1_000
    capture.lastNanoseconds = 2_000_001_000
    let link = CheckReport.Link(
      index: 0, file: 0, handleOrAccessAddress: "0x0040", central: "unknown", peripheral: "F0:F1:F2:F3:F4:A0",
      isFromStart: false, isEncrypted: true, attMTU: 185, openedAt: .zero, closedAt: nil, attPDUs: 3, gaps: 1,
      gapKinds: [(.encrypted, PacketPlace(file: 0, number: 4), 1)], density: [0, 1, 2])
    let finding = Finding(
      oracle: "SaysOneThing", verdict: .fail, instant: SimInstant(nanoseconds: 1_234_567_890), device: 0,
      clause: "Vol 3, Part F, 3.4", expected: "<b>one</b>", actual: "two\u{1B}[31m & \"three\"",
      record: PacketPlace(file: 0, number: 7).record)
    let rule = OracleResult(
      id: "SaysOneThing", claim: "It says one thing.", clause: "Vol 3, Part F, 3.4", verdict: .fail, judged: 3, open: 0,
      findings: [finding], suppressedFindings: 2)
    let idle = OracleResult(
      id: "SaysNothing", claim: "It says nothing.", clause: "Vol 3", verdict: .none, judged: 0, open: 0, findings: [],
      suppressedFindings: 0)
    var unknown = OracleResult(
      id: "MaySay", claim: "It may say.", clause: "Vol 3", verdict: .inconclusive, judged: 0, open: 4, findings: [],
      suppressedFindings: 0)
    unknown.openReason = "it may be said later"
    var report = CheckReport(
      captures: [capture], links: [link], rules: [rule, idle, unknown], protocolName: nil, judgement: nil,
      notes: [TrafficNote(place: PacketPlace(file: 0, number: 4), text: "link 0: encrypted traffic")])
    report.end = SimInstant(nanoseconds: 2_000_000_000)
    report.step = .milliseconds(500)
    return report
  }

  @Test("A finding is one line that names the packet as Wireshark counts it, and cannot drive the terminal")
  func console() {
    let text = CheckText.text(Self.report())
    expect(
      text.contains(
        "fail SaysOneThing at 1.234567 s, phone.log packet 7, link 0: expected <b>one</b>, "
          + "saw two\\u{1b}[31m & \"three\" (Vol 3, Part F, 3.4)\n"))
    expect(text.contains("and 2 more of SaysOneThing"))
    expect(text.contains("nothing to judge: SaysNothing"))
    expect(text.contains("note phone.log packet 4: link 0: encrypted traffic"))
    expect(!text.contains("\u{1B}"))
    expect(CheckText.text(Self.report(), isColoured: true).contains("\u{1B}[31mfail\u{1B}[0m SaysOneThing"))
  }

  @Test("Captures of one name are told apart by their paths")
  func names() {
    equal(CheckText.shortNames(["a/x.log", "b/x.log", "c/y.log"]), ["a/x.log", "b/x.log", "y.log"])
  }

  @Test("JSON has every verdict, finding and place, and is what a JSON reader takes")
  func json() throws {
    let octets = CheckJSONReport.octets(Self.report(), repeatLine: "babbench check x")
    let json = try required(try JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any])
    equal(json["verdict"] as? String, "fail")
    equal(json["exitCode"] as? Int, 1)
    let rules = try required(json["rules"] as? [[String: Any]])
    equal(rules.map { $0["verdict"] as? String }, ["fail", "none", "inconclusive"])
    let finding = try required((rules[0]["findings"] as? [[String: Any]])?.first)
    equal(finding["packet"] as? Int, 7)
    equal(finding["capture"] as? Int, 0)
    equal(finding["link"] as? Int, 0)
    equal(finding["instant"] as? Int, 1_234_567_890)
    let captures = try required(json["captures"] as? [[String: Any]])
    equal(captures[0]["truncatedAt"] as? Int, 99)
    equal(captures[0]["last"] as? String, "2000001000")
    equal(CheckJSONReport.octets(Self.report(), repeatLine: "babbench check x"), octets)
  }

  @Test("In JUnit a failure is a failure, inconclusive an error of that type, and what was not judged is skipped")
  func junit() throws {
    let text = String(
      decoding: CheckJUnitReport.octets(Self.report(), repeatLine: "babbench check x"), as: UTF8.self)
    expect(text.contains("tests=\"3\"") && text.contains("failures=\"1\"") && text.contains("errors=\"1\""))
    expect(text.contains("<skipped message=\"nothing to judge\""))
    expect(text.contains("type=\"inconclusive\""))
    expect(text.contains("open 4 times, at the end of the captures: it may be said later"))
    expect(text.contains("phone.log packet 7, link 0"))
    expect(!text.contains("\u{1B}"))
  }

  @Test("What is on LE Coded and not read is no pass, and every report says so")
  func coded() throws {
    var report = Self.report()
    report.rules = [
      OracleResult(
        id: "SaysOneThing", claim: "It says one thing.", clause: "Vol 3", verdict: .pass, judged: 3, open: 0,
        findings: [], suppressedFindings: 0)
    ]
    report.captures[0].opaque = [(.unknownPacketID(9), 1, 1)]
    equal(report.verdict, .pass)
    report.captures[0].opaque.append((.leCoded, 2, 3))
    equal(report.verdict, .inconclusive)
    let notes = Checker.notes(report.captures).map(\.text)
    expect(notes.contains { $0.hasPrefix("1 record is of packet ID 9 of Nordic's sniffer") })
    expect(notes.contains { $0.hasPrefix("3 records are on LE Coded, of a coding that is not known;") })
    let text = String(decoding: CheckJUnitReport.octets(report, repeatLine: "babbench check x"), as: UTF8.self)
    expect(text.contains("name=\"AllPDUsAreRead\"") && text.contains("errors=\"1\""))
  }

  /// Core v5.4, Vol 4, Part E, 7.3.100 to 7.3.102; BlueZ and Zephyr have the same numbers.
  @Test("The newest commands of the controller's baseband have their names")
  func newestCommands() {
    let names = [0x0C82, 0x0C83, 0x0C84].map { HCINames.command($0) }
    equal(names, ["Set_Ecosystem_Base_Interval", "Configure_Data_Path", "Set_Min_Encryption_Key_Size"])
  }

  private func position(_ part: String, _ text: String) throws -> String.Index {
    try required(text.range(of: part)).lowerBound
  }

  @Test("The page has findings, links and picture, asks no network for anything, and takes no markup from captures")
  func page() throws {
    let octets = try CheckPage.octets(Self.report(), version: "0", repeatLine: "babbench check x")
    let text = String(decoding: octets, as: UTF8.self)
    expect(text.contains("phone.log packet 7, link 0"))
    expect(text.contains("&lt;b&gt;one&lt;/b&gt;"))
    expect(!text.contains("<b>one</b>"))
    expect(!text.contains("\u{1B}"))
    expect(text.contains("<svg class=\"tl\""))
    try expect(position("id=\"f0\"", text) < position("<h2>Timeline", text))
    expect(text.contains("<summary>2 of 3 general rules have no finding: 1 inconclusive, 1 nothing to judge"))
    expect(text.contains("<path class=\"fail\""))
    expect(!text.contains("http://") && !text.contains("https://") && !text.contains("<script"))
    try equal(CheckPage.octets(Self.report(), version: "0", repeatLine: "babbench check x"), octets)
  }
}
