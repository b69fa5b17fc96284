import AppSeam
import ArgumentParser
import BabSim
import Bench
@testable import Campaigns
import Conformance
import Expectations
import Foundation
import Testing
import VirtualRadio

@testable import Commands

@Suite("babbench stress and merge", .shippedEdition)
struct StressCommandTests {
  static let twoPeers = FuzzRunTests.twoPeers

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.twoPeers, to: "two.yaml")
  }

  struct Said {
    var code: Int32
    var told: String
    var bad: String
  }

  private func stress(_ arguments: [String], on bench: Bench = .real) throws -> Said {
    var told: [String] = []
    var bad: [String] = []
    let streams = OutputStreams(tell: { told.append($0) }, complain: { bad.append($0) })
    let command = try StressCommand.parse([folder.path + "/two.yaml"] + arguments)
    let code = command.execute(on: bench, for: streams)
    return Said(code: code, told: told.joined(separator: "\n"), bad: bad.joined(separator: "\n"))
  }

  private func merge(_ arguments: [String]) throws -> Said {
    var told: [String] = []
    var bad: [String] = []
    let streams = OutputStreams(tell: { told.append($0) }, complain: { bad.append($0) })
    let code = try MergeCommand.parse(arguments).execute(for: streams)
    return Said(code: code, told: told.joined(separator: "\n"), bad: bad.joined(separator: "\n"))
  }

  private func out(_ name: String) -> [String] { ["--out", folder.path + "/" + name] }

  /// A file without what depends on a clock, and without the links to folders that a merge does not make.
  private func file(_ name: String) throws -> String {
    try folder.read(name).replacing(#/"wallMilliseconds":\d+/#, with: "")
  }

  private static let grid = ["--seeds", "3..8", "--vary", "radio.packet-loss=0%,30%", "--claim", "p99 turn < 60ms"]

  @Test("Threads change nothing")
  func jobs() throws {
    let one = try stress(Self.grid + ["--jobs", "1"] + out("one"))
    let three = try stress(Self.grid + ["--jobs", "3"] + out("three"))
    expect(one.code == 1 && one.told == three.told, "\(one)")
    for name in ["result.json", "worlds.csv", "measures.csv", "junit.xml"] {
      try equal(file("one/" + name), file("three/" + name), "\(name)")
    }
    expect(one.told.contains("claim p99 turn < 60ms with radio.packet-loss=30%: fail, holds in"))
    expect(one.told.contains("claim pass with radio.packet-loss=0%: pass, holds in 6 of 6 worlds"))
  }

  @Test("Shards in any order merge to the files of one process", arguments: [1, 2, 5])
  func shards(_ count: Int) throws {
    let whole = try stress(Self.grid + out("whole"))
    var parts: [String] = []
    for number in (1...count).reversed() {
      parts.append(folder.path + "/part-\(number)")
      _ = try stress(Self.grid + ["--shard", "\(number)/\(count)"] + out("part-\(number)"))
    }
    let merged = try merge(parts + out("merged"))
    expect(merged.code == whole.code && merged.told == whole.told, "\(merged)")
    for name in ["result.json", "worlds.csv", "measures.csv", "junit.xml"] {
      try equal(file("merged/" + name), file("whole/" + name), "\(name)")
    }
  }

  @Test("Shards that are no campaign have one line, and nothing is written")
  func wrongShards() throws {
    for number in 1...3 { _ = try stress(Self.grid + ["--shard", "\(number)/3"] + out("\(number)")) }
    _ = try stress(["--seeds", "3..9", "--shard", "3/3"] + out("other"))
    _ = try stress(Self.grid + ["--shard", "3/3", "--budget", "1ms"] + out("short"))
    func refuses(_ parts: [String], _ words: String) throws {
      let said = try merge(parts.map { folder.path + "/" + $0 } + out("merged"))
      expect(said.code == 64 && said.bad.contains(words), "\(said)")
      expect(!said.bad.contains("\n") && said.told.isEmpty)
      expect(!FileManager.default.fileExists(atPath: folder.path + "/merged"))
    }
    try refuses(["1", "2"], "shard 3/3 is missing")
    try refuses(["1", "2", "3", "2"], "shard 2/3 is there twice")
    try refuses(["1", "2", "other"], "another run than")
    try refuses(["1", "2", "nobody"], "the file cannot be read")
    try refuses(["1", "2", "short"], "worlds missing; the same command with --resume goes on")
    let result = try folder.read("3/result.json")
    try folder.write(result.replacing("\"babbench\":\"", with: "\"babbench\":\"9"), to: "3/result.json")
    try refuses(["1", "2", "3"], "3/result.json: the file has changed since the shard ended; run the shard again")
    try folder.write(String(result.dropLast(40)), to: "3/result.json")
    try refuses(["1", "2", "3"], "3/result.json: the file has changed since the shard ended")
    try folder.write(result, to: "3/result.json")
    let rows = try folder.read("3/worlds.csv")
    try folder.write(rows.replacing(",pass,", with: ",fail,"), to: "3/worlds.csv")
    try refuses(["1", "2", "3"], "3/worlds.csv: the file has changed since the shard ended")
  }

  @Test("Killed at any moment, it goes on and comes to the same files", arguments: Part.of([1, 2], 2))
  func killed(_ round: Int) throws {
    let words = [
      "stress", folder.path + "/two.yaml", "--seeds", "1..300", "--claim", "p99 turn < 50ms in 50% of worlds",
    ]
    let whole = try Executable.run(words + out("whole"))
    var more = words + out("parts")
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3 {
      let talk = try Executable.start(more)
      Thread.sleep(forTimeInterval: Double.random(in: 0.1...1.5, using: &random))
      kill(talk.process.processIdentifier, SIGKILL)
      talk.process.waitUntilExit()
      if !more.contains("--resume") { more.append("--resume") }
    }
    let last = try Executable.run(more)
    expect(last.status == whole.status && last.output == whole.output, "\(last.errors)")
    for name in ["result.json", "worlds.csv", "measures.csv"] {
      try equal(file("parts/" + name), file("whole/" + name), "\(name)")
    }
  }

  @Test("A campaign that was ended is inconclusive, says what is missing, and goes on")
  func budget() throws {
    var fake = FakeWorld()
    fake.extraStep = { seed, _ in
      if seed == 50 { Thread.sleep(forTimeInterval: 0.5) }
      return nil
    }
    let arguments = ["--seeds", "1..4000", "--jobs", "1"]
    let short = try stress(arguments + ["--budget", "300ms"] + out("parts"), on: fake.bench)
    expect(short.code == 2 && short.told.contains("of 4000 worlds are missing"), "\(short)")
    expect(short.told.contains("verdict inconclusive"))
    // The rows so far, whole; what is missing, the result says.
    try equal(file("parts/worlds.csv").last, "\n")
    expect(!FileManager.default.fileExists(atPath: folder.path + "/parts/worlds.csv.partial"))
    let rest = try stress(arguments + ["--resume"] + out("parts"), on: fake.bench)
    let whole = try stress(arguments + out("whole"), on: fake.bench)
    expect(rest.told == whole.told && rest.code == 0, "\(rest)")
    try equal(file("parts/worlds.csv"), file("whole/worlds.csv"))
    try folder.write(Self.twoPeers + "\n", to: "two.yaml")
    let changed = try stress(arguments + ["--resume"] + out("parts"), on: fake.bench)
    expect(changed.code == 64 && changed.bad.contains("the scenario has changed since then"), "\(changed)")
  }

  @Test("A campaign does not go on with another program than it began with, and names the file")
  func changedProgram() throws {
    let fake = FakeWorld().bench
    let path = folder.path
    let bench = Bench(
      load: { file, settings in
        var device = Device(name: "host", group: "host", role: .host, phone: .ideal)
        device.program = ScenarioProgram(
          words: ["./my-host"],
          launch: ProgramLaunch(command: [path + "/my-host"], directory: path, environment: []))
        var scenario = try fake.load(file, settings)
        scenario.devices = [device]
        return scenario
      }, run: fake.run)
    let arguments = ["--seeds", "1..4000", "--jobs", "1"] + out("parts")
    try folder.write("#!/bin/sh\n", to: "my-host")
    try equal(stress(arguments + ["--budget", "1ms"], on: bench).code, 2)
    try folder.write("#!/bin/sh\nexit 1\n", to: "my-host")
    let changed = try stress(arguments + ["--resume"], on: bench)
    let reason = "the file ./my-host of a program has changed since then; choose another --out"
    expect(changed.code == 64 && changed.bad == "error: \(path)/two.yaml: \(reason)", "\(changed)")
    // With the program that it was, it goes on.
    try folder.write("#!/bin/sh\n", to: "my-host")
    let rest = try stress(arguments + ["--resume"], on: bench)
    equal(rest.code, 0, "\(rest)")
  }

  @Test("One cause is one line however many worlds have it, with the smallest world and its files")
  func causes() throws {
    var fake = FakeWorld()
    fake.holds = { $0 % 3 != 0 }
    fake.failure = { $0 % 10 == 7 ? BenchFailure("it broke") : nil }
    let said = try stress(["--seeds", "1..1000"] + out("out"), on: fake.bench)
    expect(said.code == 3 && said.told.contains("1000 worlds, 600 pass, 300 fail, 100 error"), "\(said)")
    equal(said.told.components(separatedBy: "× expected: all is well").count, 2)
    expect(said.told.contains("300 × expected: all is well\n  smallest, seed 3: it is not\n  babbench run "))
    expect(said.told.contains("100 × it broke"))
    try expect(folder.files(in: "out/worlds/2").contains("trace.jsonl"))
  }

  @Test("--until ends a cell when its claim is decided, and the result is the same for any number of threads")
  func until() throws {
    var fake = FakeWorld()
    fake.holds = { $0 % 20 != 0 }
    let arguments = ["--seeds", "1..5000", "--vary", "radio=ideal,living-room", "--until", "pass in 80% of worlds"]
    let one = try stress(arguments + ["--jobs", "1"], on: fake.bench)
    expect(one.code == 0 && one.told.contains("9872 worlds not needed"), "\(one)")
    try equal(stress(arguments + ["--jobs", "3"], on: fake.bench).told, one.told)
    let undecided = try stress(["--seeds", "1..300", "--until", "pass in 95% of worlds"], on: fake.bench)
    expect(undecided.code == 2 && undecided.told.contains("claim pass in 95% of worlds: inconclusive"), "\(undecided)")
    let few = try stress(["--seeds", "1..19", "--claim", "pass in 99% of worlds"], on: fake.bench)
    expect(few.code == 2 && few.told.contains("it needs at least 368 worlds"), "\(few)")
    let never = try stress(["--seeds", "1..9", "--claim", "return < 1s"], on: fake.bench)
    expect(never.code == 2 && never.told.contains("claim return < 1s: inconclusive, no world has a sample of it"))
  }

  @Test("--limit finds where a claim ceases to hold")
  func limit() throws {
    // Fails beyond 17 of 40, more often the farther.
    let bench = Bench(
      load: FakeWorld().bench.load,
      run: { scenario, options, readers in
        let level = UInt64(scenario.summary.split(separator: "=").last ?? "") ?? 0
        var fake = FakeWorld()
        fake.holds = { seed in level <= 17 || seed % 40 >= level }
        return try fake.bench.run(scenario, options, readers)
      })
    let arguments = ["--seeds", "1..2000", "--limit", "game.lines=1..40", "--until", "pass in 99% of worlds"]
    let said = try stress(arguments + out("out"), on: bench)
    equal(said.code, 0, "\(said)")
    expect(
      said.told.contains(
        "limit: “pass in 99% of worlds” holds up to game.lines=17 and fails from game.lines=18 on"), "\(said)")
    let again = try stress(arguments + ["--resume"] + out("out"), on: bench)
    equal(again.told, said.told)
    let none = try stress(["--limit", "game.lines=1..9", "--until", "pass in 80% of worlds"], on: bench)
    expect(none.told.contains("limit: none, “pass in 80% of worlds” holds at game.lines=1 and at game.lines=9"))
  }

  @Test(
    "Bad input has one line",
    arguments: [
      (["--vary", "radio.packet-los=1%"], "--vary radio.packet-los=1%: “radio” has no key"),
      (["--vary", "radio.packet-loss=1%..2%"], "--samples N"),
      (["--vary", "radio.packet-loss=1%,1%"], "there twice"),
      (["--claim", "p99 trun < 1s"], "no measure is called trun"),
      (["--limit", "radio.packet-loss=1%", "--until", "pass"], "a range"),
      (["--baseline", "nobody", "--out", "out"], "the file cannot be read"),
    ])
  func badInput(_ arguments: [String], _ words: String) throws {
    let arguments = arguments.map { $0 == "out" ? folder.path + "/out" : $0 }
    let said = try stress(arguments + ["--seeds", "1..2"])
    expect(said.code == 64 && said.bad.contains(words), "\(said)")
    expect(said.told.isEmpty && !said.bad.contains("Optional("))
  }

  @Test(
    "Wrong options are refused by the parser",
    arguments: [
      ["--seeds", "5..1"], ["--seeds", ""], ["--shard", "3/2"], ["--samples", "0", "--vary", "a=1..2"],
      ["--samples", "3"], ["--resume"], ["--shard", "1/2", "--until", "pass"], ["--limit", "a=1..2"],
      ["--baseline", "x"], ["--jobs", "0"],
    ])
  func wrongOptions(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try StressCommand.parse(["two.yaml"] + arguments) }
  }
}
