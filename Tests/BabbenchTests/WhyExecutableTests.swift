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
    #expect(run.status == 1)
    #expect(run.output.contains("\nwhy babbench why two-peers --seed 1 --set devices.host.engine=ranking-reversed\n"))
    let why = try Executable.run(["why"] + Self.broken)
    #expect(why.status == 1)
    #expect(why.output.contains("1. fail RankingFollowsScores (BAB 6.7), host"))
    #expect(why.output.contains("   led to it\n"))
    let again = try Executable.run(["why", out])
    #expect(again.status == 1 && again.output == why.output && again.errors.isEmpty)
  }

  @Test("A folder of another build is told, and what the run is now")
  func otherBuild() throws {
    let folder = try TemporaryFolder()
    let out = folder.path + "/out"
    _ = try Executable.run(["run", "two-peers", "--out", out])
    let result = try folder.read("out/result.json")
    let digest = try #require(result.split(separator: "\"digest\": \"").dropFirst().first?.prefix(32))
    try folder.write(result.replacing(digest, with: String(repeating: "0", count: 32)), to: "out/result.json")
    let why = try Executable.run(["why", out])
    #expect(why.status == 0)
    #expect(why.output.hasPrefix("nothing is wrong with this run\n"))
    #expect(why.errors.contains("is of another build or another scenario file"))
  }

  @Test("What is no run is refused with what to write")
  func refused() throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "empty/result.json")
    try folder.write("[", to: "broken/result.json")
    try folder.write("", to: "none/a.txt")
    for (arguments, words) in [
      (["why", folder.path + "/none"], "has no result.json"), (["why", folder.path + "/empty"], "is of no single run"),
      (["why", folder.path + "/broken"], "result.json: octet 1"),
      (["why", folder.path + "/none", "--seed", "3"], "--seed and --set belong to a scenario"),
      (["why", "no-such-scenario"], "no-such-scenario"),
      (["diff", "two-peers@x", "two-peers"], "after @ comes a seed"),
      (["diff", folder.path + "/none", "two-peers"], "trace.jsonl: there is no such file"),
    ] {
      let result = try Executable.run(arguments)
      #expect(result.status == 64, "\(arguments)")
      #expect(result.errors.contains(words), "\(result.errors)")
      #expect(result.output.isEmpty)
    }
  }

  @Test("diff ends with 0 for the same run and with 1 for another")
  func differences() throws {
    let folder = try TemporaryFolder()
    let out = folder.path + "/out"
    _ = try Executable.run(["run", "two-peers", "--out", out, "--no-capture"])
    let same = try Executable.run(["diff", out, "two-peers"])
    #expect(same.status == 0 && same.output.contains("the same run, "))
    let other = try Executable.run(["diff", "two-peers", "two-peers@2"])
    #expect(other.status == 1 && other.output.contains("drawn otherwise  seed: 1 | 2"))
    let engine = try Executable.run(["diff", "two-peers"] + ["two-peers", "--set-second"] + [Self.broken[2]])
    #expect(engine.status == 1 && engine.output.contains("the first word that differs: host"))
  }
}
