package import Judging
package import SimKernel

/// What one world came to.
package struct WorldResult: Sendable {
  package var index: Int
  package var verdict: Verdict
  /// Nil: it did not get to its end.
  package var digest: TraceDigest?
  package var queueEvents: Int
  /// What was wrong, in words that are the same in every world with the same fault; the first thing first.
  package var causes: [String]
  /// For people: what was seen of the first one.
  package var detail: String
  package let samples: RunMeasures?
  /// By measure; nil where it has no sample.
  package let figures: [RunMeasures.Figures?]

  /// - Parameter measures: how many there are.
  package init(
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
