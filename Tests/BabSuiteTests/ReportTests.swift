import AppSeam
import BabOracles
import BabSim
import Bench
import BluetoothWire
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing
import VirtualRadio

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Reports")
struct ReportTests {
  /// One run with a pass, a fail, an inconclusive and many that had nothing to judge, and hostile text in it.
  private func mixedScript() -> TraceScript {
    var script = TraceScript()
    script.connect(1)
    script.lobby([1], on: [0, 1])
    script.notify(1, [0xAB, 0xAB, 0, 2] + Array(repeating: 0xAB, count: 26))
    script.report(0, .phase("ACTIVE"))
    script.report(1, .screen(ScreenLine(lineID: "l", text: "a\"b\\c\n\u{01}\u{1B}[31m é 😀 \u{2028} <&> ]]>")))
    script.add(-1, .expectation(text: "says \"<hi>\"\u{0}", holds: false, detail: "a & b \u{1B}"))
    script.add(-1, .step("at 2 s"))
    script.wait(2_000)
    return script
  }

  private func lines(_ octets: [UInt8]) throws -> [[String: Any]] {
    try octets.split(separator: 0x0A).map { line in
      try required(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }
  }

  @Test("Every line of a trace is JSON with version, kind and payload, and tells what the record held")
  func traceLines() throws {
    let sink = OctetCollector()
    let script = mixedScript()
    script.play(into: [TraceLinesReader(sink: sink)])
    let lines = try lines(sink.octets)
    equal(lines.count, script.records.count + 2)
    expect(lines.allSatisfy { $0["version"] as? Int == 1 && $0["payload"] is [String: Any] })
    equal(lines.first?["kind"] as? String, "header")
    equal(lines.last?["kind"] as? String, "outcome")
    let screen = try required(lines.compactMap { $0["payload"] as? [String: Any] }.first { $0["lineID"] != nil })
    equal(screen["text"] as? String, "a\"b\\c\n\u{01}\u{1B}[31m é 😀 \u{2028} <&> ]]>")
    let notify = try required(
      lines.compactMap { $0["payload"] as? [String: Any] }.first { $0["name"] as? String == "notify" })
    equal(notify["octets"] as? String, "abab0002" + String(repeating: "ab", count: 26))
    equal(notify["characteristic"] as? String, "BAB3")
    equal(notify["device"] as? Int, 0)
  }

  @Test("A line has its keys in the documented order")
  func keyOrder() throws {
    let sink = OctetCollector()
    var script = TraceScript()
    script.add(0, .input(.attMTU(LinkID(3), 185)))
    script.play(into: [TraceLinesReader(sink: sink)])
    let line = sink.octets.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }.dropLast().last
    equal(
      line,
      #"{"version":1,"kind":"input","payload":{"sequence":4,"instant":0,"device":0,"#
        + #""name":"attMTU","link":3,"attMTU":185}}"#)
  }

  @Test("A whole game can be written, and every line of it is read back by another JSON reader")
  func wholeGame() throws {
    let sink = OctetCollector()
    _ = try LobbyGame.judge(dialect: .app, types: [NoCrashNoHang.self], readers: [TraceLinesReader(sink: sink)])
    let lines = sink.octets.split(separator: 0x0A)
    expect(lines.count > 1_000)
    for line in lines.striding(by: 7) {
      expect((try? JSONSerialization.jsonObject(with: Data(line))) != nil, "\(String(decoding: line, as: UTF8.self))")
    }
  }

  @Test("Radio records stay out of the trace")
  func noRadio() throws {
    let sink = OctetCollector()
    var script = TraceScript()
    script.add(0, .radio(.hciEvent(.hardwareError(1))))
    script.play(into: [TraceLinesReader(sink: sink)])
    try equal(lines(sink.octets).count, script.records.count + 1)
  }

  @Test("result.json holds the verdicts, the findings and the line that repeats the run")
  func result() throws {
    let judgement = mixedScript().judge()
    let octets = ResultReport.octets(judgement, repeatLine: "babbench run mixed --seed 7")
    let object = try required(try JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any])
    equal(object["verdict"] as? String, "fail")
    equal(object["exitCode"] as? Int, 1)
    equal(object["seed"] as? String, "7")
    equal(object["repeat"] as? String, "babbench run mixed --seed 7")
    let oracles = try required(object["oracles"] as? [[String: Any]])
    equal(oracles.count, OracleRegistry.all.count)
    let fragments = try required(oracles.first { $0["id"] as? String == "FragmentsFitATTMTU" })
    let findings = try required(fragments["findings"] as? [[String: Any]])
    equal(findings.first?["device"] as? String, "host")
    equal((object["devices"] as? [[String: Any]])?.count, 2)
  }

