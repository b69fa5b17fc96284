import ArgumentParser
import Foundation
import Judging
import Measures
import Stress

/// `babbench merge`: the parts of a campaign become what one process would have written.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Put the shards of a stress campaign together.",
    discussion: """
      Each folder is the --out of one babbench stress --shard K/N. All N must be there, whole, once, and from the same \
      version of babbench. The files of --out are those that one process would have written, except for the time.

      EXAMPLES:
        babbench merge part-1 part-2 part-3 --out whole

      EXIT CODES:
        0, 1, 2, 3  as babbench stress would have ended
        64          a shard is missing, there twice, not whole, or from another campaign
      """)

  @Argument(help: ArgumentHelp("The folders of the shards, in any order.", valueName: "dir"))
  var folders: [String]

  @Option(help: ArgumentHelp("Write the result there.", valueName: "dir"))
  var out: String

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(execute(for: .standard))
  }

  /// Everything but the parsing and the exit.
  func execute(for audience: Audience) -> Int32 {
    do {
      let shards = try ShardMerge(folders)
      let plan = try shards.plan(among: RunMeasure.all(protocols))
      let result = shards.result(plan)
      let output = try OutputFolder(creating: out)
      try shards.mergeRows(plan, to: output.path(of: "worlds.csv"))
      let report = StressReport(
        plan: plan, tally: result.tally, missing: 0, repeatLine: result.repeatLine,
        wallMilliseconds: result.wallMilliseconds, worldLine: { plan.repeatLine(of: $0) })
      try output.write(result, report)
      audience.tell(StressPrinter(report: report, paint: .standardOutput).text)
      return result.exitCode
    } catch {
      let isUsage =
        error is ShardMerge.Refusal || error is CampaignResult.Refusal || error is Claim.Refusal
        || error is StressGrid.Refusal
      return audience.refuse(error, isUsage ? .usage : .benchError)
    }
  }
}
