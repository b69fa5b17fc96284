import Conformance

/// Requirements of Bab that no tester can judge or no mutant can break from outside, each with the reason.
enum ClauseExemptions {
  static let all: [ClauseExemption] = []
}
