import BabSim
import Conformance
import SimKernel

/// Everything that one seed came to.
struct RunReport: Sendable {
  var judgement: Judgement
  /// Set when `--check-determinism` found two runs that differ.
  var divergence: Divergence?

  /// Two runs of one seed that differ are the bench's fault, whatever the oracles say.
  var verdict: Verdict { divergence == nil ? judgement.verdict : .error }

  /// Short words for what is wrong, for lines about many seeds.
  var reasons: [String] {
    var reasons = judgement.oracles.filter { $0.verdict > .pass }.map(\.id)
    reasons += judgement.expectations.filter { !$0.holds }.map { "expected " + $0.text }
    if divergence != nil { reasons.append("two runs differ") }
    return reasons
  }
}

/// Lays a report out for a person.
struct RunPrinter {
  var paint: Paint

  /// All lines of one run, but those that `RunPlan` knows.
  func lines(of report: RunReport, summary: String) -> [String] {
    let judgement = report.judgement
    let header = judgement.header
    var lines = ["scenario " + header.scenario + (summary.isEmpty ? "" : ": " + summary), "seed \(header.seed)"]
    lines += header.options.map { "option \($0.key)=\($0.value)" }
    lines += [""] + peers(of: judgement) + [""] + verdicts(of: judgement) + [""]
    lines.append(counts(of: judgement.outcome))
    if let divergence = report.divergence { lines += [""] + divergence.lines }
    lines.append("verdict " + word(report.verdict))
    lines.append("digest " + judgement.outcome.digest.hexadecimal)
    return lines
  }

  func word(_ verdict: Verdict) -> String {
    switch verdict {
    case .pass: paint(verdict.name, .green)
    case .fail, .error: paint(verdict.name, .red)
    case .none, .inconclusive: paint(verdict.name, .yellow)
    }
  }

  private func peers(of judgement: Judgement) -> [String] {
    var table = TextTable([
      ("peer", .left), ("role", .left), ("phone", .left), ("links", .right), ("ATT_MTU", .right), ("sent", .right),
      ("received", .right), ("phase", .left), ("link state", .left),
    ])
    for device in judgement.outcome.devices {
      table.add([
        device.name, device.role.rawValue, device.phone, String(device.links),
        device.attMTU == 0 ? "-" : String(device.attMTU), String(device.valuesSent), String(device.valuesReceived),
        device.phase, device.linkState,
      ])
    }
    return table.lines
  }

  private func verdicts(of judgement: Judgement) -> [String] {
    let names = judgement.header.devices.map(\.name)
    let width = (judgement.oracles.map(\.id.count).max() ?? 0) + 2
    var lines: [String] = []
    for oracle in judgement.oracles {
      let gap = String(repeating: " ", count: max(1, width - oracle.id.count))
      var judged = oracle.judged == 0 ? "nothing to judge" : "\(oracle.judged) judged"
      if oracle.open > 0 { judged += ", \(oracle.open) open" }
      lines.append(label(oracle.verdict) + oracle.id + gap + paint(judged, .dim))
      for finding in oracle.findings {
        let device = names.indices.contains(finding.device) ? names[finding.device] : "the world"
        lines.append(
          "    at \(finding.instant) s, \(device): expected \(finding.expected), saw \(finding.actual) (\(finding.clause))")
      }
      if oracle.suppressedFindings > 0 { lines.append("    and \(oracle.suppressedFindings) more") }
    }
    for expectation in judgement.expectations {
      lines.append(label(expectation.verdict) + "expected " + expectation.text)
      if !expectation.holds, !expectation.detail.isEmpty { lines.append("    " + expectation.detail) }
    }
    return lines
  }

  private func label(_ verdict: Verdict) -> String {
    word(verdict) + String(repeating: " ", count: 14 - verdict.name.count)
  }

  private func counts(of outcome: RunOutcome) -> String {
    let counts = outcome.statistics
    let ending =
      switch outcome.ending {
      case .finished: "finished"
      case .simulatedTimeLimit: "stopped by the simulated-time limit"
      case .eventLimit: "stopped by the event limit"
      }
    return "\(ending) at \(outcome.endInstant) s; \(counts.connectionEvents) connection events"
      + " (\(counts.skippedConnectionEvents) skipped while idle, \(counts.missedConnectionEvents) missed),"
      + " \(counts.pdusSent) PDUs (\(counts.pdusLost) lost, \(counts.collisions) collisions)"
  }
}