  @Test("junit.xml keeps failure, inconclusive and nothing to judge apart")
  func junit() throws {
    let judgement = mixedScript().judge()
    let text = String(decoding: JUnitReport.octets([judgement, judgement]), as: UTF8.self)
    let parser = XMLParser(data: Data(text.utf8))
    let counter = ElementCounter()
    parser.delegate = counter
    expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")\n\(text)")
    let verdicts = judgement.oracles.map(\.verdict) + judgement.expectations.map(\.verdict)
    func count(_ verdict: Verdict) -> Int { 2 * verdicts.filter { $0 == verdict }.count }
    equal(counter.counts["testsuite"], 2)
    equal(counter.counts["testcase"], 2 * verdicts.count)
    equal(counter.counts["failure"], count(.fail))
    expect(count(.fail) > 0)
    equal(counter.counts["error"], count(.inconclusive))
    expect(count(.inconclusive) > 0)
    equal(counter.counts["skipped"], count(.none))
    equal(counter.attributes["testsuites"]?["failures"], String(count(.fail)))
    equal(counter.attributes["error"]?["type"], "inconclusive")
  }

  @Test("junit.xml is well-formed for a reader of another make")
  func junitByPython() throws {
    let path = NSTemporaryDirectory() + "babbench-junit-\(getpid()).xml"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try FileSink.write(JUnitReport.octets([mixedScript().judge()]), to: path)
    expect(!FileManager.default.fileExists(atPath: path + ".partial"))
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else {
      return print("junit.xml by python3: not checked, there is no /usr/bin/python3")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    let script = """
      import sys, xml.etree.ElementTree as E
      root = E.parse(sys.argv[1]).getroot()
      assert root.tag == 'testsuites'
      for suite in root:
        assert suite.tag == 'testsuite'
        cases = suite.findall('testcase')
        assert int(suite.get('tests')) == len(cases) > 10
        assert int(suite.get('failures')) == len([c for c in cases if c.find('failure') is not None]) == 2
        assert all(c.get('name') and c.get('classname') for c in cases)
        assert all(len(list(c)) <= 1 for c in cases)
      """
    process.arguments = ["-c", script, path]
    try process.run()
    process.waitUntilExit()
    equal(process.terminationStatus, 0)
  }

  @Test("Tables show peers and verdicts, and no control character of a packet reaches the terminal")
  func tables() {
    let judgement = mixedScript().judge()
    let text = ConsoleTable.peers(judgement) + ConsoleTable.verdicts(judgement)
    expect(text.contains("FragmentsFitATTMTU"))
    expect(text.contains("nothing to judge: "))
    expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    expect(ConsoleTable.verdicts(judgement, isColoured: true).contains("\u{1B}[31mfail\u{1B}[0m"))
  }

  @Test("A file is there only once it is whole")
  func atomicFile() throws {
    let path = NSTemporaryDirectory() + "babbench-sink-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var sink: FileSink? = try FileSink(path: path)
    sink?.write([1, 2])
    expect(!FileManager.default.fileExists(atPath: path))
    sink = nil
    expect(!FileManager.default.fileExists(atPath: path + ".partial"))
    try FileSink.write([1, 2, 3], to: path)
    equal(FileManager.default.contents(atPath: path), Data([1, 2, 3]))
    #expect(throws: FileSink.Failure.self) { try FileSink(path: "/nonexistent/folder/file") }
  }
}

private final class ElementCounter: NSObject, XMLParserDelegate {
  var counts: [String: Int] = [:]
  var attributes: [String: [String: String]] = [:]

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    counts[name, default: 0] += 1
    if self.attributes[name] == nil { self.attributes[name] = attributes }
  }
}

extension Array {
  fileprivate func striding(by step: Int) -> [Element] { stride(from: 0, to: count, by: step).map { self[$0] } }
}
