import Bench
import Campaigns
import Conformance
import Judging
import RunReports
import SimKernel
import Stress

/// The files of one run: readers that write while it goes on, and reports that are written when it is judged.
///
/// Each file has its name only once it is whole; what a run that breaks off had begun is removed.
struct RunFiles {
  private let folder: OutputFolder
  /// Nil: who made the folder keeps the list of what is in it.
  private let list: RunList?
  private let trace: TraceLinesReader
  private let air: AirCaptureReader?
  private let hci: HCICaptureReader?
  private let network: NetworkCaptureReader?
  private let page: RunPage?
  private let app: AppProtocol

  /// - Parameters:
  ///   - file: of the scenario; nil: it has none.
  ///   - list: what this run leaves is listed in it; what an earlier one has left goes first.
  init(folder: OutputFolder, writesCaptures: Bool, scenario: Scenario, file: String?, list: RunList? = nil) throws {
    self.folder = folder
    self.list = list
    app = protocols.spoken(in: scenario)
    // Should this run be killed, the result of an earlier one is not taken for its own.
    try list?.clear()
    trace = TraceLinesReader(sink: try FileSink(path: folder.path(of: "trace.jsonl")))
    air = writesCaptures ? try AirCaptureReader(path: folder.path(of: "air.pcapng")) : nil
    hci = writesCaptures ? try HCICaptureReader(folder: folder.handedOver) : nil
    network = writesCaptures ? NetworkCaptureReader(path: folder.path(of: "network.pcapng")) : nil
    page =
      writesCaptures
      ? RunPage(path: folder.path(of: "timeline.html"), scenario: scenario, file: file ?? scenario.name) : nil
  }

  var readers: [any TraceReader] {
    var readers: [any TraceReader] = [trace]
    if let air { readers.append(air) }
    if let hci { readers.append(hci) }
    if let network { readers.append(network) }
    if let page { readers.append(page.reader) }
    return readers
  }

  /// What draws the run while it goes on, and hands over what was seen; nil: no page is wanted.
  func livePage(repeatLine: String) -> (offer: () -> Void, live: LivePage)? {
    guard let page else { return nil }
    let live = LivePage(path: page.path, scenario: page.scenario, file: page.file, repeatLine: repeatLine)
    return ({ live.offer(page.reader.memory) }, live)
  }

  /// Puts the verdicts into the captures, completes them, and writes the reports.
  /// - Parameter repeatLine: the command that repeats the run.
  /// - Throws: what kept a file from being complete.
  func complete(_ report: RunReport, repeatLine: String) throws {
    guard let list else { return try write(report, repeatLine: repeatLine) }
    let result = Result { try write(report, repeatLine: repeatLine) }
    // What a write that failed has left is a run's as well.
    try list.write(RunList.names(devices: report.judgement.header.devices.map(\.name)))
    try result.get()
  }

  private func write(_ report: RunReport, repeatLine: String) throws {
    if let failure = trace.failure { throw failure }
    if let air {
      for remark in remarks(on: report) { air.annotate(remark) }
      try air.close()
    }
    try hci?.close()
    try network?.close()
    try page?.write(report, repeatLine: repeatLine)
    let names = report.judgement.header.devices.map(\.name)
    for log in report.judgement.outcome.logs {
      try FileSink.write(Array(log.text.utf8), to: folder.path(of: names[log.device] + ".log"))
    }
    let reasons = report.known(in: app)
    let result = ResultReport.octets(report.judgement, verdict: report.verdict, repeatLine: repeatLine) { text in
      text.claims(report.claims)
      if !reasons.isEmpty { text.reasons(reasons) }
      if let measures = report.measures { text.measures(measures, names: names) }
    }
    try FileSink.write(result, to: folder.path(of: "result.json"))
    try FileSink.write(
      JUnitReport.octets(
        report.judgement, claims: report.claims.map { ($0.claim.text, $0.verdict, $0.detail) }, reasons: reasons),
      to: folder.path(of: "junit.xml"))
  }

  private func remarks(on report: RunReport) -> [String] {
    let names = report.judgement.header.devices.map(\.name)
    let findings = report.judgement.findings.map { finding in
      let device = names.indices.contains(finding.device) ? names[finding.device] : "world"
      return "\(finding.verdict.name): \(finding.oracle) at \(finding.instant) s, \(device):"
        + " expected \(finding.expected), saw \(finding.actual) (\(finding.clause))"
    }
    return findings + [
      "verdict \(report.verdict.name), digest \(report.judgement.outcome.digest.hexadecimal)"
    ]
  }
}

extension JSONText {
  /// What is known that explains why claims and expectations do not hold.
  fileprivate mutating func reasons(_ reasons: [(claim: String, reason: String)]) {
    key("reasons")
    beginArray()
    for (claim, reason) in reasons {
      beginObject()
      member("claim", claim)
      member("reason", reason)
      endObject()
    }
    endArray()
  }
}
