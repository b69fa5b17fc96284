import ArgumentParser
import Expectations
import Foundation
import Testing

@testable import Commands

/// What CI servers need of `babbench conform`: a baseline that decides, cases that failed last, pages and annotations.
@Suite("babbench conform in a pipeline", .shippedEdition)
struct ConformPipelineTests {
  private static let cases = ConformWords.select("BV-01-C", "BV-02-C", "BV-06-C")
  private static let mutant = ["--iut", "lobby-update-forgotten", "--dialect", "sdk"] + cases

  private func baseline(of words: [String], in folder: TemporaryFolder, _ name: String) throws -> String {
    _ = try ConformTalk.run(words + ["--out", folder.path + "/" + name])
    return folder.path + "/\(name)/result.json"
  }

  /// The result of the reference, under the name of the mutant.
  private func green(_ folder: TemporaryFolder) throws -> String {
    let path = try baseline(of: ConformWords.referenceHost + Self.cases, in: folder, "green")
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("\"implementation\": \"reference\"", with: "\"implementation\": \"lobby-update-forgotten\"")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("An engine against its own baseline exits 0, though it fails, and JUnit shows nothing red")
  func own() throws {
    let folder = try TemporaryFolder()
    let path = try baseline(of: Self.mutant, in: folder, "first")
    try equal(ConformTalk.run(Self.mutant + ["--baseline", path]).status, 1)
    let talk = try ConformTalk.run(
      Self.mutant + ["--baseline", path, "--fail-on", "regressions", "--out", folder.path + "/second"])
    equal(talk.status, 0)
    expect(talk.lines.contains("regressions alone: pass") && talk.lines.contains("verdict fail"))
    let junit = try folder.read("second/junit.xml")
    expect(!junit.contains("<failure") && !junit.contains("<error") && junit.contains("no better in the baseline"))
    let result = try ConformFolder.object(folder.read("second/result.json"))
    expect(result["exitCode"] as? Int == 0 && result["verdict"] as? String == "fail")
  }

  @Test("What passed in the baseline and fails now exits 1; a repair exits 0")
  func regression() throws {
    let folder = try TemporaryFolder()
    let worse = try ConformTalk.run(Self.mutant + ["--baseline", try green(folder), "--fail-on", "regressions"])
    expect(worse.status == 1 && worse.lines.contains("regressions alone: fail"))
    let red = try baseline(of: Self.mutant, in: folder, "red")
    let text = try String(contentsOfFile: red, encoding: .utf8)
      .replacing("\"implementation\": \"lobby-update-forgotten\"", with: "\"implementation\": \"reference\"")
    try text.write(toFile: red, atomically: true, encoding: .utf8)
    let better = try ConformTalk.run(
      ConformWords.referenceHost + Self.cases + ["--baseline", red, "--fail-on", "regressions"])
    equal(better.status, 0)
  }

  @Test("Cases of the baseline that were not run leave it open")
  func vanished() throws {
    let folder = try TemporaryFolder()
    let path = try baseline(of: Self.mutant, in: folder, "whole")
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("\"purpose\": \"BAB/HOST/LOBBY/BV-02-C\"", with: "\"purpose\": \"BAB/HOST/LOBBY/BV-02-X\"")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let words = ["--iut", "lobby-update-forgotten", "--dialect", "sdk", "--select", "BAB/HOST/LOBBY/BV-0*"]
    try equal(ConformTalk.run(words + ["--baseline", path, "--fail-on", "regressions"]).status, 2)
  }

  @Test("--last-failed runs what did not pass, and everything where all passed")
  func lastFailed() throws {
    let folder = try TemporaryFolder()
    let red = try baseline(of: Self.mutant, in: folder, "red")
    let talk = try ConformTalk.run(Self.mutant + ["--last-failed", red])
    expect(talk.lines.contains("2 cases: 2 fail"), "\(talk.output)")
    equal(talk.lines.last?.hasSuffix("--last-failed \(red)"), true)
    let all = try ConformTalk.run(Self.mutant + ["--last-failed", try green(folder)])
    expect(all.lines.contains("3 cases: 1 pass, 2 fail"), "\(all.output)")
  }

  @Test("The page, the annotations and GitLab's report name the causes and what repeats them")
  func reports() throws {
    let folder = try TemporaryFolder()
    try folder.write(ConformWords.description("lobby-update-forgotten"), to: "iut.yaml")
    try folder.write("before\n", to: "summary.md")
    let talk = try ConformTalk.run(
      ["--iut", folder.path + "/iut.yaml"] + Self.cases + [
        "--summary", folder.path + "/summary.md", "--annotations", "github", "--code-quality",
        folder.path + "/quality.json",
      ])
    equal(talk.status, 1)
    let page = try folder.read("summary.md")
    expect(page.hasPrefix("before\n## ❌ babbench conform mine: fail\n"))
    expect(page.contains("1 pass, 2 fail") && page.contains("| what to fix first | how much |"))
    expect(page.contains("babbench conform --iut \(folder.path)/iut.yaml"))
    let lines = talk.lines.filter { $0.hasPrefix("::error file=\(folder.path)/iut.yaml,line=1,title=") }
    expect(!lines.isEmpty && lines.allSatisfy { $0.contains("%0Arepeat: babbench conform") })
    let issues = try JSONSerialization.jsonObject(with: Data(folder.read("quality.json").utf8)) as? [[String: Any]]
    equal(issues?.count, lines.count)
    equal(
      issues?.allSatisfy { ($0["fingerprint"] as? String)?.count == 32 && $0["severity"] as? String == "major" }, true
    )
  }

  @Test("Text of others stays text in a page and in an annotation")
  func hostile() {
    let text = "a | b\n::error::c <b> `d` %0A"
    let report = PipelineReport(
      title: text, verdict: "fail", isGreen: false, facts: [text],
      problems: [PipelineReport.Problem(title: text, extent: text, details: [text], repeatLine: "x ``` y")],
      remarks: [text], repeatLine: "z")
    let page = MarkdownSummary(report: report).text
    expect(!page.contains("<b>") && !page.contains("a | b") && page.contains("~~~~sh\nx ``` y\n~~~~"))
    expect(report.annotations.count == 1 && !report.annotations[0].contains("\n"))
    expect(report.annotations[0].contains("%250A"))
  }

  @Test(
    "What goes together and what does not",
    arguments: [
      (["--fail-on", "regressions"], "needs --baseline"),
      (["--baseline", "x", "--last-failed", "y"], "give one of them"),
      (["--shard", "1/2", "--out", "x", "--summary", "y"], "give them to babbench merge"),
    ])
  func refused(words: [String], message: String) {
    let error = #expect(throws: (any Error).self) { try ConformCommand.parse(Self.mutant + words) }
    equal(error.map { ConformCommand.message(for: $0).contains(message) }, true)
  }
}

/// `babbench watch`: what it looks at.
@Suite("babbench watch")
struct WatchTests {
  @Test("A change in the folder of a description is seen, and what the command writes is not")
  func state() throws {
    let folder = try TemporaryFolder()
    try folder.write("role: host\n", to: "iut.yaml")
    try folder.write("one", to: "program.py")
    let watched = WatchedFiles(
      command: ["conform", "--iut", folder.path + "/iut.yaml", "--out", folder.path + "/out"], on: [])
    let before = watched.state(limit: 100, skipping: [])
    equal(before.count, 2)
    try FileManager.default.createDirectory(atPath: folder.path + "/out", withIntermediateDirectories: true)
    try folder.write("result", to: "out/result.json")
    equal(watched.state(limit: 100, skipping: []), before)
    try folder.write("three", to: "program.py")
    expect(watched.state(limit: 100, skipping: []) != before)
    equal(watched.state(limit: 1, skipping: []).count, 1)
  }

  @Test("A command that names no file needs --on")
  func nothing() {
    expect(WatchedFiles(command: ["run", "eight-peer-lobby"], on: []).roots.isEmpty)
    #expect(throws: (any Error).self) { try WatchCommand.parse(["--"]) }
    #expect(throws: (any Error).self) { try WatchCommand.parse(["--times", "0", "--", "run", "x"]) }
    #expect(throws: (any Error).self) { try WatchCommand.parse(["--", "watch"]) }
  }
}
