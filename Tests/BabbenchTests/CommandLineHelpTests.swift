import ArgumentParser
import Expectations
import Foundation
import Testing

@testable import Commands

/// Help, completion, and what is said of commands that do not exist.
@Suite("Help and completion", .shippedEdition)
struct CommandLineHelpTests {
  /// Every command with the words that call it.
  private static func commands(
    _ command: any ParsableCommand.Type = Babbench.self, _ call: [String] = ["babbench"]
  ) -> [(call: [String], command: any ParsableCommand.Type)] {
    var all: [(call: [String], command: any ParsableCommand.Type)] = [(call, command)]
    for part in command.configuration.subcommands {
      all += commands(part, call + [part.configuration.commandName ?? "\(part)".lowercased()])
    }
    return all
  }

  /// The words of a line as a shell has them, as far as it is one command without pipes.
  private static func words(_ line: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let command = line.replacing(#/ ([<>]|\|) [^']*$/#, with: "")
    process.arguments = ["-c", "printf '%s\\n' " + command]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    equal(process.terminationStatus, 0, "\(line)")
    return text.split(separator: "\n").map(String.init)
  }

  @Test("Every example of a help text is a command line that the parser takes")
  func examples() throws {
    var count = 0
    for (_, command) in Self.commands() {
      for line in command.configuration.discussion.replacing(#/ \\\n +/#, with: " ").split(separator: "\n")
      where line.hasPrefix("  babbench ") {
        let words = try Self.words(String(line))
        expect(UnknownCommand.first(in: Array(words.dropFirst())) == nil)
        #expect(throws: Never.self, "\(line)") { try Babbench.parseAsRoot(Array(words.dropFirst())) }
        count += 1
      }
    }
    expect(count > 80)
  }

  @Test("Roles of all apps are listed once each")
  func roles() {
    let message = Babbench.helpMessage(for: ConformCommand.self, columns: HelpText.unbroken)
    expect(message.contains("(values: host, client, guest)"))
  }

  @Test("A scenario's name that was not written to its end, or slipped, is proposed whole")
  func beginnings() {
    for (typed, near) in [
      ("eight-peer", "eight-peer-lobby"), ("eight-peer-loby", "eight-peer-lobby"),
      ("lobby/eight", "lobby/eight-peer-lobby"),
    ] {
      let problem = #expect(throws: NoScenario.self) { try ScenarioLibrary.shipped.path(of: typed) }
      equal(problem?.hint, "did you mean “\(near)”?", "\(typed)")
    }
    let problem = #expect(throws: NoScenario.self) { try ScenarioLibrary.shipped.path(of: "two") }
    equal(problem?.hint, "babbench list --scenarios shows what is shipped")
  }

  @Test("Help is broken once, to the width of the terminal, and examples never", arguments: [60, 80, 120])
  func widths(columns: Int) throws {
    for (call, command) in Self.commands() {
      let unbroken = Babbench.helpMessage(for: command, columns: HelpText.unbroken)
      let text = HelpText.broken(unbroken, columns: columns)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for line in lines where line.count > columns {
        let rest = line.drop { $0 == " " }
        let isExample = line.hasPrefix("  ") && !rest.contains("  ") && unbroken.contains("\n\(line)\n")
        expect(isExample || !rest.contains(" "), "\(call): \(line)")
      }
      for example in unbroken.split(separator: "\n") where example.hasPrefix("  babbench ") {
        expect(lines.contains(example), "\(call)")
      }
      // The words are those of the help that was not broken, in their order.
      equal(text.split { $0 == " " || $0 == "\n" }, unbroken.split { $0 == " " || $0 == "\n" })
    }
  }

  @Test(
    "A command that does not exist is exit 64 with the nearest one",
    arguments: [
      (["rnu"], "babbench has no command “rnu”; did you mean “run”?"),
      (["help", "conf0rm"], "babbench has no command “conf0rm”; did you mean “conform”?"),
      (["fuzz", "prot"], "babbench fuzz has no command “prot”; did you mean “port”?"),
      (["help", "nosuchthing"], "babbench has no command “nosuchthing”; write run, why, diff, stress, "),
    ])
  func unknown(words: [String], said: String) throws {
    let result = try Executable.run(words)
    expect(result.status == 64 && result.output.isEmpty)
    expect(result.errors.hasPrefix("error: " + said), "\(result.errors)")
    equal(result.errors.split(separator: "\n").count, 2)
    expect(
      UnknownCommand.first(in: ["engine", "x"]) == nil && UnknownCommand.first(in: ["help", "fuzz", "run"]) == nil)
  }

  @Test("What the parser refuses is said as everything else is")
  func parser() throws {
    try equal(
      Executable.run(["run", "x", "--jbos", "2"]).errors,
      "error: unknown option '--jbos'; did you mean '--jobs'?\n  see babbench run --help\n")
    try equal(
      Executable.run(["run", "x", "--jobs", "0"]).errors, "error: --jobs must be 1 to 256\n  see babbench run --help\n")
    try equal(Executable.run(["help", "run"]).output, Executable.run(["run", "--help"]).output)
  }

  @Test(
    "A shell completes names of scenarios, test purposes, groups, mutants, engines, and what can be explained",
    arguments: [
      (["run"], "positional@0", "two-p", "two-peers"),
      (["conform"], "--select", "BAB/HOST/LOB", "BAB/HOST/LOBBY"),
      (["conform"], "--skip", "BAB/HOST/LOBBY/BV-01", "BAB/HOST/LOBBY/BV-01-C"),
      (["conform"], "--iut", "lobby-update", "lobby-update-forgotten"), (["conform"], "--iut", "refer", "reference"),
      (["selftest"], "--mutant", "second-h", "second-host"), (["engine"], "positional@0", "second-h", "second-host"),
      (["explain"], "positional@0", "RequestsGo", "RequestsGoOneByOne"),
      (["explain"], "positional@0", "BAB/HOST/LOBBY/BV-01", "BAB/HOST/LOBBY/BV-01-C"),
      (["why"], "positional@0", "eight", "eight-peer-lobby"),
      (["diff"], "positional@0", "eight", "eight-peer-lobby"),
      (["diff"], "positional@1", "two-p", "two-peers"),
      (["validate"], "positional@0", "Scenarios/lob", "Scenarios/lobby/"),
    ])
  func completion(call: [String], argument: String, typed: String, offered: String) throws {
    let words =
      ["---completion"] + call + ["--", argument, "\(call.count + 1)", "\(typed.count)", "babbench"] + call + [typed]
    let result = try Executable.run(words, folder: Repository.root.path)
    equal(result.status, 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n").map(String.init)
    expect(lines.contains(offered), "\(result.output)")
    expect(lines.allSatisfy { $0.hasPrefix(typed) })
  }
}
