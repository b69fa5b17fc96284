import Bench
import Conformance
import Judging
import SimKernel

/// Two runs of one scenario and seed that are not the same run.
struct Divergence: Sendable {
  /// What was different about how the second was run.
  var difference: String
  var digests: (TraceDigest, TraceDigest)
  /// The first record that differs, as each run has it; nil for a run that ended before.
  var firstDifference: (String?, String?)?

  var lines: [String] {
    var lines = ["two runs differ: \(difference)", "  first  digest \(digests.0.hexadecimal)"]
    lines.append("  second digest \(digests.1.hexadecimal)")
    if let (first, second) = firstDifference {
      lines.append("  first event that differs:")
      lines.append("    first:  " + (first ?? "the run is over"))
      lines.append("    second: " + (second ?? "the run is over"))
    } else {
      lines.append("  no event that a reader sees differs; the digest covers more than that")
    }
    return lines
  }
}

/// Runs a seed twice, the second time stepping through idle connection events and with other readers.
struct DeterminismCheck {
  var bench: Bench
  var scenario: Scenario

  /// Nil when both runs agree; `first` is the judgement of the run that was already done with `options`.
  func divergence(from first: Judgement, _ options: RunOptions) throws -> Divergence? {
    var stepping = options
    stepping.stepsIdleEvents = true
    let second = try bench.judge(scenario, stepping, readers: [AttentiveReader()])
    if agree(first, second) { return nil }
    let again = try bench.judge(scenario, options, readers: [])
    let isRepeatable = agree(first, again)
    let difference =
      isRepeatable ? "skipping idle connection events against stepping through them" : "nothing but that it ran again"
    let other = isRepeatable ? stepping : options
    return Divergence(
      difference: difference, digests: (first.outcome.digest, (isRepeatable ? second : again).outcome.digest),
      firstDifference: try firstDifference(options, other))
  }

  /// One digest, one ending, and the same word from every oracle.
  private func agree(_ a: Judgement, _ b: Judgement) -> Bool {
    a.outcome.digest == b.outcome.digest && a.outcome.ending == b.outcome.ending
      && a.outcome.endInstant == b.outcome.endInstant && a.outcome.devices == b.outcome.devices
      && a.oracles.map(\.verdict) == b.oracles.map(\.verdict)
      && a.expectations.map(\.answer) == b.expectations.map(\.answer)
  }

  /// What apps, faults and steps show comes first; the radio is looked at when that agrees.
  private func firstDifference(_ a: RunOptions, _ b: RunOptions) throws -> (String?, String?)? {
    for wantsRadio in [false, true] {
      let (first, second) = (TraceRecording(wantsRadio: wantsRadio), TraceRecording(wantsRadio: wantsRadio))
      _ = try bench.run(scenario, a, [first])
      _ = try bench.run(scenario, b, [second])
      if let index = first.firstDifference(from: second) { return (first.text(at: index), second.text(at: index)) }
    }
    return nil
  }
}

/// Asks for everything and keeps nothing: another reader than the first run had.
private final class AttentiveReader: TraceReader {
  var wantsAir: Bool { true }
  var wantsHCI: Bool { true }
  func read(_ record: TraceRecord) {}
}
