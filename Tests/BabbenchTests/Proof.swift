import SuiteTestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// What other tests show in part, and takes long: played before a release.
  static var proof: Self { .enabled(if: Part.isAll, "a proof: BABBENCH_PROOFS=1") }
}
