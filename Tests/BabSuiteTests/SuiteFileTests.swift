import AppSeam
import BabSim
import Bench
import Expectations
import Foundation
import SimKernel
import Testing

@testable import Conformance
@testable import Judging

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What an implementation may be called and say: everything that a format could trip over.
private let hostile = "a\"b\\c <script>alert(1)</script> ]]> &amp; \u{1B}[31m \u{0} \u{2028} 😀 \"\u{301}' {{x}}"

@Suite("Files of a run of the suite")
struct SuiteFileTests {
  typealias Fixture = SuiteFixture

  private let waiver = Waiver(pattern: "BAB/HOST/VOTE", reason: "no votes yet " + hostile)

  /// One case of every assessment, with hostile text in it.
  private func mixed() -> SuiteRun {
    var cases = [Verdict.pass, .fail, .inconclusive, .error].enumerated().map { number, verdict in
      Fixture.report(
        Fixture.result(
          verdict, "BAB/HOST/LOBBY/BV-0\(number)-C", expected: "seat " + hostile, actual: hostile, iut: "mine"),
        log: "log " + hostile)
    }
    cases.append(Fixture.report(Fixture.result(.none, "BAB/HOST/ROLE/BV-01-C", notApplicable: "ICS " + hostile)))
    cases.append(Fixture.report(Fixture.result(.fail, "BAB/HOST/VOTE/BV-01-C"), waivers: [waiver]))
    let stale = Waiver(pattern: "BAB/HOST/VOTE/BV-02-C", reason: waiver.reason)
    cases.append(Fixture.report(Fixture.result(.pass, "BAB/HOST/VOTE/BV-02-C"), waivers: [stale]))
    var blocked = Fixture.result(.inconclusive, "BAB/HOST/VOTE/BV-03-C", actual: hostile)
    blocked.isBlocked = true
    blocked.cause = Cause("sends no " + hostile, clause: "BAB 5.1.6")
    cases.append(Fixture.report(blocked))
    var run = Fixture.run(cases, waivers: [waiver])
    run.implementations[0].name = "mine " + hostile
    return run
  }

  private func object(_ octets: some Sequence<UInt8>) throws -> [String: Any] {
    try required(try JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any])
  }

  @Test("result.json says the verdict, the counts and every case")
  func result() throws {
    let run = mixed()
    let object = try object(SuiteResultReport.octets(run))
    equal(object["version"] as? Int, 2)
    equal(object["verdict"] as? String, "error")
    equal(object["exitCode"] as? Int, 3)
    equal((object["counts"] as? [String: Int])?.values.sorted(), [0, 1, 1, 1, 1, 1, 1, 1, 1])
    equal((object["withHelp"] as? [String: Int])?.values.max(), 0)
    let cases = try required(object["cases"] as? [[String: Any]])
    equal(
      cases.map { $0["assessment"] as? String },
      [
        "pass", "fail", "inconclusive", "error", "notApplicable", "waived", "unexpectedPass", "blocked",
      ])
    let finding = try required(cases[1]["finding"] as? [String: Any])
    equal(finding["actual"] as? String, hostile)
    equal((finding["clauseText"] as? String)?.hasPrefix("On CLIENT_JOIN the host MUST give"), true)
    equal(cases[1]["seed"] as? String, "1")
    let causes = try required(object["causes"] as? [[String: Any]])
    equal(causes.map { $0["text"] as? String }, ["sends no " + hostile, ""])
    equal(causes.map { $0["cases"] as? Int }, [1, 4])
    equal(causes.map { $0["blocked"] as? Int }, [1, 0])
    equal((causes[0]["clauseText"] as? String)?.hasPrefix("The host MUST answer the HANDSHAKE"), true)
  }

  @Test("Two runs give the same result.json but for wallTimes, its last member")
  func deterministic() throws {
    func text() throws -> [String] {
      var run = try SuitePlay.run(
        ["reference", "lobby-update-forgotten"], role: .host, selection: CaseSelection(select: ["BAB/HOST/LOBBY"]),
        watchesAll: true)
      run.wallTimes.totalMilliseconds = Int.random(in: 1...1_000_000)
      run.wallTimes.startedAt = "\(Date())"
      let text = String(decoding: SuiteResultReport.octets(run), as: UTF8.self)
      let parts = text.components(separatedBy: "\n  \"wallTimes\": ")
      equal(parts.count, 2)
      equal(parts[1].split(separator: "\n").count, 6)
      return [parts[0], String(decoding: SuiteJUnitReport.octets(run), as: UTF8.self)]
    }
    try equal(text(), text())
  }

  @Test("events.jsonl tells the run line by line, each line JSON, and ends with runEnded")
  func events() throws {
    let run = mixed()
    let sink = OctetCollector()
    let writer = SuiteEventLines(sink: sink)
    var plan = run
    plan.cases = []
    plan.planned = run.cases.count
    writer.runStarted(plan)
    for (number, report) in run.cases.enumerated() {
      writer.caseStarted(number, run.key(of: report))
      writer.caseEnded(number, report, in: run)
    }
    writer.runEnded(run)
    expect(writer.failure == nil)
    let lines = try sink.octets.split(separator: 0x0A).map { try object($0) }
    expect(lines.allSatisfy { $0["version"] as? Int == 1 && $0["payload"] is [String: Any] })
    let kinds = lines.compactMap { $0["kind"] as? String }
    equal(kinds.first, "runStarted")
    equal(kinds.last, "runEnded")
    equal(kinds.count { $0 == "caseStarted" }, 8)
    equal(kinds.count { $0 == "caseEnded" }, 8)
    equal(kinds.count { $0 == "finding" }, 5)
    equal(kinds.count { $0 == "step" }, 8)
    let payload = try required(lines.last?["payload"] as? [String: Any])
    equal(payload["exitCode"] as? Int, 3)
  }

  @Test("A live file has every line as soon as it is written")
  func live() throws {
    let path = NSTemporaryDirectory() + "babbench-live-\(getpid()).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer = SuiteEventLines(sink: try LiveFileSink(path: path))
    writer.runStarted(Fixture.run([], planned: 1))
    let octets = try required(FileManager.default.contents(atPath: path))
    try equal(object(octets)["kind"] as? String, "runStarted")
    equal(octets.last, 0x0A)
    #expect(throws: WholeFileError.self) { try LiveFileSink(path: "/nonexistent/folder/events.jsonl") }
  }

  @Test("junit.xml is valid against the rules of Jenkins' junit-10.xsd, and keeps what must not be green from being so")
  func junit() throws {
    let run = mixed()
    let schema = try JUnitSchema.read(SuiteJUnitReport.octets(run))
    equal(schema.problems, [])
    let outcomes = schema.cases.map { item in item.children.isEmpty ? "" : item.children.joined(separator: " ") }
    #expect(
      outcomes == [
        // What only blocks is told once, first, and is no more than skipped below.
        "error", "", "failure system-err", "error system-err", "error system-err", "skipped", "skipped", "failure",
        "skipped",
      ])
    equal(schema.types, ["blocked", "fail", "inconclusive", "error", "unexpectedPass"])
    equal(schema.suites, ["blocks", "LOBBY", "ROLE", "VOTE"])
  }

  @Test("The JUnit file of `run` is valid as well, and the rules find what is wrong")
  func schema() throws {
    var script = TraceScript()
    script.connect(1)
    script.lobby([1], on: [0, 1])
    try equal(JUnitSchema.read(JUnitReport.octets([script.judge()])).problems, [])
    let wrong =
      "<testsuites skipped='1'><testsuite name='a' tests='2' failures='0' errors='0' time='x'>"
      + "<testcase classname='b'><oops/></testcase></testsuite></testsuites>"
    try equal(
      JUnitSchema.read(Array(wrong.utf8)).problems,
      [
        "testsuites may not have skipped", "time of testsuite: x", "testcase lacks name", "testcase may not hold oops",
        "testsuite says tests=2, has 1",
      ])
  }
}

