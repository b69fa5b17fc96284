import AppSeam
import Conformance
import Judging
import SimKernel

/// What a shard of the proof says alone: whether the reference passes. Which purpose fails which mutant is known when
/// all shards are merged.
struct SelftestShard {
  private let pieces: Int
  private let runs: Int
  private let failures: [CaseResult]

  init(_ proofs: [SelftestRun]) {
    let rows = proofs.flatMap(\.matrix.rows)
    pieces = proofs.map(\.pieces.count).reduce(0, +)
    runs = rows.map(\.referenceRuns).reduce(0, +)
    failures = rows.flatMap(\.referenceFailures)
  }

  var verdict: Verdict {
    if pieces == 0 { return .none }
    return failures.isEmpty ? .pass : .fail
  }

  func text(_ shard: Shard) -> String {
    let lines = failures.map {
      "the reference does not pass  \($0.id.purpose) \($0.id.dialect.rawValue) seed \($0.id.seed): \($0.verdict.name)"
    }
    let sums = [
      "shard \(shard): \(CountedNoun.text(pieces, "piece")), \(CountedNoun.text(runs, "run")) of the reference,"
        + " \(runs - failures.count) pass",
      "babbench merge makes the proof of all shards",
    ]
    return (lines + sums).joined(separator: "\n")
  }
}
