package import Judging
package import SimKernel

/// What one drawn world came to.
package struct WorldOutcome: Sendable {
  package var seed: UInt64
  package var verdict: Verdict
  /// Nil: it was not played to an end.
  package var digest: TraceDigest?
  package var events: Int
  /// Nanoseconds of simulated time.
  package var nanoseconds: Int64
  /// Each cause once, the earliest first.
  package var sightings: [CauseSighting]
  /// What of the format of scenarios the world has (`ScenarioUses`), and of traces, where that was asked for.
  package var uses: [String] = []
  /// Oracles that did not see all of a program, because it does not report what they see it by; with the reason.
  package var unseen: [(oracle: String, reason: String)] = []
  /// It was played in other modes too.
  package var hasModes = false
  /// Its captures were judged too.
  package var hasCaptures = false
  /// A step waited for something that did not come; what followed was not played.
  package var isCutShort: Bool
  /// Somebody's stack is broken on purpose: what oracles find is no cause.
  package var isExcused: Bool
}
