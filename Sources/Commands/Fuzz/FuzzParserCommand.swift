import ArgumentParser
import Bench
import BluetoothWire
import Campaigns
import Foundation
import Fuzzing
import Judging
import ParserTargets
import SimKernel

/// `babbench fuzz parser`: the decoders of the bench and of its apps, or a parser of somebody else, under inputs that
/// nobody would send.
struct FuzzParserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parser",
    abstract: "Fuzz decoders: whatever the input, each must decode it or refuse it.",
    discussion: """
      Inputs are drawn as valid ones, changed by their structure, and kept when they show a new answer. A finding is a
      trap, a hang, a refusal whose offset is outside the input, or a value that is not the same after it was encoded
      and decoded. The same seed and number of executions give the same findings. Docs/fuzz-parsers.md says more.

      Your own parser takes the place of the decoders with --target (a shared library with LLVMFuzzerTestOneInput),
      --program (a loop on standard input), --program-once (an input to the end of standard input), or --iut (a program
      of the IUT protocol). A finding is what ends it, or makes it hang. Docs/fuzz-your-parser.md has examples.

      EXAMPLES:
        babbench fuzz parser --list
        babbench fuzz parser att --executions 1000000
        babbench fuzz parser --seconds 60 --out findings
        babbench fuzz parser att --input findings/att-1/input
        babbench fuzz parser --target ./parser.so --grammar att --out findings
        babbench fuzz parser --program 'python3 parser.py' --grammar bab-packet --seconds 60
        babbench fuzz parser --protocol ./chat.yaml
        babbench fuzz parser --program 'python3 parser.py' --protocol ./chat.yaml --grammar chat-packet
      """)

  @Argument(help: ArgumentHelp("Only these decoders; all when none is named.", valueName: "decoder"))
  var decoders: [String] = []

  @OptionGroup var foreign: ForeignParserOptions

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp(
      "Know the decoders of this protocol file, NAME-packet and NAME-values; only these when no decoder is named.",
      valueName: "file"))
  var protocolFile: String?

  @Flag(help: "List the decoders and grammars, and end.")
  var list = false

  @Option(help: "Executions per decoder.")
  var executions: UInt64 = 200_000

  @Option(help: "Stop after this many seconds, shared by the decoders.")
  var seconds: Double?

  @Flag(help: "End with the first finding.")
  var untilFound = false

  @Option(help: ArgumentHelp("An input that takes longer is a hang.", valueName: "seconds"))
  var patience = 10.0

  @Option(help: "Random seed.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Begin with the files in this folder.", valueName: "folder"))
  var seeds: String?

  @Option(
    help: ArgumentHelp("Begin with the inputs in this folder, and add to it what is kept.", valueName: "folder"))
  var corpus: String?

  @Option(help: ArgumentHelp("Words of the format, one a line, as AFL++ and libFuzzer read them.", valueName: "file"))
  var dictionary: String?

  @Option(help: ArgumentHelp("More resident memory than this many MiB is a finding.", valueName: "MiB"))
  var memory = 512

  @Option(
    help: ArgumentHelp(
      "Write this many valid inputs of a grammar, and its words, to the folder of --out, and end.", valueName: "count"))
  var draw: Int?

  @OptionGroup var output: ResumeOptions

  @Option(
    help: ArgumentHelp("Decode this file once and print the answer; - is standard input.", valueName: "file"))
  var input: String?

  @Option(help: .hidden)
  var worker: String?

  func validate() throws {
    if executions == 0 { throw ValidationError("--executions must be at least 1") }
    if !(patience > 0 && patience.isFinite) { throw ValidationError("--patience must be more than 0") }
    if memory <= 0 { throw ValidationError("--memory must be at least 1") }
    if let seconds, !(seconds > 0 && seconds.isFinite) { throw ValidationError("--seconds must be more than 0") }
    if foreign.isGiven, !decoders.isEmpty {
      throw ValidationError("--grammar names the form of the inputs of your parser; leave the decoder out")
    }
    if dictionary != nil, !foreign.isGiven, draw == nil {
      throw ValidationError("--dictionary is for a parser of your own: decoders of the bench know their words")
    }
    if let draw {
      if draw <= 0 { throw ValidationError("--draw must be at least 1") }
      if foreign.grammar == nil || output.out == nil { throw ValidationError("--draw needs --grammar and --out") }
    } else if foreign.grammar != nil, !foreign.isGiven {
      throw ValidationError("--grammar needs a parser: --target, --program, --program-once or --iut")
    }
    if !foreign.isGiven, draw == nil, input != nil || worker != nil || corpus != nil, decoders.count != 1 {
      throw ValidationError(
        "--input and --corpus need the name of one decoder; babbench fuzz parser --list shows them")
    }
  }

  func run() throws {
    Interruption.install()
    // A worker or a program that has ended is a finding.
    signal(SIGPIPE, SIG_IGN)
    throw ArgumentParser.ExitCode(execute(Edition.current.decoders, for: .standard))
  }

  /// Everything but the parsing and the exit.
  func execute(_ known: [FuzzedDecoder], for streams: OutputStreams) -> Int32 {
    do {
      if let protocolFile, Edition.current.learned.isEmpty {
        throw UnknownName(
          description:
            "\(protocolFile): no protocol file can be read here; Docs/own-protocol.md says how one is written")
      }
      let grammars = known.map(\.grammar) + InputGrammar.plain
      if draw != nil || foreign.isGiven {
        let grammar = try chosen(foreign.grammar ?? "octets", from: grammars, "grammar", name: \.name)
        if let draw, let out = output.out { return try write(draw, of: grammar, to: out) }
        return try fuzz(foreign: try grammar.adding(words: words()), streams)
      }
      let all = protocolFile == nil ? known : Edition.current.learned
      let decoders =
        decoders.isEmpty ? all : try decoders.map { try chosen($0, from: known, "decoder", name: \.name) }
      if list {
        let others = self.decoders.isEmpty ? InputGrammar.plain : []
        streams.tell(Self.table(decoders.map(\.grammar) + others))
        return Judging.ExitCode.pass.rawValue
      }
      if let worker { return try work(decoders[0], in: worker) }
      if let input { return try decode(input, decoders[0], streams) }
      return try fuzz(decoders, streams)
    } catch {
      Console.endProgress()
      streams.complain("error: \(error)")
      let isUsage =
        error is UnknownName || error is NoResumption || error is ScenarioProblems
        || (error as? ParserProblem)?.isUsage == true
      return (isUsage ? Judging.ExitCode.usage : Judging.ExitCode.benchError).rawValue
    }
  }

  /// The words of a command line that name the protocol file.
  var protocolWords: [String] { protocolFile.map { ["--protocol", $0] } ?? [] }

  private struct UnknownName: Error, CustomStringConvertible {
    var description: String
  }

  private func chosen<Row>(
    _ name: String, from known: [Row], _ noun: String, name nameOf: (Row) -> String
  ) throws -> Row {
    if let row = known.first(where: { nameOf($0) == name }) { return row }
    throw UnknownName(
      description: "there is no \(noun) “\(name)”; " + Suggestion.advice(for: name, in: known.map(nameOf)))
  }

  private static func table(_ grammars: [InputGrammar]) -> String {
    let width = grammars.map(\.name.count).max() ?? 0
    return grammars.map { grammar in
      grammar.name + String(repeating: " ", count: width - grammar.name.count + 2) + grammar.title
    }.joined(separator: "\n")
  }

  private func words() throws -> [[UInt8]] {
    guard let dictionary else { return [] }
    guard let data = FileManager.default.contents(atPath: dictionary) else {
      throw ParserProblem("\(dictionary): the file cannot be read", isUsage: true)
    }
    do throws(WordList.Refusal) {
      return try WordList.read(parsing: [UInt8](data))
    } catch {
      throw ParserProblem("\(dictionary):\(error.line):1: \(error.reason)", isUsage: true)
    }
  }

  /// For engines that want a folder of inputs and a word list to begin with.
  private func write(_ count: Int, of grammar: InputGrammar, to out: String) throws -> Int32 {
    let folder = try OutputFolder(creating: out).folder("seeds")
    var stream = RandomStream(seed: seed, component: grammar.name, purpose: "draw")
    for number in 1...count {
      try FileSink.write(grammar.valid(&stream), to: folder.path(of: "\(grammar.name)-\(number)"))
    }
    let words = try grammar.adding(words: words()).words
    try FileSink.write(Array(WordList.text(words).utf8), to: out + "/words.dict")
    return Judging.ExitCode.pass.rawValue
  }

  // MARK: One input

  func decode(_ path: String, _ decoder: FuzzedDecoder, _ streams: OutputStreams) throws -> Int32 {
    switch decoder.judge(try octets(of: path)) {
    case .success(.accepted(_, let canonical?)):
      streams.tell("accepted; encoded again: \(String(hexadecimal: canonical))")
    case .success(.accepted): streams.tell("accepted")
    case .success(.refused(let reason, let offset?)): streams.tell("refused at octet \(offset): \(reason)")
    case .success(.refused(let reason, nil)): streams.tell("refused: \(reason)")
    case .success(.ran): streams.tell("it ran")
    case .success(.broken(let rule, _)): streams.tell(rule)
    case .failure(let fault):
      streams.tell("\(fault)")
      return Judging.ExitCode.fail.rawValue
    }
    return Judging.ExitCode.pass.rawValue
  }

  func octets(of path: String) throws -> [UInt8] {
    let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
    guard let file else { throw BenchFailure("\(path): the file cannot be opened") }
    do { return [UInt8](try file.readToEnd() ?? Data()) } catch {
      let reason = FileManager.default.isFolder(path) ? "this is a folder" : "it cannot be read"
      throw BenchFailure("\(path == "-" ? "standard input" : path): \(reason)")
    }
  }
}
