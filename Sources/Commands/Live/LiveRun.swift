public import Bench
import Campaigns
import Conformance
public import HCIPorts
import Judging
import SimKernel

extension LiveSession: PacedWorld {}

/// Plays a session by the wall clock, records it, judges it, and prints what came of it.
struct LiveRun {
  var plan: LivePlan
  var streams: OutputStreams
  /// How it is ended from outside.
  var stop = LiveStop()

  /// Plans and plays a session that signals can end; what keeps it from that is told.
  /// - Returns: the exit code.
  static func execute(_ plan: () throws -> LivePlan, for streams: OutputStreams) -> Int32 {
    let planned: LivePlan
    do { planned = try plan() } catch { return refuse(error, isReading: true, streams) }
    do {
      let stop = LiveStop()
      stop.stopOnSignals()
      return try LiveRun(plan: planned, streams: streams, stop: stop).run()
    } catch {
      return refuse(error, isReading: false, streams)
    }
  }

  /// - Returns: the exit code.
  func run() throws -> Int32 {
    let output = try plan.options.out.map { try OutputFolder(creating: $0) }
    let files = try output.map {
      try RunFiles(
        folder: $0, writesCaptures: !plan.options.noCapture, scenario: plan.scenario, file: plan.fileName,
        list: RunList($0))
    }
    let tape = try SessionTape(path: plan.options.record, folder: output)
    let oracles = protocols.judge(of: plan.scenario)
    let window = try plan.options.page.map { try RoomWindow(plan, port: $0, path: output?.handedOver) }
    defer { window?.close() }
    var readers: [any TraceReader] = [oracles] + (files?.readers ?? [])
    if let window { readers.append(window.air) }
    let capture = plan.options.control != nil && !plan.options.noCapture ? LiveCaptureReader() : nil
    if let capture { readers.append(capture) }
    let session = try LiveSession(
      plan.header, scenario: plan.scenario, readers: readers,
      engines: protocols.engines,
      deadline: plan.options.duration.map { .zero + $0.value }, record: tape.write)
    let repeatLine = Shell.line(["babbench", "replay", tape.path])
    let page = files?.livePage(repeatLine: repeatLine)
    let live: LiveReport
    do {
      defer { page?.live.finish() }
      if let window { streams.complain("page \(window.address)") }
      live = try loop(session, window, control(session, capture), onProgress: page?.offer ?? {}).run(until: stop)
    } catch {
      tape.remove()
      throw error
    }
    Console.endProgress()
    _ = session.finish()
    guard let judgement = oracles.judgement else { throw BenchFailure("the run ended without telling its readers") }
    let report = RunReport(judgement: judgement)
    try files?.complete(report, repeatLine: repeatLine)
    try tape.close()
    streams.tell(
      RunPrinter(paint: .standardOutput).text(
        of: report, plan.scenario, file: plan.fileName, why: Shell.line(["babbench", "why", tape.path]))
        + LivePrinter.text(of: live) + "\nsession \(tape.path)\nrepeat \(repeatLine)")
    return exitCode(report, live)
  }

  private func loop(
    _ session: LiveSession, _ window: RoomWindow?, _ control: LiveControl?, onProgress: @escaping () -> Void
  ) -> LiveLoop {
    var settings = LiveSettings()
    settings.lagBound = plan.options.lagBound.value
    settings.begin = plan.begin
    settings.clock = plan.clock
    settings.settle = plan.settle
    settings.endsWithHosts = plan.endsWithHosts
    let (plan, streams) = (plan, streams)
    if window != nil { settings.progressInterval = RoomWindow.interval }
    let usual = LiveSettings().progressInterval.nanoseconds / settings.progressInterval.nanoseconds
    var looks: Int64 = 0
    return LiveLoop(
      world: session, ports: plan.ports, settings: settings, control: control,
      log: { line in
        Console.endProgress()
        streams.complain(line)
      },
      opened: { ports in
        // Before the line that says so, so that whoever reads that line finds it.
        if let path = plan.options.readyFile {
          do {
            try FileSink.write(Array(LivePrinter.readyLines(ports).utf8), to: path)
          } catch {
            streams.complain("error: \(error)")
          }
        }
        for warning in LivePrinter.warnings(ports) { streams.complain(warning) }
        streams.tell(LivePrinter.text(of: ports, plan))
      },
      progress: { status in
        window?.show(session, status)
        looks += 1
        guard looks % usual == 0 else { return }
        Console.progress(LivePrinter.line(of: status, plan.clock))
        onProgress()
      })
  }

  private func control(_ session: LiveSession, _ capture: LiveCaptureReader?) -> LiveControl? {
    guard let address = plan.options.control else { return nil }
    let orders = LiveOrders(session: session, capture: capture)
    return LiveControl(address: address) { line, handle, answer in orders.obey(line, handle, answer) }
  }

  /// Whoever ends a scenario before it is through gets the word for that. A session without a scenario has no other
  /// end, and nothing was expected of it: only what an oracle has found counts.
  private func exitCode(_ report: RunReport, _ live: LiveReport) -> Int32 {
    if plan.isOpenEnded { return Judging.ExitCode(max(report.verdict, .pass)).rawValue }
    if live.ending == .stopped, report.judgement.outcome.ending == .stopped { return Interruption.exitCode }
    return Judging.ExitCode(report.verdict).rawValue
  }

  /// The exit code for what kept a session from being played.
  static func refuse(_ error: any Error, isReading: Bool, _ streams: OutputStreams) -> Int32 {
    if isReading, error is PortError { return streams.refuse(error, .usage) }
    return streams.refuse(error)
  }
}
