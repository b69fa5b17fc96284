import AppSeam
import BabSim
import Conformance
import Expectations
import Foundation
import Testing

@testable import Commands

/// The folder that `--out` names.
enum ConformFolder {
  /// The reports are there, nothing else is, and each can be read to its end.
  static func isWhole(_ folder: TemporaryFolder, _ name: String, cases: Bool) throws {
    let files =
      [".babbench-files"] + (cases ? ["cases"] : []) + ["events.jsonl", "junit.xml", "report.html", "result.json"]
    try equal(folder.files(in: name), files)
    let result = try object(folder.read(name + "/result.json"))
    expect((result["wallTimes"] as? [String: Any]) != nil)
    let events = try folder.read(name + "/events.jsonl")
    expect(events.hasSuffix("\n"))
    let kinds = try events.split(separator: "\n").map { try object(String($0))["kind"] as? String }
    equal(kinds.first, "runStarted")
    equal(kinds.last, "runEnded")
    equal(kinds.count { $0 == "caseStarted" }, (result["cases"] as? [Any])?.count)
    equal(kinds.count { $0 == "caseEnded" }, (result["cases"] as? [Any])?.count)
    try expect(trimmed(folder, name + "/report.html").hasSuffix("</html>"))
    let junit = try trimmed(folder, name + "/junit.xml")
    expect(junit.hasPrefix("<?xml") && junit.hasSuffix("</testsuites>"))
  }

