import ArgumentParser
import Campaigns
import Conformance
import Foundation
import Judging
import Stress

/// `babbench merge`: the parts of a run become what one process would have written.
struct MergeCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Put the shards of stress, explore, conform, selftest or fuzz run together.",
    discussion: """
      Each folder is the --out of one command with --shard K/N. All N must be there, whole, once, and of the same \
      command line and version of babbench. The files of --out are those that one process would have written, except \
      for the time. Nothing is written where a shard is refused. Docs/shards.md has the contract.

      EXAMPLES:
        babbench merge part-1 part-2 part-3 --out whole
        babbench merge part-1 part-2 --out whole --baseline last/result.json --fail-on regressions

      EXIT CODES:
        0, 1, 2, 3  as one process would have ended
        64          a shard is missing, given twice, incomplete, or of another run
      """)

  @Argument(help: ArgumentHelp("The folders of the shards, in any order.", valueName: "dir"))
  var folders: [String]

  @Option(help: ArgumentHelp("Write the result to this folder.", valueName: "dir"))
  var out: String

  @OptionGroup var asked: MergeOptions

  func takeSignals() { Interruption.install() }

  func execute(for streams: OutputStreams) -> Int32 {
    do {
      let shards = try ShardSet(folders, out: out)
      if asked.isAnything, shards.command != .conform {
        throw UsageProblem("--baseline, --summary, --annotations and --code-quality are for shards of conform")
      }
      let merge: any ShardMerge =
        switch shards.command {
        case .stress: try StressMerge(shards)
        case .conform: try conformed(shards)
        case .selftest: try SelftestMerge(shards)
        case .fuzzRun: try FuzzMerge(shards)
        case .explore: try ExploreMerge(shards)
        }
      let wasThere = FileManager.default.fileExists(atPath: out)
      let folder = try CampaignFolder(out)
      // One that was made for a whole that is refused after all goes; `rmdir` leaves what is not empty.
      var isWritten = false
      defer { if !wasThere, !isWritten { rmdir(out) } }
      let code = try merge.write(to: folder.output, for: streams)
      try folder.end(CampaignEnding(unit: "shards", asked: folders.count, judged: folders.count, reason: nil))
      isWritten = true
      return code
    } catch {
      let isUsage =
        error is ShardSet.Refusal || error is CampaignResult.Refusal || error is Claim.Refusal
        || error is StressGrid.Refusal || error is UsageProblem || error is Baseline.Refusal
      return streams.refuse(error, isUsage ? .usage : .benchError)
    }
  }
}

extension MergeCommand {
  fileprivate func conformed(_ shards: ShardSet) throws -> ConformMerge {
    var merge = try ConformMerge(shards)
    merge.asked = asked
    return merge
  }
}

/// What shards of `conform` are compared with when they are one, and what is said of them beside their files.
struct MergeOptions: ParsableArguments {
  @OptionGroup var comparison: ComparisonOptions

  @OptionGroup var pipeline: PipelineOptions

  var isAnything: Bool { comparison.baseline != nil || comparison.failOn != nil || pipeline.isAsked }
}

/// What the shards of one command come to. To make it reads and checks everything, and writes nothing.
protocol ShardMerge {
  /// - Throws: `ShardSet.Refusal`, and the refusals of what the shards consist of.
  init(_ shards: ShardSet) throws

  /// Writes the files of the whole, and reports.
  /// - Returns: the exit code of the whole.
  func write(to output: OutputFolder, for streams: OutputStreams) throws -> Int32
}
