import CaptureFormats
package import Judging

/// What a check of one session comes to, in so few lines that those of many sessions can be kept.
package struct CheckOutcome: Sendable {
  /// A rule or an oracle that is no pass, or another reason why the session is none.
  package struct Reason: Sendable {
    /// The id of the rule or oracle, or what is missing, in words.
    package var id: String
    package var verdict: Verdict
    /// The first finding, or why it is open.
    package var text: String
  }

  package var verdict: Verdict
  package var reasons: [Reason]
  package var records = 0
  package var connections = 0
  /// Those that were kept and those that were only counted.
  package var findings = 0

  package init(_ report: CheckReport) {
    let names = CheckNames(report)
    verdict = report.verdict
    records = report.captures.map(\.records).reduce(0, +)
    connections = report.links.count + report.streams.count + report.furtherStreams
    findings = CheckPageFindings.count(report)
    reasons = report.rules.compactMap { Self.reason($0, names) { CheckNames.link($0.device) } }
    if let judgement = report.judgement {
      reasons += judgement.oracles.compactMap { Self.reason($0, names) { judgement.name(of: $0.device) } }
    }
    reasons += names.unread(report).map { Reason(id: CheckNames.allPDUsAreRead, verdict: .inconclusive, text: $0) }
    if let text = names.unspoken(report) {
      reasons.append(Reason(id: "nothing of the protocol", verdict: .inconclusive, text: text))
    }
    // Nobody passes of whom nothing was judged, however many others there are.
    if verdict == .none {
      verdict = .inconclusive
      reasons.append(Reason(id: "nothing to judge", verdict: .inconclusive, text: "no rule had anything to judge"))
    }
  }

  /// A capture that cannot be read, or not to its end.
  package init(_ refusal: CaptureRefusal) {
    verdict = .inconclusive
    reasons = [Reason(id: "cannot be read", verdict: .inconclusive, text: ConsoleTable.oneLine("\(refusal)"))]
  }

  private static func reason(
    _ result: OracleResult, _ names: CheckNames, _ culprit: (Finding) -> String
  ) -> Reason? {
    guard result.verdict > .pass else { return nil }
    let finding = result.findings.first { $0.verdict == result.verdict }
    let text = finding.map { names.line($0, culprit($0)) } ?? names.reason(result) ?? result.verdict.name
    return Reason(id: result.id, verdict: result.verdict, text: ConsoleTable.oneLine(text))
  }
}

extension CaptureFile {
  /// Whether the first octets of a file are those of a capture.
  /// - Throws: that it cannot be opened or read.
  package static func isCapture(_ path: String) throws -> Bool {
    let file = try CaptureFile(path: path)
    do {
      _ = try file.next()
    } catch is CaptureError {}
    return file.format != nil
  }
}
