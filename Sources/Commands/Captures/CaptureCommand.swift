import ArgumentParser
import Campaigns
import CaptureCheck
import CaptureFormats
import Conformance
import HCIPorts
import SimKernel

/// `babbench capture`: real traffic while it passes.
struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Record real traffic as it passes, watch it, and judge it.",
    discussion: """
      Shows devices and links while they come and go. With -w it writes what passes, in whole records at every moment; \
      with --check it judges it like babbench check and reports each finding at once.

      INTERFACES:
        monitor            all adapters of this machine, from the kernel; needs CAP_NET_RAW
        bluetooth-monitor  the same by libpcap
        bluetooth0         one adapter by libpcap
        -                  a capture of any format on standard input

      EXAMPLES:
        babbench capture -w trace.pcapng
        babbench capture --check --protocol \(Examples.app)
        babbench capture -w trace.btsnoop --limit 10MB --files 20
        babbench capture --interface bluetooth0 -w - | wireshark -k -i -
        btmon -w /dev/fd/3 3>&1 > /dev/null | babbench capture --interface -

      It ends with SIGINT or SIGTERM, after --duration, or with its input. What had passed by then is in the file; the \
      last line says how many packets were captured, written, and dropped by the kernel. Docs/capture.md has more.
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("What to capture: \(CaptureInterface.spellings).", valueName: "interface"),
    transform: { try CaptureInterface(parsing: $0) })
  var interface: CaptureInterface = .monitor

  @Option(
    name: [.customShort("w"), .customLong("write")],
    help: ArgumentHelp("Write what passes to this file; - is standard output.", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp(
      "btsnoop, pcap, pcapng or pklg. Without it: by the file's name, and pcapng for standard output.",
      valueName: "format"), transform: { try CaptureFormat(spelling: $0) })
  var format: CaptureFormat?

  @Option(
    help: ArgumentHelp(
      "Begin a new, numbered file after this much: 10MB, 60s, '1000 packets'.", valueName: "limit"),
    transform: { try CaptureLimit(spelling: $0) })
  var limit: CaptureLimit?

  @Option(
    name: .customLong("files"), help: ArgumentHelp("With --limit: remove all but the newest.", valueName: "count"))
  var kept: Int?

  @Option(help: ArgumentHelp("End after this much time, for example 30s or 5min.", valueName: "time"))
  var duration: DurationArgument?

  @Option(
    help: ArgumentHelp("Size of the kernel's buffer for bursts, for example 64MiB.", valueName: "octets"),
    transform: { try CaptureLimit.octets(spelling: $0) })
  var buffer: Int?

  @Flag(name: .customLong("check"), help: "Judge what passes; the exit code is the verdict's.")
  var checks = false

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("With --check: judge by this app's oracles too, reported at the end.", valueName: "name"))
  var protocolName: String?

  @Option(help: ArgumentHelp("The protocol's dialect; auto detects it from the traffic.", valueName: "auto|name"))
  var dialect = "auto"

  func validate() throws {
    if protocolName != nil && !checks { throw ValidationError("--protocol needs --check") }
    _ = try spoken()
    if limit != nil && (file == nil || file == "-") { throw ValidationError("--limit needs a file: -w FILE") }
    if let kept {
      if limit == nil { throw ValidationError("--files needs --limit") }
      if kept < 1 { throw ValidationError("--files must be 1 or more") }
    }
    if let duration, duration.value <= .zero { throw ValidationError("--duration must be more than 0s") }
    if format != nil && file == nil { throw ValidationError("--format needs a file: -w FILE") }
    _ = try formatOfFile()
  }

  func run() throws {
    let stop = LiveStop()
    stop.stopOnSignals()
    var streams = OutputStreams.standard
    // Packets and words do not go together.
    if file == "-" { streams.tell = { Console.complain($0) } }
    throw ArgumentParser.ExitCode(execute(until: stop, screen: .standardError, for: streams))
  }

  /// Everything but the parsing and the exit.
  func execute(until stop: LiveStop, screen: CaptureScreen, for streams: OutputStreams) -> Int32 {
    CaptureRun(plan, stop: stop, screen: screen, for: streams).execute()
  }

  var plan: CaptureRun.Plan {
    var plan = CaptureRun.Plan(interface: interface)
    if let file, let format = try? formatOfFile() {
      plan.files = CaptureFiles.Settings(
        path: file, format: format, limit: limit, kept: kept, application: "babbench \(BenchVersion.current)")
    }
    plan.duration = duration?.value
    plan.buffer = buffer ?? LiveCapture.defaultBuffer
    plan.judges = checks
    if let spoken = try? spoken() {
      plan.protocolType = spoken.type
      plan.dialect = spoken.dialect
    }
    return plan
  }

  private func spoken() throws -> (type: SpokenProtocol?, dialect: String?) {
    do {
      let type = try protocolName.map { try TrafficProtocolNames.named($0) }
      return (type, try TrafficProtocolNames.dialect(dialect, of: type))
    } catch let problem as UsageProblem {
      throw ValidationError(problem.description)
    }
  }

  private func formatOfFile() throws -> CaptureFormat? {
    guard let file else { return nil }
    if let format = format ?? CaptureFormat(fileName: file) { return format }
    if file == "-" { return .pcapng }
    throw ValidationError("\(file): which format? Name it *.btsnoop, *.pcap, *.pcapng or *.pklg, or write --format")
  }
}
