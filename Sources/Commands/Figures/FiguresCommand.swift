import ArgumentParser
import Bench
import Campaigns
import CaptureCheck
import Conformance
import Foundation
import Judging
import Stress

/// `babbench figures`: how long things take in a protocol, compared across configurations.
struct FiguresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "figures",
    abstract: "Compare how long things take in a protocol across configurations.",
    discussion: """
      Answers the questions that are shipped with a protocol. A question plays the same worlds in several
      configurations and gives the distributions of its measures in each; a comparison goes feature by feature.
      The page of a protocol has all answers, with pictures, for example Docs/beamscribe.md.

      EXAMPLES:
        babbench figures priming
        babbench figures --write Docs

      EXIT CODES:
        0   every question has its answer
        2   a measure that a question is about has no sample
        3   the bench itself failed, for example because a file cannot be written
        64  the command line is wrong
      """)

  /// What is asked, and of which protocol.
  typealias Asked = (app: AppProtocol, figures: ProtocolFigures)

  static let shipped: [Asked] = protocols.compactMap { app in app.figures.map { (app, $0) } }

  @Argument(
    help: ArgumentHelp("Only these questions, by name.", valueName: "question"),
    completion: .list(Self.shipped.flatMap(\.figures.names)))
  var names: [String] = []

  @OptionGroup var parallel: JobsOption

  @Option(help: ArgumentHelp("Write the page of each protocol and its pictures to this folder.", valueName: "folder"))
  var write: String?

  func validate() throws {
    if write != nil, !names.isEmpty { throw ValidationError("--write needs all questions, so it goes without names") }
  }

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(execute(Self.shipped, on: .real, for: .standard))
  }

  /// Everything but the parsing and the exit.
  func execute(_ asked: [Asked], on bench: Bench, for streams: OutputStreams) -> Int32 {
    do {
      let folder = try write.map { try OutputFolder(creating: $0) }
      let known = asked.flatMap(\.figures.names)
      let chosen = try known.named(names, "question", by: \.self)
      var problems: [String] = []
      for (app, figures) in asked {
        var answers: [FigureAnswer] = []
        for question in figures.questions where chosen.contains(question.name) {
          Console.note("\(question.name): \(question.title)")
          let tallies = try question.ways.map { try play(question.words($0), on: bench).tally }
          if Interruption.isRequested { return streams.interrupted(after: answers.count, "questions") }
          let answer = FigureAnswer(question, RunMeasure.all(protocols), tallies)
          streams.tell(question.title + "\n" + table(answer.table, from: 2))
          answers.append(answer)
        }
        var comparisons: [FeatureAnswer] = []
        for comparison in figures.comparisons where chosen.contains(comparison.name) {
          let answer = FeatureAnswer(comparison, try compare(comparison, on: bench))
          if Interruption.isRequested {
            return streams.interrupted(after: answers.count + comparisons.count, "questions")
          }
          streams.tell(comparison.title + "\n" + table(answer.table, from: .max))
          comparisons.append(answer)
        }
        problems += answers.compactMap(\.problem)
        if let folder { try page(of: app, figures, answers, comparisons, to: folder) }
      }
      for problem in problems { streams.complain(problem) }
      return Judging.ExitCode(problems.isEmpty ? .pass : .inconclusive).rawValue
    } catch {
      return streams.refuse(error, error is UsageProblem ? .usage : .benchError)
    }
  }

  private func compare(_ comparison: FeatureComparison, on bench: Bench) throws -> [[FeatureAnswer.Cell]] {
    try comparison.features.map { feature in
      Console.note("\(comparison.name): \(feature.title)")
      return try comparison.ways.map { way in
        FeatureAnswer.Cell(try play(comparison.words(feature, way), on: bench).tally)
      }
    }
  }

  private func page(
    of app: AppProtocol, _ figures: ProtocolFigures, _ answers: [FigureAnswer], _ comparisons: [FeatureAnswer],
    to folder: OutputFolder
  ) throws {
    for (file, _, plot) in answers.flatMap(\.plots) {
      try FileSink.write(plot.file, to: folder.path(of: FigurePage.figureFile(file, of: app)))
    }
    let text = FigurePage.text(of: app, figures.introduction, answers, comparisons)
    try FileSink.write(Array(text.utf8), to: folder.path(of: FigurePage.file(of: app)))
  }

  private func table(_ cells: [[String]], from numbers: Int) -> String {
    ConsoleTable.table(cells, rightAligned: cells[0].indices.filter { $0 >= numbers })
  }

  /// The worlds of a command line, which is one of `babbench stress`.
  private func play(_ words: [String], on bench: Bench) throws -> StressRun.Ending {
    var command = try StressCommand.parse(Array(words.dropFirst()))
    command.parallel = parallel
    var run = try command.prepared(on: bench)
    return try run.play()
  }
}
