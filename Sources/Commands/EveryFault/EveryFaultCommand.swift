import ArgumentParser
import Bench
import EveryFault
import Foundation
import Judging

/// `babbench every-fault`: a fault at every place of a scenario.
struct EveryFaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "every-fault",
    abstract: "Inject every fault at every place of a scenario, one in a world.",
    discussion: """
      Plays the scenario once and notes its places: every packet sent, received and acknowledged, every link, every
      change of what is shown. At each place each device has each fault, in a world of its own, which goes on until
      every claim of the oracles is due. Then pairs of faults are drawn.

      EXAMPLES:
        babbench every-fault two-peers
        babbench every-fault eight-peer-lobby --budget 10min --out faults
        babbench every-fault two-peers --faults vanish,kill --pairs 1000
        babbench every-fault two-peers --world 1234 --file world-1234.yaml

      EXIT CODES:
        0    nothing wrong in any world
        1    a cause was found
        2    nothing wrong, and the budget did not reach all worlds, or no oracle judged anything
        3    the bench itself failed
        64   the command line or the scenario is wrong
        130  interrupted; what was done so far is reported
      """,
    shouldDisplay: false)

  @Argument(help: "A scenario file, or the name of a shipped scenario.", completion: .scenarios)
  var scenario: String

  @Option(help: "Run with this seed instead of the scenario's.")
  var seed: UInt64?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("Override a value of the scenario, for example radio=living-room.", valueName: "key=value"))
  var settings: [String] = []

  @Option(help: ArgumentHelp("Only these faults, separated by commas.", valueName: "faults"))
  var faults: String?

  @Option(help: ArgumentHelp("Stop after so many worlds, or so much wall-clock time.", valueName: "worlds|duration"))
  var budget: String?

  @Option(help: "Worlds with two faults, drawn from the seed; default none, with a budget as many as it has room for.")
  var pairs: Int?

  @Option(help: "How many worlds run side by side. It never changes a result.")
  var jobs: Int?

  @Flag(help: "Play each world from its beginning. It never changes a result.")
  var fresh = false

  @Option(help: ArgumentHelp("Write a page, reports, and a scenario for each cause there.", valueName: "dir"))
  var out: String?

  @Option(help: ArgumentHelp("Play only the world of this number, from 1.", valueName: "number"))
  var world: Int?

  @Option(help: ArgumentHelp("With --world: write its scenario there.", valueName: "file"))
  var file: String?

  func validate() throws { _ = try options() }

  private func options() throws -> EveryFaultOptions {
    var options = EveryFaultOptions(scenario: scenario, call: ["babbench", "every-fault"])
    options.seed = seed
    options.settings = settings
    for setting in settings where !setting.contains("=") || setting.hasPrefix("=") {
      throw ValidationError("--set takes key=value, not '\(setting)'")
    }
    if let faults {
      let names = FaultKind.allCases.map(\.rawValue)
      options.kinds = try faults.split(separator: ",").map { word in
        guard let kind = FaultKind(rawValue: String(word)) else {
          throw ValidationError(
            "--faults: there is no fault '\(word)'; \(Suggestion.advice(for: String(word), in: names))")
        }
        return kind
      }
      if options.kinds.isEmpty {
        throw ValidationError("--faults names none; there are \(names.joined(separator: ", "))")
      }
    }
    if let budget {
      guard let read = EveryFaultOptions.Budget(budget) else {
        throw ValidationError("--budget takes a number of worlds or a time such as 10min, not '\(budget)'")
      }
      options.budget = read
    }
    if let pairs, pairs < 0 { throw ValidationError("--pairs must be at least 0") }
    options.pairs = pairs
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs must be 1 to 256") }
    options.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    options.isFresh = fresh
    options.out = out
    if let world, world < 1 { throw ValidationError("--world counts from 1") }
    options.world = world
    if file != nil, world == nil { throw ValidationError("--file needs --world, the number of the world to write") }
    options.file = file
    return options
  }

  func run() throws {
    Interruption.install(untilWork: true)
    throw ArgumentParser.ExitCode(EveryFaultRun.execute(try options(), on: .real, for: .standard))
  }
}
