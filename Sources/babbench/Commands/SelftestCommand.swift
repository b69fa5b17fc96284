import ArgumentParser
import Conformance
import Foundation

/// `babbench selftest`: the suite tested by itself.
struct SelftestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest", abstract: "Show that every test purpose can fail, and that the reference passes.")

  @Option(help: ArgumentHelp("Only these test purposes.", valueName: "pattern"))
  var select: [String] = []

  @Option(name: .shortAndLong, help: "Cases at the same time.")
  var jobs = 1

  func run() throws {
    let selection = CaseSelection(select: select)
    let purposes = Catalog.all.filter { selection.contains($0.id) }
    let trials = Selftest.trials(purposes)
    let results = Workers.run(count: trials.count, jobs: jobs, shouldStop: { Interruption.isRequested }) {
      { Selftest.run(trials[$0]) }
    } finished: { _, _ in
    }
    var killed: [String: [String]] = [:]
    var kills: [String: [String]] = [:]
    for (trial, result) in zip(trials, results) {
      guard let result = result ?? nil else { continue }
      if trial.engine == EngineCatalogue.reference {
        if result.verdict != .pass {
          print("REFERENCE \(result.verdict.name) \(trial.id.purpose) \(trial.id.dialect) seed \(trial.id.seed)")
          for step in result.steps { print("    \(step.instant) \(step.text)") }
          if let finding = result.finding { print("    expected \(finding.expected)\n    actual \(finding.actual)") }
        }
      } else if result.verdict == .fail {
        killed[trial.engine, default: []].append(trial.id.purpose)
        kills[trial.id.purpose, default: []].append(trial.engine)
      }
    }
    for purpose in purposes { print(purpose.id, "kills", kills[purpose.id]?.joined(separator: ", ") ?? "NOBODY") }
    let roles = Set(purposes.map(\.role))
    for mutant in Mutants.all where roles.contains(mutant.role) && killed[mutant.name] == nil {
      print("SURVIVES", mutant.name)
    }
  }
}
