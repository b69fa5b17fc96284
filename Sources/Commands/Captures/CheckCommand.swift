import ArgumentParser
import Campaigns
import CaptureCheck
import Conformance
import Judging
import RunReports
import SimKernel

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
        babbench check --each captures/ --protocol \(Examples.app) --out checked

      FILES of --out:
        index.html       the outcome on one page
        junit.xml        a test case for each capture
        result.json      the same for programs
        captures/N.html  the page of a capture that shows a cause first
      """)

  @Argument(
    help: ArgumentHelp(
      "Captures of one session; - is standard input. With --each: captures and folders of them.", valueName: "capture"))
  var captures: [String]

  @Flag(help: "Judge each capture as a session of its own, and tell each cause once.")
  var each = false

  @OptionGroup var parallel: JobsOption

  @Option(help: ArgumentHelp("With --each: write the outcome to this folder.", valueName: "dir"))
  var out: String?

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
    let ofOne = [
      ("--junit", junit), ("--html", html), ("--json", json), ("--timeline", timeline), ("--perfetto", perfetto),
      ("--clock", clock.first), ("-", captures.first { $0 == "-" }),
    ]
    if each, let (name, _) = ofOne.first(where: { $0.1 != nil }) {
      throw ValidationError("\(name) is for captures of one session; --each writes its files to --out")
    }
    if !each, out != nil || parallel.jobs != nil {
      throw ValidationError("\(out == nil ? "--jobs" : "--out") needs --each, which judges many captures by themselves")
    }
    if timeline != nil || perfetto != nil, captures.contains("-") {
      throw ValidationError(
        "--timeline and --perfetto read captures twice, and standard input can be read once only: give it as a file")
    }
  }

  func takeSignals() { Interruption.install(untilWork: true) }

  func execute(for streams: OutputStreams) -> Int32 {
    do {
      let spoken = try protocolName.map { try TrafficProtocolNames.named($0) }
      let dialect = try TrafficProtocolNames.dialect(dialect, of: spoken)
      let keys = try KeyWords.keys(key)
      let makeChecker: @Sendable ([String]) -> Checker = { [strict] paths in
        var checker = Checker(paths: paths, protocolType: spoken, dialect: dialect)
        checker.isStrict = strict
        checker.keys = keys
        return checker
      }
      if each {
        let checks = SeparateChecks(paths: captures, words: words, jobs: parallel.count, out: out) { makeChecker([$0]) }
        return try checks.execute(for: streams)
      }
      var checker = makeChecker(captures)
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

  private var repeatLine: String { Shell.line(["babbench", "check"] + captures + words) }

  /// The words that say how captures are judged.
  private var words: [String] {
    (protocolName.map { ["--protocol", $0] } ?? []) + (dialect == "auto" ? [] : ["--dialect", dialect])
      + clock.flatMap { ["--clock", $0] } + key.flatMap { ["--key", KeyWords.withoutValue($0)] }
      + (strict ? ["--strict"] : [])
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
