import AppSeam
import Judging

/// One case of a report as a file keeps it: everything that reports show.
public struct KeptCase: Sendable, Codable {
  private var implementation: Int
  private var result: CaseResult
  private var waiver: Waiver?
  private var repetition: Repetition?
  private var chart: Chart?
  private var files: CaseReport.Files
  private var logExcerpt: String
  private var repeatLine: String
  private var isSecondPass: Bool

  /// - Parameter planned: cases of the whole run; what no page of so many draws is left out.
  public init(_ report: CaseReport, planned: Int) {
    implementation = report.implementation
    result = report.result
    waiver = report.waiver
    repetition = report.repetition
    chart = report.assessment == .pass && planned > PageCase.drawnRun ? nil : report.chart
    files = report.files
    logExcerpt = report.logExcerpt
    repeatLine = report.repeatLine
    isSecondPass = report.isSecondPass
  }

  /// - Parameter run: whose implementations it names.
  /// - Returns: nil where there is no such implementation or test purpose.
  public func report(in run: SuiteRun) -> CaseReport? {
    guard run.implementations.indices.contains(implementation) else { return nil }
    let purposes = run.app(of: run.implementations[implementation])?.purposes ?? []
    guard let purpose = purposes.first(where: { $0.id == result.id.purpose }) else { return nil }
    var report = CaseReport(
      implementation: implementation, purpose: purpose, result: result, repetition: repetition, chart: chart,
      files: files, logExcerpt: logExcerpt, repeatLine: repeatLine)
    report.waiver = waiver
    report.waiverIsNeeded = waiver.map { $0.pattern != purpose.id } ?? false
    report.isSecondPass = isSecondPass
    return report
  }
}
