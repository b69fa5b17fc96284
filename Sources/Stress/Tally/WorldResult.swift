public import Judging
public import Measures
public import SimKernel

/// What one world came to.
public struct WorldResult: Sendable {
  public var index: Int
  public var verdict: Verdict
  /// Nil: it did not get to its end.
  public var digest: TraceDigest?
  public var queueEvents: Int
  /// What was wrong, in words that are the same in every world with the same fault; the first thing first.
  public var causes: [String]
  /// For people: what was seen of the first one.
  public var detail: String
  public let samples: RunMeasures?
  /// By measure; nil where it has no sample.
  public let figures: [RunMeasures.Figures?]

  /// - Parameter measures: how many there are.
  public init(
    index: Int, verdict: Verdict, digest: TraceDigest?, queueEvents: Int, causes: [String], detail: String,
    samples: RunMeasures?, measures: Int
  ) {
    self.index = index
    self.verdict = verdict
    self.digest = digest
    self.queueEvents = queueEvents
    self.causes = causes
    self.detail = detail
    self.samples = samples
    figures = (0..<measures).map { samples?.figures($0) }
  }
}
