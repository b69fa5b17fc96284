import ArgumentParser
import Conformance
import Expectations
import Foundation
import Testing

@testable import Judging
@testable import Commands

@Suite("The command line", .shippedEdition)
struct CommandLineTests {
  @Test("A range of seeds includes both ends")
  func seedRange() throws {
    let range = try required(SeedRange(argument: "3..7"))
    equal(range.count, 5)
    equal((0..<5).map(range.seed), [3, 4, 5, 6, 7])
    equal(SeedRange(argument: "9..9")?.count, 1)
    equal(SeedRange(argument: "18446744073709551615..18446744073709551615")?.first, .max)
  }

  @Test("A list of seeds has these, and is written as it is read")
  func seedList() throws {
    let list = try required(SeedRange(argument: "9,2,40"))
    equal((0..<list.count).map(list.seed), [9, 2, 40])
    expect(list.contains(40) && !list.contains(10))
    equal(list.defaultValueDescription, "9,2,40")
    equal(SeedRange(listed: [7]).defaultValueDescription, "7..7")
    let range = try required(SeedRange(argument: "3..7"))
    expect(range.contains(3) && range.contains(7) && !range.contains(2) && !range.contains(8))
  }

  @Test(
    "What is no range of seeds is refused",
    arguments: [
      "1,", ",1", "1,1", "1,x", "1..2,3", "", "1", "1..", "..1", "2..1", "1...3", "a..b", "-1..3", "1..2..3",
      "0..18446744073709551615",
    ])
  func notASeedRange(text: String) {
    expect(SeedRange(argument: text) == nil)
  }

  @Test(
    "Wrong combinations of options are refused",
    arguments: [
      ["x", "--seed", "1", "--seeds", "1..2"], ["x", "--seeds", "2..1"], ["x", "--jobs", "0"],
      ["x", "--set", "novalue"],
      ["x", "--set", "=1"], ["x", "--seed", "-1"], ["x", "--frobnicate"], [], ["x", "y"],
    ])
  func refusals(arguments: [String]) {
    #expect(throws: (any Error).self) { try RunCommand.parse(arguments) }
  }

  @Test("Options may be repeated and mixed with the scenario")
  func options() throws {
    let command = try RunCommand.parse(["--set", "a=1", "lobby", "--set", "b=x=y", "--seeds", "1..3", "--no-capture"])
    equal(command.scenario, "lobby")
    equal(command.overrides.settings, ["a=1", "b=x=y"])
    equal(command.seeds?.count, 3)
    expect(command.noCapture && !command.checkDeterminism)
  }

  @Test(
    "A printed line comes through a shell as it was meant",
    arguments: ["plain", "", "two words", "it's", "$HOME `id` \\n \"x\"", "a=b,c:d", "ü*?[x]", "--set", "'", "a\nb"])
  func shellQuoting(word: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "printf '%s|' " + Shell.line([word, "end"])]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    equal(output, word + "|end|")
  }

  @Test("A scenario is found by path, by name and by the last part of its name; a near miss is suggested")
  func library() throws {
    let folder = try TemporaryFolder()
    for name in ["eight-peers.yaml", "regressions/late.yml", "a/twin.yaml", "b/twin.yaml", "notes.txt"] {
      try folder.write("x", to: name)
    }
    let library = ScenarioLibrary(folder: folder.path)
    equal(library.entries.map(\.name), ["a/twin", "b/twin", "eight-peers", "regressions/late"])
    try equal(library.path(of: "eight-peers"), folder.path + "/eight-peers.yaml")
    try equal(library.path(of: "late"), folder.path + "/regressions/late.yml")
    try equal(library.path(of: folder.path + "/notes.txt"), folder.path + "/notes.txt")
    func hint(_ argument: String) -> String? {
      do {
        _ = try library.path(of: argument)
        return nil
      } catch { return (error as? NoScenario)?.hint }
    }
    equal(hint("eigth-peers"), "did you mean “eight-peers”?")
    equal(hint("lte"), "did you mean “late”?")
    equal(hint("regresions/late"), "did you mean “regressions/late”?")
    let link = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: link.path + "/Scenarios", withDestinationPath: folder.path)
    equal(ScenarioLibrary(folder: link.path + "/Scenarios").entries.map(\.name), library.entries.map(\.name))
    equal(hint("twin"), "could be a/twin or b/twin")
    equal(hint("something-else-altogether")?.contains("list --scenarios"), true)
    equal(hint(folder.path), "that is a folder")
    expect(ScenarioLibrary(folder: nil).entries.isEmpty)
  }
}

/// A folder of its own for one test, gone afterwards.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "babbench-test-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws {
    let url = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func read(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

  /// Names of all files, hidden ones too, sorted.
  func files(in name: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path + "/" + name).sorted()
  }
}
