import ArgumentParser
import Bench
import Explore
import Foundation
import SimKernel

/// What `explore --every-fault` takes beside what `explore` has: a fault at every place of one scenario.
struct EveryFaultParameters: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Inject every fault at every place of this scenario, one per world, then pairs of them.", valueName: "scenario"),
    completion: .scenarios)
  var everyFault: String?

  @Option(help: "Run with this seed instead of the scenario's.")
  var seed: UInt64?

  @OptionGroup var overrides: SettingOptions

  @Option(help: ArgumentHelp("Only these faults, separated by commas.", valueName: "faults"))
  var faults: String?

  @Option(help: "Number of worlds with two faults; default none, or with --worlds or --budget as many as fit.")
  var pairs: Int?

  @Flag(help: "Play each world from its beginning. It never changes a result.")
  var fresh = false

  @Option(help: ArgumentHelp("Play only the world of this number, from 1.", valueName: "number"))
  var world: Int?

  @Option(help: ArgumentHelp("With --world: write its scenario to this file.", valueName: "file"))
  var file: String?

  /// Checks what can be checked without the rest of the command line.
  func validate() throws {
    guard everyFault != nil else {
      let given = [
        ("--seed", seed != nil), ("--set", !overrides.settings.isEmpty), ("--faults", faults != nil),
        ("--pairs", pairs != nil),
        ("--fresh", fresh), ("--world", world != nil), ("--file", file != nil),
      ]
      if let (name, _) = given.first(where: \.1) {
        throw ValidationError("\(name) needs --every-fault, the scenario whose places have faults")
      }
      return
    }
    if let pairs, pairs < 0 { throw ValidationError("--pairs must be at least 0") }
    if let world, world < 1 { throw ValidationError("--world counts from 1") }
    if file != nil, world == nil { throw ValidationError("--file needs --world, the number of the world to write") }
    _ = try kinds()
  }

  private func kinds() throws -> [FaultKind] {
    guard let faults else { return FaultKind.allCases }
    let names = FaultKind.allCases.map(\.rawValue)
    let kinds = try faults.split(separator: ",").map { word in
      guard let kind = FaultKind(rawValue: String(word)) else {
        let advice = Suggestion.advice(for: String(word), in: names)
        throw ValidationError("--faults: there is no fault '\(word)'; \(advice)")
      }
      return kind
    }
    if kinds.isEmpty { throw ValidationError("--faults names none; there are \(names.joined(separator: ", "))") }
    return kinds
  }

  /// What it comes to; nil: nobody asked for it.
  func options(worlds: Int?, budget: SimDuration?, jobs: Int, out: String?) throws -> EveryFaultOptions? {
    guard let everyFault else { return nil }
    var options = EveryFaultOptions(scenario: everyFault)
    options.seed = seed
    options.settings = overrides.settings
    options.kinds = try kinds()
    options.budget = worlds.map { .worlds($0) } ?? budget.map { .time($0) }
    options.pairs = pairs
    options.jobs = jobs
    options.isFresh = fresh
    options.out = out
    options.world = world
    options.file = file
    return options
  }
}
