import ArgumentParser
import Campaigns
import CaptureCheck
import Conformance
import Judging

/// `babbench stats`: what connections in captures measure.
struct StatsCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Measure the connections of captures: intervals, latencies, throughput, retransmissions.",
    discussion: """
      Each capture is measured on a clock of its own. Docs/stats.md says what every figure is, and what HCI cannot show.

      EXAMPLES:
        babbench stats air.pcapng
        babbench stats hci/*.btsnoop --html stats.html --svg plots
        babbench stats btsnoop_hci.log --json -
      """)

  @Argument(
    help: ArgumentHelp("Captures of any format; - is standard input.", valueName: "capture"), completion: .file())
  var captures: [String]

  @Option(help: ArgumentHelp("Write tables and plots as one page.", valueName: "file"), completion: .file())
  var html: String?

  @Option(help: ArgumentHelp("Write each plot as an SVG file into a folder.", valueName: "folder"))
  var svg: String?

  @Option(
    help: ArgumentHelp("Write every figure as JSON; - is standard output, without the tables.", valueName: "file"),
    completion: .file())
  var json: String?

  @Option(parsing: .singleValue, help: KeyWords.help)
  var key: [String] = []

  func takeSignals() { Interruption.install(untilWork: true) }

  func execute(for streams: OutputStreams) -> Int32 {
    do {
      let report = try Self.read(captures, keys: try KeyWords.keys(key))
      if let html { try FileSink.write(try StatsPage.octets(report, version: BenchVersion.current), to: html) }
      if let svg {
        let folder = try OutputFolder(creating: svg)
        for plot in StatsPage.plots(report) { try FileSink.write(plot.octets, to: folder.path(of: plot.name)) }
      }
      if let json, json != "-" { try FileSink.write(StatsJSON.octets(report), to: json) }
      let text = json == "-" ? String(decoding: StatsJSON.octets(report), as: UTF8.self) : StatsTable.text(report)
      streams.tell(String(text.dropLast(text.hasSuffix("\n") ? 1 : 0)))
      return (report.records == 0 ? Judging.ExitCode.inconclusive : .pass).rawValue
    } catch {
      return Self.refuse(error, streams)
    }
  }

  /// Reads captures with progress on a terminal.
  static func read(_ captures: [String], keys: [CaptureKey] = []) throws -> StatsReport {
    defer { Console.endProgress() }
    defer { Interruption.workBegins() }
    return try StatsReport.read(captures, keys: keys) { path, records in
      if Console.showsProgress, records & 0xFFFF == 0 { Console.progress("\(path): \(records) packets") }
      return Interruption.isRequested
    }
  }

  static func refuse(_ error: any Error, _ streams: OutputStreams) -> Int32 {
    if error is Checker.Interrupted { return Interruption.exitCode }
    streams.complain("error: \(error)")
    return (error is CaptureRefusal || error is UsageProblem ? Judging.ExitCode.usage : .benchError).rawValue
  }
}
