import Campaigns
import Conformance
import Foundation
import Fuzzing
import Judging
import ParserTargets
import SimKernel

extension FuzzParserCommand {
  // MARK: Decoders of the table

  func fuzz(_ decoders: [FuzzedDecoder], _ streams: OutputStreams) throws -> Int32 {
    let series = try ParserSeries(self, self.decoders + protocolWords, streams)
    return try inFolder { folder in
      series.planned = decoders.count
      for decoder in decoders {
        let words = [decoder.name] + protocolWords
        let campaign = ParserCampaign(decoder, words: words, try plan(series, decoder, words), folder: folder)
        try follow(campaign, share: Double(decoders.count), series, streams)
        if Interruption.isRequested { break }
      }
      return try end(series)
    }
  }

  // MARK: A parser that is not ours

  func fuzz(foreign grammar: InputGrammar, _ streams: OutputStreams) throws -> Int32 {
    if let target = foreign.target { return try fuzz(library: target, grammar, streams) }
    let (decoder, seeds, problem, close) = try started(grammar)
    defer { close() }
    if let input {
      let status = try decode(input, decoder, streams)
      if let problem = problem() { throw problem }
      return status
    }
    let words = foreign.words(dictionary: dictionary) + protocolWords
    let series = try ParserSeries(self, words, streams)
    var plan = try plan(series, decoder, words)
    plan.seeds += seeds
    try follow(DirectCampaign(decoder, plan, problem: problem), series, streams)
    return try end(series)
  }

  private typealias Started = (
    decoder: FuzzedDecoder, seeds: [[UInt8]], problem: () -> ParserProblem?, close: () -> Void
  )

  private func started(_ grammar: InputGrammar) throws -> Started {
    if let iut = foreign.iut {
      let implementation = try IUTDescription.read(
        path: iut, environment: Environment.inherited, among: protocols.tested)
      let parser = try ParserImplementation(implementation, try HeardConversation.recorded(of: implementation))
      return (parser.decoder(implementation.name, grammar), parser.seeds, { parser.problem }, {})
    }
    let command = foreign.program ?? foreign.programOnce ?? ""
    let program = ParserProgram(
      command: command, foreign.program == nil ? .once : .loop,
      directory: FileManager.default.currentDirectoryPath, environment: Environment.inherited,
      limits: ParserProgram.Limits(
        patienceMilliseconds: Int(patience * 1_000), memoryOctets: memory << 20))
    return (program.decoder("program", grammar), [], { program.problem }, { program.close() })
  }

  private func fuzz(library: String, _ grammar: InputGrammar, _ streams: OutputStreams) throws -> Int32 {
    let path = URL(fileURLWithPath: library).path
    guard FileManager.default.fileExists(atPath: path) else {
      throw ParserProblem("\(library): there is no such file", isUsage: true)
    }
    let name = path.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? "target"
    if let worker { return try work(library: path, name, grammar, in: worker) }
    // Only workers run it.
    let decoder = FuzzedDecoder(parser: name, grammar, isBlind: true) { _ in .ran(isNew: false) }
    let words = foreign.words(dictionary: dictionary) + protocolWords
    let series = try ParserSeries(self, words, streams)
    return try inFolder { folder in
      let campaign = ParserCampaign(
        decoder, words: words, library: path, try plan(series, decoder, words), folder: folder)
      if let input {
        let outcome = try campaign.outcome(of: octets(of: input))
        streams.tell(outcome ?? "it ran")
        return (outcome == nil ? Judging.ExitCode.pass : .fail).rawValue
      }
      try follow(campaign, series, streams)
      return try end(series)
    }
  }

  // MARK: Workers

  func work(_ decoder: FuzzedDecoder, in folder: String) throws -> Int32 {
    ForkedTry.endWithParent()
    let log = try InputLog(path: folder + "/input")
    serve(decoder, in: folder, log) { Console.resultOrEnd(octets: Array(($0 + "\n").utf8)) }
    return Judging.ExitCode.pass.rawValue
  }

  private func serve(
    _ decoder: FuzzedDecoder, in folder: String, _ log: InputLog, say: @escaping (String) -> Void
  ) {
    signal(SIGPIPE, SIG_DFL)
    ParserWorker(decoder: decoder, seed: seed, folder: folder, log: log, end: executions, say: say).serve()
  }

