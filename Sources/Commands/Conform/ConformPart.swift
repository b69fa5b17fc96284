import Conformance

/// What a shard of `babbench conform` came to, with all that reports say of its cases.
struct ConformPart: Codable {
  struct Case: Codable {
    /// The place of the case in the plan, from 0.
    var number: Int
    /// Without help, and with it.
    var reports: [KeptCase]
    var milliseconds: Int
  }

  var selection: CaseSelection
  /// That of the whole.
  var repeatLine: String
  var implementations: [SuiteRun.Implementation]
  /// Cases of the whole.
  var planned: Int
  var judged: JudgedClauses
  var cases: [Case]
  var startedAt: String
  var milliseconds: Int

  init(_ run: SuiteRun, repeatLine: String, planned: Int, _ outcomes: [ConformCases.Outcome]) {
    selection = run.selection
    self.repeatLine = repeatLine
    implementations = run.implementations
    self.planned = planned
    judged = run.judged
    cases = outcomes.map { outcome in
      Case(
        number: outcome.number, reports: outcome.reports.map { KeptCase($0, planned: planned) },
        milliseconds: outcome.milliseconds)
    }
    startedAt = run.wallTimes.startedAt
    milliseconds = run.wallTimes.totalMilliseconds
  }
}
