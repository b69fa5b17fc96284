import ArgumentParser
import Bench
import BluetoothWire
import Foundation
import Fuzzing
import Judging

/// `babbench fuzz parser`: the decoders of the bench and of its apps under inputs that nobody would send.
struct FuzzParserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parser",
    abstract: "Fuzz decoders: what they may do with any octets is refuse.",
    discussion: """
      Inputs are drawn as valid ones, changed by their structure, and kept when they show a new answer. A finding is a
      trap, a hang, a refusal whose offset is outside the input, or a value that is not the same after it was encoded
      and decoded. The same seed and number of executions give the same findings. Docs/fuzz-parsers.md says more.

      EXAMPLES:
        babbench fuzz parser --list
        babbench fuzz parser att --executions 1000000
        babbench fuzz parser --seconds 60 --out findings
        babbench fuzz parser att --input findings/att-1/input
      """)

  @Argument(help: ArgumentHelp("Only these decoders; all when none is named.", valueName: "decoder"))
  var decoders: [String] = []

  @Flag(help: "List the decoders, and end.")
  var list = false

  @Option(help: "Executions of each decoder.")
  var executions: UInt64 = 200_000

  @Option(help: "Stop after so many seconds, shared by the decoders.")
  var seconds: Double?

  @Option(help: ArgumentHelp("An input that takes longer is a hang.", valueName: "seconds"))
  var patience = 10.0

  @Option(help: "All draws come from it.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Begin with the files in this folder.", valueName: "folder"))
  var seeds: String?

  @Option(help: ArgumentHelp("Write each finding to a folder of its own in here.", valueName: "folder"))
  var out: String?

  @Option(
    help: ArgumentHelp("Decode this file once and say what the answer is; - is standard input.", valueName: "file"))
  var input: String?

  @Option(help: .hidden)
  var worker: String?

  @Option(help: .hidden)
  var first: UInt64 = 0

  func validate() throws {
    if executions == 0 { throw ValidationError("--executions must be at least 1") }
    if patience <= 0 { throw ValidationError("--patience must be more than 0") }
    if let seconds, seconds <= 0 { throw ValidationError("--seconds must be more than 0") }
    if input != nil || worker != nil, decoders.count != 1 {
      throw ValidationError("--input needs the name of one decoder; babbench fuzz parser --list shows them")
    }
  }

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(execute(Edition.current.decoders, for: .standard))
  }

  /// Everything but the parsing and the exit.
  func execute(_ known: [FuzzedDecoder], for audience: Audience) -> Int32 {
    do {
      let chosen = try selected(from: known)
      if list {
        audience.tell(Self.table(chosen))
        return Judging.ExitCode.pass.rawValue
      }
      if let worker { return try work(chosen[0], in: worker) }
      if let input { return try decode(input, chosen[0], audience) }
      return try fuzz(chosen, audience)
    } catch {
      audience.complain("babbench: \(error)")
      return error is UnknownDecoder ? Judging.ExitCode.usage.rawValue : Judging.ExitCode.benchError.rawValue
    }
  }

  private struct UnknownDecoder: Error, CustomStringConvertible {
    var description: String
  }

  private func selected(from known: [FuzzedDecoder]) throws -> [FuzzedDecoder] {
    if decoders.isEmpty { return known }
    return try decoders.map { name in
      if let decoder = known.first(where: { $0.name == name }) { return decoder }
      throw UnknownDecoder(
        description: "there is no decoder “\(name)”; " + Suggestion.advice(for: name, in: known.map(\.name)))
    }
  }

  private static func table(_ decoders: [FuzzedDecoder]) -> String {
    let width = decoders.map(\.name.count).max() ?? 0
    return decoders.map { decoder in
      decoder.name + String(repeating: " ", count: width - decoder.name.count + 2) + decoder.title
    }.joined(separator: "\n")
  }

  // MARK: One input

  private func decode(_ path: String, _ decoder: FuzzedDecoder, _ audience: Audience) throws -> Int32 {
    let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
    guard let file else { throw BenchFailure("\(path): the file cannot be opened") }
    let data = try file.readToEnd() ?? Data()
    switch decoder.judge([UInt8](data)) {
    case .success(.accepted(_, let canonical?)):
      audience.tell("accepted; encoded again: \(String(hexadecimal: canonical))")
    case .success(.accepted): audience.tell("accepted")
    case .success(.refused(let reason, let offset?)): audience.tell("refused at octet \(offset): \(reason)")
    case .success(.refused(let reason, nil)): audience.tell("refused: \(reason)")
    case .success(.broken(let rule)): audience.tell(rule)
    case .failure(let fault):
      audience.tell("\(fault)")
      return Judging.ExitCode.fail.rawValue
    }
    return Judging.ExitCode.pass.rawValue
  }

  private func work(_ decoder: FuzzedDecoder, in folder: String) throws -> Int32 {
    let log = try InputLog(path: folder + "/input-\(decoder.name)")
    let lines = try String(contentsOfFile: folder + "/corpus-\(decoder.name)", encoding: .utf8).split(separator: "\n")
    let worker = ParserWorker(decoder: decoder, seed: seed, log: log, end: executions) { _ = Console.result($0 + "\n") }
    worker.run(from: first, corpus: lines.compactMap { Data(base64Encoded: String($0)).map { [UInt8]($0) } })
    return Judging.ExitCode.pass.rawValue
  }

  // MARK: Many inputs

  private func fuzz(_ decoders: [FuzzedDecoder], _ audience: Audience) throws -> Int32 {
    let folder = NSTemporaryDirectory() + "/babbench-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    _ = try OutputFolder(creating: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let given = try seedInputs()
    var findings = 0
    for decoder in decoders {
      let limit = seconds.map { Date(timeIntervalSinceNow: $0 / Double(decoders.count)) }
      let campaign = ParserCampaign(
        decoder, seed: seed, executions: executions, seeds: given, patience: patience, folder: folder)
      let began = Date()
      try campaign.run { Interruption.isRequested || limit.map { Date() > $0 } ?? false }
      Console.endProgress()
      if Interruption.isRequested { return Interruption.exitCode }
      audience.tell(Self.line(campaign, seconds: Date().timeIntervalSince(began)))
      for finding in campaign.findings {
        findings += 1
        try report(finding, number: findings, audience)
      }
    }
    return (findings == 0 ? Judging.ExitCode.pass : .fail).rawValue
  }

  private func seedInputs() throws -> [[UInt8]] {
    guard let seeds else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: seeds).sorted()
    return names.compactMap { FileManager.default.contents(atPath: seeds + "/" + $0).map { [UInt8]($0) } }
  }

  private static func line(_ campaign: ParserCampaign, seconds: Double) -> String {
    let count = campaign.findings.count
    return "\(count == 0 ? "ok  " : "fail")  \(campaign.decoder.name): \(campaign.done) executions, "
      + "\(campaign.states) answers, \(campaign.corpus.count) inputs kept, "
      + "\(count) finding\(count == 1 ? "" : "s"), \(Int(Double(campaign.done) / max(seconds, 0.001))) per second"
  }

  private func report(_ finding: ParserCampaign.Finding, number: Int, _ audience: Audience) throws {
    audience.tell("      \(finding.cause)")
    audience.tell("      execution \(finding.execution), \(finding.input.count) octets: \(shown(finding.input))")
    guard let out else { return }
    let folder = try OutputFolder(creating: out).folder("\(finding.decoder)-\(number)")
    let file = folder.path(of: "input")
    try Data(finding.input).write(to: URL(fileURLWithPath: file), options: .atomic)
    let text = """
      \(finding.cause)
      decoder:   \(finding.decoder)
      seed:      \(seed), execution \(finding.execution)
      input:     \(finding.input.count) octets, made smaller: \(shown(finding.input))
      repeat it: babbench fuzz parser \(finding.decoder) --input \(Shell.quoted(file))

      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(of: "finding.txt")), options: .atomic)
    audience.tell("      babbench fuzz parser \(finding.decoder) --input \(Shell.quoted(file))")
  }

  private func shown(_ octets: [UInt8]) -> String {
    octets.count <= 64 ? String(hexadecimal: octets) : String(hexadecimal: Array(octets.prefix(64))) + "…"
  }
}