  static func object(_ text: String) throws -> [String: Any] {
    try required(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private static func trimmed(_ folder: TemporaryFolder, _ name: String) throws -> String {
    try folder.read(name).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Everything of a `result.json` but the wall clock, which is its last member.
  static func timeless(_ folder: TemporaryFolder, _ name: String) throws -> String {
    let parts = try folder.read(name + "/result.json").components(separatedBy: "\n  \"wallTimes\": ")
    try require(parts.count == 2)
    return parts[0]
  }

  /// Every file below a folder by its path, with its octets.
  static func tree(_ path: String) throws -> [String: Data] {
    var tree: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
      if !isFolder.boolValue { tree[name] = FileManager.default.contents(atPath: path + "/" + name) }
    }
    return tree
  }
}

@Suite("babbench conform: the files of --out", .shippedEdition)
struct ConformFilesTests {
  private typealias Words = ConformWords

  private let mutant =
    ["--iut", "lobby-update-forgotten", "--dialect", "sdk"] + ConformWords.select("BV-01-C", "BV-02-C", "BV-06-C")

  @Test("Reports for people and programs, and trace and capture of every case that did not pass")
  func files() throws {
    let folder = try TemporaryFolder()
    let talk = try ConformTalk.run(mutant + ["--out", folder.path + "/deep/out"])
    equal(talk.status, 1)
    try ConformFolder.isWhole(folder, "deep/out", cases: true)
    let names = ["BV-01-C", "BV-06-C"].map { "BAB-HOST-LOBBY-\($0)-sdk-1-lobby-update-forgotten" }
    try equal(folder.files(in: "deep/out/cases"), names)
    for name in names {
      let path = "deep/out/cases/" + name
      try equal(folder.files(in: path), ["air.pcapng", "timeline.html", "trace.jsonl"])
      let capture = try required(FileManager.default.contents(atPath: "\(folder.path)/\(path)/air.pcapng"))
      equal(Array(capture.prefix(4)), [0x0A, 0x0D, 0x0D, 0x0A])
      // Byte-order magic of the section header, in this machine's or the other order.
      expect([[0x4D, 0x3C, 0x2B, 0x1A], [0x1A, 0x2B, 0x3C, 0x4D]].contains(Array(capture[8..<12])))
      expect(capture.count > 1_000 && capture.count % 4 == 0)
      for line in try folder.read(path + "/trace.jsonl").split(separator: "\n") {
        _ = try ConformFolder.object(String(line))
      }
      expect(talk.lines.contains("  file        \(folder.path)/\(path)/air.pcapng"))
    }
    let result = try ConformFolder.object(folder.read("deep/out/result.json"))
    equal(result["verdict"] as? String, "fail")
    equal(result["exitCode"] as? Int, 1)
    let cases = try required(result["cases"] as? [[String: Any]])
    equal(cases.map { $0["assessment"] as? String }, ["fail", "pass", "fail"])
    let page = try folder.read("deep/out/report.html")
    for name in names { expect(page.contains("cases/\(name)/air.pcapng")) }
    expect(!page.contains("{{"))
    let junit = try folder.read("deep/out/junit.xml")
    equal(junit.components(separatedBy: "<failure ").count, 3)
    equal(junit.components(separatedBy: "<testcase ").count, 4)
  }

  @Test("Implementations whose names look the same in a path have folders of their own")
  func alikeNames() throws {
    let folder = try TemporaryFolder()
    let names = ["mine (2)", "mine", "mine", "mine «2»"]
    for (number, name) in names.enumerated() {
      let text = Words.description("lobby-update-forgotten").replacing("name: mine", with: "name: \(name)")
      try folder.write(text, to: "\(number).yaml")
    }
    let talk = try ConformTalk.run(
      names.indices.flatMap { ["--iut", "\(folder.path)/\($0).yaml"] } + Words.select("BV-01-C")
        + ["--out", folder.path + "/out", "--jobs", "2"])
    equal(talk.status, 1)
    let result = try ConformFolder.object(folder.read("out/result.json"))
    let cases = try required(result["cases"] as? [[String: Any]])
    equal(cases.map { $0["implementation"] as? String }, ["mine (2)", "mine", "mine (3)", "mine «2»"])
    try equal(folder.files(in: "out/cases").count, 4)
    try equal(ConformFolder.tree(folder.path + "/out/cases").count, 12)
  }

  @Test("A run that passes has no folder of cases")
  func passing() throws {
    let folder = try TemporaryFolder()
    let talk = try ConformTalk.run(
      Words.referenceHost + Words.select("BV-01-C", "BV-02-C") + ["--out", folder.path + "/out"])
    equal(talk.status, 0)
    try ConformFolder.isWhole(folder, "out", cases: false)
  }

  @Test("Two runs write the same result.json up to wallTimes and the same files of cases, side by side too")
  func deterministic() throws {
    let folder = try TemporaryFolder()
    for (name, more) in [("a", ["--jobs", "1"]), ("b", ["--jobs", "1"]), ("c", ["--jobs", "2"])] {
      try equal(ConformTalk.run(mutant + more + ["--out", folder.path + "/" + name]).status, 1)
    }
    let first = try ConformFolder.timeless(folder, "a")
    expect(first.contains("\"digest\""))
    for name in ["b", "c"] {
      try equal(ConformFolder.timeless(folder, name), first)
      func junit(_ name: String) throws -> Data { JUnitTimes.without(Data(try folder.read(name + "/junit.xml").utf8)) }
      try equal(junit(name), junit("a"))
      try equal(folder.read(name + "/.babbench-files"), folder.read("a/.babbench-files"))
      let (cases, others) = (
        try ConformFolder.tree(folder.path + "/a/cases"), try ConformFolder.tree(folder.path + "/\(name)/cases")
      )
      equal(cases.count, 6)
      equal(cases, others)
    }
    // Another seed is another run.
    try equal(ConformTalk.run(mutant + ["--seed", "5", "--out", folder.path + "/d"]).status, 1)
    try expect(ConformFolder.timeless(folder, "d") != first)
  }

  @Test("Cases of an earlier run are gone from the folder, and what babbench did not make is still there")
  func stale() throws {
    let folder = try TemporaryFolder()
    let out = ["--out", folder.path + "/out"]
    try equal(ConformTalk.run(mutant + out).status, 1)
    let names = try folder.files(in: "out/cases")
    equal(names.count, 2)
    try folder.write("mine", to: "out/cases/\(names[0])/notes.txt")
    try folder.write("mine", to: "out/cases/other/trace.jsonl")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/out/link", withDestinationPath: folder.path + "/out/cases/other")
    let list = try folder.read("out/.babbench-files")
    equal(list.split(separator: "\n").count, 10)
    try folder.write(list + "../mine.txt\n/etc/none\nlink/trace.jsonl\n", to: "out/.babbench-files")
    try folder.write("mine", to: "mine.txt")
    try equal(ConformTalk.run(Words.referenceHost + Words.select("BV-01-C") + out).status, 0)
    try equal(folder.files(in: "out/cases"), [names[0], "other"])
    try equal(folder.files(in: "out/cases/" + names[0]), ["notes.txt"])
    try equal(folder.files(in: "out/cases/other"), ["trace.jsonl"])
    try equal(folder.read("mine.txt"), "mine")
    try equal(folder.read("out/.babbench-files"), "events.jsonl\njunit.xml\nreport.html\nresult.json\n")
  }

  @Test("junit.xml has a time for each case that was run, and what was not begun is skipped")
  func junitOfAPart() throws {
    let folder = try TemporaryFolder()
    let words = mutant + ["--fail-fast", "--jobs", "1", "--out", folder.path + "/out"]
    try equal(ConformTalk.run(words).status, 1)
    let lines = try folder.read("out/junit.xml").split(separator: "\n").map { $0.drop { $0 == " " } }
    var cases = lines.filter { $0.hasPrefix("<testcase ") }
    equal(cases.count, 4)
    equal(cases.first, #"<testcase name="all cases" classname="babbench conform">"#)
    expect(lines.contains { $0.hasPrefix(#"<error message="2 of 3 cases were not begun""#) })
    cases.removeFirst()
    expect(cases[0].contains(#/ time="[0-9]+\.[0-9]{3}"/#))
    expect(cases.dropFirst().allSatisfy { !$0.contains(" time=") })
    equal(lines.count { $0 == #"<skipped message="not begun: the run ended before it"/>"# }, 2)
    expect(cases.allSatisfy { $0.contains(#"classname="lobby-update-forgotten.sdk.LOBBY""#) })
  }

  @Test("A run in which nothing was selected still says so in its files")
  func nothing() throws {
    let folder = try TemporaryFolder()
    let talk = try ConformTalk.run(
      ["--iut", "reference", "--role", "client", "--select", "BAB/HOST/LOBBY", "--out", folder.path + "/out"])
    equal(talk.status, 2)
    let result = try ConformFolder.object(folder.read("out/result.json"))
    equal(result["exitCode"] as? Int, 2)
    equal((result["cases"] as? [Any])?.isEmpty, true)
    try expect(folder.read("out/junit.xml").contains(#"<error message="nothing was judged""#))
  }
}
