import AppSeam
import ArgumentParser
import BabSim
import Bench
@testable import Campaigns
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing
import VirtualNetwork

@testable import Commands

@Suite("babbench run, over a world of a few records", .shippedEdition)
struct RunCommandTests {
  private func plan(_ path: String = "fake.yaml") -> RunPlan { RunPlan(scenario: "fake", path: path) }

  private func exitCode(_ world: FakeWorld, _ arguments: [String] = []) throws -> Int32 {
    let folder = try TemporaryFolder()
    try folder.write("", to: "fake.yaml")
    return try RunCommand.parse([folder.path + "/fake.yaml"] + arguments).execute(on: world.bench, for: .nobody)
  }

  @Test("Each verdict has its exit code")
  func exitCodes() throws {
    try equal(exitCode(FakeWorld()), 0)
    try equal(exitCode(FakeWorld(holds: { _ in false })), 1)
    try equal(exitCode(FakeWorld(holds: { _ in nil })), 2)
    try equal(exitCode(FakeWorld(failure: { _ in BenchFailure("broken") })), 3)
    try equal(exitCode(FakeWorld(), ["--check-determinism"]), 0)
    try equal(exitCode(FakeWorld(extraStep: { $1 ? "stepping" : nil }), ["--check-determinism"]), 3)
  }

  @Test(
    "The repeat line is one a shell takes",
    arguments: [
      ("eight-peers", "babbench run eight-peers --seed 7"),
      ("my file.yaml", "babbench run 'my file.yaml' --seed 7"),
      ("it's", "babbench run 'it'\\''s' --seed 7"),
    ])
  func repeatLine(scenario: String, line: String) {
    var plan = RunPlan(scenario: scenario, path: "")
    equal(plan.repeatLine(seed: 7), line)
    plan.settings = ["radio.noise=a b"]
    equal(plan.repeatLine(seed: 7), line + " --set 'radio.noise=a b'")
  }

  @Test("Many seeds have the exit code of the heaviest")
  func combinedExitCodes() throws {
    let arguments = ["--seeds", "1..9"]
    try equal(exitCode(FakeWorld(), arguments), 0)
    try equal(exitCode(FakeWorld(holds: { $0 != 4 }), arguments), 1)
    try equal(exitCode(FakeWorld(holds: { $0 == 4 ? nil : true }), arguments), 0)
    try equal(exitCode(FakeWorld(holds: { $0 != 4 }, failure: { $0 == 5 ? BenchFailure("x") : nil }), arguments), 3)
  }

