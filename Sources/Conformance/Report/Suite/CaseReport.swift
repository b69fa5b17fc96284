public import Judging

/// One case as reports show it: what it came to, and everything that helps to see why.
public struct CaseReport: Sendable {
  /// Files of the case, relative to the output folder.
  public struct Files: Hashable, Sendable, Codable {
    /// The case over time, for a browser; Docs/timeline.md.
    public var timeline: String?
    /// JSON Lines, Docs/Formats/trace.md.
    public var trace: String?
    /// Docs/Formats/captures.md.
    public var captures: [String]
    /// What the implementation wrote to standard error.
    public var log: String?

    public init(trace: String? = nil, captures: [String] = [], log: String? = nil) {
      self.trace = trace
      self.captures = captures
      self.log = log
    }

    /// In the order in which they are shown.
    public var all: [String] { [timeline, trace].compactMap { $0 } + captures + [log].compactMap { $0 } }
  }

  /// Index into `SuiteRun.implementations`.
  public var implementation: Int
  public var purpose: TestPurpose
  public var result: CaseResult
  /// The first waiver of the implementation that names the purpose.
  public var waiver: Waiver?
  /// The waiver names other test purposes too, and is not known to be out of date: to pass is nothing unexpected.
  var waiverIsNeeded: Bool
  /// What running it again has shown; nil when it was not.
  public var repetition: Repetition?
  /// Nil when nobody watched.
  public var chart: Chart?
  public var files: Files
  /// The newest lines of what the implementation wrote to standard error.
  public var logExcerpt: String
  /// The command that runs this case alone.
  public var repeatLine: String
  /// The case has been run before without help: this is what it comes to when the bench takes the missing steps.
  public var isSecondPass = false

  /// - Parameter waivers: all of the implementation; the first one that names the purpose counts.
  public init(
    implementation: Int, purpose: TestPurpose, result: CaseResult, waivers: [Waiver] = [],
    repetition: Repetition? = nil, chart: Chart? = nil, files: Files = Files(), logExcerpt: String = "",
    repeatLine: String
  ) {
    self.implementation = implementation
    self.purpose = purpose
    self.result = result
    waiver = waivers.first { CaseSelection(select: [$0.pattern]).contains(purpose.id) }
    waiverIsNeeded = waiver.map { $0.pattern != purpose.id } ?? false
    self.repetition = repetition
    self.chart = chart
    self.files = files
    self.logExcerpt = logExcerpt
    self.repeatLine = repeatLine
  }

  /// After the name of a case: ` with greeting, seat by the bench`; empty as a rule.
  public var help: String {
    result.id.assuming.isEmpty ? "" : " with \(result.id.assuming.joined(separator: ", ")) by the bench"
  }

  public var assessment: Assessment {
    Assessment(result, waiver: isOtherwiseWaived ? nil : waiver, repetition: repetition)
  }

  /// It passes, and its waiver is a pattern that others may need.
  private var isOtherwiseWaived: Bool { result.verdict == .pass && waiverIsNeeded }

  /// What beyond the finding has to be said, in sentences; empty as a rule.
  public var remarks: [String] {
    var remarks = result.reason.map { [$0] } ?? []
    if !result.id.assuming.isEmpty {
      remarks.append("the bench took what is missing: " + result.id.assuming.joined(separator: ", "))
    }
    if !result.id.cut.isNothing { remarks.append("played with " + result.id.cut.words.joined(separator: ", ")) }
    if let waiver, result.verdict != .pass || assessment == .unexpectedPass {
      remarks.append(
        waiver.hasReason ? "waived (\(waiver.pattern)): \(waiver.reason)" : "the waiver \(waiver.pattern) has no reason"
      )
    }
    if assessment == .unexpectedPass { remarks.append("passes although it is waived: remove the waiver") }
    if case .differs(let culprit, let first, let second) = repetition {
      let blamed =
        switch culprit {
        case .implementation: "the implementation is not deterministic"
        case .bench: "the bench is not deterministic"
        case .unknown: "run again with captures, the radio alone did something else: no app shows a difference"
        }
      let shown = "first \(first ?? "the end of the run"), then \(second ?? "the end of the run")"
      remarks.append(culprit == .unknown ? blamed : "\(blamed): \(shown)")
    }
    // As a rule it is what the finding says.
    if let failure = result.failure, result.finding?.actual.hasSuffix(failure.detail) != true {
      remarks.append("the implementation \(failure.kind.words): \(failure.detail)")
    }
    return remarks
  }
}