  /// What the library prints does not come between the lines that the command reads.
  private func work(library: String, _ name: String, _ grammar: InputGrammar, in folder: String) throws -> Int32 {
    ForkedTry.endWithParent()
    let output = dup(STDOUT_FILENO)
    let nowhere = open("/dev/null", O_WRONLY)
    dup2(nowhere, STDOUT_FILENO)
    close(nowhere)
    let say: (String) -> Void = { line in
      let octets = Array((line + "\n").utf8)
      _ = octets.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
    }
    let log = try InputLog(path: folder + "/input")
    do throws(ParserProblem) {
      let parser = try ParserLibrary(path: library)
      say("coverage \(parser.counters)")
      ParserLibrary.guardProcess(noting: log.crash, memory: UInt64(memory) << 21)
      serve(parser.decoder(name, grammar), in: folder, log, say: say)
    } catch {
      say("unusable \(error)")
    }
    return Judging.ExitCode.pass.rawValue
  }

  // MARK: What all campaigns share

  private func inFolder(_ body: (String) throws -> Int32) throws -> Int32 {
    let folder = NSTemporaryDirectory() + "/babbench-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    _ = try OutputFolder(creating: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
  }

  private func end(_ series: ParserSeries) throws -> Int32 {
    let ending = try series.end()
    if let missing = ending.text { Console.complain("note: " + missing) }
    return ending.exitCode(series.teller.count == 0 ? .pass : .fail)
  }

  /// - Parameter words: of a command line, which name the parser.
  private func plan(_ series: ParserSeries, _ decoder: FuzzedDecoder, _ words: [String]) throws -> CampaignPlan {
    let folder = try corpus.map { try OutputFolder(creating: $0) }
    let progress = series.progress(of: decoder.name)
    series.teller.recall(progress?.findings ?? [], words: words)
    return CampaignPlan(
      seed: seed, executions: executions, seeds: try series.seeds + inputs(in: corpus), progress: progress,
      patience: patience, memory: memory << 20,
      kept: { input in
        guard let folder else { return }
        try FileSink.write(input, to: folder.path(of: Self.name(of: input)))
      },
      found: { try series.teller.tell($0, words: words) })
  }

  /// The same input has the same name in every run.
  private static func name(of input: [UInt8]) -> String {
    let digits = String(FNV1a.hash(input), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  func inputs(in folder: String?) throws -> [[UInt8]] {
    guard let folder else { return [] }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw BenchFailure("\(folder): the folder cannot be read")
    }
    // What a run that was ended had begun to write is no input.
    return names.filter { !$0.hasSuffix(".partial") }.sorted().compactMap {
      FileManager.default.contents(atPath: folder + "/" + $0).map { [UInt8]($0) }
    }
  }

  /// - Parameter share: how many campaigns share the time.
  private func follow(
    _ campaign: any FuzzCampaign, share: Double = 1, _ series: ParserSeries, _ streams: OutputStreams
  ) throws {
    let began = Date()
    let limit = seconds.map { began.addingTimeInterval($0 / share) }
    defer { Console.endProgress() }
    try campaign.run {
      series.note(campaign)
      return Interruption.isRequested || (untilFound && !campaign.findings.isEmpty)
        || limit.map { Date() > $0 } ?? false
    }
    Console.endProgress()
    try series.take(campaign)
    streams.tell(Self.line(campaign, seconds: Date().timeIntervalSince(began)))
    if let remark = campaign.remark { streams.tell("      \(remark)") }
  }

  /// How it stands, four letters: what was not tried is not in order.
  private static func word(_ campaign: any FuzzCampaign) -> String {
    if !campaign.findings.isEmpty { return "fail" }
    if campaign.done == 0 { return "none" }
    return Interruption.isRequested ? "part" : "ok  "
  }

  private static func line(_ campaign: any FuzzCampaign, seconds: Double) -> String {
    let count = campaign.findings.count
    return
      "\(word(campaign))  \(campaign.decoder.name): \(CountedNoun.text(campaign.done, "execution")), "
      + "\(CountedNoun.text(campaign.states, "answer")), \(CountedNoun.text(campaign.corpus.count, "input")) kept, "
      + "\(CountedNoun.text(count, "finding")), \(Int(Double(campaign.done) / max(seconds, 0.001))) per second"
  }
}
