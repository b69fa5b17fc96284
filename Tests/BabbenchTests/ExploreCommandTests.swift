import Expectations
import Foundation
import Testing

@testable import Commands

/// `babbench explore` as a shell sees it.
@Suite("Drawn worlds on the command line", .shippedEdition)
struct ExploreCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func explore(_ arguments: String) throws -> Executable.Result {
    try Executable.run(
      ["explore", "--protocol", "bab", "--modes", "0%", "--captures", "0%"]
        + arguments.split(separator: " ").map(String.init))
  }

  private func digest(_ result: Executable.Result) throws -> String {
    String(try required(result.output.firstMatch(of: #/digest ([0-9a-f]{16})/#), "\(result.errors)").output.1)
  }

  @Test("One at a time or three, whole, in shards, or cut and gone on with: one digest")
  func oneResult() throws {
    let whole = try explore("--seeds 21..56 --jobs 1")
    expect(whole.status == 0 && whole.output.contains("36 worlds: "), "\(whole.output)\(whole.errors)")
    try equal(explore("--seeds 21..56 --jobs 3").output, whole.output)

    for shard in 1...3 { _ = try explore("--seeds 21..56 --shard \(shard)/3 --out \(folder.path)/s\(shard)") }
    let parts = (1...3).map { "\(folder.path)/s\($0)" }
    let merged = try Executable.run(["merge"] + parts + ["--out", folder.path + "/whole"])
    try equal(digest(merged), digest(whole))

    let cut = try explore("--seeds 21..56 --budget 20ms --out \(folder.path)/cut")
    expect(cut.status == 2 && cut.output.contains("of 36 worlds are missing"), "\(cut.output)\(cut.errors)")
    let resumed = try explore("--seeds 21..56 --resume --out \(folder.path)/cut")
    try expect(resumed.status == 0 && digest(resumed) == digest(whole), "\(resumed.output)\(resumed.errors)")
    // What went before is not played again in another plan.
    let other = try explore("--seeds 21..57 --resume --out \(folder.path)/cut")
    expect(other.status == 64 || other.status == 2, "\(other.output)\(other.errors)")
    expect(!other.errors.isEmpty)
  }

  @Test("A mutant is told once, and the small file of its cause repeats it")
  func mutant() throws {
    let out = folder.path + "/out"
    let result = try explore("--engine host=ghost-kept --seeds 1..40 --shrink 40 --out \(out)")
    equal(result.status, 1, "\(result.output)\(result.errors)")
    expect(result.output.contains("1. NoGhostsAfterSupervisionTimeout"))
    let files = try folder.files(in: "out")
    equal(files, [".babbench-files", "causes", "index.html", "junit.xml", "result.json", "state.json"])
    let again = try Executable.run(["run", out + "/causes/1.yaml"])
    expect(again.status == 1 && again.output.contains("fail NoGhostsAfterSupervisionTimeout"), "\(again.output)")
  }

  @Test("What a file expects is nothing that worlds with other faults owe; its devices still answer for the oracles")
  func like() throws {
    let innocent = try explore("--like Scenarios/faults/broken-stack.yaml --seeds 8100001..8100006")
    expect(innocent.status == 0 && innocent.output.contains("no cause"), "\(innocent.output)\(innocent.errors)")
    let world = try explore("--like Scenarios/faults/broken-stack.yaml --print 8100001")
    expect(world.output.contains("message fault") && !world.output.contains("expect:"), "\(world.output)")
    let guilty = try explore(
      "--like Scenarios/lobby/two-peers.yaml --engine host=oversize-fragment --seeds 1..3 --shrink 0")
    expect(guilty.status == 1 && guilty.output.contains("FragmentsFitATTMTU"), "\(guilty.output)\(guilty.errors)")
  }

  @Test("A program of one's own takes its place in drawn worlds, and its defect is told")
  func program() throws {
    let client = "\(Executable.url.path),engine,reference,--role,client"
    let good = try explore("--app client-1=[\(client)] --worlds 6 --kind calm")
    equal(good.status, 0, "\(good.output)\(good.errors)")
    let bad = try explore("--app client-1=[sh,-c,exit] --worlds 6 --kind calm")
    expect(bad.status == 1 || bad.status == 2, "\(bad.output)\(bad.errors)")
    expect(bad.output.contains("cause"), "\(bad.output)\(bad.errors)")
  }

  @Test("What the command line says wrong is refused")
  func usage() throws {
    for (arguments, message) in [
      ("--kind rough", "--kind"), ("--engine host=ghost-kep", "ghost-kept"), ("--seeds 9..2", "--seeds"),
      ("--worlds 0", "--worlds must be 1 to"), ("--resume", "--resume needs --out"), ("--modes 110%", "--modes"),
      ("--seeds 1..2 --worlds 3", "exclude each other"), ("--like no-such-world", "no-such-world"),
    ] {
      let result = try explore(arguments)
      expect(result.status == 64 && result.errors.contains(message), "\(arguments): \(result.errors)")
    }
  }

  @Test(
    "What is put on a device that no world has is no pass", arguments: ["app wolf=[true]", "engine wolf=ghost-kept"])
  func nobody(_ option: String) throws {
    let result = try explore("--\(option) --worlds 4")
    expect(result.status == 2 && result.output.contains("no world has a device for --\(option)"), "\(result.output)")
  }
}
