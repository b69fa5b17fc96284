import ArgumentParser
import Bench
import Foundation
import SimKernel

/// `--jobs`.
struct JobsOption: ParsableArguments {
  @Option(help: "How many run in parallel, 1 to 256. It never changes a result.")
  var jobs: Int?

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs must be 1 to 256") }
  }

  /// As many as there are processors, where nobody says.
  var count: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }
}

/// `--set`.
struct SettingOptions: ParsableArguments {
  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("Override a value of the scenario, for example radio=living-room.", valueName: "key=value"))
  var settings: [String] = []

  func validate() throws {
    for setting in settings where ScenarioOverride(setting) == nil {
      throw ValidationError("--set takes key=value, not '\(setting)'")
    }
  }

  /// The words of a command line that repeat them.
  var words: [String] { settings.flatMap { ["--set", $0] } }
}

/// `--out` and `--resume` of a campaign that can be gone on with.
struct ResumeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write the outcome to this folder.", valueName: "dir"))
  var out: String?

  @Flag(help: "Continue where an earlier run with the same --out ended.")
  var resume = false

  func validate() throws {
    if resume, out == nil { throw ValidationError("--resume needs --out, where the earlier run left its state") }
  }
}

/// `--budget`.
struct BudgetOption: ParsableArguments {
  @Option(help: ArgumentHelp("Start no world after this much wall-clock time.", valueName: "duration"))
  var budget: DurationArgument?

  func validate() throws {
    if let budget, budget.value <= .zero { throw ValidationError("--budget must be more than 0s") }
  }
}
