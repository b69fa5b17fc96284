import ArgumentParser
import Campaigns
import CaptureCheck
import Foundation
import Judging
import RadioLaws
import SimKernel

/// `babbench physics`: the virtual radio held against closed forms and published figures.
struct PhysicsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "physics",
    abstract: "Check the virtual radio against closed forms and published figures.",
    discussion: """
      For each law: what its closed form expects, what a run of the radio measures, how far they may be apart, and
      whether it holds. Docs/physics.md is the full report, with sources and pictures.

      EXAMPLES:
        babbench physics
        babbench physics discovery saturated-link
        babbench physics --write Docs
      """)

  @Argument(
    help: ArgumentHelp("Only these laws, by name.", valueName: "law"), completion: .list(RadioLaw.all.map(\.name)))
  var laws: [String] = []

  @OptionGroup var parallel: JobsOption

  @Option(help: ArgumentHelp("Write physics.md and its pictures to this folder.", valueName: "folder"))
  var write: String?

  func validate() throws {
    if write != nil, !laws.isEmpty { throw ValidationError("--write needs all laws, so it goes without names") }
  }

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(execute(RadioLaw.all, for: .standard))
  }

  /// Everything but the parsing and the exit.
  /// - Parameter known: the laws that there are.
  func execute(_ known: [RadioLaw], for streams: OutputStreams) -> Int32 {
    do {
      let laws = try known.named(laws, "law", by: \.name)
      let folder = try write.map { try OutputFolder(creating: $0) }
      let trials = Trials("laws", jobs: parallel.count)
      let reports = try trials.outcomes(laws.count, makePlayer: { { laws[$0].report() } }, isBad: { !$0.holds })
      let ending = trials.clock.ending("laws", asked: laws.count, judged: reports.count)
      streams.tell(PhysicsPrinter(reports: reports, ending: ending, paint: .standardOutput).text)
      if let folder, ending.missing == 0 {
        try FileSink.write(Array(LawPage.text(reports).utf8), to: folder.path(of: "physics.md"))
        for figure in reports.compactMap(\.figure) {
          try FileSink.write(figure.plot.file, to: folder.path(of: LawPage.figureFile(figure)))
        }
      }
      return ending.exitCode(reports.allSatisfy(\.holds) ? .pass : .fail)
    } catch {
      streams.complain("error: \(error)")
      return (error is UsageProblem ? Judging.ExitCode.usage : .benchError).rawValue
    }
  }
}

/// Lays laws out for a person.
struct PhysicsPrinter {
  var reports: [LawReport]
  var ending: CampaignEnding
  var paint: Paint

  var text: String {
    var text = ""
    for report in reports {
      text += paint(report.law.name, .bold) + ": " + report.law.claim + "\n"
      if let problem = report.problem {
        text += "  " + paint("could not be measured", .red) + ": \(problem)\n\n"
        continue
      }
      let table = ConsoleTable.table(LawPage.cells(report), rightAligned: [1, 2, 3, 4, 5]) { column, cell in
        column == 6 ? paint(cell, cell == LawPage.verdict(true) ? .green : .red) : nil
      }
      text += table.split(separator: "\n").map { "  " + $0 + "\n" }.joined() + "\n"
    }
    let broken = reports.filter { !$0.holds }
    for report in broken {
      text += paint(LawPage.verdict(false), .red) + "  \(report.law.name): \(report.law.claim)\n"
    }
    if let missing = ending.text { text += missing + "\n" }
    let verdict = ending.verdict(broken.isEmpty ? .pass : .fail)
    return text + CountedNoun.text(reports.count, "law") + ", \(reports.count - broken.count) hold\nverdict "
      + paint(verdict.name, verdict == .pass ? .green : .red)
  }
}
