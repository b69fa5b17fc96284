import ArgumentParser
import Bench
import Campaigns
import Foundation
import Fuzzing
import InPlaceFuzz
import Judging
import SimKernel

/// `babbench fuzz replay`: recorded inputs and attacks once more, each with the answer that it had.
struct FuzzReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play recorded inputs and attacks, and say which answers have changed.",
    discussion: """
      EXAMPLES:
        babbench fuzz replay Tests/Regressions/fuzz
        babbench fuzz replay Tests/Regressions/fuzz --update
        babbench fuzz replay Tests/Regressions/fuzz --update --executions 20000

      FILES of the folder:
        decoders/NAME.txt   inputs of a decoder of `babbench fuzz parser --list` with their answers, a line each
        attacks/*.json      attacks of `babbench fuzz run` from one state, with digest, events and findings of each

      EXIT CODES:
        0   every answer is as it was recorded
        1   answers have changed, or a decoder has no inputs
        2   there is nothing to play
        3   a file cannot be read or written
        64  the command line or a file is wrong
      """)

  @Argument(help: ArgumentHelp("Folder of the recorded inputs and attacks.", valueName: "folder"))
  var folder: String

  @Flag(help: "Record the current answers.")
  var update = false

  @Option(help: "With --update: add inputs with new answers from this many executions of each decoder.")
  var executions: UInt64 = 0

  func validate() throws {
    if executions > 0, !update { throw ValidationError("--executions needs --update") }
  }

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(execute(Edition.current.decoders, on: .real, for: .standard))
  }

  /// Everything but the parsing and the exit.
  func execute(_ decoders: [FuzzedDecoder], on bench: Bench, for streams: OutputStreams) -> Int32 {
    do {
      guard update || FileManager.default.isFolder(folder) else {
        throw UsageProblem("\(folder): there is no such folder")
      }
      var tally = Tally()
      try replay(decoders, streams, &tally)
      try replayAttacks(on: bench, streams, &tally)
      streams.tell(
        [(tally.inputs, "input"), (tally.attacks, "attack"), (tally.differences, "difference")]
          .map { CountedNoun.text($0, $1) }.joined(separator: ", "))
      if Interruption.isRequested {
        return streams.interrupted(after: tally.inputs + tally.attacks, "inputs and attacks")
      }
      if tally.inputs + tally.attacks == 0 {
        streams.complain("error: \(folder): there is nothing to replay, no decoders/NAME.txt and no attacks/NAME.json")
        return Judging.ExitCode.inconclusive.rawValue
      }
      return (tally.differences == 0 || update ? Judging.ExitCode.pass : .fail).rawValue
    } catch let error as FuzzObstacle {
      return streams.refuse(error, .benchError)
    } catch {
      let isUsage =
        error is NoScenario || error is ScenarioProblems || error is UnknownDevice || error is AttackFile.Refusal
        || error is UsageProblem
      return streams.refuse(error, isUsage ? .usage : .benchError)
    }
  }

  private struct Tally {
    var inputs = 0
    var attacks = 0
    var differences = 0
  }

  // MARK: Decoders

  private func replay(_ decoders: [FuzzedDecoder], _ streams: OutputStreams, _ tally: inout Tally) throws {
    let record = folder + "/decoders"
    if !update, !FileManager.default.fileExists(atPath: record) { return }
    let scratch = NSTemporaryDirectory() + "/babbench-replay-\(ProcessInfo.processInfo.processIdentifier)"
    _ = try OutputFolder(creating: scratch)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    for decoder in decoders {
      let path = "\(record)/\(decoder.name).txt"
      let player = DecoderReplay(decoder: decoder, folder: scratch)
      let isThere = FileManager.default.fileExists(atPath: path)
      if !isThere, !update {
        streams.tell("\(path): no inputs are recorded; write them with --update --executions 20000")
        tally.differences += 1
        continue
      }
      var recorded =
        try isThere ? RecordedInputs(path) : RecordedInputs(heading: ["\(decoder.title). See Docs/fuzz.md."])
      if executions > 0 {
        for input in try player.further(than: recorded.entries.map(\.input), executions: executions) {
          recorded.add(input)
        }
      }
      let answers = try player.answers(to: recorded.entries.map(\.input))
      tally.inputs += answers.count
      for (entry, answer) in zip(recorded.entries, answers) where entry.answer != answer && entry.line > 0 {
        streams.tell("\(path):\(entry.line):1: was “\(entry.answer)”, is “\(answer)”")
        tally.differences += 1
      }
      if update {
        recorded.take(answers)
        try FileSink.write(recorded.octets, to: try OutputFolder(creating: record).path(of: decoder.name + ".txt"))
      }
    }
  }

  // MARK: Attacks

  private func replayAttacks(on bench: Bench, _ streams: OutputStreams, _ tally: inout Tally) throws {
    let record = folder + "/attacks"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: record)) ?? []
    for name in names.filter({ $0.hasSuffix(".json") }).sorted() {
      let path = record + "/" + name
      var recorded = try RecordedAttacks.read(path)
      guard FuzzSeam(rawValue: recorded.seam) != nil else {
        throw AttackFile.Refusal(description: "\(path): no seam is called “\(recorded.seam)”")
      }
      let scenario = try bench.load(try ScenarioLibrary.shipped.path(of: recorded.scenario), [])
      var plan = try FuzzPlan(scenario, from: recorded.from, seam: recorded.seam, when: recorded.when, seed: nil)
      plan.span = .nanoseconds(recorded.span)
      let campaign = try Campaign(plan, protocols: protocols, jobs: 1, shouldStop: { Interruption.isRequested })
      for index in recorded.attacks.indices {
        guard let execution = try campaign.play(recorded.attacks[index].attack) else { break }
        tally.attacks += 1
        for difference in recorded.attacks[index].differences(from: execution) {
          streams.tell("\(path): attack \(index + 1): \(difference)")
          tally.differences += 1
        }
        recorded.attacks[index].take(execution)
      }
      if update { try FileSink.write(try recorded.octets(), to: path) }
    }
  }
}
