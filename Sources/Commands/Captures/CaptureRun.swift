import Campaigns
import CaptureCheck
import CaptureFormats
import Conformance
import Foundation
import HCIPorts
import Judging
import SimKernel

/// One live capture, from the open interface to the summary.
final class CaptureRun {
  struct Plan {
    var interface: CaptureInterface
    var files: CaptureFiles.Settings?
    var buffer = LiveCapture.defaultBuffer
    var duration: SimDuration?
    var judges = false
    var protocolType: SpokenProtocol?
    var dialect: String?
  }

  /// How often files are brought up to date, and the table looks whether it is time, in seconds.
  private static let beat = 0.05
  private static let redraw = 0.25

  private let plan: Plan
  private let streams: OutputStreams
  private let screen: CaptureScreen
  private let stop: LiveStop
  private let board = CaptureBoard()
  private let checker: LiveChecker
  private var files: CaptureFiles?
  private var kernelDrops: UInt64?
  private let began = ContinuousClock.now

  init(_ plan: Plan, stop: LiveStop, screen: CaptureScreen, for streams: OutputStreams) {
    self.plan = plan
    self.stop = stop
    self.screen = screen
    self.streams = streams
    checker = LiveChecker(
      path: plan.files?.path ?? plan.interface.description, judges: plan.judges, protocolType: plan.protocolType,
      dialect: plan.dialect, observers: [board])
  }

  /// - Returns: the exit code.
  func execute() -> Int32 {
    let capture: LiveCapture
    do {
      capture = try LiveCapture(plan.interface, buffer: plan.buffer)
    } catch {
      return refuse(error, .benchError)
    }
    return execute(capture)
  }

  func execute(_ capture: LiveCapture) -> Int32 {
    do {
      files = try plan.files.map { settings throws(BenchFailure) in try CaptureFiles(settings) }
    } catch {
      return refuse(error, .benchError)
    }
    say(opening(capture))
    capture.start(until: stop)
    var shown = 0.0
    while true {
      let batch = capture.next(within: Self.beat)
      do {
        try receive(batch)
      } catch {
        screen.clear()
        return refuse(error, .benchError)
      }
      if let ending = batch.ending { return end(ending) }
      if let duration = plan.duration, seconds >= Double(duration.nanoseconds) / 1e9 { stop.stop() }
      if screen.isOn, seconds - shown >= Self.redraw {
        shown = seconds
        screen.draw(
          board.table(
            at: seconds, files: files?.progress, kernelDrops: kernelDrops, adapters: checker.adapters,
            height: screen.height))
      }
    }
  }

  /// Files first: whatever judging takes, what has come is safe.
  private func receive(_ batch: LiveCapture.Batch) throws(BenchFailure) {
    if let files {
      for record in batch.records { try files.append(record) }
      try files.flush()
    }
    kernelDrops = batch.kernelDrops
    for record in batch.records {
      board.count(record)
      checker.read(record)
    }
    for line in board.takeLines() + checker.newFindings() { say(line) }
  }

  private func end(_ ending: LiveCapture.Ending) -> Int32 {
    var code = Judging.ExitCode.pass
    screen.clear()
    do {
      try files?.finish()
    } catch {
      code = refuse(error)
    }
    switch ending {
    case .stopped: break
    case .ended(let remark): if let remark { streams.complain("note: \(plan.interface): \(remark)") }
    case .failed(let error):
      code = refuse(error)
      // What comes in on standard input is the user's, and no fault of the bench.
      if plan.interface == .standardInput { code = .usage }
    }
    let report = checker.report(format: plan.files?.format)
    for line in board.takeLines() + checker.newFindings() { say(line) }
    if plan.judges { say("\n" + CheckText.text(report, isColoured: paint.isOn)) }
    say(summary())
    guard plan.judges else { return code.rawValue }
    say("verdict " + RunPrinter(paint: paint).word(report.verdict))
    return code == .pass ? Judging.ExitCode(report.verdict).rawValue : code.rawValue
  }

  // MARK: Words

  private var seconds: Double {
    let (seconds, attoseconds) = began.duration(to: .now).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  private var paint: Paint { Paint.standardOutput }

  private func opening(_ capture: LiveCapture) -> String {
    var text = "capturing \(plan.interface == .standardInput ? "standard input" : plan.interface.description)"
    if let files, let settings = plan.files {
      text += " into \(files.path == "-" ? "standard output" : files.path) (\(settings.format.rawValue))"
    }
    if let octets = capture.bufferOctets { text += ", the kernel holds \(octets / 1_024) KiB" }
    return text
  }

  private func summary() -> String {
    var text = CaptureBoard.status(board.records, files: files?.progress, kernelDrops: kernelDrops)
    guard let files else { return text }
    if files.unwritable > 0 {
      text += ", left out \(files.unwritable) (\(files.mismatch ?? ""))"
    }
    if files.displaced > 0 { text += ", \(files.displaced) with a time that the format cannot hold" }
    if files.count > 1 { text += ", in \(files.count) files" }
    return text
  }

  private func say(_ text: String) {
    screen.clear()
    streams.tell(text)
  }

  private func refuse(_ error: any Error, _ code: Judging.ExitCode) -> Int32 {
    streams.complain("error: \(error)")
    return code.rawValue
  }

  private func refuse(_ error: any Error) -> Judging.ExitCode {
    streams.complain("error: \(error)")
    return .benchError
  }
}
