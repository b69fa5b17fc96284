public import CaptureFormats
import Judging
public import SimKernel

/// Judges one capture while it grows, record by record; what comes out at the end is what `Checker` says of the file.
public final class LiveChecker {
  private var capture: ReadCapture
  private let judge: CaptureJudge
  /// Since 1970, of the first record.
  private var origin: Int64?
  /// How many findings of each rule have been told.
  private var told: [Int]

  /// - Parameters:
  ///   - path: what the capture is called in findings.
  ///   - judges: false to follow the traffic for `observers` only.
  ///   - observers: see everything too.
  public init(
    path: String, judges: Bool, protocolType: SpokenProtocol? = nil, dialect: String? = nil,
    observers: [any TrafficObserver]
  ) {
    capture = ReadCapture(path: path, format: nil, records: 0, ending: .whole)
    judge = CaptureJudge(
      [path], rules: judges ? TrafficRules.all : [], protocolType: protocolType, dialect: dialect, observers: observers)
    told = judge.book.rules.map { _ in 0 }
  }

  public var adapters: [TrafficAdapter] { judge.adapters }

  /// - Returns: when the record passed, since the first one.
  @discardableResult
  public func read(_ record: CaptureRecord) -> SimInstant {
    let start = origin ?? record.nanoseconds
    origin = start
    let (since, overflows) = record.nanoseconds.subtractingReportingOverflow(start)
    let instant = SimInstant(nanoseconds: overflows ? .max : since)
    capture.count(record)
    judge.read(record, file: 0, at: instant)
    return instant
  }

  /// A line for each finding of the general rules that has not been told yet, by rule. What a protocol finds is in the
  /// report.
  public func newFindings() -> [String] {
    var lines: [String] = []
    for (index, rule) in judge.book.rules.enumerated() {
      let findings = rule.ledger.findings
      for finding in findings[told[index]...] {
        let line = CheckNames(paths: [capture.path]).line(finding, CheckNames.link(finding.device))
        lines.append("\(finding.verdict.name) \(ConsoleTable.oneLine(line))")
      }
      told[index] = findings.count
    }
    return lines
  }

  /// Everything that is said of the capture; to be asked for once, when nothing more will come.
  /// - Parameter format: of the file that was written, if one was.
  public func report(format: CaptureFormat?) -> CheckReport { report(format: format, interfaceDrops: nil) }

  /// - Parameter interfaceDrops: packets that the statistics of the file's interfaces say were lost.
  package func report(format: CaptureFormat?, interfaceDrops: UInt64?) -> CheckReport {
    capture.format = format
    if let interfaceDrops { capture.drops = max(capture.drops ?? 0, UInt32(clamping: interfaceDrops)) }
    return judge.report(on: [capture])
  }
}
