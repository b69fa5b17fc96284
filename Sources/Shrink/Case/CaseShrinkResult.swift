package import Conformance

/// What shrinking a case came to.
package struct CaseShrinkResult: Sendable {
  /// A part that cannot be left out, and what the case comes to without it.
  package struct Need: Hashable, Sendable {
    package var what: String
    package var words: String
    /// Its number, where it is a stimulus.
    package var stimulus: Int?
  }

  /// The case as it was.
  package var first: CaseResult
  /// The smallest that was found; its `id.cut` says what it is played without.
  package var last: CaseResult
  /// How many peers the bench played, before and after.
  package var peersBefore: Int
  package var peersAfter: Int
  /// The stimuli that are left out, in their order, with their numbers.
  package var leftOut: [Int: String]
  /// Those that are stimuli come last, in their order.
  package var needs: [Need]
  /// The reference passes the case as it was, so that every smaller one was held to that.
  package var hasControl: Bool
  /// Played once more, the smallest case has the same digest.
  package var isRepeatable: Bool
  package var executions: Int
  /// False: a limit was reached first.
  package var isSmallest: Bool
}

extension CaseResult {
  /// Its stimuli, with their numbers.
  package var givenStimuli: [(number: Int, text: String)] {
    steps.compactMap { step in step.stimulus.map { ($0, step.text) } }
  }
}
