import Expectations
import Foundation
import Testing

@testable import Commands

/// What `--out` of a campaign has for people, CI servers and programs.
@Suite("Reports of babbench fuzz", .shippedEdition)
struct FuzzReportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(FuzzRunTests.twoPeers, to: "two.yaml")
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
  }

  private func json(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
    return try required(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func fuzz(_ out: String, _ more: [String]) throws -> Executable.Result {
    let words = ["--when", "client in lobby", "--from", "client", "--out", folder.path + "/" + out] + more
    return try Executable.run(["fuzz", "run", folder.path + "/two.yaml"] + words)
  }

  @Test("Causes are on top of the page, fail in JUnit, and are in the JSON with the line that repeats them")
  func findings() throws {
    let engine = ["--set", "devices.host.engine=host-crashes-on-wrong-kinds"]
    let result = try fuzz("out", engine + ["--executions", "128", "--jobs", "1"])
    equal(result.status, 1, "\(result.errors)")
    let page = try text("out/index.html")
    expect(page.contains("Breakdown-BAB-7.13") && page.contains("host: the program ended"))
    expect(page.contains("<a href=\"Breakdown-BAB-7.13/finding.pcapng\">"))
    expect(page.contains("<svg class=\"plot\"") && page.contains("<dt>state<dd>client in lobby"))
    expect(!page.contains("http:") && !page.contains("https:") && !page.contains("<script"))
    let junit = try text("out/junit.xml")
    expect(junit.contains("failures=\"2\"") && junit.contains("<testcase name=\"Breakdown-BAB-7.13\""))
    let root = try json("out/result.json")
    expect(root["verdict"] as? String == "fail" && root["exitCode"] as? Int == 1)
    equal(root["executions"] as? Int, 128)
    let found = try required(root["findings"] as? [[String: Any]])
    let first = try required(found.first { $0["cause"] as? String == "Breakdown-BAB-7.13" })
    let line = try required(first["repeat"] as? String)
    expect(result.output.contains(line) && page.contains("--input"))
    equal((first["times"] as? Int).map { $0 > 1 }, true)
    expect(result.output.contains("digest \(root["digest"] as? String ?? "?")"))
  }

  @Test("Two runs differ in nothing but the clock, whatever --jobs is")
  func same() throws {
    for (out, jobs) in [("one", "1"), ("two", "2")] { _ = try fuzz(out, ["--executions", "64", "--jobs", jobs]) }
    for name in ["index.html", "junit.xml", "result.json", "state.json"] {
      let texts = try ["one", "two"].map { out in
        try text("\(out)/\(name)").split(separator: "\n").filter {
          !$0.contains("wall-clock") && !$0.contains("totalMilliseconds")
        }
      }
      equal(texts[0], texts[1], "\(name)")
    }
    try expect(text("one/junit.xml").contains("<testcase name=\"no finding\""))
    try expect(text("one/index.html").contains("<p>None.</p>"))
  }

  @Test("Decoders share the report, a row for each")
  func decoders() throws {
    let arguments = ["fuzz", "parser", "brittle", "sound", "--executions", "2000", "--out", folder.path + "/out"]
    let result = try Executable.run(arguments, program: "echobench")
    equal(result.status, 1)
    let page = try text("out/index.html")
    expect(page.contains("<td>sound<td class=\"n\">2000") && page.contains("brittle-1/input"))
    let parts = try required(try json("out/result.json")["parts"] as? [[String: Any]])
    equal(parts.map { $0["name"] as? String }, ["brittle", "sound"])
    equal(parts.map { $0["findings"] as? Int }, [1, 0])
    try expect(text("out/junit.xml").contains("tests=\"1\" failures=\"1\""))
  }
}
