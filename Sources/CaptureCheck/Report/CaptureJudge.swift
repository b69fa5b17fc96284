import SimKernel

/// What reads captures, judges them and says so in a report: the same for files and for a capture that still grows.
final class CaptureJudge {
  let reader: TrafficReader
  let book: RuleBook
  private let summary = TrafficSummary()
  private let spoken: (any TrafficProtocol)?
  private let protocolType: (any TrafficProtocol.Type)?

  /// - Parameters:
  ///   - rules: none to follow the traffic only.
  ///   - observers: see everything too.
  init(
    _ paths: [String], rules: [any TrafficRule.Type] = TrafficRules.all, protocolType: (any TrafficProtocol.Type)?,
    dialect: String?, observers: [any TrafficObserver] = []
  ) {
    self.protocolType = protocolType
    book = RuleBook(rules)
    spoken = protocolType.map { $0.init(dialect: dialect, session: TrafficSession(captures: paths)) }
    let judges: [any TrafficObserver] = [summary] + (spoken.map { [$0] } ?? []) + [book]
    reader = TrafficReader(observers: judges + observers)
  }

  /// Everything that is said of captures that have been read to their ends; to be asked for once.
  func report(on captures: [ReadCapture]) -> CheckReport {
    reader.finish()
    let links = summary.links
    var report = CheckReport(
      captures: captures, links: links, rules: book.results, protocolName: protocolType.map { $0.name },
      judgement: spoken?.results, notes: Checker.notes(captures) + Checker.notes(links))
    report.end = summary.end
    report.step = summary.step
    return report
  }
}
