package import Judging

/// What a campaign of fuzzing, or of checks, came to, for people, CI servers and programs.
///
/// Everything but `wallMilliseconds` is the same in every run of the same campaign.
package struct CampaignReport: Sendable {
  /// A cause with the smallest input that was found for it.
  package struct Finding: Sendable {
    package var cause: String
    /// What was seen, one line.
    package var text: String
    /// How often it was seen; nil: nobody counted.
    package var times: Int?
    /// The first execution that showed it; nil: a given input.
    package var first: Int?
    /// The smallest input, for people, one line for each part.
    package var input: [String]
    /// Its folder below that of the report.
    package var folder: String
    /// The files in it, the input first.
    package var files: [String]
    package var repeatLine: String
    /// The verdict that it gives the report.
    package var verdict = Verdict.fail

    package init(
      cause: String, text: String, times: Int?, first: Int?, input: [String], folder: String, files: [String],
      repeatLine: String
    ) {
      self.cause = cause
      self.text = text
      self.times = times
      self.first = first
      self.input = input
      self.folder = folder
      self.files = files
      self.repeatLine = repeatLine
    }
  }

  /// One of several targets of a campaign.
  package struct Part: Sendable {
    package var name: String
    package var executions: Int
    /// In the order of the curve's names.
    package var values: [Int]
    /// Where each is judged by itself: its verdict, and why it is no better.
    package var outcome: (verdict: Verdict, reasons: [String])?

    package init(name: String, executions: Int, values: [Int]) {
      self.name = name
      self.executions = executions
      self.values = values
    }
  }

  /// The command, for example `babbench fuzz run`.
  package var command: String
  /// What was fuzzed, a few words.
  package var subject: String
  /// Scenario, seed, seam and so on.
  package var facts: [(name: String, value: String)]
  /// What is counted: executions, or attacks.
  package var unit = "executions"
  /// The page of the manual that says what its findings are.
  package var manual = "Docs/fuzz.md"
  /// What `Finding.input` is, for people.
  package var inputTitle = "smallest input"
  package var executions: Int
  package var findings: [Finding]
  package var parts: [Part] = []
  /// What `Part.executions` counts.
  package var partUnit = "executions"
  package var curve: CampaignCurve
  /// Over what all executions did; nil where there is none.
  package var digest: String?
  package var repeatLine: String
  package var wallMilliseconds: Int

  package init(
    command: String, subject: String, facts: [(name: String, value: String)], executions: Int, findings: [Finding],
    curve: CampaignCurve, repeatLine: String, wallMilliseconds: Int
  ) {
    self.command = command
    self.subject = subject
    self.facts = facts
    self.executions = executions
    self.findings = findings
    self.curve = curve
    self.repeatLine = repeatLine
    self.wallMilliseconds = wallMilliseconds
  }

  /// How much of what was asked was played; nil: all.
  package var ending: CampaignEnding?

  package var verdict: Verdict {
    let found = findings.reduce(Verdict.pass) { $0.combined(with: $1.verdict) }
    return ending?.verdict(found) ?? found
  }

  /// Why a report without findings is no pass; nil: it is one, or has findings.
  package var shortfall: String? {
    guard findings.isEmpty, verdict != .pass || ending?.reason == .interrupted else { return nil }
    return ending?.text ?? "nothing was judged"
  }

  /// Executions in a second of wall-clock time.
  package var rate: Int { wallMilliseconds > 0 ? executions * 1_000 / wallMilliseconds : 0 }
}
