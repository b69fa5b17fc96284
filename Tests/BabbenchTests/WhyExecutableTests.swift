import Expectations
import Foundation
import Testing

/// `babbench why` and `diff` from outside.
@Suite("babbench why and diff")
struct WhyExecutableTests {
  private static let broken = ["two-peers", "--set", "devices.host.engine=ranking-reversed"]

  @Test("why tells of a scenario, and of the folder of its run the same")
  func scenarioAndFolder() throws {
    let folder = try TemporaryFolder()
    let out = folder.path + "/out"
    let run = try Executable.run(["run"] + Self.broken + ["--out", out])
    equal(run.status, 1)
    expect(run.output.contains("\nwhy babbench why two-peers --seed 1 --set devices.host.engine=ranking-reversed\n"))
    let why = try Executable.run(["why"] + Self.broken)
    equal(why.status, 1)
    expect(why.output.contains("1. fail RankingFollowsScores (BAB 6.7), host"))
    expect(why.output.contains("   led to it\n"))
    let again = try Executable.run(["why", out])
    expect(again.status == 1 && again.output == why.output && again.errors.isEmpty)
  }

  @Test("A folder of another build is told, and what the run is now")
  func otherBuild() throws {
    let folder = try TemporaryFolder()
    let out = folder.path + "/out"
    _ = try Executable.run(["run", "two-peers", "--out", out])
    let result = try folder.read("out/result.json")
    let digest = try required(result.split(separator: "\"digest\": \"").dropFirst().first?.prefix(32))
    try folder.write(result.replacing(digest, with: String(repeating: "0", count: 32)), to: "out/result.json")
    let why = try Executable.run(["why", out])
    equal(why.status, 0)
    expect(why.output.hasPrefix("nothing is wrong with this run\n"))
    expect(why.errors.contains("comes from another build or another scenario file"))
  }

  @Test("What is no run is refused with what to write")
  func refused() throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "empty/result.json")
    try folder.write("[", to: "broken/result.json")
    try folder.write("", to: "none/a.txt")
    for (arguments, words) in [
      (["why", folder.path + "/none"], "has no result.json"),
      (["why", folder.path + "/empty"], "is not from a single run"),
      (["why", folder.path + "/broken"], "result.json: octet 1"),
      (["why", folder.path + "/none", "--seed", "3"], "--seed and --set are for scenarios"),
      (["why", "no-such-scenario"], "no-such-scenario"),
      (["diff", "two-peers@x", "two-peers"], "after @ comes a seed"),
      (["diff", folder.path + "/none", "two-peers"], "trace.jsonl: there is no such file"),
    ] {
      let result = try Executable.run(arguments)
      equal(result.status, 64, "\(arguments)")
      expect(result.errors.contains(words), "\(result.errors)")
      expect(result.output.isEmpty)
    }
  }

  @Test("diff ends with 0 for the same run and with 1 for another")
  func differences() throws {
    let folder = try TemporaryFolder()
    let out = folder.path + "/out"
    _ = try Executable.run(["run", "two-peers", "--out", out, "--no-capture"])
    let same = try Executable.run(["diff", out, "two-peers"])
    expect(same.status == 0 && same.output.contains("the same run, "))
    let other = try Executable.run(["diff", "two-peers", "two-peers@2"])
    expect(other.status == 1 && other.output.contains("drawn differently  seed: 1 | 2"))
    let engine = try Executable.run(["diff", "two-peers"] + ["two-peers", "--set-second"] + [Self.broken[2]])
    expect(engine.status == 1 && engine.output.contains("the first word that differs: host"))
  }

  @Test("A claim of measures that does not hold is told by run, why, diff and stress alike")
  func claims() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      devices: { host: {}, client: { at: [1, 0] } }
      steps: [ host: start hosting, client: join ]
      expect: [ { that: client in lobby, within: 30s } ]
      claims:
        - p99 seat < 1ms
      """, to: "cl.yaml")
    let run = try Executable.run(["run", "cl.yaml"], folder: folder.path)
    expect(run.status == 1 && run.output.contains("\nwhy babbench why cl.yaml --seed 1\n"))
    let why = try Executable.run(["why", "cl.yaml"], folder: folder.path)
    equal(why.status, 1, "\(why.output)")
    expect(why.output.hasPrefix("1. fail claim, client, at "), "\(why.output)")
    for words in [
      "(cl.yaml:5)\n", "expected   p99 seat < 1ms\n", "saw        p99 of 1 sample: ", "; the worst one is ",
      ", of client\n", "   led to it\n", "\nverdict fail\n",
    ] { expect(why.output.contains(words), "\(words): \(why.output)") }
    let diff = try Executable.run(["diff", "cl.yaml@1", "cl.yaml@2"], folder: folder.path)
    expect(diff.output.hasPrefix("first   babbench run cl.yaml --seed 1, fail, digest "), "\(diff.output)")
    let stress = try Executable.run(["stress", "cl.yaml", "--seeds", "1..3", "--out", "st"], folder: folder.path)
    expect(stress.status == 1 && stress.output.contains("\n3 worlds, 3 fail\n"), "\(stress.output)")
    expect(stress.output.contains("3 × claim: p99 seat < 1ms\n"), "\(stress.output)")
    let world = try Executable.run(["why", "st"], folder: folder.path)
    expect(world.status == 64 && world.errors.contains("is not from a single run; give one of its runs: st/worlds/"))
    let name = try required(world.errors.split(separator: " ").last { $0.hasPrefix("st/worlds/") })
    let kept = try Executable.run(
      ["why", name.trimmingCharacters(in: .newlines)], folder: folder.path)
    expect(kept.status == 1 && kept.output.contains("expected   p99 seat < 1ms\n"))
  }
}
