import ArgumentParser
import BabSim
import Conformance
import Foundation

/// `babbench conform`: tests an implementation that others wrote.
struct ConformCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform", abstract: "Test an implementation: a verdict for every test purpose.")

  @Option(help: ArgumentHelp("A description file, or the name of a built-in engine.", valueName: "file"))
  var iut: [String]

  @Option(help: "The role of a built-in engine: host or client.")
  var role: String?

  @Option(help: ArgumentHelp("Only in this dialect; several may be given.", valueName: "guide|sdk|app"))
  var dialect: [String] = []

  @Option(help: ArgumentHelp("Only these test purposes.", valueName: "pattern"))
  var select: [String] = []

  @Option(help: ArgumentHelp("Not these test purposes.", valueName: "pattern"))
  var skip: [String] = []

  @Option(name: .shortAndLong, help: "Cases at the same time.")
  var jobs = 1

  func run() throws {
    let implementations = try iut.map { name in
      FileManager.default.fileExists(atPath: name)
        ? try IUTDescription.read(path: name, environment: Environment.inherited)
        : try ImplementationUnderTest.builtIn(name, role: role.flatMap(AppRole.init) ?? .host)
    }
    let dialects = dialect.isEmpty ? nil : dialect.compactMap(DialectName.init)
    let suite = Suite(implementations, selection: CaseSelection(select: select, skip: skip), dialects: dialects)
    let results = Workers.run(count: suite.items.count, jobs: jobs, shouldStop: { Interruption.isRequested }) {
      { suite.run(suite.items[$0]) }
    } finished: { _, _ in
    }
    var worst = Verdict.none
    for case let result? in results {
      worst = worst.combined(with: result.verdict)
      print(result.notApplicable == nil ? result.verdict.name : "n/a", result.id.purpose, result.id.dialect)
      guard let finding = result.finding else { continue }
      for step in result.steps { print("    \(step.instant) \(step.text)") }
      print("    expected \(finding.expected)\n    actual \(finding.actual)")
    }
    throw ArgumentParser.ExitCode(Conformance.ExitCode(worst).rawValue)
  }
}
