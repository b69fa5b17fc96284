import Expectations
import Foundation
import Testing

@testable import Commands

/// An execution is looked at for a moment, and is played whole where that is worth it.
@Suite("The look of babbench fuzz run", .shippedEdition)
struct FuzzLookTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(FuzzRunTests.twoPeers, to: "two.yaml")
    try folder.write(FuzzFragileTests.room.replacing("fragile", with: "lingering"), to: "room.yaml")
  }

  private func fuzz(_ arguments: [String]) throws -> Executable.Result {
    try Executable.run(["fuzz", "run", folder.path + "/two.yaml", "--from", "client"] + arguments)
  }

  private func linger(_ arguments: [String]) throws -> Executable.Result {
    let words = ["--when", "client has heard 1", "--from", "client", "--seam", "fragment"]
    return try Executable.run(["fuzz", "run", folder.path + "/room.yaml"] + words + arguments, program: "echobench")
  }

  /// Executions in all, and how many of them were whole.
  private func counts(_ result: Executable.Result) -> [Int] {
    let line = result.output.split(separator: "\n").first { $0.contains(" executions, ") } ?? ""
    return line.split(separator: ", ").filter { $0.hasSuffix("executions") || $0.hasSuffix("whole") }.compactMap {
      Int($0.prefix { $0.isNumber })
    }
  }

  @Test("What breaks a second after an attack that looks like any other is found, and found again from its file")
  func late() throws {
    let out = folder.path + "/out"
    let result = try linger(["--executions", "512", "--out", out])
    equal(result.status, 1, "\(result.output)\(result.errors)")
    let name = try required(try folder.files(in: "out").first { $0.hasPrefix("Crash") }, "\(result.output)")
    expect(result.output.contains("a ping from 32 on, a second ago"))
    let again = try linger(["--input", "\(out)/\(name)/input.json"])
    expect(again.status == 1 && again.output.contains("finding \(name): "), "\(again.output)")
    let short = try linger(["--executions", "512", "--for", "250ms"])
    equal(short.status, 0, "\(short.output)")
  }

  @Test("Few executions are whole; with a look of nothing, or as long as the whole, all are")
  func share() throws {
    let state = ["--when", "client is ACTIVE", "--executions", "512"]
    let looked = counts(try fuzz(state))
    equal(looked.first, 512)
    expect((64...256).contains(looked.last ?? 0), "\(looked)")
    let all = try fuzz(state + ["--look", "0s"])
    equal(counts(all), [512])
    let long = try fuzz(state + ["--look", "2s"])
    equal(long.output.split(separator: "\n").dropLast(), all.output.split(separator: "\n").dropLast())
  }

  @Test(
    "How many at a time, and a process for each, change nothing",
    arguments: ["reference", "host-crashes-on-wrong-kinds"])
  func determinism(engine: String) throws {
    let arguments = [
      "--when", "client in lobby", "--executions", "200", "--set", "devices.host.engine=\(engine)",
    ]
    let one = try fuzz(arguments + ["--jobs", "1"])
    equal(one.output, (try fuzz(arguments + ["--jobs", "2"])).output)
    equal(one.output, (try fuzz(arguments + ["--jobs", "2", "--fresh"])).output)
    equal(counts(one).count, 2, "\(one.output)")
  }

  /// The first generation draws from an empty corpus, whatever is made of it: its attacks are the same.
  @Test(
    "Each finding of executions with a look is one of the same executions without",
    arguments: ["host-crashes-on-half-packets", "host-deaf-after-garbage", "published-any-sender"])
  func subset(engine: String) throws {
    let arguments = [
      "--when", "client is ACTIVE", "--executions", "64", "--set", "devices.host.engine=\(engine)",
    ]
    func causes(_ result: Executable.Result) -> Set<Substring> {
      Set(
        result.output.split(separator: "\n").filter { $0.hasPrefix("finding ") }.compactMap {
          $0.split(separator: " ").dropFirst().first
        })
    }
    let looked = try fuzz(arguments)
    let whole = try fuzz(arguments + ["--look", "0s"])
    expect(causes(looked).isSubset(of: causes(whole)), "\(looked.output)\(whole.output)")
    if engine != "published-any-sender" { expect(!causes(looked).isEmpty, "\(looked.output)") }
  }
}