  @Test("A missing or faulty scenario is a usage error, and leaves no folder behind")
  func badScenarios() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "bad.yaml")
    let out = folder.path + "/out"
    let bench = FakeWorld().bench
    try equal(RunCommand.parse([folder.path + "/bad.yaml", "--out", out]).execute(on: bench, for: .nobody), 64)
    try equal(RunCommand.parse([folder.path + "/none.yaml", "--out", out]).execute(on: bench, for: .nobody), 64)
    try equal(folder.files(), ["bad.yaml"])
    try equal(ValidateCommand.parse([folder.path + "/bad.yaml"]).execute(on: bench, for: .nobody), 64)
    try folder.write("", to: "good.yaml")
    try equal(ValidateCommand.parse([folder.path + "/good.yaml"]).execute(on: bench, for: .nobody), 0)
    try equal(ValidateCommand.parse([folder.path]).execute(on: bench, for: .nobody), 64)
  }

  @Test("A report shows seed, drawn options, verdict and digest")
  func report() throws {
    let bench = FakeWorld().bench
    let scenario = try bench.load("fake.yaml", ["A fake."])
    let report = try SeedRun(bench: bench, plan: plan(), scenario: scenario).run(seed: 9, output: nil)
    let text = RunPrinter(paint: Paint(isOn: false)).text(of: report, scenario, file: "fake.yaml", why: "w")
    let lines = text.split(separator: "\n").map(String.init)
    equal(lines.prefix(3), ["scenario fake: A fake.", "seed 9", "option drawn=7"])
    equal(lines.suffix(2), ["verdict pass", "digest " + report.judgement.outcome.digest.hexadecimal])
    expect(!text.contains("\u{1B}"))
    let coloured = RunPrinter(paint: Paint(isOn: true)).text(of: report, scenario, file: "fake.yaml", why: nil)
    expect(coloured.contains("\u{1B}[32mpass\u{1B}[0m"))
  }

  @Test("A run with a network has a line of what passed there, and one without has none")
  func network() throws {
    let bench = FakeWorld().bench
    let scenario = try bench.load("fake.yaml", [])
    var report = try SeedRun(bench: bench, plan: plan(), scenario: scenario).run(seed: 9, output: nil)
    let printer = RunPrinter(paint: Paint(isOn: false))
    expect(!printer.text(of: report, scenario, file: "fake.yaml", why: nil).contains("network:"))
    var device = RunOutcome.DeviceSummary(
      name: "a", role: AppRole(rawValue: "a"), phone: "ideal", links: 0, attMTU: 0, valuesSent: 0, valuesReceived: 0,
      columns: [])
    var use = RunOutcome.NetworkUse()
    (use.streamsOpened, use.streamsFailed, use.servicesFound) = (1, 2, 3)
    (use.traffic.packets, use.traffic.losses) = (40, 5)
    (use.traffic.segments, use.traffic.retransmissions) = (30, 6)
    use.traffic.airtime = .milliseconds(250)
    device.network = use
    report.judgement.outcome.devices = [device, device]
    expect(
      printer.text(of: report, scenario, file: "fake.yaml", why: nil).contains(
        "\nnetwork: 2 streams (4 failed), 6 services found, 80 packets (10 lost), 60 segments (12 sent again),"
          + " 0.5 s on the air\n"))
  }

  @Test("A report of what is wrong shows every cause, and the command that shows what led to it")
  func failedReport() throws {
    let bench = FakeWorld(holds: { _ in false }).bench
    let scenario = try bench.load("fake.yaml", [])
    let report = try SeedRun(bench: bench, plan: plan(), scenario: scenario).run(seed: 9, output: nil)
    let text = RunPrinter(paint: Paint(isOn: false)).text(of: report, scenario, file: "fake.yaml", why: "w")
    expect(text.contains("1. fail expectation, at 0.001000 s\n   expected   all is well\n   saw        it is not\n"))
    expect(text.hasSuffix("\nwhy w\n"))
  }

  @Test("The repeated line names scenario, seed and every override")
  func repeatLine() {
    var plan = plan()
    plan.settings = ["a=1", "b=two words"]
    equal(plan.repeatLine(seed: 7), "babbench run fake --seed 7 --set a=1 --set 'b=two words'")
    equal(
      plan.repeatLine(seeds: SeedRange(argument: "2..5")!),
      "babbench run fake --seeds 2..5 --set a=1 --set 'b=two words'")
  }

  @Test("Files are whole, and none is left over")
  func files() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "fake.yaml")
    let arguments = [folder.path + "/fake.yaml", "--out", folder.path + "/deep/out"]
    try equal(RunCommand.parse(arguments + ["--no-capture"]).execute(on: FakeWorld().bench, for: .nobody), 0)
    try equal(folder.files(in: "deep/out"), [".babbench-files", "junit.xml", "result.json", "trace.jsonl"])
    try expect(folder.read("deep/out/result.json").contains("\"verdict\": \"pass\""))
    try equal(folder.read("deep/out/trace.jsonl").split(separator: "\n").last?.contains("outcome"), true)
    try expect(folder.read("deep/out/junit.xml").hasPrefix("<?xml"))
    // A world that breaks off leaves nothing that looks like a result.
    let broken = FakeWorld(failure: { _ in BenchFailure("x") })
    let other = [folder.path + "/fake.yaml", "--out", folder.path + "/broken"]
    try equal(RunCommand.parse(other).execute(on: broken.bench, for: .nobody), 3)
    try expect(folder.files(in: "broken").isEmpty)
    // Each seed of many has a folder of its own.
    let many = [folder.path + "/fake.yaml", "--seeds", "1..3", "--jobs", "2", "--out", folder.path + "/many"]
    let all = try RunCommand.parse(many + ["--no-capture", "--keep", "all"])
    equal(all.execute(on: FakeWorld().bench, for: .nobody), 0)
    try equal(
      folder.files(in: "many"), [".babbench-files", "junit.xml", "seed-1", "seed-2", "seed-3", "seeds.json"])
    try equal(folder.files(in: "many/seed-2"), ["junit.xml", "result.json", "trace.jsonl"])
    // As a rule those only that do not pass; what the run before had is gone, and what others put there is not.
    try folder.write("mine", to: "many/seed-1/notes.txt")
    try folder.write("mine", to: "many/seed-9/trace.jsonl")
    let some = FakeWorld(holds: { $0 != 2 })
    try equal(RunCommand.parse(many + ["--no-capture"]).execute(on: some.bench, for: .nobody), 1)
    try equal(
      folder.files(in: "many"), [".babbench-files", "junit.xml", "seed-1", "seed-2", "seed-9", "seeds.json"])
    try equal(folder.files(in: "many/seed-1"), ["notes.txt"])
    let junit = try folder.read("many/junit.xml").replacing(#/ time="[0-9.]+"/#, with: "")
    expect(junit.contains(#"<testcase name="seed 1" classname="run.fake"/>"#))
    expect(junit.contains(#"<failure message="the run ended before the step “all is well”" type="fail">"#))
    expect(junit.contains("0.001000 s: all is well, expected all is well, saw it is not\n"), "\(junit)")
    expect(junit.contains("why: babbench why \(folder.path)/fake.yaml --seed 2\n"))
    expect(junit.contains("repeat: babbench run \(folder.path)/fake.yaml --seed 2"))
  }

  @Test("A folder that cannot be made is the bench's failure")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "fake.yaml")
    let arguments = [folder.path + "/fake.yaml", "--out", folder.path + "/fake.yaml/out"]
    try equal(RunCommand.parse(arguments).execute(on: FakeWorld().bench, for: .nobody), 3)
    let file = [folder.path + "/fake.yaml", "--out", folder.path + "/fake.yaml"]
    try equal(RunCommand.parse(file).execute(on: FakeWorld().bench, for: .nobody), 3)
  }
}

@Suite("Many seeds", .shippedEdition)
struct SweepTests {
  private func lines(_ world: FakeWorld, seeds: String, jobs: Int) throws -> [String] {
    let plan = RunPlan(scenario: "fake", path: "fake.yaml")
    let range = SeedRange(argument: seeds)!
    let results = try Sweep(bench: world.bench, plan: plan, seeds: range, jobs: jobs, files: nil).run()
    let printer = RunPrinter(paint: Paint(isOn: false))
    return SweepPrinter(printer: printer, plan: plan, seeds: range, results: results).lines
  }

  @Test("--last-failed plays the seeds that did not pass, from the folder that it writes to, and all where all passed")
  func lastFailed() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "fake.yaml")
    let out = folder.path + "/out"
    let words = [folder.path + "/fake.yaml", "--seeds", "1..9", "--no-capture", "--out", out]
    let again = words + ["--last-failed", out + "/seeds.json"]
    func play(_ words: [String], _ holds: @escaping @Sendable (UInt64) -> Bool) throws -> (Int32, [String]) {
      var told = ""
      let streams = OutputStreams(tell: { told += $0 + "\n" }, complain: { told += $0 + "\n" })
      let status = try RunCommand.parse(words).execute(on: FakeWorld(holds: holds).bench, for: streams)
      return (status, told.split(separator: "\n").map(String.init))
    }
    try equal(play(words) { $0 % 4 != 0 }.0, 1)
    // One of two is repaired.
    let (status, lines) = try play(again) { $0 != 4 }
    expect(status == 1 && lines.contains("2 seeds, 1 fail, 1 pass"), "\(lines)")
    equal(lines.last, "repeat babbench run \(folder.path)/fake.yaml --seeds 4,8")
    let last = try play(again) { _ in true }
    expect(last.0 == 0 && last.1.contains("1 seed, 1 pass"), "\(last)")
    equal(last.1.last?.hasSuffix("--seeds 4..4"), true)
    // That one passes there, so a seed that fails now is seen.
    let all = try play(again) { $0 != 7 }
    expect(all.0 == 1 && all.1.contains("9 seeds, 1 fail, 8 pass"), "\(all)")
    expect(all.1.contains("note: \(out)/seeds.json: every seed passes there, so all of --seeds are played"))
  }

  @Test("What --last-failed cannot take is refused, and nothing is played or removed")
  func lastFailedRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "fake.yaml")
    let words = [folder.path + "/fake.yaml", "--no-capture"]
    let path = folder.path + "/out/seeds.json"
    func refusal(_ words: [String]) throws -> String {
      var told = ""
      let status = try RunCommand.parse(words + ["--last-failed", path, "--out", folder.path + "/out"])
        .execute(
          on: FakeWorld(holds: { $0 != 3 }).bench,
          for: OutputStreams(tell: { told += $0 }, complain: { told += $0 }))
      equal(status, 64)
      return told.replacing(folder.path + "/", with: "")
    }
    try equal(refusal(words + ["--seeds", "1..3"]), "error: out/seeds.json: no such file, or it cannot be read")
    let first = try RunCommand.parse(words + ["--seeds", "1..3", "--out", folder.path + "/out"])
    equal(first.execute(on: FakeWorld(holds: { $0 != 3 }).bench, for: .nobody), 1)
    try equal(
      refusal(words + ["--seeds", "1..2"]),
      "error: out/seeds.json: none of the seeds that do not pass there is among --seeds")
    try equal(
      refusal(words + ["--seeds", "1..3", "--set", "a=1"]), "error: out/seeds.json: this was played without --set")
    let text = try folder.read("out/seeds.json")
    try folder.write(text.replacing(#""notBegun":0"#, with: #""notBegun":2"#), to: "out/seeds.json")
    try equal(
      refusal(words + ["--seeds", "1..3"]),
      "error: out/seeds.json: that run was interrupted, 2 seeds not begun; play all of 1..3")
    try folder.write(text.replacing(#""scenario":""#, with: #""scenario":"un"#), to: "out/seeds.json")
    try expect(refusal(words + ["--seeds", "1..3"]).hasPrefix("error: out/seeds.json: this is of scenario “un"))
    try folder.write("{}", to: "out/seeds.json")
    try equal(
      refusal(words + ["--seeds", "1..3"]), "error: out/seeds.json: this is no seeds.json of babbench run --seeds")
    #expect(throws: (any Error).self) { try RunCommand.parse(words + ["--last-failed", path]) }
  }

  @Test("Seeds that were not begun leave the verdict open, unless one that was run is worse")
  func interrupted() throws {
    let range = try required(SeedRange(argument: "1..3"))
    func verdict(_ verdicts: [Verdict?]) -> Verdict {
      let results = verdicts.map { $0.map { SeedResult(seed: 1, verdict: $0, digest: nil, reasons: []) } }
      return SweepPrinter(
        printer: RunPrinter(paint: Paint(isOn: false)), plan: RunPlan(scenario: "fake", path: ""), seeds: range,
        results: results
      ).verdict
    }
    equal(verdict([.pass, .pass, .pass]), .pass)
    equal(verdict([.pass, nil, nil]), .inconclusive)
    equal(verdict([.pass, .fail, nil]), .fail)
  }

  @Test("Every cause has its seeds and the line that shows what led to it; then totals, verdict and digest")
  func summary() throws {
    let world = FakeWorld(
      holds: { $0 == 3 ? false : $0 == 5 ? nil : true }, failure: { $0 == 8 ? BenchFailure("broken") : nil })
    let lines = try lines(world, seeds: "1..10", jobs: 1)
    equal(
      lines.prefix(10),
      [
        "fail in 1 seed: the run ended before the step “all is well”", "  seed 3: it is not",
        "  why babbench why fake --seed 3",
        "none in 1 seed: nothing was judged", "  why babbench why fake --seed 5",
        "error in 1 seed: broken", "  why babbench why fake --seed 8",
        "10 seeds, 1 error, 1 fail, 7 pass, 1 none", "verdict error", lines[9],
      ])
    expect(lines[9].hasPrefix("digest ") && lines[9].count == 39)
    equal(lines.last, "repeat babbench run fake --seeds 1..10")
  }

  @Test("Seeds that fail for one cause are told once, and no more than twelve of them are named")
  func causes() throws {
    let lines = try lines(FakeWorld(holds: { $0 % 2 == 0 }), seeds: "1..40", jobs: 2)
    equal(
      lines.prefix(4),
      [
        "fail in 20 seeds: the run ended before the step “all is well”", "  seed 1: it is not",
        "  seeds 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 and 8 more", "  why babbench why fake --seed 1",
      ])
  }

  @Test("The outcome does not depend on the number of workers", arguments: [2, 3, 8, 64])
  func jobs(jobs: Int) throws {
    let world = FakeWorld(holds: { $0 % 7 != 0 })
    try equal(lines(world, seeds: "1..200", jobs: jobs), lines(world, seeds: "1..200", jobs: 1))
  }

  @Test("The digest of many seeds tells them apart, and their order")
  func digest() throws {
    let world = FakeWorld()
    let digests = try ["1..4", "1..5", "2..5", "1..1"].map { seeds in
      try lines(world, seeds: seeds, jobs: 1).first { $0.hasPrefix("digest ") }
    }
    for (index, digest) in digests.enumerated() { expect(!digests[..<index].contains(digest)) }
  }
}

@Suite("The determinism check", .shippedEdition)
struct DeterminismCheckTests {
  private func divergence(_ world: FakeWorld) throws -> Divergence? {
    let bench = world.bench
    let scenario = try bench.load("fake.yaml", [])
    let options = RunOptions(seed: 1)
    let first = try bench.judge(scenario, options, readers: [])
    return try DeterminismCheck(bench: bench, scenario: scenario).divergence(from: first, options)
  }

  @Test("Finds nothing where nothing is")
  func isEqual() throws {
    try expect(divergence(FakeWorld()) == nil)
  }

  @Test("Shows the first event that differs when stepping differs from skipping")
  func stepping() throws {
    let found = try required(try divergence(FakeWorld(extraStep: { $1 ? "stepped" : "skipped" })))
    expect(found.difference.contains("skipping"))
    expect(found.digests.0 != found.digests.1)
    let (first, second) = try required(found.firstDifference)
    equal(first, "0.001000000 s, world: step(\"skipped\")")
    equal(second, "0.001000000 s, world: step(\"stepped\")")
  }

  @Test("Shows an event that only one run has")
  func missing() throws {
    let found = try required(try divergence(FakeWorld(holds: { _ in nil }, extraStep: { $1 ? "more" : nil })))
    let (first, second) = try required(found.firstDifference)
    expect(first == nil)
    equal(second?.contains("more"), true)
    expect(found.lines.contains("    first:  the run is over"))
  }

  @Test("Tells a run that cannot even be repeated")
  func unrepeatable() throws {
    let counter = Counter()
    let found = try required(try divergence(FakeWorld(extraStep: { _, _ in "run \(counter.next())" })))
    equal(found.difference, "nothing but that it ran again")
  }

  private final class Counter: @unchecked Sendable {
    private var count = 0
    func next() -> Int {
      count += 1
      return count
    }
  }
}
