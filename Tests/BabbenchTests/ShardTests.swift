import ArgumentParser
import Expectations
import Foundation
import Testing

@testable import Commands

@Suite("Shards of conform, selftest and fuzz run", .shippedEdition)
struct ShardTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(FuzzRunTests.twoPeers, to: "two.yaml")
  }

  private func conform(_ engine: String, _ select: String...) -> MergedFiles { conform(engine, select) }

  private func conform(_ engine: String, _ select: [String]) -> MergedFiles {
    MergedFiles(
      folder: folder,
      words: ["conform", "--iut", engine, "--role", "host", "--dialect", "sdk"] + select.flatMap { ["--select", $0] })
  }

  private var selftest: MergedFiles {
    // The formula of scores is nothing that advertising shows.
    let mutants = ["name-*", "service-not-advertised", "wrong-formula"]
    return MergedFiles(
      folder: folder,
      words: ["selftest", "--select", "BAB/HOST/ADV/BV-01-C", "--select", "BAB/HOST/ADV/BV-05-C"]
        + mutants.flatMap { ["--mutant", $0] })
  }

  /// A host that few packets break: some campaigns find it, and others do not.
  private func fuzz(_ count: Int, executions: Int = 60) -> MergedFiles {
    MergedFiles(
      folder: folder,
      words: [
        "fuzz", "run", folder.path + "/two.yaml", "--when", "client in lobby", "--from", "client", "--set",
        "devices.host.engine=host-crashes-on-half-packets", "--for", "200ms", "--executions", String(executions),
      ], whole: ["--shards", String(count)], own: ["shards", "state.json"])
  }

  @Test("Cases of conform merge to the files of one process, failures, help and captures included", arguments: [2, 5])
  func conform(_ count: Int) throws {
    let one = try conform("published-raw-chunks", "BAB/HOST/FRAG/BV-0?-C").compare(count)
    expect(one.status == 1 && one.output.contains("fail"), "\(one)")
    try expect(folder.files(in: "whole").contains("cases"))
  }

  @Test("A page of so many cases that passes are not drawn is the same, too")
  func manyCases() throws {
    let one = try conform("reference", "BAB/HOST/LOBBY", "BAB/HOST/TURN").compare(2)
    equal(one.status, 0, "\(one)")
  }

  @Test("More shards than cases: those without one merge")
  func empty() throws {
    let one = try conform("reference", "BAB/HOST/LOBBY/BV-01-C", "BAB/HOST/LOBBY/BV-02-C").compare(5)
    expect(one.status == 0 && one.output.contains("2 cases: 2 pass"), "\(one)")
    let part = try Executable.run(
      conform("reference", "BAB/HOST/LOBBY/BV-01-C").words + ["--shard", "5/5", "--dryrun"])
    expect(part.output.contains("0 cases"), "\(part)")
  }

  @Test("A program under test merges; another description of it is another run")
  func program() throws {
    try folder.write(ConformWords.description("published-raw-chunks"), to: "mine.yaml")
    let files = MergedFiles(
      folder: folder,
      words: [
        "conform", "--iut", folder.path + "/mine.yaml", "--select", "BAB/HOST/GATT/BV-05-C", "--select",
        "BAB/HOST/LOBBY/BV-02-C",
      ])
    let one = try files.compare(2)
    equal(one.status, 1, "\(one)")
    let first = try files.parts(2)[0]
    try folder.write(ConformWords.description("reference"), to: "mine.yaml")
    let said = try files.merge([first, try files.parts(2, "new")[1]], to: folder.path + "/no")
    expect(said.status == 64 && said.errors.contains("mine.yaml is not the same"), "\(said)")
  }

  @Test("Pieces of selftest merge to the files of one process", arguments: [([], 2), ([], 5), (["--matrix"], 2)])
  func selftest(_ more: [String], _ count: Int) throws {
    let files = selftest
    let one = try MergedFiles(folder: folder, words: files.words + more).compare(count)
    expect(one.status == 1 && one.output.contains("fails no mutant"), "\(one)")
    try expect(folder.read("whole/result.json").contains("\"fails\""))
  }

  @Test("Campaigns of fuzz run merge to the files of one process, findings joined by cause", arguments: [2, 5])
  func fuzz(_ count: Int) throws {
    let one = try fuzz(count).compare(count)
    expect(one.status == 1 && one.output.contains("60 executions"), "\(one)")
    expect(one.output.contains("finding Breakdown-BAB-7.13"), "\(one)")
    let cause = try required(try folder.files(in: "whole").first { $0.hasPrefix("Breakdown") })
    let times = try (1...count).map { try self.times(of: cause, in: "part-\($0)/result.json") }
    try expect(self.times(of: cause, in: "whole/result.json") == times.reduce(0, +) && times.contains { $0 > 0 })
    let text = try folder.read("whole/\(cause)/finding.txt")
    let seed = try required(text.firstMatch(of: #/--seed (\d+) [^\n]*--input [^\n]*\n$/#)).1
    let file = "\(folder.path)/whole/\(cause)/input.json"
    let again = try Executable.run(fuzz(count).words.dropLast(2) + ["--seed", String(seed), "--input", file])
    expect(again.status == 1 && again.output.contains("finding \(cause)"), "\(again)")
  }

  private func times(of cause: String, in file: String) throws -> Int {
    struct Result: Decodable {
      struct Finding: Decodable {
        var cause: String
        var times: Int
      }
      var findings: [Finding]
    }
    let result = try JSONDecoder().decode(Result.self, from: Data(try folder.read(file).utf8))
    return result.findings.first { $0.cause == cause }?.times ?? 0
  }

  @Test("A campaign of several is that of its seed alone; the first has the seed that was given")
  func alone() throws {
    let files = fuzz(2, executions: 65)
    _ = try files.parts(2)
    for (number, executions) in [(1, 33), (2, 32)] {
      let part = try folder.read("part-\(number)/shard.json")
      let seed = try required(part.firstMatch(of: #/"seeds":"(\d+), from 1"/#)).1
      equal((seed == "1"), (number == 1))
      let alone = try Executable.run(
        files.words.dropLast(2) + ["--seed", String(seed), "--executions", "\(executions)"])
      let digest = try required(alone.output.firstMatch(of: #/digest (\w+)/#)).1
      try expect(folder.read("part-\(number)/result.json").contains("\"digest\": \"\(digest)\""))
    }
  }

  @Test("Shards that are no run have one line, exit code 64, and nothing is written")
  func refusals() throws {
    let files = conform("published-raw-chunks", (1...3).map { "BAB/HOST/FRAG/BV-0\($0)-C" })
    let parts = try files.parts(3)
    func refuses(_ parts: [String], _ words: String) throws {
      let out = folder.path + "/no"
      let said = try files.merge(parts, to: out)
      expect(said.status == 64 && said.errors.contains(words) && said.output.isEmpty, "\(said)")
      equal(said.errors.split(separator: "\n").count, 1)
      expect(!FileManager.default.fileExists(atPath: out))
    }
    try refuses([parts[2], parts[0]], "shard 2/3 is missing")
    try refuses(parts + [parts[1]], "shard 2/3 is there twice")
    try refuses([parts[0], parts[1], folder.path + "/nobody"], "the file cannot be read")
    let other = try conform("published-raw-chunks", "BAB/HOST/LOBBY/BV-01-C").parts(3, "other")
    try refuses([parts[0], parts[1], other[2]], "--select BAB/HOST/LOBBY/BV-01-C, not babbench conform")
    let halves = try files.parts(2, "half")
    try refuses([parts[0], halves[1]], "shard 2/2, and the other one is 1/3")
    let kind = try selftest.parts(3, "kind")
    try refuses([parts[0], parts[1], kind[2]], "babbench selftest, not babbench conform")
    let own = try files.merge(parts, to: parts[0])
    expect(own.status == 64 && own.errors.contains("--out is the folder of a shard"), "\(own)")

    let note = try folder.read("part-3/shard.json")
    func with(_ text: String, _ words: String) throws {
      try folder.write(text, to: "part-3/shard.json")
      try refuses(parts, words)
    }
    try with(note.replacing("\"babbench\":\"", with: "\"babbench\":\"9"), "of babbench 9")
    try with(note.replacing("\"version\":1", with: "\"version\":2"), "another version of babbench")
    try with(
      note.replacing("\"isWhole\":true", with: "\"isWhole\":false").replacing("\"missing\":0", with: "\"missing\":1"),
      "shard 3/3 is not whole, 1 of 1 cases missing; run it again")
    try with("{", "this is no shard of babbench")
    try folder.write(note, to: "part-3/shard.json")
    let part = try folder.read("part-3/part.json")
    try folder.write(String(part.dropLast(40)), to: "part-3/part.json")
    try refuses(parts, "part-3/part.json: the file has changed since the shard ended; run the shard again")
    try folder.write(part, to: "part-3/part.json")
    try FileManager.default.removeItem(atPath: folder.path + "/part-3/cases")
    try refuses(parts, "the file is missing or damaged")
  }

  @Test("A shard that was broken off says so, and a whole run in its folder is no shard")
  func brokenOff() throws {
    let files = conform("reference", "BAB/HOST/**")
    let talk = try Executable.start(files.words + ["--jobs", "1", "--shard", "1/1", "--out", folder.path + "/part-1"])
    while !FileManager.default.fileExists(atPath: folder.path + "/part-1/shard.json") { usleep(10_000) }
    kill(talk.process.processIdentifier, SIGKILL)
    talk.process.waitUntilExit()
    let said = try files.merge([folder.path + "/part-1"])
    expect(said.status == 64 && said.errors.contains("shard 1/1 is not whole"), "\(said)")
    let whole = conform("reference", "BAB/HOST/LOBBY/BV-01-C")
    _ = try Executable.run(whole.words + ["--out", folder.path + "/part-1"])
    let other = try whole.merge([folder.path + "/part-1"])
    expect(other.status == 64 && other.errors.contains("shard.json: the file cannot be read"), "\(other)")
  }

  @Test(
    "Options that look at the whole go without shards",
    arguments: [
      ["conform", "--iut", "reference", "--shard", "1/2"],
      ["conform", "--iut", "reference", "--shard", "1/2", "--out", "x", "--fail-fast"],
      ["conform", "--iut", "reference", "--shard", "1/2", "--out", "x", "--baseline", "y"],
      ["conform", "--iut", "reference", "--shard", "3/2", "--out", "x"],
      ["selftest", "--shard", "1/2"], ["selftest", "--shard", "1/2", "--out", "x", "--write", "y"],
      ["fuzz", "run", "pair", "--when", "a", "--from", "b", "--shard", "1/2"],
      ["fuzz", "run", "pair", "--when", "a", "--from", "b", "--shards", "2"],
      ["fuzz", "run", "pair", "--when", "a", "--from", "b", "--shards", "0", "--out", "x"],
      ["fuzz", "run", "pair", "--when", "a", "--from", "b", "--shards", "2", "--out", "x", "--shard", "1/2"],
      ["fuzz", "run", "pair", "--when", "a", "--from", "b", "--shards", "2", "--out", "x", "--time", "1s"],
      ["fuzz", "run", "pair", "--when", "a", "--from", "b", "--shards", "2", "--out", "x", "--corpus", "c"],
      ["fuzz", "run", "pair", "--when", "a", "--from", "b", "--shards", "2", "--out", "x", "--input", "i"],
    ])
  func wrongOptions(_ words: [String]) {
    #expect { try Babbench.parseAsRoot(words) } throws: { "\(Babbench.message(for: $0))".contains("--shard") }
  }
}
