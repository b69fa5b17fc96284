import Bench
import Campaigns
import Conformance
import Judging
import RunReports
import SimKernel
import Stress

/// What one seed of many came to; small, since there may be millions.
struct SeedResult: Sendable {
  var seed: UInt64
  var verdict: Verdict
  var digest: TraceDigest?
  var reasons: [String]
  /// What went wrong first; nil: nothing failed.
  var cause: Sighting?
  /// The first things that are wrong with it, a line each.
  var details: [String] = []
  /// Where the scenario says the first of them; nil: nowhere.
  var line: Int?
  /// Whether each claim of the scenario holds there; nil: unknown.
  var claims: [Bool?] = []
  /// Time by the wall clock.
  var milliseconds = 0
}

extension Trouble {
  /// What is wrong in a line, for files about many runs.
  func line(_ header: TraceHeader) -> String {
    let names = devices.map { header.name(of: $0) }.joined(separator: ", ")
    return "\(instant.microseconds) s" + (names.isEmpty ? "" : " \(names)") + ": \(claim)"
      + (clause.isEmpty ? "" : " (\(clause))") + ", expected \(expected), saw \(actual)"
  }
}

/// Runs many seeds on some threads, one single-threaded world at a time on each.
struct Sweep {
  var bench: Bench
  var plan: RunPlan
  var seeds: SeedRange
  var jobs: Int
  var files: SweepFiles?

  /// One result per seed in the order of the seeds; nil for those not begun because of an interruption.
  func run() throws -> [SeedResult?] {
    let total = seeds.count
    let (bench, plan, seeds, files) = (bench, plan, seeds, files)
    let results = try Trials("seeds", jobs: jobs).outcomes(
      total,
      makePlayer: {
        // Each thread reads the scenario for itself, so that threads share no counted reference.
        let scenario = Result { try bench.load(plan.path, plan.settings) }
        return { index in
          let seed = seeds.seed(at: index)
          let start = ContinuousClock.now
          do {
            let run = SeedRun(bench: bench, plan: plan, scenario: try scenario.get())
            let report = try files.map { try $0.run(seed, run) } ?? run.run(seed: seed, output: nil)
            return SeedResult(
              seed: seed, verdict: report.verdict, digest: report.judgement.outcome.digest, reasons: report.reasons,
              cause: Sighting.all(in: report.judgement, of: run.scenario).first,
              details: report.troubles.prefix(3).map { $0.line(report.judgement.header) },
              line: report.troubles.first?.line,
              claims: report.claims.map(\.holds), milliseconds: Int((ContinuousClock.now - start) / .milliseconds(1)))
          } catch {
            return SeedResult(seed: seed, verdict: .error, digest: nil, reasons: ["\(error)"])
          }
        }
      },
      isBad: { (result: SeedResult) in result.verdict > .pass }, taken: { _, _ in try files?.folder.list() })
    return results + Array(repeating: nil, count: total - results.count)
  }
}

/// Lays the results of many seeds out for a person.
struct SweepPrinter {
  var printer: RunPrinter
  var plan: RunPlan
  var seeds: SeedRange
  var results: [SeedResult?]
  /// The scenario's.
  var claims: [Claim] = []
  /// What explains a seed, for those that stand for a cause.
  var reasons: (_ seed: UInt64) -> String? = { _ in nil }

  var verdict: Verdict {
    let verdict = (results.compactMap { $0?.verdict } + shares.map(\.result.verdict)).combined()
    // Nobody knows what those that were not begun would have come to.
    return results.contains { $0 == nil } ? verdict.combined(with: .inconclusive) : verdict
  }

  /// Claims about a share of all worlds, which one world cannot decide.
  private var shares: [(claim: Claim, result: ClaimResult)] {
    claims.enumerated().filter { $0.element.share != nil }.map { place, claim in
      var tally = ClaimTally()
      for result in results.compactMap(\.self) where place < result.claims.count { tally.add(result.claims[place]) }
      return (claim, ClaimResult(claim, tally))
    }
  }

  /// Over the digests of all seeds in order.
  var digest: TraceDigest {
    var digest = TraceDigest()
    for result in results {
      digest.combine(result?.seed ?? 0)
      digest.combine(text: result?.digest?.hexadecimal ?? "")
    }
    return digest
  }

  /// Seeds that do not pass for one cause, in their order.
  struct Cause {
    var verdict: Verdict
    var text: String
    var seeds: [SeedResult]
  }

  /// What most seeds fail by comes first.
  var causes: [Cause] {
    var causes: [Cause] = []
    for result in results.compactMap(\.self) where result.verdict != .pass {
      let text = result.cause?.text ?? result.reasons.first ?? "nothing was judged"
      let place = causes.firstIndex { other in
        other.verdict == result.verdict && (result.cause == nil) == (other.seeds[0].cause == nil)
          && (result.cause.map { $0.reason == other.seeds[0].cause?.reason } ?? (other.text == text))
      }
      if let place {
        causes[place].seeds.append(result)
      } else {
        causes.append(Cause(verdict: result.verdict, text: text, seeds: [result]))
      }
    }
    return causes.enumerated().sorted { ($1.element.seeds.count, $0.offset) < ($0.element.seeds.count, $1.offset) }
      .map(\.element)
  }

  /// How many seeds are named; the others are in --out.
  private static let named = 12

  private func words(on cause: Cause, reason: String?) -> [String] {
    let first = cause.seeds[0]
    let count = cause.seeds.count
    var lines = [
      "\(printer.word(cause.verdict)) in \(CountedNoun.text(count, "seed")): " + ConsoleTable.oneLine(cause.text)
    ]
    if let reason { lines.append("  seed \(first.seed), known: " + ConsoleTable.oneLine(reason)) }
    if let detail = first.cause?.detail, !detail.isEmpty {
      lines.append("  seed \(first.seed): " + ConsoleTable.oneLine(detail))
    }
    if count > 1 {
      let names = cause.seeds.prefix(Self.named).map { String($0.seed) }.joined(separator: ", ")
      lines.append("  seeds \(names)" + (count > Self.named ? " and \(count - Self.named) more" : ""))
    }
    lines.append("  why " + plan.whyLine(seed: first.seed))
    return lines
  }

  var lines: [String] {
    var lines: [String] = []
    for (place, cause) in causes.enumerated() {
      lines += words(on: cause, reason: place < KnownReason.limit ? reasons(cause.seeds[0].seed) : nil)
    }
    let done = results.compactMap { $0 }
    var totals =
      done.count < results.count
      ? "\(done.count) of \(CountedNoun.text(results.count, "seed")) run" : CountedNoun.text(done.count, "seed")
    for verdict in Verdict.allCases.reversed() {
      let count = done.filter { $0.verdict == verdict }.count
      if count > 0 { totals += ", \(count) \(verdict.name)" }
    }
    lines.append(totals)
    if done.count < results.count {
      lines.append("interrupted: \(CountedNoun.text(results.count - done.count, "seed")) not begun")
    }
    for (claim, result) in shares {
      lines.append("claim \(claim.text): \(printer.word(result.verdict)), \(StressReport.detail(result))")
    }
    lines.append("verdict " + printer.word(verdict))
    lines.append("digest " + digest.hexadecimal)
    lines.append("repeat " + plan.repeatLine(seeds: seeds))
    return lines
  }
}
