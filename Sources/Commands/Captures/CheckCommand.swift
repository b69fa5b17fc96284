import SimKernel
import ArgumentParser
import Campaigns
import CaptureCheck
import Conformance
import Judging
import RunReports

/// `babbench check`: judges what was recorded.
struct CheckCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Judge captures of real traffic by the rules that judge the simulation.",
    discussion: """
      Reads btsnoop, pcap, pcapng and PacketLogger files, recognised by their content, and rebuilds links, ATT_MTU and
      what handles mean. Several captures of one session are put onto one clock. Every finding names the packet by
      its number in Wireshark. What a capture does not show, such as encrypted traffic without its key, is
      inconclusive, not wrong.

      EXAMPLES:
        babbench check btsnoop_hci.log
        babbench check host.btsnoop client.btsnoop air.pcapng --protocol \(Examples.app)
        babbench check air.pcapng --protocol \(Examples.app) --dialect sdk --html report.html --junit junit.xml
        babbench check btsnoop_hci.log --timeline timeline.html
        babbench check air.pcapng --key ltk=4C68384139F574D836BCF34E9DFB01BF
      """)

  @Argument(help: ArgumentHelp("Captures of one session; - is standard input.", valueName: "capture"))
  var captures: [String]

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("Judge by this app's oracles too; default: by general rules only.", valueName: "name"))
  var protocolName: String?

  @Option(help: ArgumentHelp("The protocol's dialect; auto detects it from the traffic.", valueName: "auto|name"))
  var dialect = "auto"

  @Option(parsing: .singleValue, help: ClockWords.help)
  var clock: [String] = []

  @Option(parsing: .singleValue, help: KeyWords.help)
  var key: [String] = []

  @Flag(help: "Also call a rule inconclusive if only the beginning or the end of a capture leaves something open.")
  var strict = false

  @Option(help: ArgumentHelp("Write the verdicts to this file, for CI.", valueName: "file"))
  var junit: String?

  @Option(help: ArgumentHelp("Write the report to this file as one page.", valueName: "file"))
  var html: String?

  @Option(
    help: ArgumentHelp(
      "Draw a timeline of the captures as one page for a browser: devices, packets, findings.", valueName: "file"))
  var timeline: String?

  @Option(
    help: ArgumentHelp("Write that timeline to this file as trace events, for ui.perfetto.dev.", valueName: "file"))
  var perfetto: String?

  @Option(
    help: ArgumentHelp("Write the whole report to this file as JSON; Docs/check.md has the format.", valueName: "file"))
  var json: String?

  func validate() throws {
    if timeline != nil || perfetto != nil, captures.contains("-") {
      throw ValidationError(
        "--timeline and --perfetto read captures twice, and standard input can be read once only: give it as a file")
    }
  }

  func takeSignals() { Interruption.install(untilWork: true) }

  func execute(for streams: OutputStreams) -> Int32 {
    do {
      let spoken = try protocolName.map { try TrafficProtocolNames.named($0) }
      var checker = Checker(
        paths: captures, protocolType: spoken, dialect: try TrafficProtocolNames.dialect(dialect, of: spoken))
      checker.isStrict = strict
      checker.keys = try KeyWords.keys(key)
      checker.clocks = try ClockWords.clocks(clock, captures)
      checker.collectsScenes = html != nil
      checker.printedProtocols = spoken.map { [$0] } ?? protocols.traffic
      checker.shouldStop = { records in
        if Console.showsProgress, records & 0xFFFF == 0 { Console.progress("\(records) records") }
        return Interruption.isRequested
      }
      let report = try checker.report()
      // Files are written from now on; before, there was nothing to complete.
      Interruption.workBegins()
      Console.endProgress()
      try write(report)
      let omissions = try draw(report, checker)
      Console.endProgress()
      for line in omissions { streams.complain("note: \(timeline ?? perfetto ?? ""): \(line)") }
      let paint = Paint.standardOutput
      streams.tell(
        CheckText.text(report, isColoured: paint.isOn) + "\nverdict " + RunPrinter(paint: paint).word(report.verdict))
      return Judging.ExitCode(report.verdict).rawValue
    } catch is Checker.Interrupted {
      Console.endProgress()
      return Interruption.exitCode
    } catch let error as CaptureRefusal {
      return streams.refuse(error, .usage)
    } catch let error as UsageProblem {
      return streams.refuse(error, .usage)
    } catch {
      return streams.refuse(error, .benchError)
    }
  }

  private var repeatLine: String {
    Shell.line(
      ["babbench", "check"] + captures + (protocolName.map { ["--protocol", $0] } ?? [])
        + (dialect == "auto" ? [] : ["--dialect", dialect]) + clock.flatMap { ["--clock", $0] }
        + key.flatMap { ["--key", KeyWords.withoutValue($0)] }
        + (strict ? ["--strict"] : []))
  }

  /// - Returns: what is not drawn.
  private func draw(_ report: CheckReport, _ checker: Checker) throws -> [String] {
    guard timeline != nil || perfetto != nil else { return [] }
    let drawn = RunTimeline(report, try checker.picture(of: report))
    if let perfetto { try FileSink.write(TraceEvents.octets(drawn), to: perfetto) }
    guard let timeline else { return drawn.omissions }
    let records = report.captures.map(\.records).reduce(0, +)
    let page = TimelinePage(
      timeline: drawn, title: CheckText.shortNames(captures).joined(separator: ", "), verdict: report.verdict.name,
      facts: [
        CountedNoun.text(records, "record"),
        CountedNoun.text(report.links.count, "connection"), "\(report.end) s",
      ],
      repeatLine: repeatLine, file: "", version: BenchVersion.current)
    try FileSink.write(try page.octets(), to: timeline)
    return drawn.omissions
  }

  private func write(_ report: CheckReport) throws {
    let line = repeatLine
    if let json { try FileSink.write(CheckJSONReport.octets(report, repeatLine: line), to: json) }
    if let junit { try FileSink.write(CheckJUnitReport.octets(report, repeatLine: line), to: junit) }
    if let html {
      try FileSink.write(
        try CheckPage.octets(report, version: BenchVersion.current, repeatLine: line), to: html)
    }
  }
}
