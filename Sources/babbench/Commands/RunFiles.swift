import BabSim
import Conformance

/// The files of one run: readers that write while it goes on, and reports that are written when it is judged.
struct RunFiles {
  private let folder: OutputFolder
  private let trace: TraceLinesReader
  let readers: [any TraceReader]

  init(folder: OutputFolder, scenario: Scenario, writesCaptures: Bool) throws {
    self.folder = folder
    trace = TraceLinesReader(sink: try FileSink(path: folder.path(of: "trace.jsonl")))
    readers = [trace]
  }

  /// - Throws: what kept a file from being complete.
  func complete(_ report: RunReport, _ plan: RunPlan) throws {
    if let failure = trace.failure { throw failure }
    let repeatLine = RepeatLine(
      scenario: plan.scenario, seed: report.judgement.header.seed,
      settings: plan.settings.compactMap { setting in
        setting.firstIndex(of: "=").map {
          RepeatLine.Setting(key: String(setting[..<$0]), value: String(setting[setting.index(after: $0)...]))
        }
      })
    try FileSink.write(
      ResultReport.octets(report.judgement, repeatLine: repeatLine), to: folder.path(of: "result.json"))
    try FileSink.write(try JUnitReport.octets([report.judgement]), to: folder.path(of: "junit.xml"))
  }
}
