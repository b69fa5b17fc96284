import ArgumentParser
import Bench
import Conformance
import Explore
import Foundation
import Judging
import SimKernel

/// `babbench explore`: worlds that nobody wrote.
struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Play worlds that are drawn whole from a seed; tell each cause of a failure once.",
    discussion: """
      Draws devices, phones, places, a room, people, what they do, and faults at instants that hurt; plays each world \
      with all its judges, and tells what is wrong: an oracle that accuses somebody, a condition that does not hold, an \
      app that breaks down. A cause is told once, with the first world that shows it.

      EXAMPLES:
        babbench explore
        babbench explore --worlds 1000 --kind hostile
        babbench explore --seeds 5001..6000 --budget 10min
        babbench explore --engine host=\(Examples.mutant) --worlds 200
        babbench explore --print 17 > world.yaml

      EXIT CODES:
        0    nothing is wrong
        1    something is, and is told
        2    nothing was judged, or fewer worlds were played than were asked for
        3    the bench itself failed
        64   the command line is wrong
        130  interrupted
      """)

  @OptionGroup(title: "Worlds") var drawn: ExploreOptions

  @Option(help: ArgumentHelp("Play the worlds of all seeds from A to B.", valueName: "A..B"))
  var seeds: SeedRange?

  @Option(help: ArgumentHelp("Play so many worlds, from seed 1 on; default 100.", valueName: "n"))
  var worlds: Int?

  @Option(help: ArgumentHelp("Begin no world after so much wall-clock time.", valueName: "duration"))
  var budget: DurationArgument?

  @Option(help: "How many worlds run side by side. It never changes a result.")
  var jobs: Int?

  @Option(
    name: .customLong("print"),
    help: ArgumentHelp("Print the world of this seed as a file; play nothing.", valueName: "seed"))
  var printed: UInt64?

  func validate() throws {
    if seeds != nil, worlds != nil { throw ValidationError("--seeds and --worlds exclude each other") }
    if let worlds, !(1...Int(SeedRange.maximumCount)).contains(worlds) {
      throw ValidationError("--worlds must be 1 to \(SeedRange.maximumCount)")
    }
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs must be 1 to 256") }
    if let budget, budget.value <= .zero { throw ValidationError("--budget must be more than 0s") }
  }

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(execute(on: .real, for: .standard))
  }

  /// Everything but the parsing and the exit.
  func execute(on bench: Bench, for audience: Audience) -> Int32 {
    do {
      let draw = WorldDraw(try drawn.options(), language: .shipped)
      var run = ExploreRun(bench: bench, draw: draw, seeds: seeds ?? SeedRange(first: 1, count: worlds ?? 100))
      if let printed {
        audience.tell(String(run.trial.text(printed).dropLast()))
        return Judging.ExitCode.pass.rawValue
      }
      run.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
      run.budget = budget?.value
      let ending = try run.play()
      let printer = ExplorePrinter(
        seeds: run.seeds, options: drawn, ending: ending, paint: .standardOutput)
      audience.tell(printer.text)
      if ending.wallMilliseconds > 0 {
        Console.note("\(ending.tally.worlds * 1_000 / ending.wallMilliseconds) worlds/s")
      }
      return Interruption.isRequested ? Interruption.exitCode : Judging.ExitCode(printer.verdict).rawValue
    } catch {
      return audience.refuse(error)
    }
  }
}
