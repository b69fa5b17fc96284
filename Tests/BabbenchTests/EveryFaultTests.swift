import Expectations
import Foundation
import Testing

@testable import Commands

/// `babbench explore --every-fault` as a shell sees it: it forks, which a process with threads must not do.
@Suite("Every fault at every place", .shippedEdition)
struct EveryFaultTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(FuzzRunTests.twoPeers, to: "two.yaml")
  }

  private func play(_ arguments: [String]) throws -> Executable.Result {
    try Executable.run(["explore", "--every-fault", folder.path + "/two.yaml"] + arguments)
  }

  @Test("From one stand or each from its beginning, one at a time or three: the same worlds and the same digest")
  func oneResult() throws {
    let one = try play(["--worlds", "150", "--jobs", "1"])
    equal(one.status, 2, "\(one.output)\(one.errors)")
    expect(one.output.contains("150 of "))
    let three = try play(["--worlds", "150", "--jobs", "3"])
    let fresh = try play(["--worlds", "150", "--jobs", "2", "--fresh"])
    equal(three.output, one.output)
    equal(fresh.output, one.output)
  }

  @Test("The reference bears two faults of the list everywhere, and pairs of them")
  func reference() throws {
    let result = try play(["--faults", "disconnect,background", "--pairs", "40"])
    equal(result.status, 0, "\(result.output)\(result.errors)")
    expect(result.output.contains("and 40 pairs of faults, 0 causes"))
  }

  @Test("A mutant is found; its file repeats the cause, and so does its number")
  func mutant() throws {
    let out = folder.path + "/out"
    let mutant = ["--set", "devices.host.engine=ghost-kept"]
    let result = try play(mutant + ["--worlds", "60", "--out", out])
    equal(result.status, 1, "\(result.output)\(result.errors)")
    let oracle = "NoGhostsAfterSupervisionTimeout"
    expect(result.output.contains("cause \(oracle) (BAB 5.7.1) by a host"))
    try equal(
      folder.files(in: "out"), [".babbench-files", "cause-1.yaml", "index.html", "junit.xml", "result.json"])
    let again = try Executable.run(["run", out + "/cause-1.yaml"])
    expect(again.status == 1 && again.output.contains(oracle))
    let world = try required(result.output.firstMatch(of: #/first in world ([0-9]+)/#)).output.1
    let single = try play(mutant + ["--world", String(world)])
    expect(single.status == 1 && single.output.contains("cause \(oracle)"))
    let digest = try required(again.output.firstMatch(of: #/digest ([0-9a-f]{32})/#)).output.1
    expect(single.output.contains("digest \(digest)"))
  }

  @Test("What the command line says wrong is refused")
  func usage() throws {
    for (arguments, message) in [
      (["--faults", "vanis"], "there is no fault 'vanis'; did you mean “vanish”?"),
      (["--budget", "soon"], "--budget"), (["--kind", "calm"], "--kind is for worlds that are drawn"),
      (["--world", "0"], "--world counts from 1"),
      (["--file", "a.yaml"], "--file needs --world"), (["--jobs", "0"], "--jobs must be 1 to 256"),
    ] {
      let result = try play(arguments)
      expect(result.status == 64 && result.errors.contains(message), "\(arguments): \(result.errors)")
    }
  }

  @Test("An interruption tells of what was done so far")
  func interruption() throws {
    let out = folder.path + "/cut"
    let talk = try Executable.start(
      ["explore", "--every-fault", folder.path + "/two.yaml", "--budget", "10min", "--out", out])
    Thread.sleep(forTimeInterval: 2)
    kill(talk.process.processIdentifier, SIGINT)
    let output = String(decoding: talk.readToEnd(), as: UTF8.self)
    talk.process.waitUntilExit()
    equal(talk.process.terminationStatus, 130)
    expect(output.contains("interrupted") && output.contains(" worlds ("), "\(output)")
    try expect(folder.files(in: "cut").contains("result.json"))
  }
}
