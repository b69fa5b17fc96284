import ArgumentParser
import Bench
import Campaigns
import CaptureCheck
import Conformance
import Foundation
import Judging
import Stress

/// `babbench limits`: up to where the scenarios of a protocol still work.
struct LimitsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limits",
    abstract: "Find the packet loss, distance, number of players and so on up to which a protocol works.",
    discussion: """
      Answers the questions that are shipped with each protocol, each by a search like babbench stress --limit, from
      the key's lowest to its highest value. Docs/limits.md is the full report, with pictures; it takes some minutes.

      EXAMPLES:
        babbench limits packet-loss
        babbench limits --write Docs

      EXIT CODES:
        0   every limit is known, or that there is none in the range
        1   a limit is not where a closed form says that it must be
        2   a question has no answer with so many worlds
        3   the bench itself failed, for example because a file cannot be written
        64  the command line is wrong
      """)

  static let questions = protocols.flatMap(\.limits)

  @Argument(
    help: ArgumentHelp("Only these questions, by name.", valueName: "question"),
    completion: .list(Self.questions.map(\.name)))
  var names: [String] = []

  @OptionGroup var parallel: JobsOption

  @Option(help: ArgumentHelp("Write limits.md and its pictures to this folder.", valueName: "folder"))
  var write: String?

  func validate() throws {
    if write != nil, !names.isEmpty { throw ValidationError("--write needs all questions, so it goes without names") }
  }

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(execute(Self.questions, on: .real, for: .standard))
  }

  /// Everything but the parsing and the exit.
  func execute(_ known: [LimitQuestion], on bench: Bench, for streams: OutputStreams) -> Int32 {
    do {
      let folder = try write.map { try OutputFolder(creating: $0) }
      var answers: [LimitAnswer] = []
      for question in try known.named(names, "question", by: \.name) {
        Console.note("\(question.name): \(question.claim)")
        var run = try search(question).prepared(on: bench)
        let ending = try run.play()
        if Interruption.isRequested { return streams.interrupted(after: answers.count, "questions") }
        answers.append(LimitAnswer(question, ending.plan, ending.tally))
      }
      streams.tell(
        ConsoleTable.table(LimitPage.cells(answers), rightAligned: [2, 3, 4]).trimmingCharacters(in: .newlines))
      if let folder {
        for answer in answers {
          if let plot = answer.plot { try FileSink.write(plot.file, to: folder.path(of: LimitPage.figureFile(answer))) }
        }
        try FileSink.write(Array(LimitPage.text(answers).utf8), to: folder.path(of: "limits.md"))
      }
      for answer in answers where answer.isWhereExpected == false {
        streams.complain("\(answer.question.name): the limit is not where a closed form says; see limits.md")
      }
      let isRight = answers.allSatisfy { $0.isWhereExpected != false }
      return Judging.ExitCode(!isRight ? .fail : answers.allSatisfy(\.isKnown) ? .pass : .inconclusive).rawValue
    } catch {
      return streams.refuse(error, error is UsageProblem ? .usage : .benchError)
    }
  }

  /// The command that answers one question alone.
  func search(_ question: LimitQuestion) throws -> StressCommand {
    var command = try StressCommand.parse(Array(question.words.dropFirst()))
    command.parallel = parallel
    return command
  }
}
