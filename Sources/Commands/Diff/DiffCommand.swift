import ArgumentParser
import Bench
import Conformance
import Foundation
import Judging
import RunCauses

/// `babbench diff`: the first difference between two runs that matters.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show the first difference between two runs that matters.",
    discussion: """
      A run is a folder that run --out has made, its trace.jsonl, a session.jsonl, or a scenario, with @SEED after it \
      for another seed than its own. Folders are compared as they are, so that runs of two builds can be; the \
      others are played. What each device was told, asked for and showed is compared with what it did in the other \
      run: every word where the two were drawn alike, and otherwise what a person would see.

      EXAMPLES:
        babbench diff eight-peer-lobby@21 eight-peer-lobby@22 --set radio=subway
        babbench diff eight-peer-lobby eight-peer-lobby --set-second devices.host.engine=ranking-reversed
        babbench diff before after

      EXIT CODES: 0 the runs are the same, 1 they differ, 64 one of them is not there.
      """)

  @Argument(help: ArgumentHelp("The run that is taken for right.", valueName: "first"))
  var first: String

  @Argument(help: ArgumentHelp("The run that is compared with it.", valueName: "second"))
  var second: String

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("Override a value of the scenario in both runs.", valueName: "key=value"))
  var settings: [String] = []

  @Option(
    name: .customLong("set-second"), parsing: .singleValue,
    help: ArgumentHelp("Override a value of the scenario in the second run only.", valueName: "key=value"))
  var secondSettings: [String] = []

  func run() throws {
    Interruption.install(takesTermination: true)
    throw ArgumentParser.ExitCode(execute(on: .real, for: .standard))
  }

  /// Everything but the parsing and the exit.
  func execute(on bench: Bench, for audience: Audience) -> Int32 {
    do {
      let a = try ComparedRun(first, settings, on: bench)
      let b = try ComparedRun(second, settings + secondSettings, on: bench)
      if Interruption.isRequested { return Interruption.exitCode }
      let difference = RunDifference(a.log, b.log)
      audience.tell(DiffPrinter(paint: .standardOutput, first: a, second: b).text(difference))
      return (difference.isEmpty && difference.drawn.isEmpty ? Judging.ExitCode.pass : .fail).rawValue
    } catch let error as BenchFailure {
      return audience.refuse(error, .benchError)
    } catch {
      return audience.refuse(error, .usage)
    }
  }
}

/// A run to compare: read, or played.
struct ComparedRun {
  /// As messages call it.
  let name: String
  let log: RunLog
  /// Nil where nobody wrote it down.
  let verdict: String?

  /// - Throws: why there is none.
  init(_ argument: String, _ settings: [String], on bench: Bench) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder)
    let file = exists && isFolder.boolValue ? argument + "/trace.jsonl" : argument
    if exists, isFolder.boolValue || argument.hasSuffix("trace.jsonl") {
      if !settings.isEmpty { throw UsageProblem("\(argument) is a run that is over: --set belongs to a scenario") }
      guard let data = FileManager.default.contents(atPath: file) else {
        throw UsageProblem("\(file): there is no such file; give a folder that run --out has made")
      }
      name = argument
      log = try RunLog([UInt8](data), file: file)
      verdict = nil
      return
    }
    let (scenario, seed) = try Self.split(argument)
    let source = try RunSource(scenario, seed: seed, settings: settings, on: bench)
    let sink = OctetCollector()
    let lines = TraceLinesReader(sink: sink)
    let judgement = try source.judged([lines], on: bench)
    name = source.repeatLine
    log = try RunLog(sink.octets, file: argument)
    verdict = judgement.verdict.name
  }

  /// `SCENARIO@SEED`.
  private static func split(_ argument: String) throws -> (scenario: String, seed: UInt64?) {
    guard let at = argument.lastIndex(of: "@"), !FileManager.default.fileExists(atPath: argument) else {
      return (argument, nil)
    }
    let text = argument[argument.index(after: at)...]
    guard let seed = UInt64(text) else {
      throw UsageProblem("\(argument): after @ comes a seed, a whole number from 0, not “\(text)”")
    }
    return (String(argument[..<at]), seed)
  }
}
