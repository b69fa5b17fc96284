import Judging
import SimKernel

/// What reads captures, judges them and says so in a report: the same for files and for a capture that still grows.
final class CaptureJudge {
  let reader: TrafficReader
  let book: RuleBook
  private let summary = TrafficSummary()
  private let spoken: (any TrafficProtocol)?
  private let protocolType: (any TrafficProtocol.Type)?
  /// A rule for which only the beginning or the end of a capture left something open is inconclusive.
  private let isStrict: Bool

  /// - Parameters:
  ///   - rules: none to follow the traffic only.
  ///   - observers: see everything too.
  init(
    _ paths: [String], rules: [any TrafficRule.Type] = TrafficRules.all, protocolType: (any TrafficProtocol.Type)?,
    dialect: String?, isStrict: Bool = false, observers: [any TrafficObserver] = []
  ) {
    self.isStrict = isStrict
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
    let rules = book.results(isStrict: isStrict)
    var report = CheckReport(
      captures: captures, links: links, rules: rules, protocolName: protocolType.map { $0.name },
      judgement: spoken?.results, notes: Checker.notes(captures) + Checker.notes(links) + Self.edges(rules))
    report.end = summary.end
    report.step = summary.step
    return report
  }

  /// What the captures' ends left open, of rules that are not inconclusive for it.
  private static func edges(_ rules: [OracleResult]) -> [TrafficNote] {
    let open = rules.filter { $0.verdict == .none && $0.open > 0 }
    if open.isEmpty { return [] }
    let names = open.map { "\($0.id) (\($0.open))" }.joined(separator: ", ")
    return [
      TrafficNote(
        place: nil,
        text:
          "only what came before the captures or after them could decide, and --strict calls that inconclusive: \(names)"
      )
    ]
  }
}