/// The rules of `junit-10.xsd` of Jenkins' xUnit plug-in that our files touch: which element holds what, which
/// attributes there are, which are due; and that the counts are right, which no schema says.
private final class JUnitSchema: NSObject, XMLParserDelegate {
  struct Case { var children: [String] = [] }

  private struct Rule {
    var children: [String] = []
    var required: [String] = []
    var optional: [String] = []
  }

  private static let rules: [String: Rule] = [
    "": Rule(children: ["testsuites"]),
    "testsuites": Rule(children: ["testsuite"], optional: ["name", "time", "tests", "failures", "errors"]),
    "testsuite": Rule(
      children: ["testsuite", "properties", "testcase", "system-out", "system-err"],
      required: ["name", "tests", "failures", "errors"],
      optional: ["group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"]),
    "properties": Rule(children: ["property"]), "property": Rule(required: ["name", "value"]),
    "testcase": Rule(
      children: ["skipped", "error", "failure", "system-out", "system-err"], required: ["name"],
      optional: ["time", "classname", "group"]),
    "skipped": Rule(optional: ["type", "message"]), "error": Rule(optional: ["type", "message"]),
    "failure": Rule(optional: ["type", "message"]), "system-out": Rule(), "system-err": Rule(),
  ]

  private(set) var problems: [String] = []
  private(set) var cases: [Case] = []
  private(set) var types: [String] = []
  /// The last words of the names of test suites.
  private(set) var suites: [String] = []
  private var stack: [String] = [""]
  private var counts: [String: Int] = [:]
  private var claims: [String: String] = [:]

  static func read(_ octets: [UInt8]) throws -> JUnitSchema {
    let schema = JUnitSchema()
    let parser = XMLParser(data: Data(octets))
    parser.delegate = schema
    if !parser.parse() { schema.problems.append("no XML: \(parser.parserError.map { "\($0)" } ?? "")") }
    return schema
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    let parent = stack.last ?? ""
    if !(Self.rules[parent]?.children.contains(name) ?? true) { problems.append("\(parent) may not hold \(name)") }
    stack.append(name)
    guard let rule = Self.rules[name] else { return }
    for key in rule.required where attributes[key] == nil { problems.append("\(name) lacks \(key)") }
    for key in attributes.keys.sorted() where !(rule.required + rule.optional).contains(key) {
      problems.append("\(name) may not have \(key)")
    }
    if let time = attributes["time"], name != "testcase", time.wholeMatch(of: /[0-9]*(\.[0-9]*)?/) == nil {
      problems.append("time of \(name): \(time)")
    }
    switch name {
    case "testsuite":
      counts = [:]
      claims = attributes
      suites += attributes["name"]?.split(separator: " ").last.map { [String($0)] } ?? []
    case "testcase":
      cases.append(Case())
      counts["tests", default: 0] += 1
    case "failure", "error", "skipped", "system-err":
      cases[cases.count - 1].children.append(name)
      let plural = ["failure": "failures", "error": "errors"][name] ?? name
      counts[plural, default: 0] += 1
      types += attributes["type"].map { [$0] } ?? []
    default: break
    }
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    stack.removeLast()
    guard name == "testsuite" else { return }
    for key in ["tests", "failures", "errors", "skipped"] {
      let count = counts[key] ?? 0
      if let claim = claims[key], claim != String(count) {
        problems.append("testsuite says \(key)=\(claim), has \(count)")
      }
    }
  }
}
