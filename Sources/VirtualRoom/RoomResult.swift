public import Bench
public import SimKernel

/// What a room came to: how it ended, and everything that was judged.
public struct RoomResult: Hashable, Sendable {
  /// How the run went, as counts, with its digest.
  public var outcome: RunOutcome
  /// Expectations of the scenario, in the order in which they were decided, and steps that were not done.
  public var expectations: [Expectation]
  /// What the oracles of the players found.
  public var findings: [RefereeFinding]
  /// How often oracles judged something; 0: no finding means nothing, for example without a judge.
  public var judgedCount: Int
  /// What the scenario claims of measures, which only `babbench run` judges.
  public var claims: [String]
  private let devices: [String]

  init(
    outcome: RunOutcome, expectations: [Expectation], findings: [RefereeFinding], judgedCount: Int, claims: [String],
    devices: [String]
  ) {
    self.outcome = outcome
    self.expectations = expectations
    self.findings = findings
    self.judgedCount = judgedCount
    self.claims = claims
    self.devices = devices
  }

  /// Something that was expected.
  public struct Expectation: Hashable, Sendable {
    /// As the file has it.
    public var text: String
    /// Nil: nobody could be asked.
    public var holds: Bool?
    /// What it came to, for people.
    public var detail: String
    /// In the file; nil: nobody wrote it there.
    public var line: Int?
    public var at: SimInstant
  }

  /// Whether the run came to its end, every expectation held, and nothing was found.
  public var isPass: Bool { problems.isEmpty }

  /// Everything that is wrong, a line each; empty for a pass.
  public var problems: [String] {
    var lines = findings.map(\.description)
    for expectation in expectations where expectation.holds != true {
      let place = expectation.line.map { " (line \($0))" } ?? ""
      let word = expectation.holds == nil ? "unknown" : "not met"
      lines.append("\(word): \(expectation.text)\(place), at \(expectation.at) s: \(expectation.detail)")
    }
    switch outcome.ending {
    case .finished, .stopped: break
    case .simulatedTimeLimit: lines.append("the run came to its limit of simulated time, at \(outcome.endInstant) s")
    case .eventLimit: lines.append("the run never comes to rest, at \(outcome.endInstant) s")
    case .breakdown:
      // With a judge it is among the findings.
      if let breakdown = outcome.breakdown, findings.isEmpty {
        lines.append("\(devices[breakdown.device]) broke down, at \(breakdown.instant) s: \(breakdown.detail)")
      }
    }
    return lines
  }
}

extension RoomResult: CustomStringConvertible {
  /// `pass`, or what is wrong.
  public var description: String { isPass ? "pass" : problems.joined(separator: "\n") }
}
